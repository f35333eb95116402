'use strict'

// Plain objects in every shape and representation the engine has for them.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertRoundTrip } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')
const { randomFrom } = require('../helpers/seed')

const withKeys = (count, prefix = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [prefix + i, i]))

test('numbers of keys around every header boundary', () => {
  for (const count of [0, 1, 2, 14, 15, 16, 17, 100, 127, 128, 129, 255, 256, 1019, 1020, 1021, 1030, 2000]) {
    assertRoundTrip(withKeys(count), `${count} keys`)
    assertRoundTrip([withKeys(count), withKeys(count)], `${count} keys, twice`)
  }
})

test('more keys than a 16-bit header holds', () => {
  assertRoundTrip(withKeys(70_000), '70,000 keys')
  assert.equal(toHex(pack(withKeys(65_536)).subarray(0, 5)), 'df00010000')
  assert.equal(toHex(pack(withKeys(65_535)).subarray(0, 3)), 'deffff')
  assertSame(unpack(pack({ a: [1] })), { a: [1] })
})

test('integer-like keys come first, ascending', () => {
  assert.equal(toHex(pack({ b: 1, 2: 2, 1: 3 })), 'de0003a13103a13202a16201')
  assertRoundTrip(
    { z: 0, 10: 1, 9: 2, '-1': 3, '01': 4, 1.5: 5, 4294967294: 6, 4294967295: 7, a: 8 },
    'mixed keys',
  )
  assertRoundTrip({ 0: 'a', 1: 'b', 2: 'c' }, 'dense')
  assertRoundTrip({ 100000: 'far', 5: 'near' }, 'far apart')
  assertRoundTrip({ 0: 0.5, 1: 1.5, x: 1 }, 'double elements')
})

test('properties of every field representation', () => {
  const make = (value) => ({ first: 1, value, last: 'x' })
  const values = [1, 2 ** 31, 0.5, -0.5, 'text', null, undefined, true, [1], { a: 1 }, 5n, NaN, 2 ** 53]
  for (const value of values) assertRoundTrip(make(value), String(value))
  for (const value of values) {
    const object = make(1)
    object.value = value
    assertRoundTrip(object, `assigned ${String(value)}`)
  }
})

test('objects that gained and lost properties', () => {
  const object = {}
  for (let i = 0; i < 200; i++) {
    object[`key${i}`] = i
    assertRoundTrip(object, `${i} keys`)
  }
  for (let i = 0; i < 200; i += 2) delete object[`key${i}`]
  assertRoundTrip(object, 'after deletions')
  object.key0 = 'again, now last'
  assertRoundTrip(object, 'after an insertion')
  for (const key of Object.keys(object)) delete object[key]
  assertRoundTrip(object, 'emptied')
  const last = { a: 1, b: 2, c: 3 }
  delete last.c
  assertRoundTrip(last, 'last one deleted')
})

test('dictionary objects keep their order', () => {
  const object = withKeys(3000)
  delete object.k0
  object.k0 = 'last'
  for (let i = 1; i < 3000; i += 7) delete object[`k${i}`]
  for (let i = 1; i < 3000; i += 21) object[`k${i}`] = { again: i }
  object[5] = 'element'
  assertRoundTrip(object, 'dictionary')
  const numbered = {}
  for (let i = 5000; i > 0; i -= 13) numbered[i * 1000] = i
  assertRoundTrip(numbered, 'numeric dictionary')
})

test('frozen, sealed and not extensible objects', () => {
  assertRoundTrip(Object.freeze({ a: 1, b: { c: 'x' } }), 'frozen')
  assertRoundTrip(Object.seal({ a: 1, 5: 'e' }), 'sealed')
  assertRoundTrip(Object.preventExtensions({ a: 0.5 }), 'not extensible')
})

test('read-only and hidden properties, symbols', () => {
  const object = Object.defineProperties(
    { a: 1 },
    {
      hidden: { value: 2 },
      fixed: { value: 3, enumerable: true },
      [Symbol('s')]: { value: 4, enumerable: true },
    },
  )
  object.z = 5
  assertRoundTrip(object, 'object', { like: { a: 1, fixed: 3, z: 5 }, expected: { a: 1, fixed: 3, z: 5 } })
})

test('inherited properties are dropped', () => {
  const object = Object.assign(Object.create({ inherited: 1 }), { own: 2 })
  assert.equal(toHex(pack(object)), 'de0001a36f776e02')
  Object.prototype.everywhere = 1
  try {
    assert.equal(toHex(pack([{ a: 1 }, object])), '92de0001a16101de0001a36f776e02')
  } finally {
    delete Object.prototype.everywhere
  }
})

test('objects without a prototype', () => {
  const bare = Object.assign(Object.create(null), { items: '[1]', n: 1 })
  assertRoundTrip([bare, Object.create(null)], 'bare', { expected: [{ items: '[1]', n: 1 }, {}] })
})

test('getters run once and in order', () => {
  const packr = new Packr({ useRecords: false, variableMapSize: true })
  for (const run of [pack, packr.pack]) {
    const calls = []
    const traced = (name, value) => ({
      get [name]() {
        calls.push(name)
        return value
      },
    })
    const value = { first: 0 }
    for (const name of ['b', 'a', 'c'])
      Object.defineProperty(value, name, Object.getOwnPropertyDescriptor(traced(name, name.repeat(3)), name))
    assertSame(unpack(run([value, value])), [
      { first: 0, b: 'bbb', a: 'aaa', c: 'ccc' },
      { first: 0, b: 'bbb', a: 'aaa', c: 'ccc' },
    ])
    assert.deepEqual(calls, ['b', 'a', 'c', 'b', 'a', 'c'])
  }
})

