'use strict'
// The quick reader: tiny messages of ordinary values are read here, in JavaScript, without a call of the scanner,
// which costs more than they do.
//
// It has no effect but on its own caches, no user code runs in it, and it looks at no byte twice, as another thread may
// be writing. Whatever is not ordinary, an error above all, it gives up, and the message is read from its start as any
// other: so there is one place that knows what is right.

const { FastBuffer } = require('./fast-buffer.js')
const { compileQuickMaker, compileQuickMapMaker } = require('./codegen.js')
const { options, records: record } = require('./tape.js')
const { table } = require('./read-structures.js')
const { recordShapes } = require('./shapes.js')
const { tagOf, bufferOf, offsetOf } = require('./typed-array-parts.js')
const { LONG, SHORT, shortText, longText } = require('./quick-texts.js')

/** Messages of more bytes are not tried. */
const MAX_LENGTH = 128
/** Strings that are made anew, and views, in one message; the scanner has one piece of text for all. */
const MAX_LONG = 3
/** Times that keys are met before code is made for them. */
const USES_BEFORE_MAKER = 8
/** Times in a row that another map was met in the place of one before that is forgotten. */
const MAX_MISSES = 32
const MAX_KEYS = 16
/**
 * What vain tries cost, where one that is not is worth one: they take longer than is saved by success. Credit has a limit;
 * without any, more and more messages are not tried: so many at most, as a power of two.
 */
const COST = 4
const MAX_CREDIT = 8
const MAX_BACK_OFF = 6

/** What a message that is given up is. */
const GIVEN_UP = Symbol('given up')

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
/** Values that were begun: another one in between would come of patched built-ins. */
let reads = 0
/** Whether the message was given up for keys that have not recurred yet. */
let isNew = false

/** Messages that are not tried, and how many that were the last time, as a power of two. */
let skip = 0
let backOff = 0
let credit = MAX_CREDIT

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
  if (length > SHORT && (length > LONG || ++long > MAX_LONG)) return giveUp()
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
  shape.quick = compiled(() => compileQuickMaker(shape.keys, scope))
  return shape.quick === null ? giveUp() : shape.quick()
}

/** Maps by how they begin. */
const MAPS = 1 << 8
const maps = new Array(MAPS).fill(null)

class QuickMap {
  constructor(count) {
    this.count = count
    /** The keys that it had the last time, and how often in a row. */
    this.keys = null
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
    if (known.quick === null) return readNewMap(known)
    const object = known.quick()
    if (reader.bytes !== NOTHING) known.misses = 0
    else if (++known.misses > MAX_MISSES) maps[place] = null
    return object
  }
  if (known !== null && ++known.misses <= MAX_MISSES) return giveUp()
  maps[place] = new QuickMap(count)
  return giveUp()
}

/** Learns the keys of a map that recur, of which those in it have to be learned before. */
function readNewMap(known) {
  const { count } = known
  if (count > MAX_KEYS) return giveUp()
  const start = reader.at
  // No array: what others made of these is not to be met here.
  const keys = { __proto__: null }
  let isKnown = known.keys !== null
  for (let i = 0; i < count; i++) {
    const head = reader.bytes[reader.at]
    if (!(head >= 0xa0 && head < 0xc0)) return giveUp()
    const key = next()
    if (reader.bytes === NOTHING || isAmong(keys, i, key)) return giveUp()
    keys[i] = key
    if (isKnown && known.keys[i] !== key) isKnown = false
    next()
  }
  if (reader.bytes === NOTHING) return giveUp()
  if (!isKnown) {
    known.keys = keys
    known.uses = 0
    return giveUp()
  }
  if (++known.uses < USES_BEFORE_MAKER) return giveUpNew()
  known.quick = compiled(() => compileQuickMapMaker(count, keys, scope))
  if (known.quick === null) return giveUp()
  reader.at = start
  return known.quick()
}

function isAmong(keys, count, key) {
  for (let i = 0; i < count; i++) if (keys[i] === key) return true
  return false
}

/** Where code cannot be made for whatever reason, the message is read elsewhere. */
function compiled(compile) {
  try {
    return compile()
  } catch {
    return null
  }
}

/** What makers read with. */
const scope = { reader, next, giveUp }

/** Whether the next tiny message is to be tried. */
function isWorthTrying() {
  if (skip === 0) return true
  skip--
  return false
}

/**
 * Reads the message from `start` to `stop`, which is all of it, under the option bits. `copies` says that binary data
 * is copied, and the record table is the owner's, of the mode `recordMode`. GIVEN_UP if it is to be read elsewhere.
 */
function quickRead(bits, copies, recordMode, input, start, stop) {
  if (!quickBegin(bits, copies, recordMode, input)) return GIVEN_UP
  const value = quickNext(input, start, stop)
  if (value !== GIVEN_UP && reader.at === stop) {
    if (credit < MAX_CREDIT) credit++
    else backOff = 0
    return value
  }
  if (isNew) return GIVEN_UP
  credit -= COST
  if (credit < 0) {
    credit = 0
    if (backOff < MAX_BACK_OFF) backOff++
    skip = (1 << backOff) - 1
  }
  return GIVEN_UP
}

/** Readies the reader for values of `input`; no other may be read meanwhile. The result is whether it reads any. */
function quickBegin(bits, copies, recordMode, input) {
  mode = recordMode
  asObjects = (bits & options.MAPS_AS_OBJECTS) !== 0
  isCopying = copies
  return tagOf(input) === 'Uint8Array'
}

/** A value that begins at `start` and ends before `stop`, at `quickEnd()`. */
function quickNext(input, start, stop) {
  const mine = ++reads
  reader.bytes = input
  reader.at = start
  end = stop
  long = 0
  isNew = false
  const value = next()
  const isRead = reader.bytes === input && reader.at <= stop && reads === mine
  reader.bytes = NOTHING
  return isRead ? value : GIVEN_UP
}

function quickEnd() {
  return reader.at
}

module.exports = { GIVEN_UP, MAX_LENGTH, isWorthTrying, quickRead, quickBegin, quickNext, quickEnd }
