'use strict'

// Any property name can be a key of a record, in both directions, and so can any number of them.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, unpack } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { RecordModel } = require('../helpers/record-model')
const { assertSame } = require('../helpers/same')

const NAMES = [
  '__keys__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'toJSON',
  'length',
  'name',
  'then',
  'read',
  'read0',
  'isShared',
  'highByte',
  'sharedLength',
  'transitions',
  'nextId',
  'nextOwnId',
  'uninitialized',
  'isCompatible',
  '__defineGetter__',
  'isPrototypeOf',
  'undefined',
  'null',
  'NaN',
  'class',
  'with space',
  'quote"',
  "apostrophe'",
  'back\\slash',
  'new\nline',
  '\u2028',
  '\0',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a key that would do harm in generated code
  '${x}',
  '',
  ' ',
  '0',
  '7',
  '4294967295',
  '4294967296',
  '-0',
  '1.5',
  'é',
  '日本',
  '\u{1f600}',
  'x'.repeat(31),
  'x'.repeat(32),
  'x'.repeat(300),
  '日'.repeat(70_000),
]

const packrs = () => [
  new Packr(),
  new Packr({ structures: [] }),
  new Packr({ structures: [], maxSharedStructures: 0 }),
]

function assertRecords(value, message) {
  const packr = new Packr()
  const hex = new RecordModel().pack(value)
  for (let i = 0; i < 4; i++) assert.equal(toHex(packr.pack(value)), hex, message)
  for (const reader of [packr, new Unpackr(), { unpack }]) {
    for (let i = 0; i < 5; i++)
      assertSame(reader.unpack(Buffer.from(hex, 'hex')), value, message, { copies: true })
  }
  for (const other of packrs()) {
    for (let i = 0; i < 3; i++) assertSame(other.unpack(other.pack(value)), value, message, { copies: true })
  }
}

for (const name of NAMES) {
  test(`the key ${JSON.stringify(name.length > 40 ? `${name.slice(0, 8)} and so on` : name)}`, () => {
    assertRecords({ [name]: 1 }, 'alone')
    assertRecords(
      [{ [name]: 1, a: 'x' }, { a: 2 }, { [name]: 3 }, {}, { a: 1, [name]: [2] }],
      'beside others',
    )
    assertRecords({ before: 1, [name]: { [name]: [{ [name]: null }] } }, 'nested')
  })
}

test('all names in one shape, and in as many shapes', () => {
  assertRecords(Object.fromEntries(NAMES.map((name, i) => [name, i])))
  assertRecords(NAMES.map((name, i) => ({ [name]: i })))
})

test('the keys of internal fields, in any order', () => {
  const values = [
    { __keys__: 0 },
    { a: 1, __keys__: 0 },
    { a: 1 },
    {},
    { __keys__: 1 },
    { a: 1, __keys__: [2] },
    { a: { __keys__: 3 } },
  ]
  for (const packr of packrs()) {
    for (let i = 0; i < 5; i++) {
      for (const value of values) assertSame(packr.unpack(packr.pack(value)), value)
      assertSame(packr.unpack(packr.pack(values)), values)
    }
  }
})

test('__proto__ is an own property on both sides, and never a prototype', () => {
  const value = JSON.parse('{"__proto__":{"x":1},"a":2}')
  const hex = 'd4724092a95f5f70726f746f5f5fa161d4724191a1780102'
  for (const packr of packrs()) {
    for (let i = 0; i < 6; i++) {
      const read = packr.unpack(packr.pack([value, value]))[i % 2]
      assert.equal(Object.getPrototypeOf(read), Object.prototype)
      assert.deepEqual(Object.keys(read), ['__proto__', 'a'])
      assert.deepEqual(Object.getOwnPropertyDescriptor(read, '__proto__'), {
        value: { x: 1 },
        writable: true,
        enumerable: true,
        configurable: true,
      })
      assert.equal(read.x, undefined)
    }
  }
  assert.equal(toHex(new Packr().pack(value)), hex)
  assertSame(unpack(Buffer.from(hex, 'hex')), value)
  const both = JSON.parse('[{"__proto__":1,"__proto_":2},{"__proto_":3,"__proto__":null},{"__proto__":[1]}]')
  assertRecords(both)
  assert.equal({}.x, undefined)
})

test('keys that are elements come first, in their order', () => {
  assert.equal(toHex(new Packr().pack({ 2: 1, 1: 2, a: 3 })), 'd4724093a131a132a161020103')
  assertRecords([
    { b: 1, 10: 2, 9: 3 },
    { 9: 3, 10: 2, b: 1 },
    { 1e10: 1, 5: 2 },
  ])
})

test('a key with half a character is written as its replacement', () => {
  const packr = new Packr()
  assert.equal(toHex(packr.pack({ '\ud800': 1 })), 'd4724091a3efbfbd01')
  assertSame(packr.unpack(packr.pack([{ a: 1, '\udc00x': 2 }])), [{ a: 1, '\ufffdx': 2 }])
  // Two names that become one: the record has both values, and the last one is read.
  const both = packr.pack({ '\ud800': 1, '\udc00': 2, z: 3 })
  assert.equal(toHex(both), 'd4724093a3efbfbda3efbfbda17a010203')
  assertSame(packr.unpack(both), { '\ufffd': 2, z: 3 })
})

for (const count of [15, 16, 17, 127, 128, 300, 600, 1100, 5000]) {
  test(`${count} keys`, () => {
    const keys = Array.from({ length: count }, (_, i) => `key number ${i}`)
    const make = (first) => Object.fromEntries(keys.map((key, i) => [key, first + i]))
    assertRecords([make(0), make(1), { ...make(2), more: 1 }, make(3)])
  })
}

test('more keys than a map of 16 bits can have', () => {
  const make = (first) => Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`k${i}`, first + i]))
  const value = [make(0), make(1)]
  const hex = new RecordModel().pack(value)
  assert.ok(hex.startsWith('92d47240dd00011170a26b30'))
  const packr = new Packr()
  for (let i = 0; i < 2; i++) assert.ok(toHex(packr.pack(value)) === hex)
  assertSame(packr.unpack(packr.pack(value)), value)
  const shared = new Packr({ structures: [] })
  for (let i = 0; i < 2; i++) assertSame(shared.unpack(shared.pack(value)), value)
  assert.equal(shared.structures.length, 1)
  assert.equal(shared.structures[0].length, 70_000)
})

test('objects whose keys are data: every one another shape', () => {
  const packr = new Packr()
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 40; i++) {
      const value = Object.fromEntries(
        Array.from({ length: 100 }, (_, j) => [`user ${round * 4000 + i * 100 + j}`, j]),
      )
      const list = [value, { first: value }]
      assert.equal(toHex(packr.pack(list)), new RecordModel().pack(list))
      assertSame(packr.unpack(packr.pack(list)), list, 'value', { copies: true })
    }
  }
})
