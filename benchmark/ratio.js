'use strict'

// Owns the comparisons over many data sets: a fresh process for each, and the
// ratios of Ferropack's time to that of msgpackr and JSON. Packrs with shared
// structures are compared with msgpackr's that have them too.

const { spawnSync } = require('node:child_process')
const { cpus } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { comparisons } = require('./codecs')
const datasets = require('./datasets')

const ENGINES = ['ferropack', 'msgpackr', 'JSON']

/** The comparison of streams, and the data sets that it has by default. */
const STREAMS = 'streams'
const STREAMED = ['fluentd', 'distinct']

const help = `Usage: npm run bench:ratio -- [data set ...] [options]

  data set      names (default all): ${datasets.names.join(' ')}
  streams       compares the streams instead, of data sets (default ${STREAMED.join(' ')})
  --rounds=N    samples of each operation (default 60)
  --ms=N        milliseconds a sample takes (default 15)
  --quick       15 rounds of 10 milliseconds
  --only=NAME   one comparison (default all): plain, of the functions of the
                modules; structures, of packrs that share structures between
                messages; tape, of these with Ferropack's heap walker off
  --node=PATH   measure on this Node.js binary
  --json        print lines of JSON, times in nanoseconds
  --help        this text

Exits 1 if a result of Ferropack is wrong.`

function positive(text, preset) {
  if (text === undefined) return preset
  if (Number(text) > 0) return Number(text)
  throw new RangeError(`"${text}" is not a number above 0`)
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      ms: { type: 'string' },
      node: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (positionals.includes(STREAMS)) return readStreamArguments(values, positionals)
  requireNames(positionals)
  const chosen = comparisons.filter(({ name }) => values.only === undefined || name === values.only)
  if (chosen.length === 0) throw new RangeError(`There is no comparison "${values.only}"`)
  return {
    ...timesOf(values),
    comparisons: chosen.map(({ name }) => name),
    names: positionals.length ? positionals : datasets.names,
  }
}

function readStreamArguments(values, positionals) {
  const names = positionals.filter((name) => name !== STREAMS)
  requireNames(names)
  return { ...timesOf(values), comparisons: [STREAMS], names: names.length ? names : STREAMED }
}

function requireNames(names) {
  const unknown = names.find((name) => !datasets.names.includes(name))
  if (unknown) throw new RangeError(`There is no data set "${unknown}"`)
}

function timesOf(values) {
  return {
    ...values,
    node: values.node || process.execPath,
    rounds: positive(values.rounds, values.quick ? 15 : 60),
    ms: positive(values.ms, values.quick ? 10 : 15),
  }
}

// The child's findings by direction. Throws when it did not live to tell.
function measure(data, comparison, { node, rounds, ms }) {
  const orders = JSON.stringify({ data, comparison, rounds, ms })
  const script = comparison === STREAMS ? 'streams.js' : 'one.js'
  const child = spawnSync(node, [join(__dirname, script), orders], {
    encoding: 'utf8',
  })
  if (child.error) throw child.error
  if (child.status === 0) return JSON.parse(child.stdout)
  const end = child.signal || `exit code ${child.status}`
  throw new Error(`the process ended with ${end}\n${child.stderr}`)
}

function duration(nanoseconds) {
  const [unit, size] = nanoseconds < 1e3 ? ['ns', 1] : nanoseconds < 1e6 ? ['µs', 1e3] : ['ms', 1e6]
  const value = nanoseconds / size
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`
}

function cell(result) {
  if (!result || result.fault) return '-'
  const { median, spread } = result
  return `${duration(median)} ±${(spread * 50).toFixed(1)}%`
}

function times(ratio) {
  return ratio === null ? '-' : `${ratio.toFixed(2)}x`
}

function printLine(cells) {
  const [data, comparison, direction, ...rest] = cells
  const padded = rest.map((text) => text.padStart(16))
  console.log(data.padEnd(12), comparison.padEnd(10), direction.padEnd(6), ...padded)
}

function printFinding(finding) {
  const results = ENGINES.map((engine) => finding[engine])
  printLine([
    finding.data,
    finding.comparison,
    finding.direction,
    ...results.map(cell),
    times(finding.vsMsgpackr),
    times(finding.vsJson),
  ])
  results.forEach((result, index) => {
    if (result?.fault) console.log(`  ${ENGINES[index]}: ${result.fault}`)
  })
}

function printHeader({ rounds, ms }) {
  const [cpu] = cpus()
  console.log(cpu ? cpu.model.trim() : 'unknown CPU')
  console.log(`time per message: median of ${rounds} samples of ${ms} ms, ± half the interquartile range`)
  console.log('last two columns: how many times faster ferropack is, median of the rounds\n')
  printLine(['data', '', '', ...ENGINES, 'vs msgpackr', 'vs JSON'])
}

// The lowest ratio to msgpackr of each comparison, by its name.
function lowestOf(findings) {
  const lowest = {}
  for (const { comparison, data, direction, vsMsgpackr } of findings) {
    if (vsMsgpackr !== null && !(lowest[comparison]?.vsMsgpackr <= vsMsgpackr)) {
      lowest[comparison] = { data, direction, vsMsgpackr }
    }
  }
  return lowest
}

function printSummary(findings, json) {
  const lowest = lowestOf(findings)
  if (json) {
    console.log(JSON.stringify({ lowest }))
    return
  }
  const [first] = findings
  console.log(first ? `\nNode.js ${first.node}, V8 ${first.v8}` : '\nno ratio: nothing to compare')
  for (const [comparison, { data, direction, vsMsgpackr }] of Object.entries(lowest)) {
    console.log(`lowest of ${comparison}: ${times(vsMsgpackr)} as fast as msgpackr (${data}, ${direction})`)
  }
}

function main() {
  const chosen = readArguments()
  if (chosen.help) {
    console.log(help)
    return
  }
  if (!chosen.json) printHeader(chosen)
  const findings = []
  const print = chosen.json ? (finding) => console.log(JSON.stringify(finding)) : printFinding
  for (const data of chosen.names) {
    for (const comparison of chosen.comparisons) {
      try {
        // The tape is a way of packing; reading has one way only.
        const found = measure(data, comparison, chosen).filter(
          ({ direction }) => comparison !== 'tape' || direction === 'pack',
        )
        found.forEach(print)
        findings.push(...found)
      } catch (error) {
        console.error(`${data}, ${comparison}: ${error.message}`)
        process.exitCode = 1
      }
    }
  }
  if (findings.some(({ ferropack }) => ferropack.fault)) process.exitCode = 1
  printSummary(findings, chosen.json)
}

try {
  main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
