'use strict'

// Owns the command for what unpacking must not lose on: what is read for the first time, and inputs of extreme shape.
// Each is measured in fresh processes, Ferropack's and msgpackr's by turns.

const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { commonOptions, chosenBy, isAmount, runCommand } = require('./command')
const { cases } = require('./datasets/limits')
const { versionsOf } = require('./peers')
const { showProgress } = require('./progress')
const { printHeading } = require('./table')
const { summarize } = require('./timing')

const ENGINES = ['ferropack', 'msgpackr']

const help = `Usage: npm run bench:limits -- [processes] [word ...] [options]

  processes    for each case and engine (default 9); the median counts
  word         only cases whose name contains one of the words:
               ${Object.keys(cases).join('\n               ')}
  --node=PATH  measure on this Node.js binary
  --json       print lines of JSON
  -v           print the version
  --help       this text

The time is that of all messages of a case, from the first call of unpack in
the process. Exits 1 if a result is wrong.`

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { node: { type: 'string' }, json: { type: 'boolean' }, ...commonOptions },
  })
  return {
    ...values,
    node: values.node || process.execPath,
    processes: Math.ceil(Number(positionals.find(isAmount) ?? 9)),
    words: positionals.filter((word) => !isAmount(word)),
  }
}

/** Milliseconds that a process of its own takes. Throws where a result is wrong. */
function measure(node, engine, name) {
  const script = join(__dirname, 'limits-one.js')
  const child = spawnSync(node, [script, engine, name], { encoding: 'utf8' })
  if (child.error) throw child.error
  if (child.status === 0) return Number(child.stdout)
  throw new Error(`${name}, ${engine}: ${child.stderr.trim().split('\n').pop() || child.signal}`)
}

/** The median time of each engine, and of how many times as fast Ferropack was. */
function compare(name, { node, processes }) {
  const samples = ENGINES.map(() => [])
  for (let round = 0; round < processes; round++) {
    // Either is first as often as the other.
    for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) samples[at].push(measure(node, ENGINES[at], name))
  }
  const [ours, theirs] = samples
  const ratios = ours.map((time, round) => theirs[round] / time)
  const [ferropack, msgpackr, vsMsgpackr] = [ours, theirs, ratios].map((list) => summarize(list).median)
  return { table: 'limits', data: name, direction: 'unpack', ferropack, msgpackr, vsMsgpackr }
}

function run(chosen) {
  const names = chosenBy(chosen.words, Object.keys(cases), (name) => name)
  const width = Math.max(...names.map(({ length }) => length))
  const line = (...cells) =>
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(width) : cell.padStart(12))).join(' | '))
  if (!chosen.json) {
    printHeading('Unpacking at the limits', versionsOf(['msgpackr']))
    line('ms for all messages', ...ENGINES, 'times')
  }
  for (const [index, name] of names.entries()) {
    showProgress(name, index / names.length)
    const found = compare(name, chosen)
    showProgress(null)
    if (chosen.json) console.log(JSON.stringify(found))
    else line(name, ...ENGINES.map((engine) => found[engine].toFixed(2)), found.vsMsgpackr.toFixed(2))
  }
}

runCommand({ help, readArguments, run })
