'use strict'
// Bytes of the input as they are handed out. The input may have changed since it was scanned, as callbacks can
// shrink it or take its memory away.

const { types } = require('node:util')
const { FastBuffer } = require('./fast-buffer.js')
const { bufferOf, offsetOf } = require('./typed-array-parts.js')

/** The input that was looked at last, and its memory if views of that can be made without asking again. */
let viewed = null
let buffer = null
let offset = 0
let byteLength = 0

/** Whether an ArrayBuffer can change its length; never, where Node.js has none that can. */
const isResizable = (memory) => memory.resizable === true

/** Only Buffers: what a view of another class is made by, that class may decide. */
function lookAt(source) {
  const isBuffer = FastBuffer !== null && source.constructor === Buffer
  const memory = bufferOf(source)
  buffer = isBuffer && types.isArrayBuffer(memory) && !isResizable(memory) ? memory : null
  offset = offsetOf(source)
  byteLength = memory.byteLength
  // Last, as its constructor may be anyone's to ask.
  viewed = source
}

/** Lets go of the input. */
function forgetInput() {
  viewed = null
  buffer = null
}

function complete(bytes, length) {
  if (bytes.length !== length) throw new RangeError('The input has become shorter while it was unpacked')
  return bytes
}

/**
 * A part of `source` as it lies there. Memory that other threads may write is copied. To ask for each view what memory it is
 * of took half of the time of a message with many.
 */
function viewBytes(source, start, length) {
  if (viewed !== source) lookAt(source)
  // Memory that was taken away has no length.
  if (buffer !== null && buffer.byteLength === byteLength)
    return new FastBuffer(buffer, offset + start, length)
  if (types.isSharedArrayBuffer(source.buffer)) return copyBytes(source, start, length)
  return complete(source.subarray(start, start + length), length)
}

/** A copy of a part of `source`, of the same class. */
function copyBytes(source, start, length) {
  if (types.isSharedArrayBuffer(source.buffer) && Buffer.isBuffer(source)) {
    return complete(Buffer.from(source.subarray(start, start + length)), length)
  }
  return complete(Uint8Array.prototype.slice.call(source, start, start + length), length)
}

module.exports = { viewBytes, copyBytes, forgetInput }
