'use strict'
// The tape walker's JavaScript half: a value becomes words on the packing tape, which
// src/encode/tape_walk.rs reads.
//
// Being JavaScript, it defines what is correct: getters, proxies, toJSON and iterators just run. Its
// state is one set of variables for the module, since V8 compiles a function once for all packrs;
// `begin` and `restore` keep the state of an outer call aside while a callback packs.

const { encode: encodeTape, putBinary, patchBinary } = require('./binding.js')
const { BIG_INTEGER, bigIntegerBytes, replacementOf } = require('./big-integers.js')
const { classes, extensionOf } = require('./extension-classes.js')
const { References } = require('./references.js')
const { builtInWriter } = require('./walk-built-ins.js')
const { extensionWriter } = require('./walk-extensions.js')
const packTape = require('./pack-tape.js')
const { pack: tag, control: word, forms, TAG_BITS, ESCAPE } = require('./tape.js')
const { atNextTurn } = require('./next-turn.js')
const { textOf } = require('./shared-structures.js')
const { resolveRecords } = require('./record-headers.js')
const keyLists = require('./key-lists.js')
const kinds = require('./kinds.js')

const { STR, INT, INT32, NUMBER, NUMBERS, NIL, UNDEFINED, TRUE, FALSE, ARRAY, MAP, OBJECT } = tag
const { control, tape, first, reserveWords, reserveSide, nextLimit } = packTape
const { getPrototypeOf } = Object
const { isArray } = Array
const hasOwn = Object.prototype.hasOwnProperty
const mapEntries = Map.prototype.entries

/** Longer strings are passed on their own instead of being joined with the others. */
const LONG_STRING = 4096
/** Uses of a key list before it gets a number. */
const USES_BEFORE_SHAPE = 2
/** Words that may be written without asking for room, where `limit` has not been reached. */
const FEW = 32
/** Longer arrays, which are sparse, have no room on the tape. */
const MAX_LENGTH = 2 ** 29
/** Most words that an OBJECT_WITH_KEYS can span. */
const MAX_DISTANCE = ESCAPE

const { AS_MAP } = forms

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n
const UINT64_MAX = 2n ** 64n - 1n

/** The packr whose message is on the tape. */
let packr = null
/** Next free word, and how far it may go before room is made. */
let at = 0
let limit = 0
/** Next free entry of the side array. */
let sideAt = 0
/** Text since the last flush, and units of all text. */
let text = ''
let textLength = 0
/** Strings before `text`, and how many. Without a prototype, whose setters could get in between. */
let texts = null
let textCount = 0
/** Where the binary data of this message begins, and where it goes on. */
let binaryStart = 0
let binaryAt = 0
/** Whether own properties named `constructor` are looked for. */
let careful = false
/** Where the message began. */
let start = 0
let sideStart = 0
/** Which structures the packr's records have, or null if it has maps only. */
let structures = null
/** Whether each object is a record, or must be asked about. */
let areRecords = false
let areAsked = false
/** Whether maps are written pair by pair, as keys become numbers or values are left out. */
let asPairs = false
/** The objects that were met, where those that are met again are references; else null. */
let references = null
/** Number of the message, of all there were. */
let message = 0
let messages = 0
/** Where the objects that are records have their headers, in order; those of this message begin at a place. */
const headers = []
/** Their places are kept for messages with so many. */
const KEPT_HEADERS = 1 << 14
let headerStart = 0
let headerCount = 0
/** The keys of objects without a shape, by header, where they may be records. */
const listedKeys = new Map()

