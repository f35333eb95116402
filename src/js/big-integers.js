'use strict'
// Integers of more than 64 bits: what a packr writes for them, and the bytes of the extension that holds them.

const BIG_INTEGER = 0x42

/** Up to so many bits an integer is padded to whole words of 64 bits. */
const MAX_PADDED_BITS = 1 << 16
const WORD = 8

/** What stands for `value`, which does not fit 64 bits, under the options of `packr`: a number, a string, or null. */
function replacementOf(value, packr) {
  if (packr.largeBigIntToFloat) return Number(value)
  if (packr.largeBigIntToString) return value.toString()
  if (packr.useBigIntExtension || packr.moreTypes) return null
  throw new RangeError(
    `${value} was too large to fit in MessagePack 64-bit integer format, use useBigIntExtension, or ` +
      'set largeBigIntToFloat to convert to float-64, or set largeBigIntToString to convert to string',
  )
}

/** Two's complement of `value`, big-endian. */
function bigIntegerBytes(value) {
  const isNegative = value < 0n
  const digits = (isNegative ? ~value : value).toString(16)
  const bits = digits.length * 4 - (Math.clz32(Number.parseInt(digits[0], 16)) - 28)
  // One more for the sign.
  const length = Math.ceil((bits + 1) / 8)
  const bytes = Buffer.alloc(bits <= MAX_PADDED_BITS ? Math.ceil(length / WORD) * WORD : length)
  const hex = digits.length % 2 === 0 ? digits : `0${digits}`
  bytes.write(hex, bytes.length - hex.length / 2, 'hex')
  if (isNegative) for (let i = 0; i < bytes.length; i++) bytes[i] ^= 0xff
  return bytes
}

module.exports = { BIG_INTEGER, replacementOf, bigIntegerBytes }
