'use strict'

// Floats: 64 bits unless useFloat32 allows 32, and decimal rounding on the way back.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr, Unpackr, FLOAT32_OPTIONS, roundFloat32 } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertRoundTrip } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')

const { NEVER, ALWAYS, DECIMAL_ROUND, DECIMAL_FIT } = FLOAT32_OPTIONS
const packrWith = (useFloat32) => new Packr({ useRecords: false, useFloat32 })

function float32Hex(number) {
  const bytes = Buffer.alloc(5, 0xca)
  bytes.writeFloatBE(number, 1)
  return toHex(bytes)
}

function float64Hex(number) {
  const bytes = Buffer.alloc(9, 0xcb)
  bytes.writeDoubleBE(number, 1)
  return toHex(bytes)
}

const FRACTIONS = [
  0.5,
  1.5,
  -1.5,
  0.1,
  -0.1,
  3.14,
  7.99,
  1e-7,
  5e-324,
  2.2250738585072014e-308,
  1e300,
  1.7976931348623157e308,
  Math.PI,
  1 / 3,
  1.0000000000000002,
  123456789.125,
  4294967295.5,
  -2147483648.5,
]

test('fractions take 64 bits', () => {
  for (const number of FRACTIONS) {
    assertRoundTrip(number, String(number))
    assertRoundTrip([number, { number }], String(number))
  }
})

test('NaN and the infinities', () => {
  assert.equal(toHex(pack(NaN)), 'cb7ff8000000000000')
  assert.equal(toHex(pack(Infinity)), 'cb7ff0000000000000')
  assert.equal(toHex(pack(-Infinity)), 'cbfff0000000000000')
  assertSame(unpack(pack([NaN, Infinity, -Infinity, { n: NaN }])), [NaN, Infinity, -Infinity, { n: NaN }])
})

test('a NaN of any bits is a NaN', () => {
  for (const bits of ['7ff0000000000001', 'fff8000000000000', '7fffffffffffffff', '7ff4000000000000']) {
    const strange = fromHex(bits).readDoubleBE(0)
    assertSame(unpack(pack([strange, 0.5])), [NaN, 0.5], bits)
    assert.equal(pack(strange).length, 9)
    assert.ok(Number.isNaN(unpack(fromHex(`cb${bits}`))), bits)
  }
})

test('32-bit floats are read exactly', () => {
  const forms = {
    ca40b33333: 5.599999904632568,
    ca00000000: 0,
    ca80000000: -0,
    ca7f800000: Infinity,
    caff800000: -Infinity,
    ca7fc00000: NaN,
    ca00000001: 1.401298464324817e-45,
    ca3f800000: 1,
    cb8000000000000000: -0,
    cb3ff0000000000000: 1,
  }
  for (const [hex, value] of Object.entries(forms)) assertSame(unpack(fromHex(hex)), value, hex)
})

test('ALWAYS: 32 bits for what lies in the range of 32-bit integers', () => {
  for (const mode of [ALWAYS, DECIMAL_ROUND, true, 2, 0.5]) {
    const packr = packrWith(mode)
    for (const number of FRACTIONS) {
      const fits = number >= -(2 ** 31) && number < 2 ** 32
      assert.equal(
        toHex(packr.pack(number)),
        fits ? float32Hex(number) : float64Hex(number),
        `${mode} ${number}`,
      )
    }
    for (const number of [NaN, Infinity, -Infinity, 2 ** 32, -(2 ** 31) - 1]) {
      assert.equal(toHex(packr.pack(number)), float64Hex(number), `${mode} ${number}`)
    }
    assert.equal(toHex(packr.pack([1, -1, 2 ** 31])), '9301ffce80000000')
  }
})

test('NEVER and absence: 64 bits', () => {
  for (const mode of [NEVER, undefined, null, false]) {
    for (const number of FRACTIONS) assert.equal(toHex(packrWith(mode).pack(number)), float64Hex(number))
  }
})

