'use strict'
// The quick reader: tiny messages of ordinary values are read here, in JavaScript, without a call of the scanner,
// which costs more than they do.
//
// It has no effect but on its own caches, and no user code runs in it. Whatever is not ordinary, an error above all, it
// gives up, and the message is read from its start as any other: so there is one place that knows what is right.

const { FastBuffer } = require('./fast-buffer.js')
const { compileQuickMaker, compileQuickMapMaker } = require('./codegen.js')
const { records: record } = require('./tape.js')
const { table } = require('./read-structures.js')
const { recordShapes } = require('./shapes.js')
const { SHORT, shortText, longText } = require('./quick-texts.js')

/** Messages of more bytes are not tried. */
const MAX_LENGTH = 128
/** Strings that are made anew, and views, in one message; the scanner has one piece of text for all. */
const MAX_LONG = 3
/** Times that keys are met before code is made for them. */
const USES_BEFORE_MAKER = 8
/** Times that a map was met while its keys could not be learned, or in a row another one, before it is forgotten. */
const MAX_LESSONS = 96
const MAX_MISSES = 32
const MAX_KEYS = 16
/** Messages in a row, as a power of two, that are not tried at most after vain tries. */
const MAX_BACK_OFF = 6

/** What a message that is given up is. */
const GIVEN_UP = Symbol('given up')

const uncurry = (getter) => Function.prototype.call.bind(getter)
const getterOf = (name) => {
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype)
  return uncurry(Object.getOwnPropertyDescriptor(typedArray, name).get)
}
const tagOf = getterOf(Symbol.toStringTag)
const bufferOf = getterOf('buffer')
const offsetOf = getterOf('byteOffset')

/** What is read after a message was given up: a byte that is given up, too. */
const NOTHING = new Uint8Array([0xc1])

/** The message, and where in it the next value begins. */
const reader = { bytes: NOTHING, at: 0 }
let end = 0
/** What the owner has: the mode of its records, and whether maps are objects and binary data is copied. */
let mode = 0
let asObjects = false
let isCopying = false
let long = 0
/** Whether the message was given up for keys that have not recurred yet. */
let isNew = false

/** Messages that are not tried, and how many were given up in a row. */
let skip = 0
let givenUp = 0

/** For float64. Like the tape, little-endian. */
const doubleBytes = new Uint8Array(8)
const double = new Float64Array(doubleBytes.buffer)

function giveUp() {
  reader.bytes = NOTHING
  reader.at = 0
  return undefined
}

function giveUpNew() {
  isNew = true
  return giveUp()
}

function next() {
  const { bytes } = reader
  const head = bytes[reader.at++]
  if (head < 0x40) return head
  if (head < 0x80) return recordOrInteger(head)
  if (head >= 0xe0) return head - 0x100
  if (head >= 0xc0) return other(head)
  if (head >= 0xa0) return text(head & 0x1f)
  if (head >= 0x90) return array(head & 0x0f)
  if (head >= 0x80) return map(head & 0x0f)
  // Behind the end there is `undefined`.
  return giveUp()
}

function other(head) {
  const { bytes, at } = reader
  switch (head) {
    case 0xc0:
      return null
    case 0xc2:
      return false
    case 0xc3:
      return true
    case 0xc4:
      return binary()
    case 0xcb:
      reader.at = at + 8
      for (let i = 0; i < 8; i++) doubleBytes[i] = bytes[at + 7 - i]
      return double[0]
    case 0xcc:
      reader.at = at + 1
      return bytes[at]
    case 0xcd:
      reader.at = at + 2
      return (bytes[at] << 8) | bytes[at + 1]
    case 0xce:
      reader.at = at + 4
      return word(bytes, at) >>> 0
    case 0xd0:
      reader.at = at + 1
      return (bytes[at] << 24) >> 24
    case 0xd1:
      reader.at = at + 2
      return ((bytes[at] << 24) >> 16) | bytes[at + 1]
    case 0xd2:
      reader.at = at + 4
      return word(bytes, at)
    case 0xd9:
      reader.at = at + 1
      return text(bytes[at])
    case 0xde:
      reader.at = at + 2
      return bytes[at] === 0 ? map(bytes[at + 1]) : giveUp()
    default:
      return giveUp()
  }
}

function word(bytes, at) {
  return (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]
}

function text(length) {
  const { bytes, at } = reader
  const textEnd = at + length
  if (!(textEnd <= end)) return giveUp()
  reader.at = textEnd
  if (length > SHORT && ++long > MAX_LONG) return giveUp()
  const string = length > SHORT ? longText(bytes, at, length) : shortText(bytes, at, length)
  return string === undefined ? giveUp() : string
}

/** A Buffer's view of itself, which it makes of the class that its constructor has for that; of others there are few. */
function binary() {
  const { bytes, at } = reader
  const length = bytes[at]
  const start = at + 1
  if (isCopying || !(start + length <= end) || ++long > MAX_LONG) return giveUp()
  if (bytes.constructor !== Buffer || FastBuffer === null) return giveUp()
  const buffer = bufferOf(bytes)
  // Of memory that other threads may write there are no views.
  if (!(buffer instanceof ArrayBuffer)) return giveUp()
  reader.at = start + length
  return new FastBuffer(buffer, offsetOf(bytes) + start, length)
}