/** Starts a message behind what is on the tape. Returns what `restore` needs, or null. */
function begin(owner, ownStructures) {
  let outer = null
  if (packr === null) {
    if (!packTape.isInStep()) packTape.renew()
    keyLists.beginMessage()
    limit = first.limit
    at = 0
    sideAt = 0
    binaryAt = 0
    headerCount = 0
  } else {
    checkLater()
    outer = {
      packr,
      at,
      sideAt,
      text,
      textLength,
      texts,
      textCount,
      binaryStart,
      binaryAt,
      careful,
      start,
      sideStart,
      structures,
      areRecords,
      areAsked,
      asPairs,
      references,
      message,
      headerStart,
      headerCount,
    }
    limit = nextLimit(at, sideAt)
  }
  start = at
  sideStart = sideAt
  binaryStart = binaryAt
  text = ''
  textLength = 0
  texts = null
  textCount = 0
  careful = false
  structures = ownStructures
  chooseRecords()
  asPairs = Boolean(owner.coercibleKeyAsNumber || owner.skipValues)
  references = owner.structuredClone ? new References() : null
  message = ++messages
  headerStart = headerCount
  // Last, as nothing below can fail: from here on `restore` must follow.
  packr = owner
  return outer
}

/** Which objects of the message are records. */
function chooseRecords() {
  areAsked = structures !== null && (structures.ask !== null || structures.numericMaps.size > 0)
  areRecords = structures !== null && !areAsked
}

/** Ends a message, whether it was packed or not, and goes back to the outer one. */
function restore(outer) {
  if (outer === null) {
    packr = null
    structures = null
    areRecords = false
    areAsked = false
    references = null
    message = 0
    text = ''
    texts = null
    if (listedKeys.size > 0) listedKeys.clear()
    if (headers.length > KEPT_HEADERS) headers.length = 0
    if (packTape.isLarge()) shrinkLater()
    return
  }
  ;({
    packr,
    at,
    sideAt,
    text,
    textLength,
    texts,
    textCount,
    binaryStart,
    binaryAt,
    careful,
    start,
    sideStart,
    structures,
    areRecords,
    areAsked,
    asPairs,
    references,
    message,
    headerStart,
    headerCount,
  } = outer)
  limit = nextLimit(at, sideAt)
}

/** A packr is still set at the event loop's turn where the engine was told to stop in mid-message. */
const checkLater = atNextTurn(() => {
  if (packr !== null) restore(null)
})

const shrinkLater = atNextTurn(packTape.shrink)

/** Hands the message over to Rust, which leaves so many bytes of the chunk free before it. */
function encode(bits, chunk, reserve) {
  if (!packTape.isInStep())
    throw new RangeError('The message could not be packed for lack of stack or memory')
  control[word.TEXTS] = textCount
  control[word.OPTIONS] = bits
  control[word.TAPE_START] = start
  control[word.TAPE_END] = at
  control[word.SIDE_START] = sideStart
  control[word.TEXT_LENGTH] = textLength
  control[word.BINARY] = binaryStart
  control[word.CHUNK_START] = chunk.at + reserve
  encodeTape(text, chunk.memory, texts)
}

function makeRoom() {
  flushText()
  limit = nextLimit(at, sideAt)
}

/** A rope can hold only so much, and joining what is long costs more than passing it on. */
function flushText() {
  if (text !== '') {
    setTextAside(text)
    text = ''
  }
}

function setTextAside(part) {
  if (texts === null) texts = { __proto__: null }
  texts[textCount++] = part
}

/** A tag with a length that may need a word of its own. */
function writeLength(which, length) {
  if (length < ESCAPE) {
    tape.words[at++] = (length << TAG_BITS) | which
  } else {
    tape.words[at++] = (ESCAPE << TAG_BITS) | which
    tape.words[at++] = length
  }
}

function writeString(value) {
  const { length } = value
  textLength += length
  if (length < LONG_STRING) {
    text += value
    tape.words[at++] = (length << TAG_BITS) | STR
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
      tape.words[at++] = (value << TAG_BITS) | INT
    } else {
      tape.words[at++] = INT32
      tape.words[at++] = value
    }
  } else {
    tape.side[sideAt++] = value
    tape.words[at++] = NUMBER
  }
}