test('only modes above two round what they read', () => {
  const hex = 'ca40b33333'
  for (const [mode, value] of [
    [0, 5.599999904632568],
    [1, 5.599999904632568],
    [2, 5.599999904632568],
    [3, 5.6],
    [4, 5.6],
    [5, 5.6],
  ]) {
    assert.equal(
      new Unpackr({ useRecords: false, useFloat32: mode }).unpack(fromHex(hex)),
      value,
      String(mode),
    )
  }
})

test('DECIMAL_FIT: what is packed comes back the same, in five bytes where seven digits suffice', () => {
  const packr = packrWith(DECIMAL_FIT)
  const prices = [
    0.5,
    7.99,
    -7.99,
    3.14,
    0.1,
    100.01,
    59.48,
    130.667,
    3.666667,
    99999.9,
    1234567.8,
    0.1 + 0.2,
    1e-7,
    Math.PI,
    1 / 3,
    4294967295.5,
    -0.12,
  ]
  for (const price of prices) assert.equal(packr.unpack(packr.pack(price)), price, String(price))
  assertSame(packr.unpack(packr.pack({ prices })), { prices })
  assert.equal(packr.pack(7.99).length, 5)
  assert.equal(packr.pack(Math.PI).length, 9)
  for (let cents = -20_000; cents < 20_000; cents += 7) {
    const price = cents / 100
    assert.equal(packr.unpack(packr.pack(price)), price)
  }
})

test('DECIMAL_FIT: 32 bits exactly when the decimal multiplier gives a 32-bit integer', () => {
  const packr = packrWith(DECIMAL_FIT)
  const fits = (number) => {
    const exponent = (fromHex(float32Hex(number)).readUInt32BE(1) >>> 23) & 0xff
    const scaled = number * Number(`1e${Math.floor(45.15 - 0.30103 * exponent)}`)
    return scaled === (scaled | 0)
  }
  for (let i = -5000; i < 5000; i++) {
    for (const number of [i / 100 + 0.005, i / 7, i * 1.25 + 0.1, (i * 3571) / 1000]) {
      if (Number.isInteger(number)) continue
      assert.equal(
        toHex(packr.pack(number)),
        fits(number) ? float32Hex(number) : float64Hex(number),
        String(number),
      )
    }
  }
})

test('DECIMAL_ROUND reads the decimal that was meant', () => {
  const packr = packrWith(DECIMAL_ROUND)
  for (const price of [0.1, 7.99, -7.99, 0.00333, 100.01, 99999.9])
    assert.equal(packr.unpack(packr.pack(price)), price)
  for (const number of [1.1234567890123, 123456.789, 4294967295.5]) {
    assert.equal(packr.unpack(packr.pack(number)), roundFloat32(Math.fround(number)))
  }
})

test('rounding leaves NaN and the infinities as they are', () => {
  for (const useFloat32 of [DECIMAL_ROUND, DECIMAL_FIT]) {
    const unpackr = new Unpackr({ useRecords: false, useFloat32 })
    assertSame(unpackr.unpack(fromHex('93ca7fc00000ca7f800000caff800000')), [NaN, Infinity, -Infinity])
    assertSame(
      unpackr.unpack(fromHex('94ca40ffae14ca3fc00000ca00000000cacf000000')),
      [7.99, 1.5, 0, -2147484000],
    )
    assertSame(unpackr.unpack(fromHex('cb3fb999999999999a')), 0.1)
  }
})

test('arrays of doubles', () => {
  assertRoundTrip(
    Array.from({ length: 3000 }, (_, i) => i / 7),
    'packed doubles',
  )
  assertRoundTrip(
    Array.from({ length: 100 }, (_, i) => (i % 3 === 0 ? i : i + 0.25)),
    'doubles and integers',
  )
})

test('random bit patterns survive', () => {
  const bytes = Buffer.alloc(8)
  for (let i = 1; i < 4000; i++) {
    bytes.writeUInt32BE(Math.imul(i, 2654435761) >>> 0, 0)
    bytes.writeUInt32BE(Math.imul(i, 40503) >>> 0, 4)
    const number = bytes.readDoubleBE(0)
    if (!Object.is(number, -0)) assertSame(unpack(pack(number)), number)
  }
})
