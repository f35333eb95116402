'use strict'
// The memory that results of packing lie in.
//
// A result is a Buffer: a small one is a view of a chunk shared with its neighbours, so it keeps at
// most a chunk alive; a larger one owns its memory.

const { types } = require('node:util')
const { markAsUntransferable } = require('node:worker_threads')
const { take, releaseOutput } = require('./binding.js')
const { FastBuffer } = require('./fast-buffer.js')
const { roots, CHUNK } = require('./heap-roots.js')
const { atNextTurn } = require('./next-turn.js')
const { control } = require('./pack-tape.js')
const { control: word } = require('./tape.js')

// Taken now: user code that replaced it could pack while a result waits to be taken.
const { allocUnsafeSlow } = Buffer
const { fill } = Uint8Array.prototype

const CHUNK_SIZE = 1 << 16
/** Results up to this size share chunks. */
const MAX_SHARED = 1 << 15
/** Room that Rust wants behind what it writes. */
const SLACK = 64
/** Shorter buffers are not worth lending. */
const MIN_LENT = 2058
/** Memory for putting messages together that is not given back. */
const MAX_KEPT = 1 << 20

/** Where there is nothing to write to. */
const NO_MEMORY = new ArrayBuffer(0)

/**
 * What results are written to, from `at` on. A callback that packs may replace it while a message is walked.
 * `end` is where the last result ended in its buffer.
 *
 * The caller may lend a buffer instead. Rust does not get its memory, as the caller may do anything with it:
 * messages are copied there when they are finished.
 */
const chunk = { buffer: Buffer.alloc(0), memory: NO_MEMORY, at: 0, end: 0, expected: SLACK, isLent: false }

function renewChunk() {
  chunk.buffer = allocUnsafeSlow(CHUNK_SIZE)
  chunk.memory = chunk.buffer.buffer
  chunk.at = 0
  chunk.isLent = false
  roots[CHUNK] = chunk.memory
  // A transfer to a worker would empty every result in the chunk.
  markAsUntransferable?.(chunk.memory)
}

/**
 * Makes sure that a message like the last one fits the chunk, which spares it a copy. One that fits no
 * chunk at all is put together elsewhere.
 */
function prepareChunk() {
  const { memory, at, expected, isLent } = chunk
  if (memory.byteLength - at < expected && expected <= CHUNK_SIZE && !isLent) renewChunk()
}

/** Takes `buffer` for all messages that fit, from its start on. */
function lendBuffer(buffer) {
  if (!types.isUint8Array(buffer)) throw new TypeError('useBuffer takes a Buffer or Uint8Array')
  // One that is shared with other threads may change in their hands.
  if (buffer.length < MIN_LENT || !types.isArrayBuffer(buffer.buffer)) {
    renewChunk()
  } else {
    chunk.buffer = buffer
    chunk.memory = NO_MEMORY
    chunk.at = 0
    chunk.isLent = true
    roots[CHUNK] = null
  }
  chunk.end = 0
}

/** Messages begin at multiples of 8, as msgpackr's do. */
function align(position) {
  return (position + 7) & ~7
}

/** The next message is written at this place of the buffer, or behind. */
function setPosition(position) {
  const place = Math.min(Math.max(Number(position) || 0, 0), chunk.buffer.length)
  chunk.end = place
  chunk.at = align(place)
}

/** The `length` bytes that lie where the chunk was free. */
function chunkResult(length, reserve) {
  const start = chunk.at
  if (reserve !== 0) fill.call(chunk.buffer, 0, start, start + reserve)
  chunk.expected = length + SLACK
  chunk.end = start + length
  chunk.at = align(start + length)
  if (chunk.isLent) return Buffer.from(chunk.buffer.buffer, chunk.buffer.byteOffset + start, length)
  return FastBuffer === null
    ? chunk.buffer.subarray(start, start + length)
    : new FastBuffer(chunk.memory, start, length)
}

const releaseLater = atNextTurn(() => releaseOutput())

/** The message that does not lie in the chunk, behind so many bytes of zero: `length` in all. */
function takeResult(length, reserve) {
  if (chunk.isLent && chunk.buffer.length - chunk.at >= length) {
    control[word.CHUNK_START] = chunk.buffer.byteOffset + chunk.at + reserve
    take(chunk.buffer.buffer)
    return chunkResult(length, reserve)
  }
  if (length > MAX_SHARED) {
    chunk.expected = length + SLACK
    chunk.end = length
    const own = allocUnsafeSlow(length)
    if (reserve !== 0) fill.call(own, 0, 0, reserve)
    control[word.CHUNK_START] = reserve
    take(own.buffer)
    if (length > MAX_KEPT) releaseLater()
    return own
  }
  // A chunk that has hardly room for this one has none for the next.
  if (chunk.memory.byteLength - chunk.at < length + SLACK) renewChunk()
  control[word.CHUNK_START] = chunk.at + reserve
  take(chunk.memory)
  return chunkResult(length, reserve)
}

/** The message that Rust has written, as the control block describes it, behind `reserve` bytes of zero. */
function result(reserve) {
  const length = (control[word.RESULT_LENGTH] >>> 0) + reserve
  return control[word.RESULT_PLACED] === 1 ? chunkResult(length, reserve) : takeResult(length, reserve)
}

/** The whole buffer in which a result lies, with the place of the result as its `start` and `end`. */
function wholeBuffer(bytes) {
  const { buffer } = chunk
  const isInChunk = bytes.buffer === buffer.buffer
  const whole = isInChunk ? buffer : bytes
  const start = isInChunk ? bytes.byteOffset - buffer.byteOffset : 0
  return Object.assign(whole, { start, end: start + bytes.length })
}

/** Has the next message written over a result, if that lies in the chunk. */
function releaseResult(bytes) {
  const { buffer } = chunk
  if (bytes.buffer === buffer.buffer) setPosition(bytes.byteOffset - buffer.byteOffset)
}

module.exports = {
  chunk,
  prepareChunk,
  lendBuffer,
  setPosition,
  releaseLater,
  result,
  wholeBuffer,
  releaseResult,
}
