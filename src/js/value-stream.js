'use strict'
// What both streams have in common: an error waits until what came before it has been read.

const { setImmediate } = require('node:timers')
const { Transform } = require('node:stream')

class ValueStream extends Transform {
  /** What ends the stream with an error, as soon as nothing is left to read. */
  #failure = null

  /** Calls `callback` with `error`, but not before what was pushed is read: it would be lost. */
  _fail(error, callback) {
    this.#failure = () => callback(error)
    if (this.readableLength === 0) this.#end()
    // Whoever reads nothing is to know of the error all the same.
    else if (!this.#isRead()) setImmediate(() => this.#isRead() || this.#end())
  }

  #isRead() {
    return this.readableFlowing !== null || this.listenerCount('readable') > 0
  }

  #end() {
    const failure = this.#failure
    this.#failure = null
    failure?.()
  }

  read(size) {
    const chunk = super.read(size)
    // Later, so that whoever called has the chunk.
    if (this.#failure !== null && this.readableLength === 0) process.nextTick(() => this.#end())
    return chunk
  }
}

module.exports = { ValueStream }
