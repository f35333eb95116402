'use strict'

// Owns the table of all engines on one data set: arguments, the measuring in
// interleaved slices, and the printing of it and of the ratios, with and
// without shared structures.

const { existsSync, readFileSync } = require('node:fs')
const { cpus } = require('node:os')
const { basename } = require('node:path')
const { parseArgs } = require('node:util')
const { devDependencies } = require('../package.json')
const { codecs, named, comparisons } = require('./codecs')
const datasets = require('./datasets')
const { prepare, recheck } = require('./operations')
const { loopOver, shuffled, time, warmUp } = require('./timing')

const help = `Usage: npm run bench -- [seconds] [word ...] [file.json] [options]

  seconds       time given to each row (default 1)
  word          only rows whose name contains one of the words
  file.json     measure on the content of this file
  --data=NAME   measure on a named data set (default clinical):
                ${datasets.names.join(' ')}
  --quick       0.3 seconds a row
  --smoke       check the results of every row on every data set, or on the
                one given, and measure nothing; exits 1 if Ferropack is wrong
  --help        this text`

const warmUpMilliseconds = 200
const sliceMilliseconds = 20

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      quick: { type: 'boolean' },
      smoke: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  const isSeconds = (word) => Number(word) > 0
  const isFile = (word) => word.endsWith('.json') && existsSync(word)
  return {
    ...values,
    seconds: Number(positionals.find(isSeconds) || (values.quick ? 0.3 : 1)),
    file: positionals.find(isFile),
    words: positionals.filter((word) => !isSeconds(word) && !isFile(word)),
  }
}

function readFile(file) {
  const value = JSON.parse(readFileSync(file, 'utf8'))
  return { name: basename(file), messages: [value] }
}

// Null where neither was asked for.
function chosenData({ file, data }) {
  if (file) return readFile(file)
  return data ? datasets.load(data) : null
}

function prepareRows(messages, words) {
  const wanted = words.map((word) => word.toLowerCase())
  return codecs
    .flatMap((codec) => ['pack', 'unpack'].map((direction) => ({ codec, direction })))
    .filter(({ codec, direction }) => {
      const label = codec.usage[direction].toLowerCase()
      return !wanted.length || wanted.some((word) => label.includes(word))
    })
    .map(({ codec, direction }) => prepare(codec, direction, messages))
}

// Short turns in changing order, so that whatever disturbs the machine for a
// while disturbs every row alike.
function measure(rows, seconds) {
  const running = rows.filter((row) => !row.fault)
  const slices = Math.ceil((seconds * 1000) / sliceMilliseconds)
  for (const row of running) {
    row.loop = loopOver(row)
    row.batch = warmUp(row.loop, warmUpMilliseconds, sliceMilliseconds / 20)
    row.count = 0
    row.milliseconds = 0
  }
  for (let slice = 1; slice <= slices; slice++) {
    for (const row of shuffled(running)) {
      while (row.milliseconds < slice * sliceMilliseconds) {
        row.milliseconds += time(row.loop, row.batch)
        row.count += row.batch
      }
    }
  }
  for (const row of running) row.fault = recheck(row)
}

function rate({ count, milliseconds }) {
  return (count / milliseconds) * 1000
}

function printTable(rows) {
  const width = Math.max(...rows.map(({ label }) => label.length))
  const line = (label, op, ms, perSecond) =>
    console.log(`${label.padEnd(width)} | ${op.padStart(9)} | ${ms.padStart(6)} | ${perSecond.padStart(9)}`)
  line('operation', 'op', 'ms', 'op/s')
  line('-'.repeat(width), '-------:', '----:', '-------:')
  for (const row of rows) {
    if (row.fault) console.log(`${row.label.padEnd(width)} | ${row.fault}`)
    else {
      const numbers = [row.count, row.milliseconds, rate(row)]
      line(row.label, ...numbers.map((number) => number.toFixed()))
    }
  }
}

function printRatios(rows) {
  const find = (engine, direction) =>
    rows.find((row) => row.engine === engine && row.direction === direction && !row.fault)
  for (const { ours, theirs } of comparisons) {
    for (const direction of ['pack', 'unpack']) {
      const own = find(ours, direction)
      const other = find(theirs, direction)
      if (!own || !other) continue
      const ratio = (rate(own) / rate(other)).toFixed(2)
      console.log(`${direction}: ${ours} does ${ratio} times the op/s of ${theirs}`)
    }
  }
}

function describeSizes(messages) {
  const json = named('JSON').load()
  const sizes = [`${totalLength(messages, json.pack)} bytes of JSON`]
  try {
    const { pack } = named('msgpackr').load()
    sizes.push(`${totalLength(messages, pack)} of MessagePack`)
  } catch {}
  return sizes.join(', ')
}

function totalLength(messages, pack) {
  return messages.reduce((sum, message) => sum + pack(message).length, 0)
}

function printHeader({ name, messages }) {
  const peers = ['msgpackr', 'msgpack-lite', '@msgpack/msgpack', 'notepack.io']
  const versions = peers.map((peer) => `${peer} ${devDependencies[peer]}`)
  const many = messages.length > 1 ? `${messages.length} messages, ` : ''
  const [cpu] = cpus()
  console.log(`Node.js ${process.versions.node}, V8 ${process.versions.v8}`)
  console.log(`${cpu ? cpu.model.trim() : 'unknown CPU'}, ${process.platform} ${process.arch}`)
  console.log(versions.join(', '))
  console.log(`data: ${name}, ${many}${describeSizes(messages)}\n`)
}

// True when all of Ferropack's rows are right.
function smoke({ name, messages }, words) {
  const rows = prepareRows(messages, words)
  for (const row of rows) {
    if (row.fault) continue
    loopOver(row)(messages.length)
    row.fault = recheck(row)
  }
  const faulty = rows.filter((row) => row.fault)
  console.log(`${name}: ${rows.length - faulty.length} of ${rows.length} right`)
  for (const { label, fault } of faulty) console.log(`  ${label} | ${fault}`)
  return !faulty.some(({ engine }) => engine.startsWith('ferropack'))
}

function main() {
  const chosen = readArguments()
  if (chosen.help) {
    console.log(help)
    return
  }
  const data = chosenData(chosen)
  if (chosen.smoke) {
    const all = data ? [data] : datasets.names.map(datasets.load)
    const right = all.map((set) => smoke(set, chosen.words))
    process.exitCode = right.every(Boolean) ? 0 : 1
    return
  }
  const set = data || datasets.load('clinical')
  const rows = prepareRows(set.messages, chosen.words)
  if (!rows.length) throw new RangeError('No row has a name with one of these words')
  printHeader(set)
  measure(rows, chosen.seconds)
  printTable(rows)
  console.log()
  printRatios(rows)
}

try {
  main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
