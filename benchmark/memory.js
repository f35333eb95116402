'use strict'

// Owns the command for the table of what engines cost in memory, beside their speed.

const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { commonOptions, chosenBy, runCommand } = require('./command')
const { codecs, named } = require('./codecs')
const datasets = require('./datasets')
const { versionsOf } = require('./peers')
const { showProgress } = require('./progress')
const { printHeading } = require('./table')

const PRESET = ['clinical', 'distinct', 'twitter', 'nonascii']
const ENGINES = [
  'ferropack',
  'ferropack structures',
  'msgpackr',
  'msgpackr structures',
  'cbor-x',
  'JSON',
  'msgpack-lite',
  '@msgpack/msgpack',
  'notepack.io',
]
/** A young generation that the operations whose allocations are counted do not fill, in MiB. */
const SEMI_SPACE = 256
const flags = {
  allocated: ['--expose-gc', `--max-semi-space-size=${SEMI_SPACE}`, `--min-semi-space-size=${SEMI_SPACE}`],
  peak: [],
}

const help = `Usage: npm run bench:memory -- [data set ...] [word ...] [options]

  data set   names (default ${PRESET.join(' ')}), of:
             ${datasets.names.join(' ')}
  word       only engines whose name contains one of the words
  -v         print the version
  --quick    0.3 seconds an engine instead of 2, and clinical alone
  --json     print lines of JSON
  --help     this text

allocated is how many bytes of V8's heap, and of ArrayBuffers and the like
outside of it, an operation takes, all garbage included. peak is by how much
the process has grown at most, from data and engine being loaded, while
operations ran one after another.`

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      ...commonOptions,
    },
  })
  const isData = (word) => datasets.names.includes(word)
  const words = positionals.filter((word) => !isData(word))
  const names = positionals.filter(isData)
  const engines = chosenBy(words, ENGINES, (name) => name)
  const preset = values.quick ? PRESET.slice(0, 1) : PRESET
  return { ...values, engines, names: names.length > 0 ? names : preset }
}

/** What a process of its own finds. */
function find(what, orders) {
  const script = join(__dirname, 'memory-one.js')
  const args = [...flags[what], script, JSON.stringify({ ...orders, what })]
  const child = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (child.error) throw child.error
  if (child.status === 0) return JSON.parse(child.stdout)
  const operation = named(orders.engine).usage[orders.direction]
  return {
    ...orders,
    operation,
    fault: `the process ended with ${child.signal ?? `exit code ${child.status}`}`,
  }
}

function measure(orders) {
  const allocated = find('allocated', orders)
  return allocated.fault ? allocated : { ...find('peak', orders), allocated: allocated.allocated }
}

function amount(bytes) {
  if (bytes < 10_000) return `${bytes.toFixed()} B`
  return bytes < 10_000_000 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

const line = (...cells) =>
  console.log(
    cells.map((cell, at) => (at < 3 ? cell.padEnd([10, 6, 20][at]) : cell.padStart(11))).join(' | '),
  )

function printFinding({ data, direction, engine, fault, count, milliseconds, allocated, peak }) {
  if (fault) {
    console.log(`${data.padEnd(10)} | ${direction.padEnd(6)} | ${engine.padEnd(20)} | ${fault}`)
    return
  }
  line(data, direction, engine, ((count / milliseconds) * 1000).toFixed(), amount(allocated), amount(peak))
}

function jsonOf({ data, direction, engine, operation, fault, count, milliseconds, allocated, peak }) {
  const figures = fault
    ? { fault }
    : { opPerSecond: Math.round((count / milliseconds) * 1000), allocated: Math.round(allocated), peak }
  return JSON.stringify({ table: 'memory', data, engine, operation, direction, ...figures })
}

function run(chosen) {
  if (!chosen.json) {
    const measured = codecs.filter(({ name, peer }) => peer && chosen.engines.includes(name))
    printHeading('Memory, beside the speed', versionsOf(measured.map(({ peer }) => peer)))
    console.log()
    line('data', '', 'engine', 'op/s', 'allocated', 'peak')
    line('-'.repeat(10), '-'.repeat(6), '-'.repeat(20), '----:', '----:', '----:')
  }
  const milliseconds = chosen.quick ? 300 : 2000
  const all = chosen.names.flatMap((data) =>
    ['pack', 'unpack'].flatMap((direction) => chosen.engines.map((engine) => ({ data, engine, direction }))),
  )
  all.forEach((orders, index) => {
    showProgress(`${orders.data}, ${orders.engine}`, index / all.length)
    const finding = measure({ ...orders, milliseconds })
    showProgress(null)
    if (chosen.json) console.log(jsonOf(finding))
    else printFinding(finding)
  })
}

runCommand({ help, readArguments, run })
