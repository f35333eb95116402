'use strict'

// Sequences of random values, packed with records by one instance: the bytes, the structures and what is saved must be
// msgpackr's, message by message, and each must read what the other wrote.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { inspect } = require('node:util')
const msgpackr = require('msgpackr')
const ferropack = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')
const { ShapedValues, randomKeyLists } = require('../helpers/shaped-value')
const { memoryStore } = require('../helpers/structure-store')

// A run as a part of another suite may ask for fewer values; a sequence has about twenty.
const SEQUENCES = Math.ceil((Number(process.env.FERROPACK_VALUES) || (full ? 40_000 : 4_000)) / 20)

const CHOICES = {
  useRecords: [true, undefined, (object) => Object.keys(object).length % 3 !== 0],
  mapsAsObjects: [true, false],
  variableMapSize: [true, false],
  coercibleKeyAsNumber: [true, false],
  encodeUndefinedAsNil: [true, false],
  useFloat32: [0, 1, 3, 4],
  int64AsType: ['bigint', 'number', 'string', 'auto'],
}
const SHARED_LIMITS = [0, 1, 2, 5, 33, 40, 100]
const OWN_LIMITS = [0, 1, 2, 5, 65]
const LIST_COUNTS = [6, 24, 60, 130]
/** With these many, no limit of shared structures that is not among the above is reached. */
const FEW_LISTS = 24
/** Slots that are two bytes in one who got them as the `structures` option, and in one who loaded them. */
const ONE_BYTE_SLOTS = 32

const copyOf = (lists) => JSON.parse(JSON.stringify(lists))

function randomFixedOptions(random, { shared }) {
  const options = {}
  for (const [name, values] of Object.entries(CHOICES))
    if (random.chance(0.25)) options[name] = random.pick(values)
  if (random.chance(0.4)) options.maxOwnStructures = random.pick(OWN_LIMITS)
  if (shared && random.chance(0.6)) options.maxSharedStructures = random.pick(SHARED_LIMITS)
  return options
}

/** Some of the lists, as structures that there were before. */
function randomPreset(random, keyLists, { maxSharedStructures = 32 }) {
  const room = Math.min(maxSharedStructures, ONE_BYTE_SLOTS, keyLists.length)
  const preset = keyLists.slice(0, random.below(room + 1))
  // A slot may be empty.
  return preset.map((keys) => (random.chance(0.05) ? null : keys))
}

// What is given to both packrs: options that are the same object for both, and those made for each. Given lists are
// no more than 32, as msgpackr cannot read what it writes with more.
const KINDS = {
  'records of the message': (random) => ({ fixed: randomFixedOptions(random, { shared: false }) }),
  'shared without a place to keep them': (random) => ({
    fixed: randomFixedOptions(random, { shared: true }),
  }),
  'shared structures': (random) => ({
    fixed: randomFixedOptions(random, { shared: true }),
    make: () => ({ structures: [] }),
  }),
  'given structures': (random, keyLists) => {
    const fixed = randomFixedOptions(random, { shared: true })
    const preset = randomPreset(random, keyLists, fixed)
    return { fixed, make: () => ({ structures: copyOf(preset) }) }
  },
  'loaded structures': (random, keyLists) => {
    const fixed = randomFixedOptions(random, { shared: true })
    const preset = random.chance(0.2) ? null : randomPreset(random, keyLists, fixed)
    return { fixed, make: () => ({ getStructures: () => copyOf(preset) }) }
  },
  'saved structures': (random, keyLists) => {
    const fixed = randomFixedOptions(random, { shared: true })
    const preset = random.chance(0.5) ? null : randomPreset(random, keyLists, fixed)
    return { fixed, make: () => memoryStore(preset) }
  },
  // Lists are few and the limit is not changed: msgpackr gives one id to two lists of a message when ids of shared
  // structures run out where some lists are refused, and with more than 64 ids cannot read what it writes.
  'some lists refused': (random, keyLists) => {
    const fixed = randomFixedOptions(random, { shared: false })
    if (fixed.maxOwnStructures === 65) delete fixed.maxOwnStructures
    fixed.shouldShareStructure = random.pick([
      (keys) => keys.length < 4,
      (keys) => !keys.includes('id'),
      () => false,
      () => true,
    ])
    const preset = randomPreset(random, keyLists, {}).slice(0, 5)
    return {
      fixed,
      make: random.pick([() => ({ structures: copyOf(preset) }), () => memoryStore(preset)]),
      few: true,
    }
  },
  // No instance reads what it wrote: msgpackr takes what it reads for what it wrote.
  'a sequence': (random) => ({
    fixed: { ...randomFixedOptions(random, { shared: false }), sequential: true },
  }),
  'a sequence with shared structures': (random) => {
    const fixed = { ...randomFixedOptions(random, { shared: true }), sequential: true }
    if (fixed.maxSharedStructures > ONE_BYTE_SLOTS) fixed.maxSharedStructures = 3
    return { fixed, make: () => ({ structures: [] }) }
  },
}

