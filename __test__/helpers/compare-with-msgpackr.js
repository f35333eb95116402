'use strict'

// Packs random values of every kind by this package and by msgpackr: the bytes are the same, and each reads what the
// other wrote as that reads it itself.

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const msgpackr = require('msgpackr')
const ferropack = require('./ferropack')
const { EveryKind } = require('./every-kind')
const { toHex } = require('./hex')
const { assertSame } = require('./same')
const { chosenSeed, randomFrom } = require('./seed')

const MESSAGES = 4

/** What is done, or what is thrown where it cannot be done. */
function outcome(action) {
  try {
    return { result: action() }
  } catch (error) {
    return { error }
  }
}

/** Whether both failed; fails if only one did, or if they tell different things. */
function failedAlike(ours, theirs, message) {
  if (theirs.error === undefined) {
    if (ours.error !== undefined) throw new Error(`${message}: ${ours.error}`, { cause: ours.error })
    return false
  }
  assert.ok(ours.error !== undefined, `${message}: nothing was thrown, not ${theirs.error}`)
  assert.equal(ours.error.name, theirs.error.name, message)
  // The engine's own errors tell what the code that threw them looks like.
  if (!(theirs.error instanceof TypeError)) assert.equal(ours.error.message, theirs.error.message, message)
  return true
}

/** A new instance for reading what a packr of these options has written until now. */
function readerFor(library, make, { structures }) {
  const options = make()
  if (!options.structures) return new library.Packr(options)
  return new library.Packr({ ...options, structures: structures.map((keys) => [...keys]) })
}

// What msgpackr makes of an object that holds itself through one of these is something else.
const LOST_IN_CYCLES = ['error', 'extension', 'row', 'toJSON']

function isReadByBoth(options, values) {
  const { cyclicThrough } = values
  if (options.useRecords !== undefined || options.maxOwnStructures === 0 || options.mapsAsObjects)
    return cyclicThrough.size === 0
  return !LOST_IN_CYCLES.some((kind) => cyclicThrough.has(kind))
}

/** Which of the objects in a value are frozen, in the order in which they are met. */
function frozenParts(value, seen = new Set()) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return []
  seen.add(value)
  const parts = value instanceof Map || value instanceof Set ? [...value] : Object.values(value)
  return [Object.isFrozen(value), ...parts.flatMap((part) => frozenParts(part, seen))]
}

// Options by which a message comes back as what it was made of.
const FAITHFUL_OPTIONS = [
  'structuredClone',
  'useRecords',
  'structures',
  'sequential',
  'bundleStrings',
  'maxOwnStructures',
  'maxSharedStructures',
  'variableMapSize',
  'freezeData',
  'copyBuffers',
]

function isFaithful(options) {
  return (
    options.structuredClone &&
    options.maxOwnStructures !== 0 &&
    typeof options.useRecords !== 'function' &&
    Object.keys(options).every((name) => FAITHFUL_OPTIONS.includes(name))
  )
}

function newValues(random, options, extensions) {
  const takesLarge =
    options.moreTypes ||
    options.structuredClone ||
    options.useBigIntExtension ||
    options.largeBigIntToFloat ||
    options.largeBigIntToString
  const faithful = isFaithful(options) && random.chance(0.5)
  const values = new EveryKind(random, {
    cycles: Boolean(options.structuredClone),
    largeIntegers: takesLarge ? 0.2 : 0.003,
    faithful,
    extensions,
    maps: !faithful || options.useRecords !== false,
  })
  return { values, faithful }
}

/** Packs a value by both. Returns the bytes, or null if it cannot be packed. */
function packByBoth({ ours, theirs }, value) {
  try {
    const expected = outcome(() => Buffer.from(theirs.pack(value)))
    const actual = outcome(() => ours.pack(value))
    if (failedAlike(actual, expected, 'packing')) return null
    assert.equal(toHex(actual.result), toHex(expected.result))
    return expected.result
  } catch (error) {
    error.message += `\n${inspect(value, { depth: 8, maxArrayLength: 40, maxStringLength: 200 })}`
    throw error
  }
}

function compareSequence(random, make, extensions) {
  const options = make()
  const pair = { ours: new ferropack.Packr(make()), theirs: new msgpackr.Packr(make()) }
  const { values, faithful } = newValues(random, options, extensions)
  const messages = []
  for (let i = 0; i < MESSAGES; i++) {
    const bytes = packByBoth(pair, values.make())
    // What is known of the structures is another matter when a message failed.
    if (bytes === null) break
    messages.push({ bytes, cyclicThrough: values.cyclicThrough, isReadByBoth: isReadByBoth(options, values) })
  }
  compareReaders(make, pair, messages, faithful)
  return messages.length
}

function compareReaders(make, { ours, theirs }, messages, faithful) {
  const reader = readerFor(ferropack, make, ours)
  const theirReader = readerFor(msgpackr, make, theirs)
  const repacker = new ferropack.Packr(make())
  for (const { bytes, cyclicThrough, isReadByBoth } of messages) {
    const actual = outcome(() => reader.unpack(bytes))
    const expected = outcome(() => theirReader.unpack(bytes))
    const message = `unpacking ${toHex(bytes)}`
    if (isReadByBoth) {
      if (failedAlike(actual, expected, message)) return
      assertSame(actual.result, expected.result, message)
      // msgpackr does not freeze an object that holds itself.
      if (make().freezeData && cyclicThrough.size === 0)
        assert.deepEqual(frozenParts(actual.result), frozenParts(expected.result), message)
    } else if (actual.error !== undefined) {
      // A key that cannot be one.
      assert.equal(actual.error.message.split(':')[0], 'Invalid property type for record', message)
      return
    }
    if (faithful) {
      // An instance that its extension makes anew from an array, and that is an array itself.
      if (cyclicThrough.has('row')) return
      assert.equal(toHex(repacker.pack(actual.result)), toHex(bytes), 'packed again')
    }
  }
}

/** `extensions`: whether instances of registered classes are among the values. */
function compareMany(t, count, nextOptions, { extensions }) {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  let compared = 0
  for (let i = 0; i * MESSAGES < count; i++) {
    const make = nextOptions(random)
    try {
      compared += compareSequence(random, make, extensions)
    } catch (error) {
      error.message = `FERROPACK_SEED=${seed}, sequence ${i}, ${inspect(make())}: ${error.message}`
      throw error
    }
  }
  assert.ok(compared >= count / 2)
}

module.exports = { compareMany }