test('a getter that adds, removes or changes properties', () => {
  const packr = new Packr({ useRecords: false, variableMapSize: true })
  for (const run of [pack, packr.pack]) {
    const removing = {
      get first() {
        delete this.second
        return 1
      },
      second: 2,
      third: 'x',
    }
    const [removed, after] = unpack(run([removing, 'after']))
    assert.equal(removed.first, 1)
    assert.equal(removed.second, undefined)
    assert.equal(removed.third, 'x')
    assert.equal(after, 'after')
    const adding = {
      get first() {
        this.added = 1
        return 1
      },
      second: 2,
    }
    const [added, next] = unpack(run([adding, 'next']))
    assert.deepEqual([added.first, added.second, next], [1, 2, 'next'])
    const changing = {
      get first() {
        this.second = { now: ['an object'] }
        return 1
      },
      second: 2,
    }
    assertSame(unpack(run([changing, 'end'])), [{ first: 1, second: { now: ['an object'] } }, 'end'])
  }
})

test('proxies', () => {
  const log = []
  const proxy = new Proxy(
    { a: 1, b: 'x' },
    {
      get(target, key) {
        if (typeof key === 'string' && Object.hasOwn(target, key)) log.push(key)
        return target[key]
      },
    },
  )
  assert.equal(toHex(pack([proxy])), '91de0002a16101a162a178')
  assert.deepEqual(log, ['a', 'b'])
  const virtual = new Proxy(
    {},
    {
      ownKeys: () => ['x', 'y'],
      getOwnPropertyDescriptor: (_, key) => ({ value: key, enumerable: true, configurable: true }),
      get: (target, key) => (key === 'x' || key === 'y' ? `virtual ${key}` : target[key]),
    },
  )
  assertSame(unpack(pack(virtual)), { x: 'virtual x', y: 'virtual y' })
})

test('the same keys in another order', () => {
  assertRoundTrip(
    [
      { a: 1, b: 2, c: 3 },
      { c: 3, b: 2, a: 1 },
      { b: 2, a: 1, c: 3 },
      { a: 1, b: 2, c: 3 },
    ],
    'orders',
  )
})

test('key sets that begin alike', () => {
  const list = []
  for (let count = 0; count < 30; count++) list.push(withKeys(count), withKeys(29 - count))
  assertRoundTrip(list, 'prefixes')
  const keys = ['a', 'ab', 'abc', 'abcd', 'b', 'ba', '', 'a\0', 'a\0b']
  assertRoundTrip(Object.fromEntries(keys.map((key, i) => [key, i])), 'keys that begin alike')
  assertRoundTrip(
    [...keys.map((key) => ({ [key]: 1 })), ...keys.map((key) => ({ [key]: 1, z: 2 }))],
    'one each',
  )
})

test('thousands of key sets, interleaved', () => {
  const random = randomFrom(7)
  const shapes = Array.from({ length: 5000 }, (_, i) =>
    Array.from({ length: 1 + (i % 6) }, () => `key${random.below(400)}`),
  )
  const rows = shapes.map((keys, i) => Object.fromEntries(keys.map((key, at) => [key, i + at])))
  assertRoundTrip(rows, 'all in one message')
  assertRoundTrip([...rows, ...rows.slice().reverse()], 'and back again')
  for (let i = 0; i < rows.length; i += 3) {
    assertSame(unpack(pack(rows[i])), rows[i])
    assertSame(
      unpack(pack([rows[i], rows[(i * 31) % 5000], rows[i]])),
      [rows[i], rows[(i * 31) % 5000], rows[i]],
      '',
      { copies: true },
    )
  }
})

test('rows of one shape whose values change kind', () => {
  const kinds = [1, 'text', null, 0.5, [1], { x: 1 }, true, undefined, 7n, new Date(5), 2 ** 40, '\u4f60']
  const rows = Array.from({ length: 500 }, (_, i) => ({
    id: i,
    value: kinds[i % kinds.length],
    again: kinds[(i * 5) % kinds.length],
  }))
  assertRoundTrip(rows, 'rows')
  for (const row of rows.slice(0, 50)) assertRoundTrip(row, 'one row')
})

test('one object in many places is written each time', () => {
  const shared = { x: 1 }
  assertSame(unpack(pack([shared, shared, { shared }])), [{ x: 1 }, { x: 1 }, { shared: { x: 1 } }])
})

test('wide and narrow keys, long keys', () => {
  assertRoundTrip(
    {
      '\u4f60\u597d': 1,
      '\u00e9': 2,
      '\u{1f600}': 3,
      ['x'.repeat(31)]: 4,
      ['x'.repeat(32)]: 5,
      ['y'.repeat(300)]: 6,
      ['z'.repeat(70_000)]: 7,
    },
    'keys',
  )
  const computed = `com${'puted'}${Math.sqrt(4)}`
  assertRoundTrip({ [computed]: 1, ['a'.concat('b'.repeat(20))]: 2 }, 'computed keys')
})

test('nesting', () => {
  let value = {}
  for (let i = 0; i < 500; i++) value = { [`level${i % 7}`]: value, i }
  assertRoundTrip(value, '500 levels')
})
