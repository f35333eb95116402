'use strict'

// Owns the measuring of one comparison on one data set in a process of its own,
// so that no engine is slowed down by what another made V8 learn. Takes its
// orders as JSON in the first argument and prints its findings as JSON.

const { comparisons, codecNamed, enginesOf, JSON_ENGINE } = require('./comparisons')
const datasets = require('./datasets')
const { prepare, recheck } = require('./operations')
const { loopOver, shuffled, summarize, time, warmUp } = require('./timing')

// A sample has several operations, however long one takes, so that each bears
// its share of garbage collection.
const fewest = 3

function measure(operations, { rounds, ms }) {
  for (const operation of operations) {
    operation.loop = loopOver(operation)
    operation.count = Math.max(fewest, warmUp(operation.loop, ms * 12, ms))
    operation.samples = []
  }
  for (let round = 0; round < rounds; round++) {
    for (const { loop, count, samples } of shuffled(operations)) {
      samples.push((time(loop, count) / count) * 1e6)
    }
  }
}

// How many times the time of `engine` the time of `rival` is. The two samples of
// a round lie close together in time, so their ratio holds even when the
// machine is slowed down for a part of the rounds.
function ratio(engine, rival) {
  if (engine.fault || rival === undefined || rival.fault) return null
  return summarize(rival.samples.map((time, round) => time / engine.samples[round])).median
}

function find(orders) {
  const comparison = comparisons.find(({ name }) => name === orders.comparison)
  const { messages } = datasets.load(orders.data)
  // An engine that is there for one direction has the other's name only in that.
  const operations = ['pack', 'unpack'].flatMap((direction) =>
    enginesOf(comparison)
      .map(codecNamed)
      .filter(({ usage }) => usage[direction] !== undefined)
      .map((codec) => prepare(codec, direction, messages)),
  )
  measure(
    operations.filter(({ fault }) => !fault),
    orders,
  )
  for (const operation of operations) operation.fault = recheck(operation)
  return operations.map((operation) => {
    const { engine, direction, fault, samples, size } = operation
    const rival = (name) => operations.find((each) => each.engine === name && each.direction === direction)
    const finding = { table: 'ratio', data: orders.data, comparison: comparison.name, direction, engine }
    if (fault) return { ...finding, fault }
    const { median, spread } = summarize(samples)
    const vsMsgpackr = ratio(operation, rival(comparison.theirs))
    const vsJson = ratio(operation, rival(JSON_ENGINE))
    return { ...finding, ns: median, spread, size, vsMsgpackr, vsJson }
  })
}

const rows = find(JSON.parse(process.argv[2]))
console.log(JSON.stringify({ node: process.versions.node, v8: process.versions.v8, rows }))
