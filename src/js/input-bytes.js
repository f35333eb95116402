'use strict'
// Bytes of the input as they are handed out. The input may have changed since it was scanned, as callbacks can
// shrink it or take its memory away.

const { types } = require('node:util')

function complete(bytes, length) {
  if (bytes.length !== length) throw new RangeError('The input has become shorter while it was unpacked')
  return bytes
}

/** A part of `source` as it lies there. Memory that other threads may write is copied. */
function viewBytes(source, start, length) {
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

module.exports = { viewBytes, copyBytes }
