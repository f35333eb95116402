'use strict'
// UnpackrStream: bytes in, in chunks of any size; the values that they hold out.

const { ChunkReader } = require('./chunk-reader.js')
const { Unpackr } = require('./unpack.js')
const { ValueStream } = require('./value-stream.js')

/** The unpackr that `options` name, or a new one. */
function unpackrOf(options) {
  const { unpackr, structures, getStructures } = options
  if (unpackr === undefined || unpackr === null) {
    // With a list of them, definitions serve later messages.
    return new Unpackr(structures || getStructures ? options : { ...options, structures: [] })
  }
  if (unpackr instanceof Unpackr) return unpackr
  throw new TypeError('The option unpackr must be an Unpackr')
}

class UnpackrStream extends ValueStream {
  #reader
  /** Values that were read and not pushed yet, from `#next` on. */
  #values = []
  #next = 0
  /** What is called when the chunk has been pushed. */
  #callback = null
  #isPushing = false
  /** How many values were pushed. */
  #count = 0

  constructor(options) {
    const own = options !== null && typeof options === 'object' ? options : {}
    super({ ...own, objectMode: true })
    this.unpackr = unpackrOf(own)
    this.#reader = new ChunkReader(this.unpackr, own.maxIncompleteBufferSize)
    this.maxIncompleteBufferSize = this.#reader.limit
  }

  /** What stands for a null among the values, as null itself is the end of a stream. */
  getNullValue() {
    return Symbol.for(null)
  }

  _transform(chunk, _encoding, callback) {
    this.#callback = callback
    this.#reader.give(chunk)
    this.#push()
  }

  _read(size) {
    const before = this.#count
    if (this.#callback !== null) this.#push()
    // Whoever asked is not asked again before there is a value.
    if (this.#callback === null && this.#count === before) super._read(size)
  }

  /** Pushes values until no more are wanted, and goes on at the next `_read`. */
  #push() {
    // A listener may read, and so ask for more.
    if (this.#isPushing) return
    this.#isPushing = true
    try {
      do {
        if (!this.#pushValues(this.#values)) return
        this.#values = this.#reader.take()
        this.#next = 0
      } while (this.#values.length > 0)
    } finally {
      this.#isPushing = false
    }
    const callback = this.#callback
    this.#callback = null
    if (this.#reader.error === null) callback()
    else this._fail(this.#reader.error, callback)
  }

  /** Pushes the rest of `values`. The result is whether more are wanted. */
  #pushValues(values) {
    const { length } = values
    for (let i = this.#next; i < length; ) {
      const value = values[i++]
      this.#next = i
      this.#count++
      if (!this.push(value === null ? this.getNullValue() : value)) return false
      // The stream was destroyed meanwhile.
      if (this.#values !== values) return false
    }
    return true
  }

  _flush(callback) {
    for (const value of this.#reader.finish()) this.push(value === null ? this.getNullValue() : value)
    if (this.#reader.error === null) callback()
    else this._fail(this.#reader.error, callback)
  }

  _destroy(error, callback) {
    this.#reader?.release()
    this.#values = []
    this.#next = 0
    super._destroy(error, callback)
  }
}

module.exports = { UnpackrStream, unpackrOf }
