'use strict'
// How instances of registered classes are packed: the calls of an extension's functions, and what these write.

const { types } = require('node:util')
const { rootNode } = require('./key-lists.js')
const { pack: tag } = require('./tape.js')

/** What an extension's `pack` is given to write by itself; good until that returns. */
class Parts {
  constructor(tape, message) {
    this.tape = tape
    this.message = message
    this.count = 0
    /** Memory that was handed out, and where its content goes. */
    this.allocated = []
    /** What was thrown while a value was written. Half of a value cannot be taken back, so the message fails. */
    this.failure = null
  }

  /** Only while the message is the one that is walked does the tape belong to it. */
  check() {
    if (this.message === null || this.message !== this.tape.message()) {
      throw new Error(
        "An extension's pack function can write only until it returns, and not in another message",
      )
    }
  }

  allocate(size) {
    this.check()
    const target = Buffer.alloc(size)
    const place = this.tape.reserveRaw(target)
    this.count++
    this.allocated.push({ target, place })
    const targetView = new DataView(target.buffer, target.byteOffset, size)
    return { target, targetView, position: 0 }
  }

  packValue(value) {
    this.check()
    this.count++
    try {
      this.tape.walk(value, rootNode())
    } catch (error) {
      this.failure = { error }
      throw error
    }
  }

  close() {
    this.message = null
    if (this.failure !== null) throw this.failure.error
    for (const { target, place } of this.allocated) this.tape.fillRaw(target, place)
  }
}

/** The bytes that an extension's `pack` returned. */
function payloadOf(result, extension) {
  // A view is empty when its memory is gone; another view of that cannot be made.
  if (types.isUint8Array(result) && result.length > 0) return result
  if (Array.isArray(result)) return Uint8Array.from(result)
  if (types.isAnyArrayBuffer(result)) return new Uint8Array(result)
  if (types.isTypedArray(result) && !types.isUint8Array(result)) return Uint8Array.from(result, Number)
  if (ArrayBuffer.isView(result)) return new Uint8Array(result.buffer, result.byteOffset, result.byteLength)
  throw new TypeError(
    `The pack function of extension type ${extension.type} must return a Buffer, Uint8Array or array of bytes`,
  )
}

/**
 * A function that writes `value` by an extension. `tape` has the functions of the walk that it writes with.
 */
function extensionWriter(tape) {
  const { walk, walkAsData, writeTag, openTag, closeTag, writePayload } = tape

  function walkWritten(packr, extension, value, context) {
    if (extension.type) writeTag(tag.EXTENDED_VALUE, extension.type & 0xff)
    const written = extension.write.call(packr, value)
    // What is given back as it is would be taken for an instance again.
    if (written === value) walkAsData(value, context)
    else walk(written, context)
  }

  function walkPacked(packr, extension, value) {
    const header = openTag()
    const parts = new Parts(tape, tape.message())
    const allocate = (size) => parts.allocate(size)
    const packValue = (inner) => parts.packValue(inner)
    const result = extension.pack.call(packr, value, allocate, packValue)
    parts.check()
    parts.close()
    if (result) {
      parts.count++
      writePayload(tag.EXTENSION, extension.type & 0xff, payloadOf(result, extension))
    } else if (parts.count === 0) {
      throw new Error(
        `The pack function of extension type ${extension.type} returned ${result} and wrote nothing`,
      )
    }
    closeTag(header, tag.PARTS, parts.count)
  }

  return function walkExtended(packr, extension, value, context) {
    if (extension.write) walkWritten(packr, extension, value, context)
    else walkPacked(packr, extension, value)
  }
}

module.exports = { extensionWriter }
