'use strict'
// Texts of the quick reader: short ones are remembered, as what is sent often in small messages is tags and states.
//
// A text of up to eight bytes is two words and a length, by which it is looked up and compared; so no bytes are
// hashed or compared one by one, and no string is made.

const { compileTextMaker } = require('./codegen.js')

/** Taken now: it works for every Uint8Array, and what is patched later is not called. */
const latin1Slice = Function.prototype.call.bind(Buffer.prototype.latin1Slice)

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

/** The text of at most `SHORT` bytes, which lie in `bytes`; undefined if it is not ASCII. */
function shortText(bytes, at, length) {
  if (length === 0) return ''
  const low = wordOf(bytes, at, length)
  const high = length > 4 ? wordOf(bytes, at + 4, length - 4) : 0
  if (((low | high) & NOT_ASCII) !== 0) return undefined
  const place = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> SHIFT
  if (lows[place] === low && highs[place] === high && lengths[place] === length + 1) return strings[place]
  const text = latin1Slice(bytes, at, at + length)
  lows[place] = low
  highs[place] = high
  lengths[place] = length + 1
  strings[place] = text
  return text
}

/**
 * Texts of some length, by functions that pass all their characters to String.fromCharCode at once: 25 take 40 ns that
 * way, and 70 by latin1Slice. By length: how often it was met, and then the function.
 */
const MAX_COMPILED = 32
const USES_BEFORE_MAKER = 8
const makers = new Array(MAX_COMPILED + 1).fill(null)
const uses = new Uint8Array(MAX_COMPILED + 1)

/** The text of any length, which lies in `bytes`; undefined if it is not ASCII. */
function longText(bytes, at, length) {
  if (length <= MAX_COMPILED) {
    const make = makers[length]
    if (make !== null) return make(bytes, at)
    if (uses[length] < USES_BEFORE_MAKER && ++uses[length] === USES_BEFORE_MAKER) {
      makers[length] = compileTextMaker(length)
    }
  }
  let all = 0
  const end = at + length
  for (let i = at; i < end; i++) all |= bytes[i]
  return all > 0x7f ? undefined : latin1Slice(bytes, at, end)
}

module.exports = { SHORT, shortText, longText }
