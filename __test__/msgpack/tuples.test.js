'use strict'

// Arrays of arrays of two or three numbers, as coordinates are, which are read together: that they are what msgpackr
// reads, and that whatever else is among them is read too.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const msgpackr = require('msgpackr')
const { Packr, unpack, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const seed = chosenSeed()
const RUNS = full ? 20_000 : 2_000

const NUMBERS = {
  'one byte': (random) => random.below(160) - 32,
  integers: (random) => random.below(0x1_0000_0000) - 0x8000_0000,
  'beyond 31 bits': (random) => 0x8000_0000 + random.below(0x8000_0000),
  doubles: (random) => random.below(100_000) / 7,
  specials: (random) => [Number.NaN, Number.POSITIVE_INFINITY, -0, 2 ** 53, 0.1][random.below(5)],
}
const STRANGERS = [
  null,
  'x',
  [],
  [1],
  [1, 2, 3, 4],
  { a: 1 },
  [1, null],
  [
    [1, 2],
    [3, 4],
  ],
  true,
  1.5,
  [1, 2, 'x'],
]

const pick = (random, list) => list[random.below(list.length)]

/** Tuples of numbers of one or two kinds. */
function tuples(random) {
  const size = 2 + random.below(2)
  const kinds = [pick(random, Object.values(NUMBERS)), pick(random, Object.values(NUMBERS))]
  const tuple = () => Array.from({ length: size }, () => pick(random, kinds)(random))
  return Array.from({ length: random.below(40) }, tuple)
}

/** Something that has tuples in it, and often what is none among them. */
function around(random, value) {
  switch (random.below(8)) {
    case 0:
      return { type: 'Polygon', coordinates: [value, tuples(random)] }
    case 1:
      return [value, value]
    case 2:
      return { type: 'MultiPolygon', coordinates: [[value], [tuples(random), tuples(random)]] }
    case 3: {
      const changed = [...value]
      changed.splice(random.below(value.length + 1), 1, pick(random, STRANGERS))
      return changed
    }
    case 4:
      return new Map([['points', value]])
    default:
      return value
  }
}

test(`random tuples and what is among them (seed ${seed})`, () => {
  const random = randomFrom(seed)
  const pairs = [
    {},
    { useRecords: false },
    { structures: [] },
    { mapsAsObjects: true, useRecords: false, useFloat32: 3 },
  ]
  const readers = pairs.map((options) => [new msgpackr.Packr(options), new Packr({ ...options })])
  for (let i = 0; i < RUNS; i++) {
    const value = around(random, tuples(random))
    const [theirs, ours] = pick(random, readers)
    const bytes = theirs.pack(value)
    const wanted = theirs.unpack(bytes)
    assertSame(ours.unpack(ours.pack(value)), wanted)
    assertSame(
      new Unpackr({ ...pairs[1] }).unpack(msgpackr.pack(value)),
      msgpackr.unpack(msgpackr.pack(value)),
    )
  }
})

test('ids of records are no numbers', () => {
  const packr = new Packr({ structures: [['a']] })
  // Two arrays of two elements, of which one is the record {a: 1}, or without records the integer 64.
  const bytes = fromHex('92 92 01 02 92 40 01 03')
  assertSame(packr.unpack(bytes), [
    [1, 2],
    [{ a: 1 }, 3],
  ])
  assertSame(unpack(fromHex('92 92 01 02 92 40 03')), [
    [1, 2],
    [64, 3],
  ])
})

test('tuples as they may be cut', () => {
  const whole = msgpackr.pack([
    [1, 2],
    [300, 4.5],
    [70_000, -1],
  ])
  for (let length = 1; length < whole.length; length++) {
    assert.throws(() => unpack(whole.subarray(0, length)), { incomplete: true })
  }
  // More than there are bytes for.
  assert.throws(() => unpack(fromHex('dd ff ff ff ff 92 01 02')), /Unexpected end/)
  assertSame(unpack(whole), [
    [1, 2],
    [300, 4.5],
    [70_000, -1],
  ])
})

test('so many that the tape moves', () => {
  const count = 300_000
  for (const element of [
    (i) => [i, 'x'],
    (i) => [i, i / 2],
    (i) => [i, i + 1, i + 2],
    (i) => (i < count - 1 ? [i, 1] : 'x'),
  ]) {
    const list = Array.from({ length: count }, (_, i) => element(i))
    const bytes = msgpackr.pack({ before: 'text', list, after: ['x', 1] })
    assertSame(unpack(bytes), { before: 'text', list, after: ['x', 1] })
    assertSame(unpack(msgpackr.pack(list)), list)
  }
})

test('frozen, referred to, and as keys', () => {
  const points = [
    [1, 2],
    [3, 4],
  ]
  const frozen = new Unpackr({ freezeData: true }).unpack(msgpackr.pack(points))
  assertSame(frozen, points)
  for (const array of [frozen, ...frozen]) assert.ok(Object.isFrozen(array))

  const packr = new Packr({ structuredClone: true })
  const twice = packr.unpack(packr.pack({ one: points, other: points }))
  assertSame(twice, { one: points, other: points }, undefined, { copies: true })
  assert.equal(twice.one, twice.other)
  assert.notEqual(twice.one[0], twice.one[1])

  const asMap = new Unpackr({ mapsAsObjects: false, useRecords: false }).unpack(
    fromHex('81 92 92 01 02 92 03 04 05'),
  )
  assertSame([...asMap], [[points, 5]])
  assert.throws(() => unpack(fromHex('81 92 92 01 02 92 03 04 05')), /Invalid property type/)
  const keys = new Unpackr({ allowArraysInMapKeys: true, mapsAsObjects: true, useRecords: false })
  assertSame(keys.unpack(fromHex('81 92 92 01 02 92 03 04 05')), { '1,2,3,4': 5 })
  assertSame(keys.unpack(fromHex('81 92 01 02 05')), { '1,2': 5 })
})

test('parts of an error that are tuples', () => {
  // Extension 'e', whose parts are name, message and cause.
  const bytes = fromHex('d4 65 01 93 92 01 02 92 03 04 92 05 06')
  const result = (unpackr) => {
    try {
      const { name, message } = unpackr.unpack(bytes)
      return [String(name), String(message)]
    } catch (error) {
      return error.constructor
    }
  }
  assert.deepEqual(
    result(new Unpackr({ moreTypes: true })),
    result(new Unpackr({ freezeData: true, moreTypes: true })),
  )
})

test('deep inside other arrays', () => {
  for (const depth of [3, 499, 502, 2_000]) {
    const bytes = Buffer.concat([Buffer.alloc(depth, 0x91), fromHex('92 92 01 02 92 03 04')])
    let value = unpack(bytes)
    for (let i = 0; i < depth; i++) [value] = value
    assertSame(value, [
      [1, 2],
      [3, 4],
    ])
  }
})

test('what stands in a message twice is an array of its own', () => {
  const [one, other] = unpack(fromHex('92 92 01 02 92 01 02'))
  one.push(3)
  assert.deepEqual(other, [1, 2])
})
