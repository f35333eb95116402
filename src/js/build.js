'use strict'
// The builder: the tape that Rust scanned becomes JavaScript values.
//
// One set of functions for the module, as V8 then treats the tape's views as constants as long as the
// tape does not move. The state of an outer call is kept aside while an extension's callback unpacks.

// Taken out of the addon's object, where V8 would look them up for each call.
const { scan, release, recordKeys, shapeKey, shapeKeys } = require('./binding.js')
const { control } = require('./pack-tape.js')
const { slot, kind, control: word, options, records: record } = require('./tape.js')
const { atNextTurn } = require('./next-turn.js')
const { compileMaker, compileInliningMaker } = require('./codegen.js')
const { asciiKeys } = require('./ascii-keys.js')
const { arrayBuilder } = require('./build-arrays.js')
const { deepBuilder } = require('./build-deep.js')
const { shapes, recordShapes, addShape, forgetShapes } = require('./shapes.js')
const { propertyKey, define, defineAmong, inheritedPlaces, EVERY_PLACE } = require('./properties.js')
const { LONG_KEY, recurringKey } = require('./recurring-keys.js')
const {
  RECORDS,
  needsRecords,
  prepareRecords,
  renewalsSoFar,
  receiveRecords,
} = require('./read-structures.js')
const { scanAgain } = require('./scan-again.js')
const { GIVEN_UP, MAX_LENGTH: QUICK_LENGTH, isWorthTrying, quickRead } = require('./quick-read.js')
const { readers } = require('./extensions.js')
const { extensionReader } = require('./read-extension.js')
const { readLog } = require('./definition-log.js')
const { Notes } = require('./notes.js')
const { tape, adoptTape } = require('./tape-views.js')
const { texts: strings, singles, takePieces, defineShortStrings } = require('./texts.js')
const { viewBytes, copyBytes, forgetInput } = require('./input-bytes.js')

const { INT, STR, WIDE, OBJECT, ARRAY, SINGLE, RARE } = kind
const { RECORD_SHAPE } = slot

/**
 * Objects built of a shape before a maker is compiled for it, which takes as long as some hundred small objects: at first, and
 * how often that is doubled where there are many shapes. Each time there are so many makers.
 */
const USES_BEFORE_MAKER = 8
const MAX_DOUBLINGS = 8
const MAKERS_BEFORE_DOUBLING = 128
/** Pairs of an object from which on it is worth asking beforehand what Object.prototype has. */
const WIDE_OBJECT = 256
/** And how often that is asked again, after values in which user code may have run. */
const MAX_RENEWALS = 16
/** Levels of nesting that the recursive builder is trusted with. */
const MAX_RECURSION = 500
/** Slots of a tape that is kept. */
const KEPT_SLOTS = 1 << 19

/** The input and where it ends, the unpackr that reads it, and the option bits. */
let source = null
let sourceEnd = 0
let unpackr = null
let optionBits = 0
/** What few messages need; null until the one that is read does. */
let notes = null
/** Number of the call of unpackMultiple that the message scanned last was part of, or 0. */
let lastCall = 0
/** The first slot that is free; an inner message goes there. */
let free = 0
/** The state of the call around this one, which waits for it. */
let enclosing = null

let generation = 0

let usesBeforeMaker = USES_BEFORE_MAKER
let makers = 0

function countMaker() {
  const doublings = Math.floor(++makers / MAKERS_BEFORE_DOUBLING)
  usesBeforeMaker = USES_BEFORE_MAKER << Math.min(doublings, MAX_DOUBLINGS)
}

