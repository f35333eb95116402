'use strict'

// Owns the speeds of one data set as multiples of msgpackr's, from the rows of the ratio benchmark.
//
// A comparison is measured in a process of its own, so times of two comparisons are not to be
// compared as they are. JSON takes part in each: its time carries one comparison to the other.

const BASE = 'msgpackr'
const BASE_WITH_STRUCTURES = 'msgpackr structures'
const BRIDGE = 'JSON'

/** The engine that an engine's ratio is to: its times are of the same process. */
function twinOf(engine) {
  return engine.includes('structures') ? BASE_WITH_STRUCTURES : BASE
}

function groupsOf(rows) {
  const groups = new Map()
  for (const row of rows) groups.set(row.comparison, [...(groups.get(row.comparison) || []), row])
  return [...groups.values()]
}

const isMeasured = (row) => Boolean(row) && !row.fault && row.ns > 0
const find = (group, engine) => group.find((row) => row.engine === engine)

/** How many times the speed of the base `row` of another comparison has; undefined where nothing says. */
function bridged(row, group, baseGroup) {
  const here = find(group, BRIDGE)
  const there = find(baseGroup, BRIDGE)
  const base = find(baseGroup, BASE)
  if (![here, there, base].every(isMeasured)) return undefined
  return here.ns / row.ns / (there.ns / base.ns)
}

// The ratio that the benchmark prints is kept where there is one: it is the median of the rounds'
// ratios, which is closer than that of the medians.
function relativeTo(twin, row) {
  const isOwn = row.engine.startsWith('ferropack')
  return isOwn && row.vsMsgpackr > 0 ? row.vsMsgpackr : twin.ns / row.ns
}

/**
 * The speed of `engine` where msgpackr's is 1: `{ value }`, or `{ fault }` if it could not be
 * measured, or null if no row is about it. `rows` are of one data set and direction.
 */
function relativeSpeed(engine, rows) {
  const groups = groupsOf(rows)
  const baseGroup = groups.find((group) => find(group, BASE))
  if (!baseGroup) return null
  const group = [baseGroup, ...groups].find((candidate) => find(candidate, engine))
  if (!group) return null
  const row = find(group, engine)
  if (row.fault) return { fault: row.fault }
  const twin = find(group, twinOf(engine)) || find(baseGroup, BASE)
  const base = find(baseGroup, BASE)
  if (![row, twin, base].every(isMeasured)) return null
  const ofTwin = group === baseGroup ? base.ns / twin.ns : bridged(twin, group, baseGroup)
  return ofTwin === undefined ? null : { value: ofTwin * relativeTo(twin, row) }
}

module.exports = { relativeSpeed }