function writeBigInt(value) {
  if (value >= INT64_MIN && value <= INT64_MAX) {
    tape.sideInt64[sideAt++] = value
    tape.words[at++] = tag.INT64
  } else if (value > 0n && value <= UINT64_MAX) {
    tape.sideUint64[sideAt++] = value
    tape.words[at++] = tag.UINT64
  } else {
    const replacement = replacementOf(value, packr)
    if (typeof replacement === 'number') {
      tape.side[sideAt++] = replacement
      tape.words[at++] = NUMBER
    } else if (replacement !== null) writeString(replacement)
    else writePayload(tag.EXTENSION, BIG_INTEGER, bigIntegerBytes(value))
  }
}

/** Whether `object` was met in this message before, and is written as a reference. */
function isReferredTo(object) {
  const target = references.meet(object, at)
  if (target < 0) {
    tape.words[at++] = tag.TARGET
    return false
  }
  references.add(at, target)
  tape.words[at++] = tag.REFERENCE
  return true
}

/**
 * Writes any value. `context` is the key under which it lies, which predicts the keys of the objects
 * in it.
 */
function walk(value, context) {
  if (at >= limit) makeRoom()
  if (typeof value === 'string') writeString(value)
  else if (typeof value === 'number') writeNumber(value)
  else if (typeof value === 'object') {
    if (value === null) {
      tape.words[at++] = NIL
      return
    }
    if (references !== null && isReferredTo(value)) return
    if (isArray(value)) walkAnyArray(value, context)
    else if (isPlain(value)) walkObject(value, context)
    else walkInstance(value, context)
  } else if (typeof value === 'boolean') tape.words[at++] = value ? TRUE : FALSE
  else if (value === undefined) tape.words[at++] = UNDEFINED
  else if (typeof value === 'bigint') writeBigInt(value)
  else if (typeof value === 'function') walkFunction(value, context)
  else throw new Error(`Unknown type: ${typeof value}`)
}

/**
 * Whether an object is taken for a plain one. Asking for the prototype would be a call of V8's
 * runtime, several times as dear as reading `constructor`; an own property of that name, which is
 * data, is noticed among the keys, and then the message is walked again, asking each object.
 */
function isPlain(object) {
  return object.constructor === Object && (!careful || !hasOwn.call(object, 'constructor'))
}

/** Thrown where `isPlain` may have been wrong. */
const MISTAKEN = new Error('an object has a property named constructor')

/** Thrown where objects that were taken for records are maps, and have keys that become numbers. */
const NUMERIC_MAPS = new Error('an object that is no record has numeric keys')

/** Thrown where a callback has replaced the structures while ids of theirs were given. */
const DISTURBED = new Error('the structures were replaced while a message was packed')
/** Times that a message is begun again because of it. */
const MAX_DISTURBANCES = 10

/** An object that was taken for plain has a key `constructor`. */
function checkPlain(object) {
  if (getPrototypeOf(object) !== Object.prototype && object.constructor === Object && !careful) {
    throw MISTAKEN
  }
}

/** An object as its own enumerable string keys, in the order of for-in. */
function walkObject(object, context) {
  if (areRecords || (areAsked && isRecord(object))) {
    if (references !== null) tape.words[at++] = tag.KEY_LIST
    headers[headerCount++] = at
  } else if (asPairs) {
    walkPairs(object, context)
    return
  }
  const header = at++
  let node = keyLists.rootNode()
  let depth = 0
  /** The keys from the first on that the trie does not have. */
  let rest = null
  for (const key in object) {
    if (!hasOwn.call(object, key)) continue
    if (rest === null) {
      const expected = depth === 0 ? context.first : node.next
      if (expected !== null && expected.key === key) {
        node = expected
      } else {
        const found = keyLists.childOf(node, key)
        if (found === null) {
          rest = [key]
        } else {
          if (depth === 0) context.first = found
          else node.next = found
          node = found
        }
      }
      depth++
    } else {
      rest.push(key)
    }
    walk(object[key], node)
  }
  // One without keys may be a built-in whose own `constructor` is hidden.
  if (node.ownsConstructor || depth === 0 || rest?.includes('constructor')) checkPlain(object)
  if (rest === null && node.shape >= 0) tape.words[header] = (node.shape << TAG_BITS) | OBJECT
  else endObject(header, node, rest)
}

