'use strict'

// Keys with a meaning elsewhere in JavaScript are data like any other, in both directions.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertRoundTrip } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')

const packr = new Packr({ useRecords: false })
const varied = new Packr({ useRecords: false, variableMapSize: true })
const referring = new Packr({ useRecords: false, structuredClone: true })
const bundling = new Packr({ useRecords: false, bundleStrings: true })
const FORMS = [
  ['module', pack, unpack],
  ['packr', packr.pack, (bytes) => packr.unpack(bytes)],
  ['variableMapSize', varied.pack, (bytes) => varied.unpack(bytes)],
  ['references', referring.pack, (bytes) => referring.unpack(bytes)],
  ['bundled strings', bundling.pack, (bytes) => bundling.unpack(bytes)],
]

const NAMES = [
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'length',
  'name',
  'then',
  '__keys__',
  '__defineGetter__',
  '__lookupSetter__',
  'isPrototypeOf',
  '__proto',
  '_',
  '$',
  'undefined',
  'null',
  'NaN',
  'default',
  'class',
  'if',
  'with space',
  'quote"',
  "apostrophe'",
  'back\\slash',
  'new\nline',
  '\u2028',
  '`',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a key that would do harm in generated code
  '${x}',
  '',
  ' ',
  '0',
  '-0',
  '1.0',
]

test('every odd name round trips', () => {
  for (const name of NAMES) {
    for (let i = 0; i < 6; i++) assertRoundTrip({ [name]: i, a: 'x' }, name)
    assertRoundTrip([{ before: 1, [name]: { [name]: [null] } }, { [name]: 2 }], name)
  }
  assertRoundTrip(Object.fromEntries(NAMES.map((name, i) => [name, i])), 'all of them')
})

for (const [label, run, read] of FORMS) {
  test(`${label}: __proto__ becomes an own property, as JSON.parse makes it`, () => {
    const hostile = JSON.parse('{"__proto__":{"admin":true},"name":"x"}')
    for (let i = 0; i < 6; i++) {
      const map = new Map([
        ['__proto__', { admin: true }],
        ['name', 'x'],
      ])
      for (const result of [read(run(hostile)), read(run([hostile, hostile]))[1], read(run(map))]) {
        assert.equal(Object.getPrototypeOf(result), Object.prototype)
        assert.equal(result.admin, undefined)
        assert.equal(result.name, 'x')
        assert.deepEqual(Object.keys(result), ['__proto__', 'name'])
        const property = Object.getOwnPropertyDescriptor(result, '__proto__')
        assert.deepEqual(property, {
          value: { admin: true },
          writable: true,
          enumerable: true,
          configurable: true,
        })
      }
    }
    assert.equal({}.admin, undefined)
  })

  test(`${label}: __proto__ and __proto_ in one object`, () => {
    const value = JSON.parse('{"__proto__":1,"__proto_":2,"a":3}')
    for (let i = 0; i < 6; i++) assertSame(read(run(value)), value)
  })

  test(`${label}: __proto__ with a primitive, null or array`, () => {
    for (const text of ['null', '5', '"text"', '[1]', '{}']) {
      const value = JSON.parse(`{"a":1,"__proto__":${text},"z":2}`)
      for (let i = 0; i < 5; i++)
        assertSame(
          read(run([value, value, { a: 1 }])),
          [value, JSON.parse(JSON.stringify(value)), { a: 1 }],
          text,
          { copies: true },
        )
    }
  })

  test(`${label}: an own property named constructor is data`, () => {
    for (const Class of [Array, Map, Object, Set, Date, Buffer, RegExp]) {
      const value = { constructor: Class, a: 2, b: 'x' }
      assertSame(read(run(value)), { constructor: undefined, a: 2, b: 'x' })
      assertSame(read(run([value, { a: 1 }])), [{ constructor: undefined, a: 2, b: 'x' }, { a: 1 }])
    }
    for (const data of [1, null, 'Array', { name: 'Array' }]) {
      assertSame(read(run({ constructor: data, a: 2 })), { constructor: data, a: 2 })
    }
    assertSame(read(run(Object.assign([1, 2], { constructor: Object }))), [1, 2])
    assertSame(read(run(Object.assign(new Map([[1, 2]]), { constructor: Object }))), { 1: 2 })
  })

  test(`${label}: hasOwnProperty as data`, () => {
    assert.deepEqual(Object.entries(read(run({ hasOwnProperty: 1, a: 2 }))), [
      ['hasOwnProperty', 1],
      ['a', 2],
    ])
    for (const data of [null, 'text', 0, [1]])
      assertSame(read(run({ hasOwnProperty: data, a: 2 })), { hasOwnProperty: data, a: 2 })
  })
}

