'use strict'
// The decimal rounding of 32-bit floats, as msgpackr exports it.

const single = new Float32Array(1)
const bits = new Uint32Array(single.buffer)

/**
 * The shortest decimal number that a 32-bit float near `number` can stand for. Infinities, NaN and -0
 * give 0.
 */
function roundFloat32(number) {
  single[0] = number
  const exponent = (bits[0] >>> 23) & 0xff
  const multiplier = Number(`1e${Math.floor(45.15 - 0.30103 * exponent)}`)
  // The bitwise or is ECMAScript's ToInt32, overflow included: what does not fit wraps.
  return ((multiplier * number + (number > 0 ? 0.5 : -0.5)) | 0) / multiplier
}

module.exports = { roundFloat32 }
