'use strict'

// Objects of recurring shapes, for which code is made: after some uses, and again after many with the objects in them
// included. Values change in kind and objects in shape at every stage.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, pack, unpack } = require('../helpers/ferropack')
const { registerReader } = require('../helpers/register-reader')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const seed = chosenSeed()

/** More than there are before all code that is made for a shape is. */
const TIMES = 1_200

const leaf = (random) =>
  random.pick([
    1,
    -70_000,
    1.5,
    2 ** 40,
    'short',
    `a longer text ${random.below(1000)}`,
    'ä ö ü',
    null,
    undefined,
    true,
    [],
    [1, 2],
    [1.5],
    [
      [1, 2],
      [3, 4],
    ],
    new Date(1000),
    2n ** 60n,
  ])

/** Mostly as `usual` gives it, now and then something else. */
const mostly = (random, usual, other) => (random.chance(0.9) ? usual() : other())

const point = (random) => ({
  x: random.below(100),
  y: mostly(
    random,
    () => 1,
    () => leaf(random),
  ),
})
const person = (random) => ({
  name: mostly(
    random,
    () => 'name',
    () => leaf(random),
  ),
  home: mostly(
    random,
    () => point(random),
    () => leaf(random),
  ),
  work: mostly(
    random,
    () => point(random),
    () => ({ y: 1, x: 2 }),
  ),
})
const message = (random) => ({
  id: random.below(1000),
  from: mostly(
    random,
    () => person(random),
    () => leaf(random),
  ),
  to: mostly(
    random,
    () => person(random),
    () => point(random),
  ),
  cc: Array.from({ length: random.below(7) }, () =>
    mostly(
      random,
      () => person(random),
      () => leaf(random),
    ),
  ),
  ['__proto__']: mostly(
    random,
    () => point(random),
    () => leaf(random),
  ),
})

for (const [name, make] of Object.entries({
  'the functions of the module': () => ({ pack, unpack }),
  'a packr with records': () => new Packr(),
  'a packr with shared structures': () => new Packr({ structures: [] }),
  'a packr with shared structures of two bytes': () =>
    new Packr({ structures: [], maxSharedStructures: 500 }),
})) {
  test(`objects in objects, by ${name} (seed ${seed})`, () => {
    const random = randomFrom(seed)
    const packr = make()
    for (let i = 0; i < TIMES; i++) {
      const value = message(random)
      assertSame(packr.unpack(packr.pack(value)), value)
    }
  })
}

test('a callback unpacks, and moves the tape, in the middle of objects for which there is code', () => {
  let nested = null
  registerReader({ type: 66, unpack: () => nested() })
  const ext = Buffer.from([0xd4, 66, 0])
  const around = { before: { x: 'first text', y: 2 }, at: 'here', after: { x: 'another text', y: [3, 4] } }
  const packed = pack(around)
  const place = packed.indexOf(pack('here'))
  const bytes = Buffer.concat([packed.subarray(0, place), ext, packed.subarray(place + pack('here').length)])
  const large = pack(Array.from({ length: 300_000 }, (_, i) => [i, 'x']))
  for (let i = 0; i < TIMES; i++) {
    nested = i % 500 === 499 ? () => unpack(large).length : () => unpack(packed)
    assertSame(unpack(bytes), { ...around, at: nested() })
  }
})

test('more shapes than code is made for at once', () => {
  const shapes = Array.from({ length: 1_500 }, (_, i) => ({
    [`key${i}`]: i,
    inner: { [`text${i}`]: `text ${i}` },
  }))
  const messages = shapes.map((shape) => pack(shape))
  for (let round = 0; round < 20; round++) {
    for (const [index, bytes] of messages.entries()) assert.deepEqual(unpack(bytes), shapes[index])
  }
})

test('arrays of objects that are not all alike', () => {
  const random = randomFrom(seed)
  for (let i = 0; i < TIMES; i++) {
    const list = Array.from({ length: 4 + random.below(5) }, () =>
      random.pick([
        () => ({ a: 1, b: 'x' }),
        () => ({ a: 1, b: 'x' }),
        () => ({ b: 1, a: 2 }),
        () => leaf(random),
      ])(),
    )
    assertSame(unpack(pack(list)), list)
  }
})

test('wide objects with keys that Object.prototype has', () => {
  registerReader({
    type: 67,
    unpack: () => {
      Object.defineProperty(Object.prototype, 'late', {
        set() {
          throw new Error('an inherited setter was called')
        },
        configurable: true,
      })
      return 'read'
    },
  })
  const names = ['toString', '__proto__', 'constructor', 'hasOwnProperty', 'late', '', 'ä']
  const keys = Array.from({ length: 700 }, (_, i) => (i % 100 === 99 ? names[(i - 99) / 100] : `key${i}`))
  const parts = keys.flatMap((key, i) => [pack(key), i === 3 ? Buffer.from([0xd4, 67, 0]) : pack(i)])
  const head = Buffer.from([0xde, keys.length >> 8, keys.length & 0xff])
  const bytes = Buffer.concat([head, ...parts])
  try {
    for (let i = 0; i < 3; i++) {
      const object = unpack(bytes)
      assert.deepEqual(Object.keys(object), keys)
      assert.equal(Object.getPrototypeOf(object), Object.prototype)
      for (const [index, key] of keys.entries()) {
        assert.equal(Object.getOwnPropertyDescriptor(object, key).value, index === 3 ? 'read' : index)
      }
    }
  } finally {
    delete Object.prototype.late
  }
})