function array(length) {
  if (length === 0) return []
  // What lies behind is another message, and could nest without end.
  if (reader.at >= end) return giveUp()
  switch (length) {
    case 1:
      return [next()]
    case 2:
      return [next(), next()]
    case 3:
      return [next(), next(), next()]
    default: {
      const result = new Array(length)
      for (let i = 0; i < length; i++) result[i] = next()
      return result
    }
  }
}

/** An id is an integer where there are no records. */
function recordOrInteger(head) {
  if ((mode & record.OFF) !== 0) return head
  const known = table[head & 0x3f]
  if (known === 0) return (mode & (record.ASKED | record.WIDE)) === 0 ? head : giveUp()
  if ((mode & record.WIDE) !== 0 || known >= record.TWO_BYTE) return giveUp()
  const shape = recordShapes[known - 1]
  if (shape === undefined || reader.at > end) return giveUp()
  if (shape.quick !== null) return shape.quick()
  return readNewRecord(shape)
}

function readNewRecord(shape) {
  if (shape.keys.length > MAX_KEYS) return giveUp()
  if (++shape.quickUses < USES_BEFORE_MAKER) return giveUpNew()
  shape.quick = compileQuickMaker(shape.keys, scope)
  return shape.quick === null ? giveUp() : shape.quick()
}

/** Maps by how they begin. */
const MAPS = 1 << 8
const maps = new Array(MAPS).fill(null)

class QuickMap {
  constructor(count) {
    this.count = count
    this.uses = 0
    this.misses = 0
    this.quick = null
  }
}

function map(count) {
  if (!asObjects) return giveUp()
  if (count === 0) return {}
  const { bytes, at } = reader
  if (at >= end) return giveUp()
  const head = bytes[at]
  // The first and the last character of the first key.
  const place = (count + head * 5 + bytes[at + 1] * 7 + bytes[at + (head & 0x1f)] * 61) & (MAPS - 1)
  const known = maps[place]
  if (known !== null && known.count === count) {
    if (known.quick === null) return readNewMap(place, known)
    const object = known.quick()
    if (reader.bytes !== NOTHING) known.misses = 0
    else if (++known.misses > MAX_MISSES) maps[place] = null
    return object
  }
  if (known !== null && ++known.misses <= MAX_MISSES) return giveUp()
  maps[place] = new QuickMap(count)
  return giveUpNew()
}

/** Learns the keys of a map. Maps in it have to be learned before. */
function readNewMap(place, known) {
  if (known.count > MAX_KEYS) return giveUp()
  if (++known.uses < USES_BEFORE_MAKER) return giveUpNew()
  const { bytes, at: start } = reader
  const keys = []
  const encoded = []
  for (let i = 0; i < known.count; i++) {
    const { at } = reader
    const head = reader.bytes[at]
    if (!(head >= 0xa0 && head < 0xc0)) return giveUp()
    const key = next()
    if (reader.bytes === NOTHING || isAmong(keys, key)) return giveUp()
    keys.push(key)
    encoded.push(copyOf(bytes, at, reader.at))
    next()
    if (reader.bytes === NOTHING) {
      if (known.uses > MAX_LESSONS) maps[place] = null
      return giveUp()
    }
  }
  known.quick = compileQuickMapMaker(keys, encoded, scope)
  if (known.quick === null) return giveUp()
  reader.at = start
  return known.quick()
}

/** Written out, as no user code may run while a message is read. */
function isAmong(keys, key) {
  for (const each of keys) if (each === key) return true
  return false
}

function copyOf(bytes, start, stop) {
  const copy = []
  for (let at = start; at < stop; at++) copy.push(bytes[at])
  return copy
}

/** What makers read with. */
const scope = { reader, next, giveUp }

/**
 * Reads the message from `start` to `stop`, which is all of it. `owner` has the options that count here, and the
 * record table, of the mode `recordMode`, is its. GIVEN_UP if it is to be read elsewhere.
 */
function quickRead(owner, recordMode, input, start, stop) {
  if (skip > 0) {
    skip--
    return GIVEN_UP
  }
  const value = quickValue(owner, recordMode, input, start, stop)
  if (reader.at === stop && value !== GIVEN_UP) {
    givenUp = 0
    return value
  }
  if (isNew) return GIVEN_UP
  givenUp++
  skip = (1 << Math.min(givenUp, MAX_BACK_OFF)) - 1
  return GIVEN_UP
}

/** The same for a value that may end before `stop`, at `quickEnd()`. */
function quickValue(owner, recordMode, input, start, stop) {
  if (!quickBegin(owner, recordMode, input)) return GIVEN_UP
  return quickNext(input, start, stop)
}

/** Readies the reader for values of `input`; no other may be read meanwhile. The result is whether it reads any. */
function quickBegin(owner, recordMode, input) {
  mode = recordMode
  asObjects = Boolean(owner.mapsAsObjects)
  isCopying = Boolean(owner.copyBuffers)
  return tagOf(input) === 'Uint8Array'
}

function quickNext(input, start, stop) {
  reader.bytes = input
  reader.at = start
  end = stop
  long = 0
  isNew = false
  const value = next()
  const isRead = reader.bytes === input && reader.at <= stop
  reader.bytes = NOTHING
  return isRead ? value : GIVEN_UP
}

function quickEnd() {
  return reader.at
}

module.exports = { GIVEN_UP, MAX_LENGTH, quickRead, quickBegin, quickNext, quickEnd }
