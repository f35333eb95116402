'use strict'

// Messages of every kind under options of every kind, some of which fail: by being cut or damaged, in a callback, or
// by what stands behind them. Whatever came before, each gives what it gives to a reader that has met nothing.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const msgpackr = require('msgpackr')
const { Packr, Unpackr, UnpackrStream, unpackMultiple } = require('../helpers/ferropack')
const { full } = require('../helpers/mode')
const { randomValue } = require('../helpers/random-value')
const { registerWithBoth } = require('../helpers/register-reader')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const seed = chosenSeed()
const MESSAGES = full ? 40_000 : 4_000

class Fragile {
  constructor(inner) {
    this.inner = inner
  }
}
let isFailing = false
registerWithBoth({
  Class: Fragile,
  type: 24,
  write: ({ inner }) => inner,
  read: (inner) => {
    if (isFailing) throw new Error('the callback fails')
    return new Fragile(inner)
  },
})

const OPTIONS = [
  { useRecords: false },
  { useRecords: false, mapsAsObjects: false },
  { useRecords: false, int64AsType: 'number', copyBuffers: true },
  {},
  { structures: [] },
  { structures: [], maxSharedStructures: 200 },
  { moreTypes: true, structuredClone: true },
  { bundleStrings: true },
  { bundleStrings: true, structures: [] },
  { freezeData: true },
]

/** Shapes and texts that come again, and such that do not. */
function recurring(random, depth = 0) {
  const inner = () =>
    depth < 3 && random.chance(0.5) ? recurring(random, depth + 1) : randomValue(random, 1)
  return random.pick([
    () => ({ id: random.below(100), code: random.pick(['kg', 'mg', 'ä', 'x'.repeat(30)]), inner: inner() }),
    () => ({
      id: random.below(100),
      points: Array.from({ length: random.below(9) }, () => [1, random.below(300)]),
    }),
    () => ({ [`key${random.below(300)}`]: inner(), last: inner() }),
    () => [inner(), inner(), new Fragile(inner())],
    () => [[[inner()]]],
    () => randomValue(random, 3),
  ])()
}

/** Ways in which reading `bytes` may fail, each of which leaves the reader as it was. */
const FAILURES = {
  cut: (reader, bytes, random) => reader.unpack(bytes.subarray(0, random.below(bytes.length))),
  damaged(reader, bytes, random) {
    const changed = Buffer.from(bytes)
    for (let i = 0; i < 3; i++) changed[random.below(changed.length)] = random.below(256)
    reader.unpack(changed)
  },
  'with more behind it': (reader, bytes) => reader.unpack(Buffer.concat([bytes, Buffer.from([0xc1])])),
  'in a callback'(reader, bytes) {
    isFailing = true
    try {
      reader.unpack(bytes)
    } finally {
      isFailing = false
    }
  },
  'among several': (reader, bytes) =>
    reader.unpackMultiple(Buffer.concat([bytes, bytes, Buffer.from([0xd4])])),
  'handed to a callback that throws'(reader, bytes) {
    reader.unpackMultiple(Buffer.concat([bytes, bytes]), () => {
      throw new Error('the callback fails')
    })
  },
  'of the module': (_, bytes) => unpackMultiple(bytes.subarray(0, bytes.length - 1)),
  'in a stream'(_, bytes) {
    const stream = new UnpackrStream()
    stream.on('error', () => {})
    stream.on('data', () => {})
    stream.end(Buffer.concat([bytes, Buffer.from([0xc1, 0xd4, 99, 0])]))
  },
}

test(`failing messages among others (seed ${seed})`, () => {
  const random = randomFrom(seed)
  const pairs = OPTIONS.map((options) => {
    const own = () => ({ ...options, ...(options.structures ? { structures: [] } : {}) })
    return { ours: new Packr(own()), theirs: new msgpackr.Packr(own()), options }
  })
  let failed = 0
  for (let i = 0; i < MESSAGES; i++) {
    const { ours, theirs, options } = random.pick(pairs)
    const value = recurring(random)
    const where = `message ${i}, ${JSON.stringify(options)}`
    let bytes
    try {
      bytes = Buffer.from(ours.pack(value))
    } catch (error) {
      assert.ok(error instanceof Error, where)
      continue
    }
    if (random.chance(0.4)) {
      const [name, fail] = random.pick(Object.entries(FAILURES))
      try {
        fail(ours, bytes, random)
      } catch (error) {
        failed++
        assert.ok(error instanceof Error, `${where}, ${name}`)
      }
    }
    const read = ours.unpack(bytes)
    // A reader that has met nothing but the structures.
    const fresh = new Unpackr({
      ...options,
      ...(options.structures ? { structures: structuredClone(ours.structures) } : {}),
    })
    assertSame(read, fresh.unpack(bytes), where)
    assertSame(ours.unpack(bytes), read, where)
    if (options.structures === undefined && !bytes.includes('\ufeff')) {
      assertSame(read, theirs.unpack(Buffer.from(bytes)), `${where}, by msgpackr`)
    }
  }
  assert.ok(failed > MESSAGES / 10, `only ${failed} failed`)
})