/** Whether an object is a record where there are records. */
function isRecord(object) {
  const { ask, numericMaps } = structures
  if (ask !== null && !ask(object)) return false
  return numericMaps.size === 0 || !numericMaps.has(textOf(ownKeys(object)))
}

/** The keys that an object is written with. */
function ownKeys(object) {
  const keys = []
  for (const key in object) if (hasOwn.call(object, key)) keys.push(key)
  return keys
}

/** Ends an object whose key list has no number: gives it one, or puts the keys on the tape. */
function endObject(header, node, rest) {
  if (rest === null && (++node.uses >= USES_BEFORE_SHAPE || at - header >= MAX_DISTANCE)) {
    const shape = keyLists.defineShape(node, at)
    if (shape >= 0) {
      limit = nextLimit(at, sideAt)
      tape.words[header] = (shape << TAG_BITS) | OBJECT
      return
    }
  }
  if (at - header >= MAX_DISTANCE) throw new RangeError('Object is too large to serialize')
  const keys = rest === null ? keyLists.keysOf(node) : keyLists.keysOf(node).concat(rest)
  if (structures !== null) listedKeys.set(header, keys)
  reserveWords(at, keys.length + 3)
  tape.words[header] = ((at - header) << TAG_BITS) | tag.OBJECT_WITH_KEYS
  tape.words[at++] = (keys.length << TAG_BITS) | tag.KEYS
  tape.words[at++] = AS_MAP
  tape.words[at++] = textLength
  for (const key of keys) {
    const { length } = key
    tape.words[at++] = length
    textLength += length
    text += key
    if (length >= LONG_STRING) flushText()
  }
  limit = nextLimit(at, sideAt)
}

/**
 * For `coercibleKeyAsNumber`: keys stay text all the same. For objects that V8 enumerates slowly; once it has,
 * the loop of `walkObject` takes half as long again for all others.
 */
const KEYS_AS_TEXT = Symbol('keys as text')

/**
 * An object as a map whose keys lie between the values on the tape; they become numbers where the number turns
 * back into the same key. Values that are to be skipped are left out.
 */
function walkPairs(object, context) {
  const { coercibleKeyAsNumber, skipValues } = packr
  const isNumeric = Boolean(coercibleKeyAsNumber) && coercibleKeyAsNumber !== KEYS_AS_TEXT
  const header = at++
  let count = 0
  for (const key in object) {
    if (!hasOwn.call(object, key)) continue
    if (key === 'constructor') checkPlain(object)
    const value = object[key]
    if (skipValues?.includes(value)) continue
    if (at >= limit) makeRoom()
    count++
    if (isNumeric && isNumericKey(key)) writeNumber(Number(key))
    else writeString(key)
    walk(value, context)
  }
  tape.words[header] = (count << TAG_BITS) | MAP
}

/** Whether a key is the text of a number. */
function isNumericKey(key) {
  return String(Number(key)) === key && key !== 'NaN'
}

/** An array, or an instance of a class that extends arrays and is registered. */
function walkAnyArray(array, context) {
  if (classes.length > 0 && getPrototypeOf(array) !== Array.prototype) {
    const extension = extensionOf(array)
    if (extension !== undefined) {
      walkExtended(packr, extension, array, context)
      return
    }
  }
  walkArray(array, context)
}

