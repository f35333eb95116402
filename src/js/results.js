'use strict'
// The memory that results of packing lie in.
//
// A result is a Buffer: a small one is a view of a chunk shared with its neighbours, so it keeps at
// most a chunk alive; a larger one owns its memory.

const { markAsUntransferable } = require('node:worker_threads')
const { take, releaseOutput } = require('./binding.js')
const { roots, CHUNK } = require('./heap-roots.js')
const { atNextTurn } = require('./next-turn.js')
const { control } = require('./pack-tape.js')
const { control: word } = require('./tape.js')

// Taken now: user code that replaced it could pack while a result waits to be taken.
const { allocUnsafeSlow } = Buffer

const CHUNK_SIZE = 1 << 16
/** Results up to this size share chunks. */
const MAX_SHARED = 1 << 15
/** Room that Rust wants behind what it writes. */
const SLACK = 64
/** Memory for putting messages together that is not given back. */
const MAX_KEPT = 1 << 20

/** Node's own class of Buffers; made by it, a result costs half of what `subarray` does. */
const FastBuffer = findFastBuffer()

function findFastBuffer() {
  const Species = Buffer[Symbol.species]
  try {
    const made = new Species(new ArrayBuffer(8), 2, 3)
    if (Object.getPrototypeOf(made) === Buffer.prototype && made.length === 3) return Species
  } catch {
    // Another runtime's Buffer; below is what every runtime has.
  }
  return null
}

/** What results are written to. A callback that packs may replace it while a message is walked. */
const chunk = { buffer: Buffer.alloc(0), memory: new ArrayBuffer(0), at: 0, expected: SLACK }

function renewChunk() {
  chunk.buffer = allocUnsafeSlow(CHUNK_SIZE)
  chunk.memory = chunk.buffer.buffer
  chunk.at = 0
  roots[CHUNK] = chunk.memory
  // A transfer to a worker would empty every result in the chunk.
  markAsUntransferable?.(chunk.memory)
}

/**
 * Makes sure that a message like the last one fits the chunk, which spares it a copy. One that fits no
 * chunk at all is put together elsewhere.
 */
function prepareChunk() {
  if (chunk.memory.byteLength - chunk.at < chunk.expected && chunk.expected <= CHUNK_SIZE) renewChunk()
}

/** The message that lies where the chunk was free. */
function chunkResult(length) {
  const start = chunk.at
  chunk.expected = length + SLACK
  // Messages begin at multiples of 8, as msgpackr's do.
  chunk.at = (start + length + 7) & ~7
  return FastBuffer === null
    ? chunk.buffer.subarray(start, start + length)
    : new FastBuffer(chunk.memory, start, length)
}

const releaseLater = atNextTurn(() => releaseOutput())

/** The message that did not fit what was left of the chunk. */
function takeResult(length) {
  if (length > MAX_SHARED) {
    chunk.expected = length + SLACK
    const own = allocUnsafeSlow(length)
    control[word.CHUNK_START] = 0
    take(own.buffer)
    if (length > MAX_KEPT) releaseLater()
    return own
  }
  // A chunk that has hardly room for this one has none for the next.
  if (chunk.memory.byteLength - chunk.at < length + SLACK) renewChunk()
  control[word.CHUNK_START] = chunk.at
  take(chunk.memory)
  return chunkResult(length)
}

/** The message that Rust has written, as the control block describes it. */
function result() {
  const length = control[word.RESULT_LENGTH] >>> 0
  return control[word.RESULT_PLACED] === 1 ? chunkResult(length) : takeResult(length)
}

module.exports = { chunk, prepareChunk, releaseLater, result }
