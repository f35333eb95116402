'use strict'

// Integers of more than 64 bits: refused, or what the options make of them.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const ABOVE = 2n ** 64n
const BELOW = -(2n ** 63n) - 1n

const messageOf = (value) =>
  `${value} was too large to fit in MessagePack 64-bit integer format, use useBigIntExtension, or set ` +
  'largeBigIntToFloat to convert to float-64, or set largeBigIntToString to convert to string'

test('they are refused', () => {
  for (const value of [ABOVE, BELOW, 10n ** 100n, -(10n ** 100n)]) {
    for (const packr of [
      { pack },
      new Packr(),
      new Packr({ useRecords: false }),
      new Packr({ structures: [] }),
    ]) {
      for (const place of [value, [1, value], { a: { b: value } }, new Map([[value, 1]]), new Set([value])])
        assert.throws(() => packr.pack(place), { name: 'RangeError', message: messageOf(value) })
      assert.equal(toHex(packr.pack([5n])), '91d30000000000000005')
    }
  }
})

test('the largest that need no option', () => {
  assert.equal(toHex(pack([ABOVE - 1n, BELOW + 1n])), '92cfffffffffffffffffd38000000000000000')
})

test('as floats', () => {
  const packr = new Packr({ largeBigIntToFloat: true })
  const expected = {
    [ABOVE]: 'cb43f0000000000000',
    [BELOW]: 'cbc3e0000000000000',
    [2n ** 127n - 1n]: 'cb47e0000000000000',
    [2n ** 64n + 1n]: 'cb43f0000000000000',
    [2n ** 2000n]: 'cb7ff0000000000000',
    [-(2n ** 2000n)]: 'cbfff0000000000000',
  }
  for (const [value, hex] of Object.entries(expected)) assert.equal(toHex(packr.pack(BigInt(value))), hex)
  assert.equal(toHex(packr.pack([5n, { a: ABOVE }])), '92d30000000000000005d4724091a161cb43f0000000000000')
})

test('as floats, where floats may be short', () => {
  const packr = new Packr({ largeBigIntToFloat: true, useFloat32: 1 })
  assert.equal(toHex(packr.pack(ABOVE)), 'cb43f0000000000000')
})

test('as text', () => {
  const packr = new Packr({ largeBigIntToString: true })
  assert.equal(toHex(packr.pack(ABOVE)), 'b43138343436373434303733373039353531363136')
  assert.equal(toHex(packr.pack(BELOW)), 'b42d39323233333732303336383534373735383039')
  const long = 10n ** 5000n
  assert.equal(packr.unpack(packr.pack([long]))[0], String(long))
  assert.equal(toHex(packr.pack(5n)), 'd30000000000000005')
})

test('as an extension', () => {
  for (const options of [{ useBigIntExtension: true }, { moreTypes: true }, { structuredClone: true }]) {
    const packr = new Packr(options)
    const expected = {
      [ABOVE]: 'd84200000000000000010000000000000000',
      [BELOW]: 'd842ffffffffffffffff7fffffffffffffff',
      [2n ** 71n]: 'd84200000000000000800000000000000000',
      [2n ** 72n]: 'd84200000000000001000000000000000000',
      [2n ** 127n - 1n]: 'd8427fffffffffffffffffffffffffffffff',
      [-(2n ** 127n)]: 'd84280000000000000000000000000000000',
      [2n ** 127n]: 'c71842000000000000000080000000000000000000000000000000',
      [-(2n ** 127n) - 1n]: 'c71842ffffffffffffffff7fffffffffffffffffffffffffffffff',
      [2n ** 191n]: 'c720420000000000000000800000000000000000000000000000000000000000000000',
      [-(2n ** 191n)]: 'c71842800000000000000000000000000000000000000000000000',
    }
    for (const [text, hex] of Object.entries(expected)) {
      const value = BigInt(text)
      assert.equal(toHex(packr.pack(value)), hex, text)
      assert.equal(packr.unpack(fromHex(hex)), value)
      assertSame(packr.unpack(packr.pack([value, { a: -value }, 5n])), [value, { a: -value }, 5n])
    }
    assert.equal(toHex(packr.pack(5n)), 'd30000000000000005')
  }
})

test('where padding to words ends', () => {
  const packr = new Packr({ useBigIntExtension: true })
  const lengths = [
    [2n ** 65535n - 1n, 8192],
    [2n ** 65535n, 8200],
    [2n ** 65536n - 1n, 8200],
    [-(2n ** 65535n), 8192],
    [-(2n ** 65536n), 8200],
    [2n ** 65536n, 8193],
    [-(2n ** 65536n) - 1n, 8193],
    [2n ** 65543n - 1n, 8193],
    [2n ** 65543n, 8194],
    [2n ** 100_000n, 12_501],
    [2n ** 1_000_000n, 125_001],
  ]
  for (const [value, length] of lengths) {
    const bytes = packr.pack(value)
    assert.equal(bytes.length, length + (length < 65_536 ? 4 : 6))
    assert.equal(packr.unpack(bytes), value)
  }
})

test('each size near the words', () => {
  const packr = new Packr({ useBigIntExtension: true })
  for (let bits = 64n; bits <= 330n; bits++) {
    for (const value of [
      2n ** bits,
      2n ** bits - 1n,
      -(2n ** bits),
      -(2n ** bits) - 1n,
      2n ** bits + 2n ** (bits / 2n),
    ]) {
      if (value === 2n ** 64n - 1n) continue
      const bytes = packr.pack(value)
      const payload = bytes.subarray(bytes[0] === 0xd8 ? 2 : 3)
      assert.equal(payload.length % 8, 0)
      assert.equal(BigInt.asIntN(payload.length * 8, BigInt(`0x${payload.toString('hex')}`)), value)
      assert.equal(unpack(bytes), value)
    }
  }
})

test('the first option that is set counts', () => {
  const all = {
    largeBigIntToFloat: true,
    largeBigIntToString: true,
    useBigIntExtension: true,
    moreTypes: true,
  }
  assert.equal(toHex(new Packr(all).pack(ABOVE)), 'cb43f0000000000000')
  assert.equal(
    toHex(new Packr({ ...all, largeBigIntToFloat: false }).pack(ABOVE)),
    'b43138343436373434303733373039353531363136',
  )
})

test('they are looked at when a value is packed', () => {
  const packr = new Packr()
  assert.throws(() => packr.pack(ABOVE), RangeError)
  packr.useBigIntExtension = true
  assert.equal(toHex(packr.pack(ABOVE)), 'd84200000000000000010000000000000000')
  packr.useBigIntExtension = false
  packr.largeBigIntToString = true
  assert.equal(packr.unpack(packr.pack(ABOVE)), String(ABOVE))
})

test('as keys', () => {
  const packr = new Packr({ useBigIntExtension: true })
  const map = new Map([[ABOVE, 'above']])
  assert.equal(toHex(packr.pack(map)), '81d84200000000000000010000000000000000a561626f7665')
  assertSame(packr.unpack(packr.pack(map)), map)
  assertSame(new Packr({ mapsAsObjects: true }).unpack(packr.pack(map)), { [ABOVE]: 'above' })
})