/** Takes over what the last scan changed, even if it ended in an error. */
function synchronise() {
  if (control[word.SLOT_CAPACITY] !== tape.doubles.length) adoptTape()
  if (control[word.GENERATION] !== generation) {
    generation = control[word.GENERATION]
    forgetShapes()
  }
  control[word.NEWS] = 0
  control[word.RECORDS_DEFINED] = 0
  control[word.DEFINITION_LOG] = 0
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
  const shape = shapeOf(number)
  if (shape !== undefined) {
    if (shape.make !== null) return shape.make(p)
    if (++shape.uses === usesBeforeMaker) {
      shape.make = compileMaker(shape.keys, p, makerScope, (q) => makeInlining(shape, q))
      if (shape.make !== null) {
        countMaker()
        return shape.make(p)
      }
    }
    return buildObject(shape.keys, p)
  }
  return buildObject(keysOf(number), p)
}

/** Makes the object at `p`, and from now on those in it as well. */
function makeInlining(shape, p) {
  shape.make = compileInliningMaker(shape.keys, p, makerScope, keysIfKnown) ?? shape.make
  return shape.make(p)
}

function shapeOf(number) {
  return number < RECORD_SHAPE ? shapes[number] : recordShapes[number - RECORD_SHAPE]
}

function keysIfKnown(number) {
  return shapeOf(number)?.keys ?? null
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
  return addShape(
    recordShapes,
    number,
    listOf(number).map((key) => propertyKey(key, charge, false)),
  ).keys
}

/** The values in the list of keys that has a number. */
function listOf(number) {
  control[word.SHAPE] = number
  const list = recordKeys()
  const keys = asciiKeys(list)
  if (keys !== null) return keys
  const bytes = Buffer.from(list, 'latin1')
  // What is no text, for its lone surrogates, is there as binary.
  return read(keyReader, 0, bytes, 0, bytes.length, null).map((key) =>
    Buffer.isBuffer(key) ? key.toString('utf16le') : key,
  )
}

/** Who reads the keys of records: without options, and without records. */
const keyReader = { copyBuffers: false, int64AsType: undefined, [RECORDS]: null }

function buildObject(keys, p) {
  const result = {}
  for (let i = 0; i < keys.length; i++) define(result, keys[i], value(p + 2 * i))
  return result
}

const array = arrayBuilder({ tape, value, shapeOf })

/** What makers read from and call. */
const makerScope = { tape, strings, singles, value, object, array }

/** Counts the values in which user code may have run. */
let rareValues = 0

function rare(kind, p) {
  rareValues++
  const low = tape.words[p]
  const high = tape.words[p + 1]
  switch (kind) {
    case slot.RARE_NEXT_PIECE:
      strings.text = strings.pieces[low]
      return strings.text.slice(0, high)
    case slot.RARE_NEXT_WIDE:
      strings.wide = strings.pieces[low]
      return strings.wide.slice(0, high)
    case slot.RARE_LONG_STR:
      return strings.pieces === null ? strings.text : strings.pieces[low]
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
      return extension(p)
    case slot.RARE_EXT_VALUE:
      return readers[low].fromValue(value(p + 2), charge)
    case slot.RARE_RECORD:
      return buildObject(keysOfRecord(low), p + 2)
    case slot.RARE_TARGET:
      return buildTarget(low, p + 2)
    case slot.RARE_POINTER:
      return noted().refer(low)
    default:
      noteKeys(low, high)
      return value(p + 2)
  }
}

/** The notes of the message that is read. */
function noted() {
  notes ??= new Notes(source.length)
  return notes
}

function charge(work) {
  noted().charge(work)
}

/** The keys of the record that is next can be referred to. */
function noteKeys(id, number) {
  const keys = listOf(number)
  noted().target(id).complete(keys)
}

function int64(integer) {
  return unpackr.int64AsType === 'string' ? integer.toString() : integer
}

function bytes(start, length) {
  return unpackr.copyBuffers ? copyBytes(source, start, length) : viewBytes(source, start, length)
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
  if (count >= WIDE_OBJECT) return widePairs(result, count, p)
  for (let i = 0, at = p; i < count; i++, at += 4) define(result, pairKey(at, i), value(at + 2))
  return result
}

