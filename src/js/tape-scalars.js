'use strict'
// Scalars and binary data on the packing tape, and the words that announce what follows.

const { putBinary } = require('./binding.js')
const { BIG_INTEGER, bigIntegerBytes, replacementOf } = require('./big-integers.js')
const { control, tape } = require('./pack-tape.js')
const { pack: tag, control: word, TAG_BITS, ESCAPE } = require('./tape.js')
const { state, makeRoom, flushText, setTextAside } = require('./walk-state.js')

const { STR, INT, INT32, NUMBER } = tag

/** Longer strings are passed on their own instead of being joined with the others. */
const LONG_STRING = 4096

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n
const UINT64_MAX = 2n ** 64n - 1n

/** A word of a tag. */
function writeTag(which, payload) {
  if (state.at >= state.limit) makeRoom()
  tape.words[state.at++] = (payload << TAG_BITS) | which
}

/** A tag with a length that may need a word of its own. */
function writeLength(which, length) {
  if (length < ESCAPE) {
    tape.words[state.at++] = (length << TAG_BITS) | which
  } else {
    tape.words[state.at++] = (ESCAPE << TAG_BITS) | which
    tape.words[state.at++] = length
  }
}

function writeString(value) {
  const { length } = value
  state.textLength += length
  if (length < LONG_STRING) {
    state.text += value
    tape.words[state.at++] = (length << TAG_BITS) | STR
  } else {
    flushText()
    setTextAside(value)
    writeLength(STR, length)
  }
}

function writeNumber(value) {
  // -0 equals 0 here, and msgpackr drops its sign too.
  if ((value | 0) === value) {
    if ((value << TAG_BITS) >> TAG_BITS === value) {
      tape.words[state.at++] = (value << TAG_BITS) | INT
    } else {
      tape.words[state.at++] = INT32
      tape.words[state.at++] = value
    }
  } else {
    tape.side[state.sideAt++] = value
    tape.words[state.at++] = NUMBER
  }
}

function writeBigInt(value) {
  if (value >= INT64_MIN && value <= INT64_MAX) {
    tape.sideInt64[state.sideAt++] = value
    tape.words[state.at++] = tag.INT64
  } else if (value > 0n && value <= UINT64_MAX) {
    tape.sideUint64[state.sideAt++] = value
    tape.words[state.at++] = tag.UINT64
  } else {
    const replacement = replacementOf(value, state.packr)
    if (typeof replacement === 'number') {
      tape.side[state.sideAt++] = replacement
      tape.words[state.at++] = NUMBER
    } else if (replacement !== null) writeString(replacement)
    else writePayload(tag.EXTENSION, BIG_INTEGER, bigIntegerBytes(value))
  }
}

/** Copies bytes behind the binary data. Returns how many. */
function putBytes(bytes) {
  control[word.BINARY] = state.binaryAt
  putBinary(bytes)
  const length = control[word.BINARY] >>> 0
  state.binaryAt += length
  return length
}

function writeBinary(bytes) {
  writeLength(tag.BIN, putBytes(bytes))
}

/** A tag with a code, and behind it the length of `bytes`. */
function writePayload(which, code, bytes) {
  const length = putBytes(bytes)
  writeTag(which, code)
  tape.words[state.at++] = length
}

module.exports = {
  LONG_STRING,
  writeTag,
  writeLength,
  writeString,
  writeNumber,
  writeBigInt,
  putBytes,
  writeBinary,
  writePayload,
}
