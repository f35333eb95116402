'use strict'
// The builder: the tape that Rust scanned becomes JavaScript values.
//
// One set of functions for the module, as V8 then treats the tape's views as constants as long as the
// tape does not move. The state of an outer call is kept aside while an extension's callback unpacks.

// Taken out of the addon's object, where V8 would look them up for each call.
const { scan, piece, release, recordKeys, shapeKey, shapeKeys, unpackSlots } = require('./binding.js')
const { control } = require('./pack-tape.js')
const { slot, kind, control: word } = require('./tape.js')
const { C1 } = require('./kinds.js')
const { atNextTurn } = require('./next-turn.js')
const { compileMaker } = require('./codegen.js')
const { asciiKeys } = require('./ascii-keys.js')
const { deepBuilder } = require('./build-deep.js')
const { shapes, recordShapes, addShape, forgetShapes } = require('./shapes.js')
const { propertyKey, define } = require('./properties.js')
const { RECORDS, needsRecords, prepareRecords, receiveRecords } = require('./read-structures.js')
const { scanAgain } = require('./scan-again.js')
const extensions = require('./extensions.js')

/** Short strings that may have numbers. */
const SHORT_STRINGS = 1 << 11

const { INT, STR, WIDE, OBJECT, ARRAY, SINGLE, RARE } = kind
const { RECORD_SHAPE } = slot

/** Objects built of a shape before a maker is compiled for it. */
const USES_BEFORE_MAKER = 8
/** Arrays this long are grown instead of allocated, which would make them sparse. */
const MAX_PREALLOCATED = 1 << 24
/** Levels of nesting that the recursive builder is trusted with. */
const MAX_RECURSION = 500
/** Slots of a tape that is kept. */
const KEPT_SLOTS = 1 << 19

/**
 * The tape. Its views change when it moves; until then V8 takes them for constants, which it does only
 * with fields that have not been assigned since the object was made.
 */
const tape = viewsOf(unpackSlots())

function viewsOf(memory) {
  return {
    words: new Int32Array(memory),
    doubles: new Float64Array(memory),
    int64: new BigInt64Array(memory),
    uint64: new BigUint64Array(memory),
  }
}

/** The pieces that strings are cut from. */
const strings = { text: '', wide: '' }
/** All pieces of the message, if there is more than one. */
let pieces = null
/** The input, and the unpackr that reads it. */
let source = null
let unpackr = null
/** The first slot that is free; an inner message goes there. */
let free = 0
/** The state of the call around this one, which waits for it. */
let enclosing = null

let generation = 0
let capacity = tape.doubles.length

/** Singletons, and behind them the short strings. */
const singles = new Array(slot.SINGLE_SHORT_STRING + SHORT_STRINGS).fill(undefined)
singles[slot.SINGLE_NULL] = null
singles[slot.SINGLE_UNDEFINED] = undefined
singles[slot.SINGLE_FALSE] = false
singles[slot.SINGLE_TRUE] = true
singles[slot.SINGLE_C1] = C1
singles[slot.SINGLE_EMPTY_STRING] = ''

function adoptTape() {
  Object.assign(tape, viewsOf(unpackSlots()))
  capacity = tape.doubles.length
}

/** Takes over what the last scan changed, even if it ended in an error. */
function synchronise() {
  if (control[word.SLOT_CAPACITY] !== capacity) adoptTape()
  if (control[word.GENERATION] !== generation) {
    generation = control[word.GENERATION]
    forgetShapes()
  }
  control[word.NEWS] = 0
  control[word.RECORDS_DEFINED] = 0
  control[word.RECORD_UNKNOWN] = 0
}

/** The value whose slot begins at word `p`. */
function value(p) {
  const high = tape.words[p + 1]
  switch (high >> 16) {
    case STR: {
      const start = tape.words[p]
      return strings.text.slice(start, start + (high & 0xffff))
    }
    case INT:
      return tape.words[p]
    case OBJECT:
      return object(high & 0xffff, tape.words[p])
    case ARRAY:
      return array(high & 0xffff, tape.words[p])
    case SINGLE:
      return singles[tape.words[p]]
    case WIDE: {
      const start = tape.words[p]
      return strings.wide.slice(start, start + (high & 0xffff))
    }
    case RARE:
      return rare(high & 0xffff, tape.words[p])
    default:
      return tape.doubles[p >> 1]
  }
}

function object(number, p) {
  const shape = number < RECORD_SHAPE ? shapes[number] : recordShapes[number - RECORD_SHAPE]
  if (shape !== undefined) {
    if (shape.make !== null) return shape.make(p)
    if (++shape.uses === USES_BEFORE_MAKER) {
      shape.make = compileMaker(shape.keys, p, makerScope)
      if (shape.make !== null) return shape.make(p)
    }
    return buildObject(shape.keys, p)
  }
  return buildObject(keysOf(number), p)
}

