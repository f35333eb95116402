'use strict'

// Owns the printing of comparisons: times, and how many times as fast Ferropack is.

const { cpus } = require('node:os')
const { JSON_ENGINE } = require('./comparisons')

function duration(nanoseconds) {
  const [unit, size] = nanoseconds < 1e3 ? ['ns', 1] : nanoseconds < 1e6 ? ['µs', 1e3] : ['ms', 1e6]
  const value = nanoseconds / size
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`
}

function cell(finding) {
  if (finding === undefined || finding.fault) return '-'
  return `${duration(finding.ns)} ±${(finding.spread * 50).toFixed(1)}%`
}

function times(ratio) {
  return ratio === null || ratio === undefined ? '-' : `${ratio.toFixed(2)}x`
}

const WIDTHS = [12, 12, 6, 20]

function printLine(cells) {
  console.log(cells.map((text, at) => (at < 4 ? text.padEnd(WIDTHS[at]) : text.padStart(16))).join(' '))
}

function printHeader({ rounds, ms }) {
  const [cpu] = cpus()
  console.log(cpu ? cpu.model.trim() : 'unknown CPU')
  console.log(`time per message: median of ${rounds} samples of ${ms} ms, ± half the interquartile range`)
  console.log('last two columns: how many times as fast as msgpackr and JSON, median of the rounds\n')
  printLine(['data', 'comparison', '', 'engine', 'time', 'vs msgpackr', 'vs JSON'])
}

/** The rows of one comparison on one data set. */
function printFindings(rows, { theirs }) {
  for (const row of rows) {
    const { data, comparison, direction, engine, fault } = row
    const names = [data, comparison, direction, engine]
    if (fault) {
      console.log(`${names.map((text, at) => text.padEnd(WIDTHS[at])).join(' ')} not measured: ${fault}`)
      continue
    }
    const vsMsgpackr = engine === theirs ? null : row.vsMsgpackr
    const vsJson = engine === JSON_ENGINE ? null : row.vsJson
    printLine([...names, cell(row), times(vsMsgpackr), times(vsJson)])
  }
}

// The lowest ratio to msgpackr of each engine of Ferropack, by its comparison and name.
function lowestOf(rows) {
  const lowest = {}
  for (const { comparison, engine, data, direction, vsMsgpackr } of rows) {
    if (!engine.startsWith('ferropack') || typeof vsMsgpackr !== 'number') continue
    const name = `${comparison}: ${engine}`
    if (!(lowest[name]?.vsMsgpackr <= vsMsgpackr)) lowest[name] = { data, direction, vsMsgpackr }
  }
  return lowest
}

function printSummary(rows, versions) {
  console.log(
    versions === null ? '\nno ratio: nothing to compare' : `\nNode.js ${versions.node}, V8 ${versions.v8}`,
  )
  for (const [name, { data, direction, vsMsgpackr }] of Object.entries(lowestOf(rows))) {
    console.log(`lowest of ${name}: ${times(vsMsgpackr)} as fast as msgpackr (${data}, ${direction})`)
  }
}

module.exports = { printHeader, printFindings, printSummary, lowestOf }