function walkArray(array, context) {
  // A proxy may name any length.
  const length = array.length >>> 0
  if (length > MAX_LENGTH) throw new RangeError(`An array of ${length} elements is too large to pack`)
  if (length === 0) {
    writeLength(ARRAY, 0)
    return
  }
  const first = array[0]
  let i = 1
  if (typeof first === 'number') {
    i = writeNumberRun(array, length, first, context)
    if (i === length) return
  } else {
    writeLength(ARRAY, length)
    walk(first, context)
  }
  for (; i < length; i++) walk(array[i], context)
}

/**
 * Writes the numbers that an array begins with, and its header. Returns how many elements it wrote:
 * the first that is no number is among them.
 */
function writeNumberRun(array, length, first, context) {
  let value = first
  let i = 0
  do {
    if (sideAt >= tape.side.length) reserveSide(sideAt, 1)
    tape.side[sideAt++] = value
    i++
    if (i === length) {
      writeLength(NUMBERS, length)
      // The run took more entries than words, so the side array may end first.
      limit -= i
      return i
    }
    value = array[i]
  } while (typeof value === 'number')
  writeLength(ARRAY, length)
  // A few words need no asking, see `limit`.
  if (i > FEW) reserveWords(at, i)
  for (let j = 0; j < i; j++) tape.words[at++] = NUMBER
  limit -= i
  walk(value, context)
  return i + 1
}

/** An object that is neither plain nor an array. */
function walkInstance(value, context) {
  const prototype = getPrototypeOf(value)
  // Looked up behind the object itself: an own property `constructor` is data.
  const Type = prototype === null ? undefined : prototype.constructor
  if (Type === Object) {
    walkObject(value, context)
    return
  }
  if (classes.length > 0 && Type !== Map) {
    const extension = extensionOf(value)
    if (extension !== undefined) {
      walkExtended(packr, extension, value, context)
      return
    }
  }
  const kind = kinds.kindOf(value)
  if (kind !== kinds.NONE && (packr.useToJSON === false || !kinds.prefersToJSON(value, kind, Type))) {
    // The one that nests the deepest gets the shortest way.
    if (kind === kinds.MAP) walkMap(value, context)
    else walkBuiltIn(value, kind, packr, context)
  } else if (packr.useToJSON !== false && value.toJSON) {
    walkJSON(value, context)
  } else {
    walkObject(value, context)
  }
}

function walkJSON(value, context) {
  const json = value.toJSON()
  if (json === value) walkObject(value, context)
  else walk(json, context)
}

function walkFunction(value, context) {
  if (references !== null && isReferredTo(value)) return
  const extension = extensionOf(value)
  if (extension !== undefined) {
    walkExtended(packr, extension, value, context)
    return
  }
  if (packr.useToJSON !== false && value.toJSON) {
    const json = value.toJSON()
    if (json !== value) {
      walk(json, context)
      return
    }
  }
  if (packr.writeFunction) walk(packr.writeFunction(value), context)
  else tape.words[at++] = UNDEFINED
}

/** An object as an array or a plain object, whatever its class is. */
function walkAsData(value, context) {
  if (isArray(value)) walkArray(value, context)
  else walkObject(value, context)
}

/** Copies bytes behind the binary data. Returns how many. */
function putBytes(bytes) {
  control[word.BINARY] = binaryAt
  putBinary(bytes)
  const length = control[word.BINARY] >>> 0
  binaryAt += length
  return length
}

function writeBinary(bytes) {
  writeLength(tag.BIN, putBytes(bytes))
}

/** A tag with a code, and behind it the length of `bytes`. */
function writePayload(which, code, bytes) {
  const length = putBytes(bytes)
  writeTag(which, code)
  tape.words[at++] = length
}

// A map's size may change while its members are written, so it is what was written. The iterator is asked by
// hand: a loop over it takes twice the stack, and maps may be nested.
function walkMap(map, context) {
  const header = at++
  let size = 0
  if (!packr.mapAsEmptyObject) {
    const entries = mapEntries.call(map)
    for (let step = entries.next(); !step.done; step = entries.next()) {
      size++
      walk(step.value[0], context)
      walk(step.value[1], context)
    }
  }
  tape.words[header] = (size << TAG_BITS) | MAP
}

