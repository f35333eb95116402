'use strict'

// Owns the measuring of streams on one data set in a process of its own: Ferropack's and
// msgpackr's by turns. Takes its orders as JSON in the first argument and prints its findings as
// JSON.
//
// The streams live through all samples, as those of a connection do. Whoever writes waits for
// 'drain' when told to, and a listener of 'data' reads.

const { isDeepStrictEqual } = require('node:util')
const datasets = require('./datasets')
const { shuffled, summarize } = require('./timing')

const CHUNK = 64 << 10
/** Bytes of input of a sample at least, so that it has several chunks. */
const FEWEST_BYTES = 8 * CHUNK

const engines = [
  { name: 'ferropack', load: () => require('..') },
  { name: 'msgpackr', load: () => require('msgpackr') },
]

/** Writes all inputs, and resolves when `wanted` outputs have come. */
function send(stream, inputs, wanted, output) {
  return new Promise((resolve, reject) => {
    let at = 0
    let count = 0
    const write = () => {
      while (at < inputs.length) {
        if (!stream.write(inputs[at++])) {
          stream.once('drain', write)
          return
        }
      }
    }
    const onData = (value) => {
      if (output) output.push(value)
      if (++count < wanted) return
      stream.off('data', onData)
      stream.off('error', reject)
      resolve()
    }
    stream.on('data', onData)
    stream.once('error', reject)
    write()
  })
}

function chunksOf(bytes) {
  const chunks = []
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(bytes.subarray(at, at + CHUNK))
  return chunks
}

/** As many values as a sample takes. */
function repeated(messages) {
  const { pack } = require('msgpackr')
  const size = messages.reduce((sum, message) => sum + pack(message).length, 0)
  return Array.from({ length: Math.ceil(FEWEST_BYTES / size) }, () => messages).flat()
}

/** What both streams have to give: Buffers that are the same, and the values. */
async function packAll(values) {
  const [ours, theirs] = await Promise.all(
    engines.map(async ({ load }) => {
      const buffers = []
      await send(new (load().PackrStream)(), values, values.length, buffers)
      return buffers
    }),
  )
  const index = ours.findIndex((bytes, at) => !bytes.equals(theirs[at]))
  if (index >= 0) throw new Error(`value ${index} is not packed as by msgpackr`)
  return Buffer.concat(ours)
}

async function requireValues(engine, chunks, values) {
  const output = []
  await send(engine.unpackr, chunks, values.length, output)
  const plain = output.map(withoutMaps)
  const index = plain.findIndex((value, at) => !isDeepStrictEqual(value, values[at]))
  if (index >= 0) throw new Error(`value ${index} is not unpacked as it was`)
}

/** A record is an object already; msgpackr's are not of the prototype that literals have in all versions. */
function withoutMaps(value) {
  return JSON.parse(JSON.stringify(value))
}

async function measure(operations, rounds, ms) {
  for (const operation of operations) {
    const end = performance.now() + 12 * ms
    do await operation.run()
    while (performance.now() < end)
  }
  for (let round = 0; round < rounds; round++) {
    for (const { run, samples, count } of shuffled(operations)) {
      const start = performance.now()
      await run()
      samples.push(((performance.now() - start) / count) * 1e6)
    }
  }
}

async function main({ data, rounds, ms }) {
  const values = repeated(datasets.load(data).messages)
  const count = values.length
  const chunks = chunksOf(await packAll(values))
  const running = engines.map(({ name, load }) => {
    const { PackrStream, UnpackrStream } = load()
    return { name, packr: new PackrStream(), unpackr: new UnpackrStream() }
  })
  for (const engine of running) await requireValues(engine, chunks, values)
  const operations = running.flatMap((engine) => [
    {
      engine: engine.name,
      direction: 'pack',
      run: () => send(engine.packr, values, count),
      count,
      samples: [],
    },
    {
      engine: engine.name,
      direction: 'unpack',
      run: () => send(engine.unpackr, chunks, count),
      count,
      samples: [],
    },
  ])
  await measure(operations, rounds, ms)
  for (const engine of running) await requireValues(engine, chunks, values)
  const rows = ['pack', 'unpack'].flatMap((direction) => {
    const both = operations.filter((operation) => operation.direction === direction)
    const theirs = both[1].samples
    return both.map(({ engine, samples }) => {
      const { median, spread } = summarize(samples)
      const vsMsgpackr = summarize(theirs.map((time, round) => time / samples[round])).median
      return {
        table: 'ratio',
        data,
        comparison: 'streams',
        direction,
        engine,
        ns: median,
        spread,
        vsMsgpackr,
        vsJson: null,
      }
    })
  })
  return { node: process.versions.node, v8: process.versions.v8, rows }
}

main(JSON.parse(process.argv[2])).then(
  (found) => console.log(JSON.stringify(found)),
  (error) => {
    console.error(error.message)
    process.exitCode = 1
  },
)
