'use strict'

// Packrs of every kind whose callbacks pack with each other and throw, at random: each message that comes out can be
// read at once by those who have no more than they should.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const ROUNDS = full ? 4000 : 400
const STEPS = 40
const MAX_NESTED = 3
const KEYS = ['a', 'b', 'c', 'dd', 'é', 'constructor', '7']
const LIMITS = [undefined, 1, 2, 5, 32, 40]
const OWN_LIMITS = [undefined, 1, 2, 32]

const copyOf = (lists) => lists.map((keys) => keys?.slice())
class Interruption extends Error {}

/** Packrs that belong together: two stores, two arrays, and what their callbacks may do. */
class World {
  constructor(random) {
    this.random = random
    this.stores = [{ lists: [] }, { lists: [] }]
    this.arrays = [[], []]
    this.nested = 0
    this.messages = 0
    this.packrs = Array.from({ length: 4 }, () => this.makePackr())
  }

  /** What user code does: packs with any of the packrs, throws, or nothing. */
  act() {
    if (this.nested < MAX_NESTED && this.random.chance(0.2)) this.step()
    if (this.random.chance(0.05)) throw new Interruption('on purpose')
  }

  makePackr() {
    const { random } = this
    const options = { heap: random.chance(0.7) }
    const limit = random.pick(LIMITS)
    const own = random.pick(OWN_LIMITS)
    if (own !== undefined) options.maxOwnStructures = own
    const kind = random.pick([
      this.withStore,
      this.withArray,
      this.inSequence,
      this.asked,
      () => this.readAlone(),
    ])
    const read = kind.call(this, options, limit)
    if (random.chance(0.4)) {
      options.shouldShareStructure = (keys) => {
        this.act()
        return !keys.includes('b')
      }
    }
    return { packr: new Packr(options), read }
  }

  withStore(options, limit) {
    const store = this.random.pick(this.stores)
    options.maxSharedStructures = limit
    options.getStructures = () => {
      this.act()
      return copyOf(store.lists)
    }
    options.saveStructures = (structures, isCompatible) => {
      this.act()
      if (!isCompatible(copyOf(store.lists))) return false
      store.lists = copyOf(structures)
    }
    return (bytes) => new Packr({ getStructures: () => copyOf(store.lists) }).unpack(bytes)
  }

  withArray(options, limit) {
    const structures = this.random.pick(this.arrays)
    Object.assign(options, { structures, maxSharedStructures: limit })
    return (bytes) => new Packr({ structures: copyOf(structures) }).unpack(bytes)
  }

  inSequence(options) {
    options.sequential = true
    const reader = new Unpackr({ sequential: true })
    return (bytes, isInner) => (isInner ? new Unpackr() : reader).unpack(bytes)
  }

  asked(options) {
    options.useRecords = () => {
      this.act()
      return true
    }
    return this.readAlone()
  }

  readAlone() {
    return (bytes) => new Unpackr().unpack(bytes)
  }

  /** A value, and what it is read as. */
  value(depth) {
    const { random } = this
    if (depth === 0 || random.chance(0.3)) return random.below(64)
    if (random.chance(0.3)) return Array.from({ length: random.below(4) }, () => this.value(depth - 1))
    const object = {}
    for (const key of KEYS) if (random.chance(0.3)) object[key] = this.value(depth - 1)
    if (!random.chance(0.2)) return object
    const world = this
    const got = this.value(depth - 1)
    return Object.defineProperty(object, 'got', {
      enumerable: true,
      get() {
        world.act()
        return got
      },
    })
  }

  step() {
    const chosen = this.random.pick(this.packrs)
    const isInner = chosen.isPacking === true
    const value = this.value(3)
    let bytes
    this.nested++
    chosen.isPacking = true
    try {
      bytes = chosen.packr.pack(value)
    } catch (error) {
      // What two packrs of different limits do to an array, and stores that never rest, are errors.
      if (!(error instanceof Interruption) && !/larger than maximum|times in a row/.test(error.message))
        throw error
      return
    } finally {
      this.nested--
      chosen.isPacking = isInner
    }
    this.messages++
    const expected = this.withoutActs(() => structuredClone(value))
    assertSame(chosen.read(bytes, isInner), expected, toHex(bytes))
  }

  withoutActs(body) {
    const { act } = this
    this.act = () => {}
    try {
      return body()
    } finally {
      this.act = act
    }
  }
}

test('callbacks that pack and throw', (t) => {
  const first = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${first}`)
  let messages = 0
  for (let round = 0; round < ROUNDS; round++) {
    const world = new World(randomFrom(first + round))
    try {
      for (let i = 0; i < STEPS; i++) world.step()
    } catch (error) {
      error.message = `FERROPACK_SEED=${first}, round ${round}: ${error.message}`
      throw error
    }
    messages += world.messages
  }
  assert.ok(messages > ROUNDS * STEPS * 0.5, `${messages} messages`)
})