test('inherited setters are not called', () => {
  let called = 0
  const names = ['zzRank', '5', 'constructor_']
  for (const name of names) {
    Object.defineProperty(Object.prototype, name, {
      configurable: true,
      get: () => 'inherited',
      set() {
        called++
      },
    })
  }
  try {
    for (let i = 0; i < 6; i++) {
      const bytes = fromHex('84 a67a7a52616e6b05 a13506 ac636f6e7374727563746f725f07 a16101')
      for (const result of [unpack(bytes), packr.unpack(bytes)]) {
        assert.equal(called, 0)
        for (const [name, value] of [
          ['zzRank', 5],
          ['5', 6],
          ['constructor_', 7],
          ['a', 1],
        ]) {
          const property = Object.getOwnPropertyDescriptor(result, name)
          assert.deepEqual(property, { value, writable: true, enumerable: true, configurable: true }, name)
        }
      }
    }
  } finally {
    for (const name of names) delete Object.prototype[name]
  }
})

test('a read-only property of Object.prototype does not stop a key', () => {
  Object.defineProperty(Object.prototype, 'zzFixed', {
    configurable: true,
    value: 'inherited',
    writable: false,
  })
  try {
    for (let i = 0; i < 6; i++) {
      const result = unpack(fromHex('82a77a7a466978656405a16101'))
      assert.deepEqual(Object.entries(result), [
        ['zzFixed', 5],
        ['a', 1],
      ])
    }
  } finally {
    delete Object.prototype.zzFixed
  }
})

test('scalar keys become property names, or keep their type in a Map', () => {
  const bytes = fromHex('8601a161ffa162c0a163c3a164cb3ff8000000000000a165cf0020000000000001a166')
  assertSame(unpack(bytes), { 1: 'a', '-1': 'b', null: 'c', true: 'd', 1.5: 'e', '9007199254740993': 'f' })
  const map = new Unpackr({ mapsAsObjects: false, useRecords: false }).unpack(bytes)
  assertSame(
    map,
    new Map([
      [1, 'a'],
      [-1, 'b'],
      [null, 'c'],
      [true, 'd'],
      [1.5, 'e'],
      [9007199254740993n, 'f'],
    ]),
  )
  const others = {
    '81c201': 'false',
    '81d4000001': 'undefined',
    '81cb7ff800000000000001': 'NaN',
    '81cb7ff000000000000001': 'Infinity',
    '81cb800000000000000001': '0',
    '81cb7e37e43c8800759c01': '1e+300',
    '81ca3fc0000001': '1.5',
    '81cd010001': '256',
    '81d0df01': '-33',
  }
  for (const [hex, key] of Object.entries(others)) assertSame(unpack(fromHex(hex)), { [key]: 1 }, hex)
})

test('other keys are refused in objects and kept in maps', () => {
  const message =
    'Invalid property type for record: object. A MessagePack map with non-string keys can be decoded as a Map with mapsAsObjects: false'
  const maps = new Unpackr({ mapsAsObjects: false, useRecords: false })
  const keys = {
    90: [],
    9101: [1],
    80: new Map(),
    c40161: Buffer.from('a'),
    d6ff00000000: new Date(0),
    c1: unpack(fromHex('c1')),
  }
  for (const [hex, key] of Object.entries(keys)) {
    assert.throws(() => unpack(fromHex(`81${hex}01`)), { name: 'Error', message }, hex)
    assert.throws(
      () => unpack(fromHex(`82a16101${hex}01`)),
      (error) => error.message === message && !('incomplete' in error),
      hex,
    )
    assertSame(maps.unpack(fromHex(`81${hex}01`)), new Map([[key, 1]]), hex)
  }
  assertSame(unpack(fromHex('81a16101')), { a: 1 })
})

test('of duplicate keys the last wins, at the first one’s place', () => {
  assertSame(unpack(fromHex('82a16101a16102')), { a: 2 })
  for (let i = 0; i < 6; i++) assertSame(unpack(fromHex('84a16101a16202a16103a16304')), { a: 3, b: 2, c: 4 })
  assertSame(unpack(fromHex('83a131010102a16103')), { 1: 2, a: 3 })
  assertSame(packr.unpack(fromHex('8301a1610101a16202')), { 1: 1, b: 2 })
  const maps = new Unpackr({ mapsAsObjects: false, useRecords: false })
  assertSame(maps.unpack(fromHex('82a16101a16102')), new Map([['a', 2]]))
})

test('keys in every string form', () => {
  for (const hex of [
    '81a16101',
    '81d9016101',
    '81da00016101',
    '81db000000016101',
    'de0001a16101',
    'df00000001d9016101',
  ]) {
    assertSame(unpack(fromHex(hex)), { a: 1 }, hex)
  }
  assertSame(unpack(fromHex('81a0 01')), { '': 1 })
  assertSame(unpack(fromHex('81a2c328 01')), { '\ufffd(': 1 })
})

test('the same shape read over and over', () => {
  const bytes = pack(
    Array.from({ length: 50 }, (_, i) => ({ id: i, 'odd-name': [{ id: -i - 1, n: i }], __proto: 1 })),
  )
  const first = unpack(bytes)
  for (let i = 0; i < 50; i++) assertSame(unpack(bytes), first)
  assert.equal(toHex(pack(first)), toHex(bytes))
})
