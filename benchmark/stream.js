'use strict'

// Owns the command for the table of msgpack-lite's streaming benchmark.

const { isDeepStrictEqual, parseArgs } = require('node:util')
const { Packr } = require('..')
const { commonOptions, chosenBy, isAmount, runCommand } = require('./command')
const { requirePeer, versionsOf } = require('./peers')
const { showProgress } = require('./progress')
const { JOINED, MESSAGE, rows } = require('./stream-rows')
const { printHeading, printLines, printTable } = require('./table')
const { shuffled } = require('./timing')

/** Messages that are sent to see whether what comes out is right, and to warm up: a tenth of a run. */
const CHECKED = JOINED
const WARM_UP = 10

const help = `Usage: npm run bench:stream -- [times] [word ...] [options]

  times      how often each row is run; the fastest counts (default 2)
  word       only rows whose name contains one of the words
  -v         print the version
  --ops=N    operations of a run (default 1000000)
  --quick    100000 operations
  --json     print lines of JSON
  --help     this text`

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ops: { type: 'string' },
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      ...commonOptions,
    },
  })
  const operations = Number(values.ops ?? (values.quick ? 100_000 : 1_000_000))
  if (!(operations >= JOINED && operations % JOINED === 0)) {
    throw new RangeError(`"${values.ops}" is no multiple of ${JOINED}, the messages in a chunk`)
  }
  return {
    ...values,
    operations,
    times: Math.ceil(Number(positionals.find(isAmount) ?? 2)),
    words: positionals.filter((word) => !isAmount(word)),
  }
}

/** Runs the operations, and resolves to the outputs' sum by `count` when the last one has come. */
async function run(start, operations, count) {
  let onStall
  try {
    return await new Promise((resolve, reject) => {
      let sum = 0
      const onData = (output) => {
        sum += count(output)
      }
      // Where nothing is left to wait for, the process would end without a word.
      onStall = () => reject(new Error('the stream did not end'))
      process.once('beforeExit', onStall)
      start({ onData, onEnd: () => resolve(sum), onError: reject }, operations)
    })
  } finally {
    process.off('beforeExit', onStall)
  }
}

/** Throws unless what comes out is the messages that went in; returns the bytes of so many messages, or null. */
async function check({ direction, start }) {
  const outputs = []
  await run(start, CHECKED, (output) => outputs.push(output))
  const isPacked = direction === 'pack'
  const bytes = isPacked ? Buffer.concat(outputs) : null
  const values = isPacked
    ? new Packr({ sequential: true, mapsAsObjects: true }).unpackMultiple(bytes)
    : outputs
  if (values.length !== CHECKED) throw new Error(`${values.length} messages came of ${CHECKED}`)
  // As objects with the prototype of literals, which not all decoders give.
  const index = values.findIndex((value) => !isDeepStrictEqual(JSON.parse(JSON.stringify(value)), MESSAGE))
  if (index >= 0) throw new Error(`message ${index} is not what was sent`)
  return bytes
}

async function prepare({ engine, direction, label, prepare: load }, operations) {
  const row = {
    engine,
    direction,
    label,
    fault: null,
    count: operations,
    milliseconds: Number.POSITIVE_INFINITY,
  }
  try {
    row.start = load(requirePeer).start
    row.size = (await check(row))?.length
    await run(row.start, Math.ceil(operations / WARM_UP / JOINED) * JOINED, () => 0)
  } catch (error) {
    row.fault = String(error.message).split('\n')[0]
  }
  return row
}

/** One run of a row, whose time it keeps if it is the best. */
async function measure(row, operations) {
  const isPacked = row.direction === 'pack'
  const start = performance.now()
  const sum = await run(row.start, operations, isPacked ? ({ length }) => length : () => 1)
  const milliseconds = performance.now() - start
  // Bytes depend on where definitions are sent; an output that is missing shows all the same.
  const isComplete = isPacked ? sum >= operations * (row.size / CHECKED) * 0.9 : sum === operations
  if (!isComplete) throw new Error(`of ${operations} messages came ${isPacked ? `${sum} bytes` : sum}`)
  row.milliseconds = Math.min(row.milliseconds, milliseconds)
}

async function measureAll(prepared, { operations, times }) {
  const total = prepared.length * times
  let done = 0
  for (let round = 0; round < times; round++) {
    for (const row of shuffled(prepared)) {
      showProgress('measuring', done++ / total)
      if (row.fault) continue
      try {
        await measure(row, operations)
        await check(row)
      } catch (error) {
        row.fault = String(error.message).split('\n')[0]
      }
      // Time for what a run has left behind. A full collection would cost the next one more: it takes optimised code.
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  showProgress(null)
}

async function runRows(chosen) {
  const prepared = []
  for (const row of chosenBy(chosen.words, rows, ({ label }) => label))
    prepared.push(await prepare(row, chosen.operations))
  await measureAll(prepared, chosen)
  if (chosen.json) {
    printLines('stream', 'fluentd', prepared)
    return
  }
  const versions = versionsOf(['msgpackr', 'msgpack-lite', 'notepack.io'])
  printHeading("The table of msgpack-lite's streaming benchmark", versions)
  console.log()
  const title = `operation (${chosen.operations} x ${chosen.times})`
  printTable(prepared, { title, columns: ['op', 'ms', 'op/s'] })
}

runCommand({ help, readArguments, run: runRows })
