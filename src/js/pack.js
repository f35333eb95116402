'use strict'
// Packr: packs values, and keeps the memory that results lie in.
//
// A result is a Buffer: a small one is a view of a chunk shared with its neighbours, so it keeps at
// most a chunk alive; a larger one owns its memory.

const workers = require('node:worker_threads')
const binding = require('./binding.js')
const { control } = require('./pack-tape.js')
const { control: word } = require('./tape.js')
const { optionBits } = require('./options.js')
const { Unpackr } = require('./unpack.js')
const { packMessage } = require('./walk.js')

const CHUNK_SIZE = 1 << 16
/** Results up to this size share chunks. */
const MAX_SHARED = 1 << 15

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
const chunk = { buffer: Buffer.alloc(0), memory: new ArrayBuffer(0), at: 0 }

function renewChunk() {
  chunk.buffer = Buffer.allocUnsafeSlow(CHUNK_SIZE)
  chunk.memory = chunk.buffer.buffer
  chunk.at = 0
  // A transfer to a worker would empty every result in the chunk.
  workers.markAsUntransferable?.(chunk.memory)
}

/** The message that lies where the chunk was free. */
function chunkResult(length) {
  const start = chunk.at
  // Messages begin at multiples of 8, as msgpackr's do.
  chunk.at = (start + length + 7) & ~7
  return FastBuffer === null
    ? chunk.buffer.subarray(start, start + length)
    : new FastBuffer(chunk.memory, start, length)
}

/** The message that did not fit what was left of the chunk. */
function takeResult(length) {
  if (length > MAX_SHARED) {
    const own = Buffer.allocUnsafeSlow(length)
    control[word.CHUNK_START] = 0
    binding.take(own.buffer)
    return own
  }
  renewChunk()
  control[word.CHUNK_START] = 0
  binding.take(chunk.memory)
  return chunkResult(length)
}

/** Packs `value` under the options of `packr`. */
function packWith(packr, bits, value) {
  packMessage(packr, bits, value, chunk)
  const length = control[word.RESULT_LENGTH] >>> 0
  return control[word.RESULT_PLACED] === 1 ? chunkResult(length) : takeResult(length)
}

/** Packs values into MessagePack, and unpacks them. */
class Packr extends Unpackr {
  constructor(options) {
    super(options)
    // An own property, so that `const { pack } = packr` works.
    this.pack = this.encode = (value) => packWith(this, optionBits(this), value)
  }
}

const modulePackr = new Packr({ useRecords: false })
const moduleBits = optionBits(modulePackr)

/** Packs `value` with the module's options: no records, maps read as objects. */
function pack(value) {
  return packWith(modulePackr, moduleBits, value)
}

module.exports = { Packr, pack }
