'use strict'

// BigInt: always 64 bits on the wire, refused beyond, and read as int64AsType says.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertRoundTrip } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')

const BEYOND = [
  2n ** 64n,
  -(2n ** 63n) - 1n,
  2n ** 100n,
  -(2n ** 100n),
  2n ** 64n * 2n,
  -(2n ** 64n),
  2n ** 5000n,
]
const messageFor = (value) =>
  `${value} was too large to fit in MessagePack 64-bit integer format, use useBigIntExtension, or set largeBigIntToFloat to convert to float-64, or set largeBigIntToString to convert to string`

test('around each power of two', () => {
  for (let power = 0n; power <= 63n; power++) {
    for (const near of [-1n, 0n, 1n]) {
      const value = 2n ** power + near
      assertRoundTrip(value, String(value))
      if (-value >= -(2n ** 63n)) assertRoundTrip([-value, { value: -value }], String(-value))
    }
  }
  for (const value of [0n, -1n, 2n ** 64n - 1n, -(2n ** 63n)]) assertRoundTrip(value, String(value))
})

test('never shorter than 64 bits', () => {
  assert.equal(toHex(pack(1n)), 'd30000000000000001')
  assert.equal(toHex(pack(2n ** 63n)), 'cf8000000000000000')
})

test('beyond 64 bits: a RangeError, and the next call works', () => {
  const packr = new Packr({ useRecords: false })
  for (const value of BEYOND) {
    for (const run of [pack, packr.pack]) {
      assert.throws(() => run(value), { name: 'RangeError', message: messageFor(value) })
      assert.throws(() => run({ list: ['text', value] }), { name: 'RangeError', message: messageFor(value) })
      assert.throws(() => run(new Map([[value, 1]])), { name: 'RangeError' })
      assertSame(unpack(run([5n])), [5n])
    }
  }
})

test('int64AsType', () => {
  const safe = 2n ** 53n
  const cases = [
    // hex, bigint, number, string, auto
    ['d30000000000000005', 5n, 5, '5', 5],
    ['d3fffffffffffffffb', -5n, -5, '-5', -5],
    ['cf0000000000000005', 5n, 5, '5', 5],
    ['d30020000000000000', safe, 2 ** 53, '9007199254740992', 2 ** 53],
    ['d30020000000000001', safe + 1n, 2 ** 53, '9007199254740993', safe + 1n],
    ['d3ffe0000000000000', -safe, -(2 ** 53), '-9007199254740992', -(2 ** 53)],
    ['d3ffdfffffffffffff', -safe - 1n, -(2 ** 53), '-9007199254740993', -safe - 1n],
    ['cf0020000000000000', safe, 2 ** 53, '9007199254740992', 2 ** 53],
    ['cfffffffffffffffff', 2n ** 64n - 1n, 2 ** 64, '18446744073709551615', 2n ** 64n - 1n],
    ['d38000000000000000', -(2n ** 63n), -(2 ** 63), '-9223372036854775808', -(2n ** 63n)],
    ['d3fffffff169799be0', -62654932000n, -62654932000, '-62654932000', -62654932000],
  ]
  const types = ['bigint', 'number', 'string', 'auto']
  for (const [hex, ...values] of cases) {
    types.forEach((int64AsType, i) => {
      const unpackr = new Unpackr({ useRecords: false, int64AsType })
      assertSame(unpackr.unpack(fromHex(hex)), values[i], `${int64AsType} ${hex}`)
      assertSame(unpackr.unpack(fromHex(`92${hex}${hex}`)), [values[i], values[i]], `${int64AsType} ${hex}`)
    })
    assertSame(unpack(fromHex(hex)), values[0], hex)
    assertSame(new Unpackr({ useRecords: false, int64AsType: 'other' }).unpack(fromHex(hex)), values[0], hex)
    assertSame(new Unpackr({ useRecords: false, int64AsNumber: true }).unpack(fromHex(hex)), values[1], hex)
  }
})

test('int64AsType number keeps sign and all 53 bits', () => {
  const unpackr = new Unpackr({ useRecords: false, int64AsType: 'number' })
  for (const value of [
    -1n,
    -62654812000n,
    62654812000n,
    -4294967296n,
    -4294967297n,
    -(2n ** 53n) + 1n,
    2n ** 53n - 1n,
    -(2n ** 40n),
  ]) {
    assert.equal(unpackr.unpack(pack(value)), Number(value))
  }
})

test('64-bit integers as keys of an object', () => {
  assertSame(unpack(fromHex('81cf0020000000000001a166')), { '9007199254740993': 'f' })
  assertSame(unpack(fromHex('81d3ffffffffffffffff01')), { '-1': 1 })
})

test('fresh bigints of the engine', () => {
  const values = Array.from({ length: 200 }, (_, i) => BigInt.asIntN(64, 0x9e3779b97f4a7c15n * BigInt(i)))
  assertRoundTrip(values, 'computed bigints')
  assertRoundTrip(new BigInt64Array(values.map((v) => v)).at(-1), 'from a typed array')
})