function randomSetup(random, kind) {
  const many = randomKeyLists(random, random.pick(LIST_COUNTS))
  const { fixed, make, few = false } = KINDS[kind](random, many)
  return {
    fixed,
    make,
    keyLists: few ? many.slice(0, FEW_LISTS) : many,
    // msgpackr's class of binary data is another one behind a place where it loaded structures.
    binary: random.chance(0.5),
  }
}

const plainLists = (structures) => Array.from(structures ?? [], (keys) => (keys ? [...keys] : null))

/** What a reader needs of a packr that has just packed. */
const stateOf = ({ structures, stored }) => ({ lists: plainLists(structures), json: stored?.json })

/** A new instance of a library that may read what a packr wrote, with its structures in one of the possible ways. */
function readerOf(library, { lists, json }, { fixed, make, binary }, random) {
  if (fixed.sequential) {
    if (make === undefined) return new library.Packr({ ...fixed })
    // Behind these are the records of the sequence, which its reader learns from the messages.
    const shared = lists.slice(0, fixed.maxSharedStructures ?? ONE_BYTE_SLOTS)
    return new library.Packr({ ...fixed, structures: copyOf(shared) })
  }
  if (lists.length <= ONE_BYTE_SLOTS && random.chance(0.6)) {
    const Class = random.pick([library.Packr, library.Unpackr])
    return new Class({ ...fixed, structures: copyOf(lists) })
  }
  const getStructures = () => (json === undefined ? copyOf(lists) : JSON.parse(json))
  const reader = new library.Packr({ ...fixed, getStructures })
  // It loads with the first message that it packs, or while it unpacks.
  if (binary) reader.pack(null)
  return reader
}

function packBoth({ ours, theirs }, value) {
  const expected = Buffer.from(theirs.pack(value))
  assert.equal(toHex(ours.pack(value)), toHex(expected))
  return expected
}

function compareSequence(random, setup) {
  const { fixed, make, keyLists, binary } = setup
  const values = new ShapedValues(random, keyLists, { binary })
  const pair = {
    ours: new ferropack.Packr({ ...fixed, ...make?.() }),
    theirs: new msgpackr.Packr({ ...fixed, ...make?.() }),
  }
  const messages = []
  let states
  for (let count = 5 + random.below(26); count > 0; count--) {
    const bytes = packBoth(pair, values.make())
    states = { ours: stateOf(pair.ours), theirs: stateOf(pair.theirs) }
    if (!fixed.sequential) {
      assert.deepEqual(states.ours, states.theirs, 'structures')
      if (random.chance(0.5)) assertSame(pair.ours.unpack(bytes), pair.theirs.unpack(bytes), 'reads itself')
    }
    messages.push(bytes)
  }
  compareReaders(random, setup, states, messages)
  return messages.length
}

function compareReaders(random, setup, { ours, theirs }, messages) {
  const choices = random.uint32()
  const readWith = (library, state) => readerOf(library, state, setup, randomFrom(choices))
  const readAll = (reader) => messages.map((bytes) => reader.unpack(bytes))
  const expected = readAll(readWith(msgpackr, theirs))
  assertSame(readAll(readWith(ferropack, theirs)), expected, 'ours reads with their structures')
  assertSame(readAll(readWith(msgpackr, ours)), expected, 'theirs reads with our structures')
  assertSame(readAll(readWith(ferropack, ours)), expected, 'ours reads with our structures')
  const all = Buffer.concat(messages)
  assertSame(
    readWith(ferropack, ours).unpackMultiple(all),
    readWith(msgpackr, theirs).unpackMultiple(all),
    'many in one input',
  )
}

for (const kind of Object.keys(KINDS)) {
  test(kind, (t) => {
    const seed = chosenSeed()
    t.diagnostic(`FERROPACK_SEED=${seed}`)
    const random = randomFrom(seed)
    const sequences = Math.ceil(SEQUENCES / Object.keys(KINDS).length)
    let compared = 0
    for (let i = 0; i < sequences; i++) {
      const setup = randomSetup(random, kind)
      try {
        compared += compareSequence(random, setup)
      } catch (error) {
        const options = inspect({ ...setup.fixed, ...setup.make?.() }, { depth: 4, breakLength: Infinity })
        error.message = `FERROPACK_SEED=${seed}, sequence ${i}, ${options}: ${error.message}`
        throw error
      }
    }
    assert.ok(compared >= 5 * sequences)
  })
}
