'use strict'
// The tape walker's JavaScript half: a value becomes words on the packing tape, which
// src/encode/tape_walk.rs reads.
//
// Being JavaScript, it defines what is correct: getters, proxies, toJSON and iterators just run.

const { classes, extensionOf } = require('./extension-classes.js')
const keyLists = require('./key-lists.js')
const { tape, reserveWords, reserveSide, nextLimit } = require('./pack-tape.js')
const { textOf } = require('./shared-structures.js')
const { pack: tag, forms, TAG_BITS, ESCAPE } = require('./tape.js')
const { LONG_STRING, writeLength, writeString, writeNumber, writeBigInt } = require('./tape-scalars.js')
const { instanceWalker } = require('./walk-instances.js')
const { state, headers, listedKeys, makeRoom, flushText } = require('./walk-state.js')

const { NUMBER, NUMBERS, NIL, UNDEFINED, TRUE, FALSE, ARRAY, MAP, OBJECT } = tag
const { AS_MAP } = forms
const { getPrototypeOf } = Object
const { isArray } = Array
const hasOwn = Object.prototype.hasOwnProperty

/** Uses of a key list before it gets a number. */
const USES_BEFORE_SHAPE = 2
/** Words that may be written without asking for room, where `limit` has not been reached. */
const FEW = 32
/** Longer arrays, which are sparse, have no room on the tape. */
const MAX_LENGTH = 2 ** 29
/** Most words that an OBJECT_WITH_KEYS can span. */
const MAX_DISTANCE = ESCAPE

/**
 * Writes any value. `context` is the key under which it lies, which predicts the keys of the objects
 * in it.
 */
function walk(value, context) {
  if (state.at >= state.limit) makeRoom()
  if (typeof value === 'string') writeString(value)
  else if (typeof value === 'number') writeNumber(value)
  else if (typeof value === 'object') {
    if (value === null) {
      tape.words[state.at++] = NIL
      return
    }
    if (state.references !== null && isReferredTo(value)) return
    if (isArray(value)) walkAnyArray(value, context)
    else if (isPlain(value)) walkObject(value, context)
    else walkInstance(value, context)
  } else if (typeof value === 'boolean') tape.words[state.at++] = value ? TRUE : FALSE
  else if (value === undefined) tape.words[state.at++] = UNDEFINED
  else if (typeof value === 'bigint') writeBigInt(value)
  else if (typeof value === 'function') walkFunction(value, context)
  else throw new Error(`Unknown type: ${typeof value}`)
}

/** Whether `object` was met in this message before, and is written as a reference. */
function isReferredTo(object) {
  const target = state.references.meet(object, state.at)
  if (target < 0) {
    tape.words[state.at++] = tag.TARGET
    return false
  }
  state.references.add(state.at, target)
  tape.words[state.at++] = tag.REFERENCE
  return true
}

/**
 * Whether an object is taken for a plain one. Asking for the prototype would be a call of V8's
 * runtime, several times as dear as reading `constructor`; an own property of that name, which is
 * data, is noticed when the keys are known.
 */
function isPlain(object) {
  return object.constructor === Object && (!state.careful || !hasOwn.call(object, 'constructor'))
}

/** Thrown where `isPlain` was wrong: the message is walked again, each object being asked. */
const MISTAKEN = new Error('an object has a property named constructor')

/** Whether `isPlain` was wrong about an object, which is not packed by its keys then. */
function isMistaken(object) {
  if (state.careful || state.asIs === object || !hasOwn.call(object, 'constructor')) return false
  const prototype = getPrototypeOf(object)
  if (prototype === Object.prototype || object.constructor !== Object) return false
  return isMoreThanKeys(object, prototype)
}

/** Packs an object by what it is, in place of the empty one whose header was written. */
function walkMistaken(object, header, context) {
  const { headerStart, references } = state
  state.at = header
  if (state.headerCount > headerStart && headers[state.headerCount - 1] === header) {
    state.headerCount--
    if (references !== null) state.at--
  }
  walkInstance(object, context)
}

/** An object as its keys, whatever it is. */
function walkAsKeys(object, context) {
  const { asIs } = state
  state.asIs = object
  walkObject(object, context)
  state.asIs = asIs
}