/** A word of a tag. */
function writeTag(which, payload) {
  if (at >= limit) makeRoom()
  tape.words[at++] = (payload << TAG_BITS) | which
}

// What the writers of other files write with.
const writers = {
  walk,
  walkObject,
  walkAsData,
  writeTag,
  writeBinary,
  writePayload,
  message: () => message,
  writeArray: (length) => writeTag(ARRAY, length),
  writeDate(time) {
    tape.side[sideAt++] = time
    tape.words[at++] = tag.DATE
  },
  /** A tag whose payload is known later. */
  openTag: () => at++,
  closeTag(header, which, payload) {
    tape.words[header] = (payload << TAG_BITS) | which
  },
  /** Keeps a place for bytes that are part of the message as they are. Returns where `fillRaw` puts them. */
  reserveRaw(bytes) {
    if (at >= limit) makeRoom()
    const place = binaryAt
    writeLength(tag.RAW, putBytes(bytes))
    return place
  },
  fillRaw(bytes, place) {
    control[word.BINARY] = place
    patchBinary(bytes)
  },
}
const walkBuiltIn = builtInWriter(writers)
const walkExtended = extensionWriter(writers)

/** Forgets what was written of a message, to walk it again with more care. */
function startOver() {
  at = start
  sideAt = sideStart
  binaryAt = binaryStart
  text = ''
  textLength = 0
  texts = null
  textCount = 0
  headerCount = headerStart
  if (references !== null) references = new References()
  chooseRecords()
  limit = nextLimit(at, sideAt)
}

/** Which maps have their keys or values changed: those with these keys, or none. */
function rewritingTest() {
  if (!asPairs) return null
  return packr.skipValues ? () => true : (keys) => keys.some(isNumericKey)
}

/** Finishes a message that was walked. */
function finish(bits, chunk, reserve, store) {
  if (structures === null) {
    references?.resolve(tape.words, [])
    encode(bits, chunk, reserve)
    return
  }
  const outer = structures.begin(store.depth > 1, store.before)
  try {
    const repeated = references === null ? null : []
    if (
      !resolveRecords(
        structures,
        tape.words,
        headers,
        headerStart,
        headerCount,
        listedKeys,
        rewritingTest(),
        repeated,
      )
    ) {
      throw NUMERIC_MAPS
    }
    if (structures.isDisturbed()) throw DISTURBED
    references?.resolve(tape.words, repeated)
    encode(bits, chunk, reserve)
    structures.succeed(outer, at)
  } catch (error) {
    structures.fail(outer)
    throw error
  }
}

/**
 * Packs `value` under the options of `owner`, of which `bits` are Rust's part. The control block says
 * how long the result is and whether it lies in `chunk.memory`, `reserve` bytes behind `chunk.at`, which are
 * looked at when the walk is over; otherwise it is to be taken before the next message.
 *
 * With `ownStructures` objects become records of these; `store` is where they come from.
 */
function packMessage(owner, bits, value, chunk, reserve, ownStructures = null, store = null) {
  const outer = begin(owner, ownStructures)
  try {
    for (let again = 0; !tryToPack(bits, value, chunk, reserve, store); again++) {
      if (again > MAX_DISTURBANCES) throw DISTURBED
      startOver()
    }
  } finally {
    restore(outer)
  }
}

/** Packs the message if it is what it was taken for; otherwise it is to be walked again. */
function tryToPack(bits, value, chunk, reserve, store) {
  try {
    walk(value, keyLists.rootNode())
    finish(bits, chunk, reserve, store)
    return true
  } catch (error) {
    if (error === MISTAKEN && !careful) careful = true
    else if (error !== NUMERIC_MAPS && error !== DISTURBED) throw error
    return false
  }
}

module.exports = { KEYS_AS_TEXT, packMessage }
