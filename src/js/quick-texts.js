'use strict'
// Texts of the quick reader: short ones are remembered, as what is sent often in small messages is tags and states.
//
// A text of up to eight bytes is two words and a length, by which it is looked up and compared; so no bytes are
// hashed or compared one by one, and no string is made.

const { compileTextMaker } = require('./codegen.js')

/** Taken now: what is patched later is not called. The first works for every Uint8Array. */
const latin1Slice = Function.prototype.call.bind(Buffer.prototype.latin1Slice)
const { fromCharCode } = String

const SHORT = 8
const SIZE = 1 << 10
const SHIFT = 32 - 10
const NOT_ASCII = 0x80808080 | 0

/** Per place: the bytes of a text, its length plus one, and the text. */
const lows = new Int32Array(SIZE)
const highs = new Int32Array(SIZE)
const lengths = new Uint8Array(SIZE)
const strings = new Array(SIZE).fill('')

/** Up to four bytes as a word, the first as its lowest. */
function wordOf(bytes, at, length) {
  let word = bytes[at]
  if (length > 1) word |= bytes[at + 1] << 8
  if (length > 2) word |= bytes[at + 2] << 16
  if (length > 3) word |= bytes[at + 3] << 24
  return word | 0
}

/** The text of one to eight characters in two words. Of these, as another thread may be writing the bytes. */
function textOf(low, high, length) {
  const a = low & 0xff
  const b = (low >> 8) & 0xff
  const c = (low >> 16) & 0xff
  const d = low >>> 24
  const e = high & 0xff
  const f = (high >> 8) & 0xff
  const g = (high >> 16) & 0xff
  switch (length) {
    case 1:
      return fromCharCode(a)
    case 2:
      return fromCharCode(a, b)
    case 3:
      return fromCharCode(a, b, c)
    case 4:
      return fromCharCode(a, b, c, d)
    case 5:
      return fromCharCode(a, b, c, d, e)
    case 6:
      return fromCharCode(a, b, c, d, e, f)
    case 7:
      return fromCharCode(a, b, c, d, e, f, g)
    default:
      return fromCharCode(a, b, c, d, e, f, g, high >>> 24)
  }
}

/** The text of at most `SHORT` bytes, which lie in `bytes`; undefined if it is not ASCII. */
function shortText(bytes, at, length) {
  if (length === 0) return ''
  const low = wordOf(bytes, at, length)
  const high = length > 4 ? wordOf(bytes, at + 4, length - 4) : 0
  if (((low | high) & NOT_ASCII) !== 0) return undefined
  const place = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> SHIFT
  if (lows[place] === low && highs[place] === high && lengths[place] === length + 1) return strings[place]
  const text = textOf(low, high, length)
  lows[place] = low
  highs[place] = high
  lengths[place] = length + 1
  strings[place] = text
  return text
}

/**
 * Longer texts, by functions that pass all their characters to String.fromCharCode at once: 25 take 40 ns that way, and
 * 70 by latin1Slice. By length: how often it was met, and then the function.
 */
const LONG = 32
const USES_BEFORE_MAKER = 8
const makers = new Array(LONG + 1).fill(null)
const uses = new Uint8Array(LONG + 1)

/** The text of at most `LONG` bytes, which lie in `bytes`; undefined if it is not ASCII. */
function longText(bytes, at, length) {
  const make = makers[length]
  if (make !== null) return make(bytes, at)
  if (uses[length] < USES_BEFORE_MAKER && ++uses[length] === USES_BEFORE_MAKER) {
    makers[length] = compileTextMaker(length)
  }
  let all = 0
  const end = at + length
  for (let i = at; i < end; i++) all |= bytes[i]
  return all > 0x7f ? undefined : latin1Slice(bytes, at, end)
}

module.exports = { SHORT, LONG, shortText, longText }