function widePairs(result, count, p) {
  let places = inheritedPlaces()
  let placesFrom = rareValues
  let renewals = 0
  for (let i = 0, at = p; i < count; i++, at += 4) {
    const key = pairKey(at, i)
    const element = value(at + 2)
    if (placesFrom !== rareValues) {
      places = ++renewals > MAX_RENEWALS ? EVERY_PLACE : inheritedPlaces()
      placesFrom = rareValues
    }
    defineAmong(places, result, key, element)
  }
  return result
}

/** The key at `p`, which is the one at place `index` in its object. */
function pairKey(p, index) {
  const key = keyAt(p)
  return key.length < LONG_KEY ? key : recurringKey(key, index)
}

const RARE_KEY = (slot.RARE << 16) | slot.RARE_KEY

function keyAt(p) {
  if (tape.words[p + 1] === RARE_KEY) return shapeKey(tape.words[p])
  const key = value(p)
  return typeof key === 'string' ? key : propertyKey(key, charge, unpackr.allowArraysInMapKeys)
}

const { buildDeep, buildTarget } = deepBuilder({
  tape,
  value,
  keyAt,
  define,
  keysOf,
  keysOfRecord,
  charge,
  noteKeys,
  isFrozen: () => (optionBits & options.FREEZE) !== 0,
  noteTarget: (id) => noted().target(id),
})

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
/** The definitions themselves, if extensions may have to read under them. */
let definitionLog = null

/** Sees to it that the message is on the tape after a scan that had news, and returns what the scan does. */
function takeNews(result, message) {
  const first = control[word.RECORD_UNKNOWN] === 0 ? result : scanAgain(message, synchronise)
  source = message.input
  if (message.call !== null) message.call.input = source
  const length = control[word.RECORDS_DEFINED]
  const logged = control[word.DEFINITION_LOG]
  definitionLog = null
  synchronise()
  const at = control[word.SLOT_START] + control[word.DEFINITIONS]
  definedSlots = Array.from({ length }, (_, i) => tape.words[2 * (at + i)])
  if (logged > 0) definitionLog = readLog(tape.words, 2 * (at + length), logged)
  releaseLater()
  return first
}

/** What the message that is being read needs to go on after another one. */
function suspend() {
  const { text, wide, pieces } = strings
  return { unpackr, source, sourceEnd, optionBits, notes, pieces, text, wide, free, enclosing }
}

/**
 * Reads one value of `input` from `start`. Where it ended is `position()`. `call` is the call of
 * unpackMultiple that it is part of, or null.
 */
function read(owner, bits, input, start, end, call) {
  // What most messages need, and in one piece: measured, a call more costs a small one a tenth.
  if (unpackr !== null || call !== null) return readAmong(owner, bits, input, start, end, call)
  const isTried = end - start <= QUICK_LENGTH && isWorthTrying() && (bits & options.FREEZE) === 0
  // Before the records are readied, as an accessor may unpack.
  const isCopying = isTried && Boolean(owner.copyBuffers)
  const hasRecords = needsRecords(owner, null)
  const renewals = renewalsSoFar()
  const mode = hasRecords ? prepareRecords(owner, false, null) : record.OFF
  lastCall = 0
  if (isTried && renewals === renewalsSoFar()) {
    const quick = quickRead(bits, isCopying, mode, input, start, end)
    if (quick !== GIVEN_UP) {
      valueEnd = end
      return quick
    }
  }
  // Where it is not, nothing is expected, whatever the mode was before.
  if (hasRecords) control[word.RECORD_MODE] = mode
  control[word.OPTIONS] = bits
  control[word.INPUT_START] = start
  control[word.INPUT_END] = end
  control[word.SLOT_START] = 0
  try {
    let first = scan(input)
    source = input
    const news = control[word.NEWS] !== 0
    if (news) first = takeNews(first, { owner, bits, input, start, end, base: 0, nested: false, call })
    unpackr = owner
    optionBits = bits
    sourceEnd = end
    const ended = control[word.INPUT_START] >>> 0
    const depth = control[word.DEPTH]
    free = control[word.SLOT_START]
    const count = control[word.PIECES]
    if (count !== 0) takePieces(first, count, source)
    const definitions = control[word.DEFINITIONS]
    if (definitions !== 0) defineShortStrings(tape.words, free * 2, definitions)
    if (news) takeRecords(call)
    const result = depth > MAX_RECURSION ? buildDeep(0) : value(0)
    // Last, as user code may have read something else meanwhile.
    valueEnd = ended
    return result
  } finally {
    leave()
  }
}

