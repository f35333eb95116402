'use strict'

// Random values that msgpackr packs, under all options that change what is written: each is read as msgpackr
// reads it, or where that loses something, as it was. Cut or changed, a message gives a value or an error.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const msgpackr = require('msgpackr')
const { Unpackr } = require('../helpers/ferropack')
const { full } = require('../helpers/mode')
const { randomValue } = require('../helpers/random-value')
const { registerWithBoth } = require('../helpers/register-reader')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const VALUES = full ? 8_000 : 400

class Point {
  constructor(x, label) {
    this.x = x
    this.label = label
  }
}
class Bytes {
  constructor(length) {
    this.length = length
  }
}
registerWithBoth({
  Class: Point,
  type: 21,
  write: (point) => [point.x, point.label],
  read: ([x, label]) => new Point(x, label),
})
registerWithBoth({
  Class: Bytes,
  type: 22,
  pack: (bytes) => Buffer.alloc(bytes.length, 7),
  unpack: (data) => new Bytes(data.length),
})

const CHOICES = {
  useRecords: [true, false],
  mapsAsObjects: [true, false],
  variableMapSize: [true, false],
  moreTypes: [true, false],
  structuredClone: [true],
  bundleStrings: [true],
  maxOwnStructures: [1, 3, 32],
  useBigIntExtension: [true],
  useTimestamp32: [true],
  encodeUndefinedAsNil: [true],
  useFloat32: [0, 1, 3, 4],
  int64AsType: ['bigint', 'number', 'string', 'auto'],
  copyBuffers: [true],
}

function randomOptions(random) {
  const options = {}
  for (const [name, values] of Object.entries(CHOICES)) {
    if (random.chance(0.45)) options[name] = random.pick(values)
  }
  return options
}

const big = (random) =>
  (BigInt(random.uint32()) << BigInt(random.below(300))) * (random.chance(0.5) ? -1n : 1n)

/** A value with parts that are held several times. */
function sharingValue(random, options) {
  const parts = Array.from({ length: 4 }, () => randomValue(random, 3))
  const more = [new Point(1, 'a label'), new Bytes(random.below(40)), new Uint16Array([1, 2]), parts]
  if (options.useBigIntExtension) more.push(big(random))
  const root = Array.from({ length: 2 + random.below(8) }, () =>
    random.chance(0.2) ? randomValue(random, 3) : random.pick(random.chance(0.3) ? more : parts),
  )
  return random.chance(0.5) ? root : { root, first: root[0], also: { again: root[1] } }
}

const hasBom = (bytes) => bytes.includes('\ufeff')

/** What a function gives or throws. */
function outcome(action) {
  try {
    return { value: action() }
  } catch (error) {
    return { error }
  }
}

function compare(options, value) {
  // msgpackr packs Buffers as they are, and Maps as keys nobody can have as objects.
  const packed = outcome(() => new msgpackr.Packr({ ...options }).pack(value))
  if (packed.error) return null
  const bytes = Buffer.from(packed.value)
  // msgpackr loses a mark at the start of long and of bundled strings.
  if (hasBom(bytes)) return bytes
  const theirs = outcome(() => new msgpackr.Unpackr({ ...options }).unpack(Buffer.from(bytes)))
  const ours = outcome(() => new Unpackr({ ...options }).unpack(bytes))
  if (theirs.error) {
    assert.ok(ours.error, `no error, but msgpackr has ${theirs.error}`)
    assert.equal(ours.error.incomplete, theirs.error.incomplete)
  } else {
    if (ours.error) throw ours.error
    assertSame(ours.value, theirs.value)
  }
  return bytes
}

function harm(random, bytes, options) {
  for (let i = 0; i < 8; i++) {
    const changed = Buffer.from(bytes)
    if (random.chance(0.3)) {
      const cut = changed.subarray(0, random.below(changed.length))
      const { error } = outcome(() => new Unpackr(options).unpack(cut))
      assert.ok(error instanceof Error, 'a cut message is read')
      continue
    }
    const count = 1 + random.below(3)
    for (let j = 0; j < count; j++) changed[random.below(changed.length)] = random.uint32() >>> 24
    const { error } = outcome(() => new Unpackr(options).unpack(changed))
    assert.ok(error === undefined || error instanceof Error, String(error))
  }
}

test('random values, as msgpackr packs them', () => {
  const seed = chosenSeed()
  for (let round = 0; round < VALUES; round++) {
    const random = randomFrom(seed + round)
    const options = randomOptions(random)
    try {
      const bytes = compare(options, sharingValue(random, options))
      if (bytes !== null && round % 4 === 0) harm(random, bytes, options)
    } catch (error) {
      error.message = `FERROPACK_SEED=${seed + round} ${JSON.stringify(options)}: ${error.message}`
      throw error
    }
  }
})

/** A graph of plain kinds in which any container may hold any other. */
function graph(random) {
  const nodes = Array.from({ length: 1 + random.below(8) }, () =>
    random.pick([() => [], () => ({}), () => new Map(), () => new Set()])(),
  )
  const leaf = () =>
    random.chance(0.6) ? random.pick(nodes) : random.pick([1, 'text', 'a longer text', null])
  for (const node of nodes) {
    for (let i = random.below(6); i > 0; i--) {
      if (Array.isArray(node)) node.push(leaf())
      else if (node instanceof Map) node.set(leaf(), leaf())
      else if (node instanceof Set) node.add(leaf())
      else node[random.pick(['a', 'b', 'c', 'long key'])] = leaf()
    }
  }
  return nodes[0]
}

test('random graphs come back as they were', () => {
  const seed = chosenSeed()
  for (let round = 0; round < VALUES; round++) {
    const random = randomFrom(seed + round)
    const options = { structuredClone: true, bundleStrings: random.chance(0.4) }
    if (random.chance(0.4)) options.maxOwnStructures = 1
    const value = graph(random)
    try {
      const bytes = new msgpackr.Packr({ ...options }).pack(value)
      assertSame(new Unpackr(options).unpack(bytes), value)
      harm(random, bytes, options)
    } catch (error) {
      error.message = `FERROPACK_SEED=${seed + round} ${JSON.stringify(options)}: ${error.message}`
      throw error
    }
  }
})
