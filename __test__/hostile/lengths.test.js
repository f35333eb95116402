'use strict'

// Headers that promise far more than follows: an error at once, and no memory reserved on their word.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, unpackMultiple, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const BOMBS = [
  'ddffffffff',
  'dfffffffff',
  'dbffffffff',
  'c6ffffffff',
  'c9ffffffff01',
  'c9ffffffff74',
  'dd7fffffff00',
  'df7fffffffa161',
  'dcffff',
  'deffff',
  'daffff61',
  'c5ffff00',
  'c8ffff01',
  'dd80000000',
  'dd00ffffff01',
]
const MEMORY = 200_000_000

const instances = [
  { useRecords: false },
  { useRecords: false, mapsAsObjects: false },
  { useRecords: false, int64AsType: 'number' },
].map((options) => new Unpackr(options))

test('each length bomb is an incomplete message', () => {
  const before = process.memoryUsage().rss
  for (const hex of BOMBS) {
    for (const wrapped of [hex, `92${hex}`, `9201${hex}`, `81a161${hex}`, `d47300${hex}`]) {
      const bytes = fromHex(wrapped)
      for (let i = 0; i < 20; i++) {
        assert.throws(() => unpack(bytes), { incomplete: true }, wrapped)
        assert.throws(() => unpackMultiple(bytes), { incomplete: true }, wrapped)
        for (const unpackr of instances)
          assert.throws(() => unpackr.unpack(bytes), { incomplete: true }, wrapped)
      }
    }
  }
  assert.ok(process.memoryUsage().rss - before < MEMORY)
  assertSame(unpack(pack({ ok: [1] })), { ok: [1] })
})

test('nested arrays may together promise no more than the input has bytes', () => {
  const filler = Buffer.alloc(60_000, 0xc0)
  const nested = Buffer.concat([...Array.from({ length: 200 }, () => fromHex('dcea60')), filler])
  const before = process.memoryUsage().rss
  for (let i = 0; i < 20; i++) assert.throws(() => unpack(nested), { incomplete: true })
  assert.ok(process.memoryUsage().rss - before < MEMORY)
})

test('arrays that together hold exactly what the input has are read', () => {
  assertSame(unpack(fromHex('dc0001dc0001dc0001c0')), [[[null]]])
  assertSame(unpack(fromHex('dd00000001dd00000001c0')), [[null]])
  assertSame(unpack(fromHex('dc0002dc0001c0dc0001c3')), [[null], [true]])
})

test('many bombs in one input', () => {
  const before = process.memoryUsage().rss
  const bytes = Buffer.concat(Array.from({ length: 10_000 }, (_, i) => fromHex(BOMBS[i % BOMBS.length])))
  for (let i = 0; i < 50; i++) assert.throws(() => unpack(bytes.subarray(i)), Error)
  assert.ok(process.memoryUsage().rss - before < MEMORY)
})

test('maps may promise at most half the bytes that follow', () => {
  assert.throws(() => unpack(fromHex('de0002 01 02 03')), { incomplete: true, missingBytes: 1 })
  assertSame(unpack(fromHex('de0002 01 02 03 04')), { 1: 2, 3: 4 })
})