/** An object as its own enumerable string keys, in the order of for-in. */
function walkObject(object, context) {
  if (state.areRecords || (state.areAsked && isRecord(object))) {
    if (state.references !== null) tape.words[state.at++] = tag.KEY_LIST
    headers[state.headerCount++] = state.at
  } else if (state.asPairs) {
    walkPairs(object, context)
    return
  }
  const header = state.at++
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
  if ((node.ownsConstructor || depth === 0 || rest?.includes('constructor')) && isMistaken(object)) {
    if (depth > 0) throw MISTAKEN
    walkMistaken(object, header, context)
    return
  }
  if (rest === null && node.shape >= 0) tape.words[header] = (node.shape << TAG_BITS) | OBJECT
  else endObject(header, node, rest)
}

/** Whether an object is a record where there are records. */
function isRecord(object) {
  const { ask, numericMaps } = state.structures
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
  if (rest === null && (++node.uses >= USES_BEFORE_SHAPE || state.at - header >= MAX_DISTANCE)) {
    const shape = keyLists.defineShape(node, state.at)
    if (shape >= 0) {
      state.limit = nextLimit(state.at, state.sideAt)
      tape.words[header] = (shape << TAG_BITS) | OBJECT
      return
    }
  }
  if (state.at - header >= MAX_DISTANCE) throw new RangeError('Object is too large to serialize')
  const keys = rest === null ? keyLists.keysOf(node) : keyLists.keysOf(node).concat(rest)
  if (state.structures !== null) listedKeys.set(header, keys)
  reserveWords(state.at, keys.length + 3)
  tape.words[header] = ((state.at - header) << TAG_BITS) | tag.OBJECT_WITH_KEYS
  tape.words[state.at++] = (keys.length << TAG_BITS) | tag.KEYS
  tape.words[state.at++] = AS_MAP
  tape.words[state.at++] = state.textLength
  for (const key of keys) {
    const { length } = key
    tape.words[state.at++] = length
    state.textLength += length
    state.text += key
    if (length >= LONG_STRING) flushText()
  }
  state.limit = nextLimit(state.at, state.sideAt)
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
  const { coercibleKeyAsNumber } = state
  const skipValues = state.hasSkipValues ? state.packr.skipValues : undefined
  const isNumeric = Boolean(coercibleKeyAsNumber) && coercibleKeyAsNumber !== KEYS_AS_TEXT
  const header = state.at++
  let count = 0
  for (const key in object) {
    if (!hasOwn.call(object, key)) continue
    if (key === 'constructor' && isMistaken(object)) throw MISTAKEN
    const value = object[key]
    if (skipValues?.includes(value)) continue
    if (state.at >= state.limit) makeRoom()
    count++
    if (isNumeric && isNumericKey(key)) writeNumber(Number(key))
    else writeString(key)
    walk(value, context)
  }
  if (count === 0 && isMistaken(object)) walkMistaken(object, header, context)
  else tape.words[header] = (count << TAG_BITS) | MAP
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
      walkExtended(state.packr, extension, array, context)
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
    if (state.sideAt >= tape.side.length) reserveSide(state.sideAt, 1)
    tape.side[state.sideAt++] = value
    i++
    if (i === length) {
      writeLength(NUMBERS, length)
      // The run took more entries than words, so the side array may end first.
      state.limit -= i
      return i
    }
    value = array[i]
  } while (typeof value === 'number')
  writeLength(ARRAY, length)
  // A few words need no asking, see `limit`.
  if (i > FEW) reserveWords(state.at, i)
  for (let j = 0; j < i; j++) tape.words[state.at++] = NUMBER
  state.limit -= i
  walk(value, context)
  return i + 1
}

/** An object as an array or a plain object, whatever its class is. */
function walkAsData(value, context) {
  if (isArray(value)) walkArray(value, context)
  else walkAsKeys(value, context)
}

const { walkInstance, walkFunction, walkExtended, isMoreThanKeys } = instanceWalker({
  walk,
  walkAsKeys,
  walkAsData,
  isReferredTo,
})

module.exports = { KEYS_AS_TEXT, MISTAKEN, isNumericKey, walk }