/** Keys of a shape that may not have been met yet. */
function keysOf(number) {
  if (number >= RECORD_SHAPE) return keysOfRecord(number - RECORD_SHAPE)
  const shape = shapes[number] ?? addShape(shapes, number, shapeKeys(number))
  return shape.keys
}

/** The same for records, whose keys are values like any other. */
function keysOfRecord(number) {
  const shape = recordShapes[number]
  if (shape !== undefined) return shape.keys
  control[word.SHAPE] = number
  const list = recordKeys()
  return addShape(recordShapes, number, asciiKeys(list) ?? readKeys(Buffer.from(list, 'latin1'))).keys
}

function readKeys(bytes) {
  return read(keyReader, 0, bytes, 0, bytes.length, null).map(propertyKey)
}

/** Who reads the keys of records: without options, and without records. */
const keyReader = { copyBuffers: false, int64AsType: undefined, [RECORDS]: null }

function buildObject(keys, p) {
  const result = {}
  for (let i = 0; i < keys.length; i++) define(result, keys[i], value(p + 2 * i))
  return result
}

/** What makers read from and call. */
const makerScope = { tape, strings, singles, value, object, array }

function array(kind, p) {
  const length = tape.words[p] >>> 0
  if (length > MAX_PREALLOCATED) return longArray(length, p)
  const { words } = tape
  let at = p + 2
  if (kind === slot.ARRAY_INTS) {
    if (length === 1) return [words[at]]
    if (length === 2) return [words[at], words[at + 2]]
    const result = new Array(length)
    for (let i = 0; i < length; i++, at += 2) result[i] = words[at]
    return result
  }
  if (kind === slot.ARRAY_DOUBLES) {
    const { doubles } = tape
    at >>= 1
    if (length === 1) return [doubles[at]]
    if (length === 2) return [doubles[at], doubles[at + 1]]
    const result = new Array(length)
    for (let i = 0; i < length; i++) result[i] = doubles[at + i]
    return result
  }
  switch (length) {
    case 0:
      return []
    case 1:
      return [value(at)]
    case 2:
      return [value(at), value(at + 2)]
    case 3:
      return [value(at), value(at + 2), value(at + 4)]
    default: {
      const result = new Array(length)
      for (let i = 0; i < length; i++, at += 2) result[i] = value(at)
      return result
    }
  }
}

function longArray(length, p) {
  const result = []
  for (let i = 0; i < length; i++) result.push(value(p + 2 + 2 * i))
  return result
}

function rare(kind, p) {
  const low = tape.words[p]
  const high = tape.words[p + 1]
  switch (kind) {
    case slot.RARE_NEXT_PIECE:
      strings.text = pieces[low]
      return strings.text.slice(0, high)
    case slot.RARE_NEXT_WIDE:
      strings.wide = pieces[low]
      return strings.wide.slice(0, high)
    case slot.RARE_LONG_STR:
      return pieces === null ? strings.text : pieces[low]
    case slot.RARE_OBJECT:
      return pairsAsObject(low >>> 0, p + 2)
    case slot.RARE_MAP:
      return pairsAsMap(low >>> 0, p + 2)
    case slot.RARE_BIN:
      return bytes(low >>> 0, high >>> 0)
    case slot.RARE_INT64:
      return int64(tape.int64[p >> 1])
    case slot.RARE_UINT64:
      return int64(tape.uint64[p >> 1])
    case slot.RARE_DATE:
      return new Date(tape.doubles[p >> 1])
    case slot.RARE_EXT:
      return extensions.fromPayload(tape.words[p + 2], bytes(low >>> 0, high >>> 0))
    case slot.RARE_RECORD:
      return buildObject(keysOfRecord(low), p + 2)
    default:
      return extensions.fromValue(low, value(p + 2))
  }
}

function int64(integer) {
  return unpackr.int64AsType === 'string' ? integer.toString() : integer
}

function bytes(start, length) {
  return unpackr.copyBuffers
    ? Uint8Array.prototype.slice.call(source, start, start + length)
    : source.subarray(start, start + length)
}

function pairsAsMap(count, p) {
  const map = new Map()
  for (let i = 0, at = p; i < count; i++, at += 4) {
    const key = value(at)
    map.set(key, value(at + 2))
  }
  return map
}

function pairsAsObject(count, p) {
  const result = {}
  for (let i = 0, at = p; i < count; i++, at += 4) {
    const key = keyAt(at)
    define(result, key, value(at + 2))
  }
  return result
}

const RARE_KEY = (slot.RARE << 16) | slot.RARE_KEY

