'use strict'

// Functions and classes: undefined, or what `writeFunction` writes in their place.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const packrOf = (writeFunction, options) => new Packr({ writeFunction, ...options })
function named() {}
class Made {}

test('without the option', () => {
  const functions = [
    named,
    Made,
    () => 1,
    async () => {},
    function* generator() {},
    Math.max,
    named.bind(null),
    new Proxy(named, {}),
  ]
  for (const fn of functions) {
    for (const packr of [
      { pack, unpack },
      new Packr(),
      new Packr({ structures: [] }),
      new Packr({ moreTypes: true }),
    ]) {
      assert.equal(toHex(packr.pack(fn)), 'd40000')
      assertSame(packr.unpack(packr.pack({ run: fn, n: 1 })), { run: undefined, n: 1 })
    }
  }
  assert.equal(toHex(new Packr({ encodeUndefinedAsNil: true }).pack([named, undefined])), '92c0c0')
})

test('what is written in place', () => {
  const packr = packrOf((fn) => ({ $fn: fn.name }))
  assertSame(packr.unpack(packr.pack({ f: named, list: [Made] })), {
    f: { $fn: 'named' },
    list: [{ $fn: 'Made' }],
  })
  assert.equal(toHex(packrOf(() => undefined).pack(named)), 'd40000')
  assert.equal(toHex(packrOf(() => undefined, { encodeUndefinedAsNil: true }).pack(named)), 'c0')
  assert.equal(toHex(packrOf(() => null).pack(named)), 'c0')
  assert.equal(toHex(packrOf(() => [1, 'a', new Date(0)]).pack(named)), '9301a161d6ff00000000')
  assert.equal(toHex(packrOf((fn) => fn.name).pack([named, Made])), '92a56e616d6564a44d616465')
})

test('in every place', () => {
  const packr = packrOf(() => 'fn', { moreTypes: true })
  const value = [
    named,
    { a: named },
    new Map([['k', named]]),
    new Set([named]),
    new Error('e', { cause: named }),
  ]
  assertSame(packr.unpack(packr.pack(value)), [
    'fn',
    { a: 'fn' },
    new Map([['k', 'fn']]),
    new Set(['fn']),
    new Error('e', { cause: 'fn' }),
  ])
  assert.equal(toHex(packr.pack(new Map([[named, 1]]))), '81a2666e01')
})

test('how it is called', () => {
  const calls = []
  function writeFunction(...args) {
    calls.push({ receiver: this, args })
    return 1
  }
  for (const options of [{}, { useRecords: false }, { structures: [] }, { structuredClone: true }]) {
    const packr = packrOf(writeFunction, options)
    packr.pack([named, { a: Made }])
    assert.deepEqual(
      calls.map(({ args }) => args),
      [[named], [Made]],
    )
    for (const { receiver } of calls) assert.equal(receiver, packr)
    calls.length = 0
  }
})

test('what it throws', () => {
  const mine = new TypeError('no functions')
  const packr = packrOf(() => {
    throw mine
  })
  const earlier = packr.pack([1])
  for (const value of [named, [() => 1], { a: { b: Made } }]) {
    assert.throws(
      () => packr.pack(value),
      (error) => error === mine,
    )
    assert.equal(toHex(packr.pack([1])), '9101')
  }
  assert.equal(toHex(earlier), '9101')
  assert.throws(() => packrOf(() => Symbol('no')).pack(named), { message: 'Unknown type: symbol' })
  assert.throws(() => packrOf(() => 2n ** 64n).pack(named), RangeError)
  assert.throws(() => packrOf(5).pack(named), TypeError)
})

test('a function in place of a function', () => {
  let left = 5
  assert.equal(toHex(packrOf((fn) => (--left > 0 ? fn : 'at last')).pack(named)), 'a76174206c617374')
  const endless = packrOf((fn) => fn)
  assert.throws(() => endless.pack([named]), RangeError)
  assert.equal(toHex(endless.pack([1])), '9101')
})

test('what packs when it is called', () => {
  const packr = packrOf((fn) => toHex(packr.pack({ name: fn.name })))
  const hex = toHex(new Packr().pack({ name: 'named' }))
  assertSame(packr.unpack(packr.pack([{ name: 1 }, named, { name: 2 }])), [{ name: 1 }, hex, { name: 2 }])
})

test('toJSON of a function comes first', () => {
  const fn = Object.assign(() => 1, { toJSON: () => 'json' })
  assert.equal(toHex(pack(fn)), 'a46a736f6e')
  assert.equal(toHex(packrOf(() => 1).pack(fn)), 'a46a736f6e')
  assert.equal(toHex(packrOf(() => 1, { useToJSON: false }).pack(fn)), '01')
  class Described {}
  Described.toJSON = () => ({ class: 'Described' })
  assertSame(unpack(pack([Described])), [{ class: 'Described' }])
})

test('references to functions', () => {
  const packr = packrOf((fn) => ({ fn: fn.name }), { structuredClone: true })
  const bytes = packr.pack([named, named, Made])
  assert.equal(toHex(bytes), '93d66900000001d4724091a2666ea56e616d6564d6700000000140a44d616465')
  const [first, second, third] = packr.unpack(bytes)
  assert.equal(first, second)
  assertSame(third, { fn: 'Made' })
})

test('it is looked at when a value is packed', () => {
  const packr = new Packr()
  assert.equal(toHex(packr.pack(named)), 'd40000')
  packr.writeFunction = () => 1
  assert.equal(toHex(packr.pack(named)), '01')
  packr.writeFunction = () => 2
  assert.equal(toHex(packr.pack(named)), '02')
  packr.writeFunction = undefined
  assert.equal(toHex(packr.pack(named)), 'd40000')
})

test('symbols are refused all the same', () => {
  for (const packr of [packrOf(() => 1), new Packr()])
    for (const value of [Symbol('s'), [Symbol.iterator], { a: Symbol.for('s') }])
      assert.throws(() => packr.pack(value), { name: 'Error', message: 'Unknown type: symbol' })
})
