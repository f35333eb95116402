'use strict'

// Integers: the smallest form of each, and every form read back.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertRoundTrip } = require('../helpers/round-trip')

const BYTES = {
  0: '00',
  1: '01',
  63: '3f',
  64: '40',
  127: '7f',
  128: 'cc80',
  255: 'ccff',
  256: 'cd0100',
  65535: 'cdffff',
  65536: 'ce00010000',
  2147483647: 'ce7fffffff',
  2147483648: 'ce80000000',
  4294967295: 'ceffffffff',
  4294967296: 'cb41f0000000000000',
  9007199254740991: 'cb433fffffffffffff',
  '-1': 'ff',
  '-32': 'e0',
  '-33': 'd0df',
  '-128': 'd080',
  '-129': 'd1ff7f',
  '-32768': 'd18000',
  '-32769': 'd2ffff7fff',
  '-300000000': 'd2ee1e5d00',
  '-2147483648': 'd280000000',
  '-2147483649': 'cbc1e0000000200000',
  '-9007199254740991': 'cbc33fffffffffffff',
}

test('the bytes at each width', () => {
  for (const [text, hex] of Object.entries(BYTES)) {
    assert.equal(toHex(pack(Number(text))), hex, text)
    assert.equal(unpack(fromHex(hex)), Number(text), text)
  }
})

test('every integer from -70,000 to 70,000', () => {
  for (let first = -70_000; first <= 70_000; first += 500) {
    assertRoundTrip(
      Array.from({ length: 500 }, (_, i) => first + i),
      `from ${first}`,
    )
  }
})

test('around each power of two', () => {
  const numbers = []
  for (let power = 0; power <= 60; power++) {
    for (const near of [-2, -1, 0, 1, 2]) numbers.push(2 ** power + near, -(2 ** power) + near)
  }
  for (const number of numbers) {
    if (Object.is(number, -0)) continue
    assertRoundTrip(number, String(number))
    assertRoundTrip({ n: number, list: [number] }, String(number))
    assertRoundTrip(new Map([['n', number]]), String(number), { expected: { n: number } })
  }
  assertRoundTrip(numbers, 'all of them')
})

test('integers that the engine holds as doubles', () => {
  const doubles = [1.5, 2.5, 3.5].map((n) => n * 2)
  assert.equal(toHex(pack(doubles)), '93030507')
  const object = { x: 0.5 }
  object.x = 4
  assert.equal(toHex(pack(object)), 'de0001a17804')
  assert.equal(toHex(pack([0.5, 1, 2 ** 31, -1])), '94cb3fe000000000000001ce80000000ff')
})

test('minus zero is written as zero', () => {
  assert.equal(toHex(pack(-0)), '00')
  assert.equal(toHex(pack([-0, { a: -0 }])), '9200de0001a16100')
  const mixed = [-0, 0.5]
  assert.equal(toHex(pack(mixed)), '9200cb3fe0000000000000')
})

test('with records on, 64 to 127 take two bytes', () => {
  const packr = new Packr()
  for (let n = 0; n < 64; n++) assert.equal(toHex(packr.pack(n)), n.toString(16).padStart(2, '0'))
  for (let n = 64; n < 128; n++) {
    assert.equal(toHex(packr.pack(n)), `cc${n.toString(16)}`)
    assert.equal(packr.unpack(packr.pack(n)), n)
    assert.equal(packr.unpack(Buffer.from([n])), n)
  }
})

test('integers as keys of a Map', () => {
  const map = new Map([-1, 0, 127, 128, 65536, 2 ** 40].map((n) => [n, n]))
  assert.equal(
    toHex(pack(map)),
    '86ffff00007f7fcc80cc80ce00010000ce00010000cb4270000000000000cb4270000000000000',
  )
})

test('wider forms than needed are read', () => {
  const forms = {
    cc01: 1,
    cd0001: 1,
    ce00000001: 1,
    d001: 1,
    d10001: 1,
    d200000001: 1,
    d0ff: -1,
    d1ffff: -1,
    d2ffffffff: -1,
  }
  for (const [hex, value] of Object.entries(forms)) assert.equal(unpack(fromHex(hex)), value, hex)
  assert.equal(unpack(fromHex('cf0000000000000001')), 1n)
  assert.equal(unpack(fromHex('d3ffffffffffffffff')), -1n)
})