function keyAt(p) {
  if (tape.words[p + 1] === RARE_KEY) return shapeKey(tape.words[p])
  const key = value(p)
  return typeof key === 'string' ? key : propertyKey(key)
}

const buildDeep = deepBuilder({ tape, value, keyAt, define, keysOf, keysOfRecord })

/** Keeps the short strings that this message defines; the next scan is told by the count. */
function defineShortStrings(count) {
  const { words } = tape
  for (let i = 0, p = free * 2; i < count; i++, p += 2) {
    const start = words[p + 1]
    const number = words[p] & 0xffff
    singles[slot.SINGLE_SHORT_STRING + number] = strings.text.slice(start, start + (words[p] >>> 16))
  }
  control[word.DEFINITIONS] = 0
}

/** Makes strings of the pieces. They are all made before user code can touch the input. */
function takePieces(first, count) {
  if (count > 1) {
    pieces = [first]
    for (let i = 1; i < count; i++) {
      control[word.PIECES] = i
      pieces.push(piece(source))
    }
    const latin = control[word.LATIN_PIECE]
    const wide = control[word.WIDE_PIECE]
    strings.text = latin < 0 ? '' : pieces[latin]
    strings.wide = wide < 0 ? '' : pieces[wide]
  } else if (control[word.WIDE_PIECE] < 0) {
    strings.text = first
  } else {
    strings.wide = first
    strings.text = first
  }
}

/** Whether a message of `owner` is being read. */
function isReading(owner) {
  if (unpackr === null || unpackr === owner) return unpackr === owner
  for (let each = enclosing; each !== null; each = each.enclosing) {
    if (each.unpackr === owner) return true
  }
  return false
}

/** Slots of the records that the message on the tape defines for later ones, too, if there was any news. */
let definedSlots = []

/** Sees to it that the message is on the tape after a scan that had news, and returns what the scan does. */
function takeNews(result, message) {
  const first = control[word.RECORD_UNKNOWN] === 0 ? result : scanAgain(message, synchronise)
  source = message.input
  if (message.call !== null) message.call.input = source
  const length = control[word.RECORDS_DEFINED]
  synchronise()
  const at = control[word.SLOT_START] + control[word.DEFINITIONS]
  definedSlots = Array.from({ length }, (_, i) => tape.words[2 * (at + i)])
  releaseLater()
  return first
}

/**
 * Reads one value of `input` from `start`. Where it ended is `position()`. `call` is the call of
 * unpackMultiple that it is part of, or null.
 */
function read(owner, bits, input, start, end, call) {
  const outer =
    unpackr === null
      ? null
      : { unpackr, source, pieces, text: strings.text, wide: strings.wide, free, enclosing }
  const base = outer === null ? 0 : free
  if (outer !== null) checkLater()
  if (needsRecords(owner, call)) control[word.RECORD_MODE] = prepareRecords(owner, isReading(owner), call)
  control[word.OPTIONS] = bits
  control[word.INPUT_START] = start
  control[word.INPUT_END] = end
  control[word.SLOT_START] = base
  try {
    let first = scan(input)
    source = input
    const news = control[word.NEWS] !== 0
    if (news)
      first = takeNews(first, { owner, bits, input, start, end, base, nested: isReading(owner), call })
    unpackr = owner
    if (outer !== null) enclosing = outer
    free = control[word.SLOT_START]
    const ended = control[word.INPUT_START] >>> 0
    const depth = control[word.DEPTH]
    const count = control[word.PIECES]
    if (count !== 0) takePieces(first, count)
    const definitions = control[word.DEFINITIONS]
    if (definitions !== 0) defineShortStrings(definitions)
    if (news) receiveRecords(owner, definedSlots, keysOfRecord, call)
    const result = depth > MAX_RECURSION ? buildDeep(base * 2) : value(base * 2)
    // Last, as user code may have read something else meanwhile.
    valueEnd = ended
    return result
  } finally {
    leave(outer)
  }
}

/** Where the value read last ended. */
let valueEnd = 0

function position() {
  return valueEnd
}

const releaseLater = atNextTurn(() => {
  release()
  synchronise()
})

/** An unpackr is still set at the event loop's turn where the engine was told to stop in mid-message. */
const checkLater = atNextTurn(() => {
  if (unpackr !== null) leave(null)
})

function leave(outer) {
  if (outer === null) {
    unpackr = null
    enclosing = null
    source = null
    pieces = null
    strings.text = ''
    strings.wide = ''
    if (capacity > KEPT_SLOTS) releaseLater()
  } else {
    ;({ unpackr, source, pieces, free, enclosing } = outer)
    strings.text = outer.text
    strings.wide = outer.wide
  }
  if (control[word.NEWS] !== 0) synchronise()
}

module.exports = { read, position, isReading }
