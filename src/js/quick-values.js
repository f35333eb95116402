'use strict'
// Reads tiny values of a stream's chunk by the quick reader, and the few among them that this gives up, such as the first
// one of a shape, as any other.

const { unpackBits } = require('./options.js')
const { GIVEN_UP, MAX_LENGTH, quickBegin, quickNext, quickEnd } = require('./quick-read.js')
const { renewalsSoFar } = require('./read-structures.js')
const { options } = require('./tape.js')

/** Of so many values one may be given up; where there are more, rows of values are faster. */
const MIN_QUICK = 16
/** Times in a row, as a power of two, that this is not tried at most after vain tries. */
const MAX_BACK_OFF = 6

class QuickValues {
  /** Reads for a ChunkReader, and this many values at most before they are handed on. */
  constructor(reader, most) {
    this.reader = reader
    this.most = most
    this.skip = 0
    this.misses = 0
  }

  /** Reads what it can of the reader's chunk. */
  read(call, values) {
    if (this.skip > 0) {
      this.skip--
      return
    }
    const { reader } = this
    const { unpackr } = reader
    const bits = unpackBits(unpackr)
    if ((bits & options.FREEZE) !== 0) return
    // Before the records are readied, as an accessor may unpack.
    const isCopying = Boolean(unpackr.copyBuffers)
    call.input = reader.chunk
    let others = 0
    while (reader.chunk !== null && values.length < this.most) {
      this.readRun(call, values, bits, isCopying)
      if (reader.chunk === null || others * MIN_QUICK > values.length) break
      others++
      reader.readOne(call, values)
    }
    if (values.length >= MIN_QUICK) this.misses = 0
    // The end of a chunk says nothing.
    else if (reader.chunk !== null) {
      this.misses++
      this.skip = (1 << Math.min(this.misses, MAX_BACK_OFF)) - 1
    }
  }

  /** Reads values up to one that is given up. */
  readRun(call, values, bits, isCopying) {
    const { chunk, end } = this.reader
    let { at } = this.reader
    const renewals = renewalsSoFar()
    const mode = this.reader.recordMode(call)
    // A scan has to see to it that there are not too many key lists.
    if (renewals !== renewalsSoFar() || !quickBegin(bits, isCopying, mode, chunk)) return
    while (at < end && values.length < this.most) {
      const value = quickNext(chunk, at, Math.min(end, at + MAX_LENGTH))
      if (value === GIVEN_UP) break
      values.push(value)
      at = quickEnd()
    }
    this.reader.advance(at, call)
  }
}

module.exports = { QuickValues }
