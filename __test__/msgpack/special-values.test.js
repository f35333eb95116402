'use strict'

// Small values, and objects of the language that are no data.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr, C1 } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const packr = new Packr({ useRecords: false })

test('null, booleans and undefined', () => {
  const bytes = [
    [null, 'c0'],
    [false, 'c2'],
    [true, 'c3'],
    [undefined, 'd40000'],
  ]
  for (const [value, hex] of bytes) {
    assert.equal(toHex(pack(value)), hex)
    assert.equal(toHex(pack([value, value])), `92${hex}${hex}`)
    assert.equal(toHex(pack({ a: value })), `de0001a161${hex}`)
    assert.equal(toHex(pack(new Map([[value, value]]))), `81${hex}${hex}`)
    assert.equal(unpack(fromHex(hex)), value)
  }
  assertSame(unpack(pack({ a: undefined, b: [undefined, null] })), { a: undefined, b: [undefined, null] })
})

test('undefined in every form', () => {
  for (const hex of ['d40000', 'd400ff', 'c70000', 'c7010055', 'd5000102', 'd60001020304']) {
    assert.equal(unpack(fromHex(hex)), undefined, hex)
    assertSame(unpack(fromHex(`92${hex}01`)), [undefined, 1], hex)
  }
})

test('nothing given is undefined', () => {
  assert.equal(toHex(pack()), 'd40000')
})

test('functions and classes are undefined', () => {
  const functions = [
    () => 1,
    function named() {},
    class Made {},
    async () => 1,
    function* () {},
    Math.max,
    new Proxy(() => 1, {}),
  ]
  for (const value of functions) {
    assert.equal(toHex(pack(value)), 'd40000')
    assert.equal(toHex(pack({ f: value, a: [value] })), 'de0002a166d40000a16191d40000')
  }
  assert.equal(toHex(pack(Object.assign(() => 1, { a: 1 }))), 'd40000')
})

test('a function with toJSON is its answer', () => {
  assert.equal(toHex(pack(Object.assign(() => 1, { toJSON: () => 'fj' }))), 'a2666a')
  class Named {
    field = 1
    static toJSON() {
      return 'Named'
    }
  }
  assert.equal(toHex(pack({ c: Named })), 'de0001a163a54e616d6564')
})

test('a symbol is refused anywhere', () => {
  const symbol = Symbol('x')
  for (const value of [
    symbol,
    [symbol],
    { a: symbol },
    new Map([[symbol, 1]]),
    new Map([[1, symbol]]),
    new Set([symbol]),
    [1, 'x', { a: [symbol] }],
  ]) {
    for (const run of [pack, packr.pack]) {
      assert.throws(() => run(value), { name: 'Error', message: 'Unknown type: symbol' })
      assertSame(unpack(run(['next'])), ['next'])
    }
  }
})

test('C1 is the byte c1', () => {
  assert.equal(toHex(pack(C1)), 'c1')
  assert.equal(toHex(pack([C1, { a: C1 }])), '92c1de0001a161c1')
  assertSame(unpack(fromHex('93c101c1')), [C1, 1, C1])
})

test('boxed primitives are objects', () => {
  assert.equal(toHex(pack(new String('hi'))), 'de0002a130a168a131a169')
  assert.equal(toHex(pack(new String(''))), 'de0000')
  for (const primitive of [5, true, 5n, Symbol('s')]) assert.equal(toHex(pack(Object(primitive))), 'de0000')
  assert.equal(toHex(pack(Object.assign(new Number(5), { extra: 1 }))), 'de0001a5657874726101')
})

test('objects of the language without data of their own', () => {
  const generator = (function* () {
    yield 1
  })()
  const empties = [
    Promise.resolve(1),
    new WeakMap(),
    new WeakSet(),
    new WeakRef({}),
    generator,
    Math,
    Intl,
    new Intl.NumberFormat('en'),
    [][Symbol.iterator](),
    new URLSearchParams('a=1'),
    globalThis.Reflect,
  ]
  for (const value of empties)
    assert.equal(toHex(pack(value)), 'de0000', Object.prototype.toString.call(value))
})

test('an object with an iterator is its own keys', () => {
  assert.equal(toHex(pack({ [Symbol.iterator]: function* () {}, a: 1 })), 'de0001a16101')
})

test('URL is its text', () => {
  assert.equal(toHex(pack(new URL('http://a/b'))), 'aa687474703a2f2f612f62')
})

test('encodeUndefinedAsNil', () => {
  const nil = new Packr({ useRecords: false, encodeUndefinedAsNil: true })
  assert.equal(toHex(nil.pack(undefined)), 'c0')
  assert.equal(toHex(nil.pack([undefined, () => 1, class {}, null])), '94c0c0c0c0')
  assert.equal(toHex(nil.pack({ a: undefined })), 'de0001a161c0')
  assertSame(nil.unpack(nil.pack({ a: undefined, b: [undefined, 1] })), { a: null, b: [null, 1] })
  // biome-ignore lint/suspicious/noSparseArray: holes are the subject
  assert.equal(toHex(nil.pack([, 1])), '92c001')
})
