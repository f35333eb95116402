'use strict'

// How many shapes a message may have defined at one time: ids start over, the oldest shape is forgotten, and beyond
// 64 ids take two bytes.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, unpack } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { RecordModel } = require('../helpers/record-model')
const { define, defineWide, referWide } = require('../helpers/record-wire')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const seed = chosenSeed()
const shape = (i, value = i % 32) => ({ [`k${i}`]: value })
const shapes = (count) => Array.from({ length: count }, (_, i) => shape(i))

function assertAsModel(own, value) {
  const packr = new Packr({ maxOwnStructures: own, mapsAsObjects: true })
  const expected = new RecordModel({ own }).pack(value)
  for (let i = 0; i < 3; i++) assert.equal(toHex(packr.pack(value)), expected, `${own} own structures`)
  for (const reader of [
    packr,
    new Packr({ mapsAsObjects: true }),
    new Unpackr({ mapsAsObjects: true }),
    { unpack },
  ]) {
    assertSame(reader.unpack(Buffer.from(expected, 'hex')), value, `${own} own structures`, { copies: true })
  }
}

test('no own structures: maps', () => {
  const packr = new Packr({ maxOwnStructures: 0, mapsAsObjects: true })
  assert.equal(toHex(packr.pack([{ a: 1 }, { b: {} }, 64])), '93de0001a16101de0001a162de0000cc40')
  assertAsModel(0, [{ a: 1 }, { a: 2 }, { b: { a: 1 } }])
})

test('no own structures: maps with the smallest header on demand', () => {
  const packr = new Packr({ maxOwnStructures: 0, variableMapSize: true })
  assert.equal(toHex(packr.pack([{ a: 1 }, {}])), '9281a1610180')
})

test('one own structure', () => {
  const packr = new Packr({ maxOwnStructures: 1 })
  const value = [{ a: 1 }, { b: 1 }, { a: 2 }, { b: 2 }, { b: 3 }]
  const hex = '95d4724091a16101d4724091a16201d4724091a16102d4724091a162024003'
  for (let i = 0; i < 3; i++) assert.equal(toHex(packr.pack(value)), hex)
  assertSame(packr.unpack(packr.pack(value)), value)
})

test('one own structure, nested', () => {
  // The outer shape is gone once the inner one is defined, whatever values of the outer one are still to come.
  const value = [{ a: { b: 1 }, c: 2 }, { a: 3, c: 4 }, { b: 5 }]
  assert.equal(
    toHex(new Packr({ maxOwnStructures: 1 }).pack(value)),
    '93d4724092a161a163d4724091a1620102d4724092a161a1630304d4724091a16205',
  )
  assertAsModel(1, value)
})

test('two own structures', () => {
  const value = [{ a: 1 }, { b: 1 }, { c: 1 }, { a: 2 }, { b: 2 }, { c: 2 }]
  assert.equal(
    toHex(new Packr({ maxOwnStructures: 2 }).pack(value)),
    '96d4724091a16101d4724191a16201d4724091a16301d4724191a16102d4724091a16202d4724191a16302',
  )
  assertAsModel(2, [...value, { c: 3 }, { b: 3 }, { c: 4 }, { d: { c: { d: { a: 1 } } } }])
})

test('64 own structures are the default, and the ids start over', () => {
  const value = [...shapes(66), shape(2), shape(0), shape(65), shape(3)]
  assertAsModel(64, value)
  const hex = toHex(new Packr().pack(value))
  assert.equal(hex, toHex(new Packr({ maxOwnStructures: 64 }).pack(value)))
  // 64 shapes, two that take the ids of the first two, the third is still known, and the first is defined anew.
  const ends = [
    define(0x40, 'k64'),
    '00',
    define(0x41, 'k65'),
    '01',
    '4202',
    define(0x42, 'k0'),
    '00',
    '4101',
    '4303',
  ]
  assert.ok(hex.endsWith(ends.join('')), hex.slice(-120))
})

test('beyond 64 own structures, ids from 0x60 on take two bytes', () => {
  const packr = new Packr({ maxOwnStructures: 65 })
  const value = [...shapes(65), shape(0), shape(31), shape(32), shape(63), shape(64)]
  const hex = toHex(packr.pack(value))
  const parts = Array.from({ length: 65 }, (_, i) =>
    i < 32 ? define(0x40 + i, `k${i}`) : defineWide(i, `k${i}`),
  )
  const numbered = parts.map((part, i) => part + (i % 32).toString(16).padStart(2, '0'))
  const again = ['4000', '5f1f', `${referWide(32)}00`, `${referWide(63)}1f`, `${referWide(64)}00`]
  assert.equal(hex, `dc0046${numbered.join('')}${again.join('')}`)
  assert.equal(again.slice(2).join(' '), '600000 7f001f 600100')
  assertAsModel(65, value)
})

test('two-byte ids start over as well', () => {
  for (const own of [65, 100, 300]) {
    const value = [...shapes(own + 3), shape(0), shape(own), shape(5), shape(own + 2), ...shapes(40)]
    assertAsModel(own, value)
  }
})

test('as many structures as there are ids', () => {
  const packr = new Packr({ maxOwnStructures: 8192 })
  const value = [...shapes(8193), shape(8192), shape(8191), shape(1), shape(0)]
  const expected = new RecordModel({ own: 8192 }).pack(value)
  assert.equal(toHex(packr.pack(value)), expected)
  assertSame(packr.unpack(packr.pack(value)), value)
  assertSame(new Unpackr().unpack(packr.pack(value)), value)
})

test('more than can be numbered is refused', () => {
  const message = 'Maximum maxSharedStructure + maxOwnStructure is 8192'
  assert.throws(() => new Packr({ maxOwnStructures: 8193 }), { name: 'Error', message })
  assert.doesNotThrow(() => new Packr({ maxOwnStructures: 8192 }))
})

test('null and undefined leave the limit as it is', () => {
  const value = shapes(66)
  const hex = toHex(new Packr().pack(value))
  for (const maxOwnStructures of [null, undefined])
    assert.equal(toHex(new Packr({ maxOwnStructures }).pack(value)), hex)
})

test('any order of shapes, with any limit', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  const build = (kinds, depth) => {
    if (depth === 0 || random.chance(0.3)) return random.below(200)
    if (random.chance(0.4)) return Array.from({ length: random.below(6) }, () => build(kinds, depth - 1))
    const value = {}
    for (let i = random.below(3); i >= 0; i--) value[`k${random.below(kinds)}`] = build(kinds, depth - 1)
    return value
  }
  for (const own of [0, 1, 2, 3, 7, 32, 63, 64, 65, 66, 97]) {
    for (let i = 0; i < 8; i++) {
      assertAsModel(
        own,
        Array.from({ length: 30 }, () => build(random.pick([2, 5, 20, 90]), 5)),
      )
    }
  }
})
