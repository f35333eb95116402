'use strict'

// Owns the comparisons over many data sets: a fresh process for each, and the
// ratios of Ferropack's time to that of msgpackr and JSON. Packrs with shared
// structures are compared with msgpackr's that have them too.

const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { commonOptions, isAmount, runCommand } = require('./command')
const { comparisons, enginesOf } = require('./comparisons')
const datasets = require('./datasets')
const { showProgress } = require('./progress')
const { lowestOf, printFindings, printHeader, printSummary } = require('./ratio-table')

/** The comparison of streams, and the data sets that it has by default. */
const STREAMS = { name: 'streams', ours: ['ferropack'], theirs: 'msgpackr', others: [] }
const STREAMED = ['fluentd', 'distinct']

const help = `Usage: npm run bench:ratio -- [data set ...] [options]

  data set        names (default all): ${datasets.names.join(' ')}
  streams         compares the streams instead, of data sets (default ${STREAMED.join(' ')})
  --rounds=N      samples of each operation (default 60)
  --ms=N          milliseconds a sample takes (default 15)
  --quick         15 rounds of 10 milliseconds
  --only=NAME     one comparison: plain, of the functions of the modules;
                  structures, of packrs that share structures between messages;
                  each on both tiers of Ferropack
  --alternatives  instead, what one might pick besides MessagePack:
                  ${enginesOf(comparisons.find(({ onRequest }) => onRequest)).join(', ')}
  --node=PATH     measure on this Node.js binary
  --json          print lines of JSON, times in nanoseconds
  -v              print the version
  --help          this text

Exits 1 if a result of Ferropack is wrong.`

function positive(text, preset) {
  if (text === undefined) return preset
  if (isAmount(text)) return Number(text)
  throw new RangeError(`"${text}" is not a number above 0`)
}

function wholePositive(text, preset) {
  const number = positive(text, preset)
  if (Number.isInteger(number)) return number
  throw new RangeError(`"${text}" is not a whole number above 0`)
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      ms: { type: 'string' },
      node: { type: 'string' },
      only: { type: 'string' },
      alternatives: { type: 'boolean' },
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      ...commonOptions,
    },
  })
  const names = positionals.filter((name) => name !== STREAMS.name)
  const unknown = names.find((name) => !datasets.names.includes(name))
  if (unknown) throw new RangeError(`There is no data set "${unknown}"`)
  const hasStreams = positionals.includes(STREAMS.name)
  const choices = [
    hasStreams && STREAMS.name,
    values.alternatives && '--alternatives',
    values.only && '--only',
  ]
  const given = choices.filter(Boolean)
  if (given.length > 1) throw new RangeError(`There can be ${given.join(' or ')}, not both`)
  const preset = hasStreams ? STREAMED : datasets.names
  return {
    ...values,
    comparisons: hasStreams ? [STREAMS] : chosenComparisons(values),
    names: names.length > 0 ? names : preset,
    node: values.node || process.execPath,
    rounds: wholePositive(values.rounds, values.quick ? 15 : 60),
    ms: positive(values.ms, values.quick ? 10 : 15),
  }
}

function chosenComparisons({ only, alternatives }) {
  const chosen = comparisons.filter(({ name, onRequest }) =>
    only === undefined ? Boolean(onRequest) === Boolean(alternatives) : name === only,
  )
  if (chosen.length === 0) throw new RangeError(`There is no comparison "${only}"`)
  return chosen
}

// What the child has found. Throws when it did not live to tell.
function measure(data, comparison, { node, rounds, ms }) {
  const orders = JSON.stringify({ data, comparison: comparison.name, rounds, ms })
  const script = comparison === STREAMS ? 'streams.js' : 'one.js'
  const child = spawnSync(node, [join(__dirname, script), orders], { encoding: 'utf8' })
  if (child.error) throw child.error
  if (child.status === 0) return JSON.parse(child.stdout)
  const end = child.signal || `exit code ${child.status}`
  throw new Error(`the process ended with ${end}\n${child.stderr}`)
}

function run(chosen) {
  if (!chosen.json) printHeader(chosen)
  const all = []
  let versions = null
  const orders = chosen.names.flatMap((data) =>
    chosen.comparisons.map((comparison) => ({ data, comparison })),
  )
  for (const [index, { data, comparison }] of orders.entries()) {
    showProgress(`${data}, ${comparison.name}`, index / orders.length)
    try {
      const { node, v8, rows } = measure(data, comparison, chosen)
      versions = { node, v8 }
      showProgress(null)
      if (chosen.json) for (const row of rows) console.log(JSON.stringify({ ...row, node, v8 }))
      else printFindings(rows, comparison)
      all.push(...rows)
    } catch (error) {
      showProgress(null)
      console.error(`${data}, ${comparison.name}: ${error.message}`)
      process.exitCode = 1
    }
  }
  if (all.some(({ engine, fault }) => fault && engine.startsWith('ferropack'))) process.exitCode = 1
  if (chosen.json) console.log(JSON.stringify({ lowest: lowestOf(all) }))
  else printSummary(all, versions)
}

runCommand({ help, readArguments, run })
