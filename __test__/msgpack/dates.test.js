'use strict'

// Dates: the timestamp extension in its smallest form, to the millisecond.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertRoundTrip } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')

const TIMES = [
  0,
  1,
  500,
  999,
  1000,
  1500,
  -1,
  -999,
  -1000,
  -1500,
  1700000000123,
  1532219539000,
  1532219539733,
  2 ** 32 * 1000 - 1000,
  2 ** 32 * 1000 - 1,
  2 ** 32 * 1000,
  2 ** 34 * 1000 - 1,
  2 ** 34 * 1000,
  253402300799999,
  -62135596800000,
  8.64e15,
  -8.64e15,
]

test('times in every form', () => {
  for (const time of TIMES) {
    assertRoundTrip(new Date(time), String(time))
    assertRoundTrip([new Date(time), 'after', { at: new Date(time) }], String(time))
  }
})

test('a walk through the centuries', () => {
  assertRoundTrip(
    Array.from({ length: 3000 }, (_, i) => new Date(-6e13 + i * 86399977777)),
    'dates',
  )
  assertRoundTrip(
    Array.from({ length: 3000 }, (_, i) => new Date(1.6e12 + i * 86399977)),
    'recent dates',
  )
})

test('an invalid date', () => {
  assert.equal(toHex(pack(new Date(NaN))), 'd4ffff')
  assertSame(unpack(pack([new Date(NaN), 'after'])), [new Date(NaN), 'after'])
})

test('dates that lazily computed their fields', () => {
  const date = new Date(2020, 1, 29, 12, 30, 15, 250)
  date.getFullYear()
  date.setMilliseconds(3)
  assertRoundTrip(date, 'changed date')
})

test('subclasses, own properties and toJSON', () => {
  class Stamp extends Date {}
  class Day extends Date {
    toJSON() {
      return 'day'
    }
  }
  assert.equal(toHex(pack(new Stamp(0))), 'd6ff00000000')
  assert.equal(toHex(pack(new Day(0))), 'a3646179')
  assert.equal(toHex(pack(Object.assign(new Date(0), { toJSON: () => 'own', extra: 1 }))), 'd6ff00000000')
})

test('timestamps of 32, 64 and 96 bits', () => {
  const forms = {
    d6ff00000000: 0,
    d6ff5b53d093: 1532219539000,
    d6ffffffffff: 4294967295000,
    d7ff003d090000000000: 1,
    d7ff0000000000000001: 1000,
    d7ffaec2c5005b53d093: 1532219539733,
    d7ffee2e1f03ffffffff: 17179869183999,
    c70cff000000000000000400000000: 17179869184000,
    c70cff00000000ffffffffffffffff: -1000,
    c70cff3b8b87c0ffffffffffffffff: -1,
    c70cff00000000fffff82457de8000: -8640000000000000,
  }
  for (const [hex, time] of Object.entries(forms)) assertSame(unpack(fromHex(hex)), new Date(time), hex)
})

test('digits below the millisecond are cut', () => {
  assertSame(unpack(fromHex('d7ffee6b27fc00000001')), new Date(1999))
  assertSame(unpack(fromHex('c70cff3b9ac9ff0000000000000001')), new Date(1999))
})

test('wider headers and other lengths', () => {
  assertSame(unpack(fromHex('c704ff00000001')), new Date(1000))
  assertSame(unpack(fromHex('c80004ff00000001')), new Date(1000))
  assertSame(unpack(fromHex('c900000008ff0000000000000001')), new Date(1000))
  for (const hex of [
    'd4ff00',
    'd5ff0000',
    'c700ff',
    'c703ff000000',
    'd8ff00000000000000000000000000000000',
  ]) {
    assertSame(unpack(fromHex(hex)), new Date(NaN), hex)
  }
})
