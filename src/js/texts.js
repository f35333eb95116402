'use strict'
// The text of the message that is being built: a few long strings, the pieces, that its strings are cut from.

const { piece } = require('./binding.js')
const { control } = require('./pack-tape.js')
const { control: word, slot } = require('./tape.js')
const { C1 } = require('./kinds.js')

/** Short strings that may have numbers. */
const SHORT_STRINGS = 1 << 11

/** Singletons, and behind them the short strings. */
const singles = new Array(slot.SINGLE_SHORT_STRING + SHORT_STRINGS).fill(undefined)
singles[slot.SINGLE_NULL] = null
singles[slot.SINGLE_UNDEFINED] = undefined
singles[slot.SINGLE_FALSE] = false
singles[slot.SINGLE_TRUE] = true
singles[slot.SINGLE_C1] = C1
singles[slot.SINGLE_EMPTY_STRING] = ''

/** The pieces that strings are cut from now, and all of the message, if there is more than one. */
const texts = { text: '', wide: '', pieces: null }

/** Makes strings of the pieces. They are all made before user code can touch the input. */
function takePieces(first, count, source) {
  if (count > 1) {
    const pieces = [first]
    for (let i = 1; i < count; i++) {
      control[word.PIECES] = i
      pieces.push(piece(source))
    }
    texts.pieces = pieces
    const latin = control[word.LATIN_PIECE]
    const wide = control[word.WIDE_PIECE]
    texts.text = latin < 0 ? '' : pieces[latin]
    texts.wide = wide < 0 ? '' : pieces[wide]
  } else if (control[word.WIDE_PIECE] < 0) {
    texts.text = first
  } else {
    texts.wide = first
    texts.text = first
  }
}

/** Keeps the short strings that a message defines, at word `p` of the tape; the next scan is told by the count. */
function defineShortStrings(words, p, count) {
  for (let i = 0; i < count; i++, p += 2) {
    const start = words[p + 1]
    const number = words[p] & 0xffff
    singles[slot.SINGLE_SHORT_STRING + number] = texts.text.slice(start, start + (words[p] >>> 16))
  }
  control[word.DEFINITIONS] = 0
}

module.exports = { texts, singles, takePieces, defineShortStrings }