/** The same while another message is being read, or as a part of a call. */
function readAmong(owner, bits, input, start, end, call) {
  const outer = unpackr === null ? null : suspend()
  const base = outer === null ? 0 : free
  const nested = outer !== null && isReading(owner)
  if (outer !== null) checkLater()
  if (needsRecords(owner, call)) {
    const mode = prepareRecords(owner, nested, call)
    control[word.RECORD_MODE] = call !== null && call.number === lastCall ? mode | record.CONTINUED : mode
  }
  lastCall = call === null ? 0 : call.number
  control[word.OPTIONS] = bits
  control[word.INPUT_START] = start
  control[word.INPUT_END] = end
  control[word.SLOT_START] = base
  try {
    let first = scan(input)
    source = input
    notes = call === null ? null : call.notes
    const news = control[word.NEWS] !== 0
    if (news) first = takeNews(first, { owner, bits, input, start, end, base, nested, call })
    unpackr = owner
    optionBits = bits
    sourceEnd = end
    if (outer !== null) enclosing = outer
    const ended = control[word.INPUT_START] >>> 0
    const depth = control[word.DEPTH]
    takeText(first)
    if (news) takeRecords(call)
    const result = depth > MAX_RECURSION ? buildDeep(base * 2) : value(base * 2)
    if (call !== null) keepNotes(call)
    valueEnd = ended
    return result
  } finally {
    if (outer === null) leave()
    else resume(outer)
  }
}

/** Takes over the text of the message on the tape. */
function takeText(first) {
  free = control[word.SLOT_START]
  const count = control[word.PIECES]
  if (count !== 0) takePieces(first, count, source)
  const definitions = control[word.DEFINITIONS]
  if (definitions !== 0) defineShortStrings(tape.words, free * 2, definitions)
}

/** Takes over the records that the message defines, for later messages and for extensions. */
function takeRecords(call) {
  receiveRecords(unpackr, definedSlots, keysOfRecord, call)
  if (definitionLog !== null) noted().log = definitionLog
}

/** Ids have a meaning to the end of the input. */
function keepNotes(call) {
  call.notes = notes
  if (notes !== null) notes.log = null
}

/** Builds a value that was scanned while another message waited, for which `outer` has what it needs. */
function buildInside(outer, around, first) {
  ;({ owner: unpackr, bits: optionBits, source, end: sourceEnd, notes } = around)
  enclosing = outer
  const depth = control[word.DEPTH]
  takeText(first)
  return depth > MAX_RECURSION ? buildDeep(outer.free * 2) : value(outer.free * 2)
}

const extension = extensionReader({
  tape,
  around: () => ({ owner: unpackr, bits: optionBits, source, end: sourceEnd, notes: noted() }),
  suspend,
  begin() {
    checkLater()
    lastCall = 0
  },
  buildInside,
  synchronise,
  resume,
})

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
  if (unpackr !== null) leave()
})

/** Ends a message that none waits for. */
function leave() {
  unpackr = null
  enclosing = null
  source = null
  notes = null
  forgetInput()
  strings.pieces = null
  strings.text = ''
  strings.wide = ''
  if (tape.doubles.length > KEPT_SLOTS) releaseLater()
  if (control[word.NEWS] !== 0) synchronise()
}

/** Ends a message that `outer` has waited for. */
function resume(outer) {
  ;({ unpackr, source, sourceEnd, optionBits, notes, free, enclosing } = outer)
  strings.pieces = outer.pieces
  strings.text = outer.text
  strings.wide = outer.wide
  if (control[word.NEWS] !== 0) synchronise()
}

module.exports = { read, position, isReading }
