'use strict'

// Reading definitions of records, in every form that may be written, by instances and by the module's functions.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, unpack, unpackMultiple } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { byte, define, hexOf } = require('../helpers/record-wire')
const { assertSame } = require('../helpers/same')

const kinds = () => ({
  unpack,
  unpackr: new Unpackr(),
  packr: new Packr(),
  'with structures': new Packr({ structures: [] }),
  'with maps as objects': new Unpackr({ useRecords: false }),
  'with a store': new Unpackr({ getStructures: () => [] }),
})

function eachReader(run) {
  for (const [label, reader] of Object.entries(kinds())) {
    const read = typeof reader === 'function' ? reader : (bytes) => reader.unpack(bytes)
    for (let i = 0; i < 3; i++) run((hex) => read(fromHex(hex)), label)
  }
}

function assertReads(hex, expected) {
  eachReader((read, label) => assertSame(read(hex), expected, `${label}: ${hex}`))
}

const invalidKey = {
  name: 'Error',
  message:
    'Invalid property type for record: object. A MessagePack map with non-string keys can be decoded as a Map with mapsAsObjects: false',
}

test('a definition is followed by its first instance', () => {
  assertReads('d4724091a16101', { a: 1 })
  assertReads('d4724092a161a1620102', { a: 1, b: 2 })
  assertReads('d4724090', {})
  assertReads('93d4724091a1610140024003', [{ a: 1 }, { a: 2 }, { a: 3 }])
  assertReads('93d47240904040', [{}, {}, {}])
})

test('any byte is an id, and its low six bits count', () => {
  eachReader((read, label) => {
    for (let id = 0; id < 256; id++) {
      const hex = `92${define(id, 'a')}01${byte(0x40 | (id & 0x3f))}02`
      assertSame(read(hex), [{ a: 1 }, { a: 2 }], `${label}: ${hex}`)
    }
  })
})

test('an instance that is read many times', () => {
  assertReads('95d4724092a161a3612d6201024003044005064007084009ff', [
    { a: 1, 'a-b': 2 },
    { a: 3, 'a-b': 4 },
    { a: 5, 'a-b': 6 },
    { a: 7, 'a-b': 8 },
    { a: 9, 'a-b': -1 },
  ])
  const count = 1000
  const hex = `dc03e8${define(0x50, 'id', 'text')}00a178${Array.from({ length: count - 1 }, (_, i) => `50${hexOf((i + 1) % 60)}a178`).join('')}`
  assertReads(
    hex,
    Array.from({ length: count }, (_, i) => ({ id: i % 60, text: 'x' })),
  )
})

test('instances in values of their own definition, and of others', () => {
  assertReads('d4724091a1614040' + '01', { a: { a: { a: 1 } } })
  assertReads('d4724092a161a162d4724191a163014102', { a: { c: 1 }, b: { c: 2 } })
  assertReads('92d4724091a16191d4724191a1624103' + '4040' + '04', [{ a: [{ b: { b: 3 } }] }, { a: { a: 4 } }])
})

test('an id that is defined again', () => {
  assertReads('93d4724091a16101d4724091a162024003', [{ a: 1 }, { b: 2 }, { b: 3 }])
  assertReads('94d4724091a16101d4724191a16202d4724092a162a16103044105', [
    { a: 1 },
    { b: 2 },
    { b: 3, a: 4 },
    { b: 5 },
  ])
  // Inside an instance of the very id.
  assertReads('92d4724091a161d4724091a162054006', [{ a: { b: 5 } }, { b: 6 }])
  assertReads('92d4724092a161a162d4724091a163050740' + '06', [{ a: { c: 5 }, b: 7 }, { c: 6 }])
})

test('an id means nothing until its key list has been read', () => {
  assertReads('d4724092a161400102', { a: 1, 64: 2 })
})

test('ids that are not defined are the integers that their bytes are', () => {
  assertReads('9440507f' + '3f', [64, 80, 127, 63])
  assertReads('93d4724091a161014102', [{ a: 1 }, 65, 2])
  assertReads('92d4724091a1617f41', [{ a: 127 }, 65])
})

test('keys that are no strings', () => {
  assertReads('d472409201c00102', { 1: 1, null: 2 })
  assertReads('d4724093d40000c3d3000000000000000501' + '0203', { undefined: 1, true: 2, 5: 3 })
  assertReads('d4724092cb3ff8000000000000d0ff0102', { 1.5: 1, '-1': 2 })
  assertReads('d4724091c201', { false: 1 })
  assertReads('d4724092cf0020000000000001ff0102', { '9007199254740993': 1, '-1': 2 })
})

test('keys of every header', () => {
  assertReads('d47240dc0001a16101', { a: 1 })
  assertReads('d47240dd00000001a16101', { a: 1 })
  assertReads('d4724091d9016101', { a: 1 })
  assertReads('d4724091da00016101', { a: 1 })
  assertReads('d4724091db000000016101', { a: 1 })
  assertReads(`d4724091d9c8${'61'.repeat(200)}01`, { ['a'.repeat(200)]: 1 })
  assertReads('d4724092a0a2c3a40102', { '': 1, ä: 2 })
})

test('the last of several equal keys counts', () => {
  assertReads('d4724092a161a1610102', { a: 2 })
  assertReads('92d4724093a161a162a161010203' + '40040506', [
    { a: 3, b: 2 },
    { a: 6, b: 5 },
  ])
  assertReads('d472409301a131c30102' + '03', { 1: 2, true: 3 })
})

test('__proto__ is a key like any other', () => {
  const expected = JSON.parse('{"__proto__":{"x":1},"a":2}')
  eachReader((read, label) => {
    const value = read('d4724092a95f5f70726f746f5f5fa161d4724191a1780102')
    assertSame(value, expected, label)
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
    const many = read(`95d4724091a95f5f70726f746f5f5f90${'4090'.repeat(4)}`)
    for (const one of many) {
      assert.deepEqual(Object.keys(one), ['__proto__'])
      assert.equal(Object.getPrototypeOf(one), Object.prototype)
    }
  })
})

test('keys that can be no properties', () => {
  eachReader((read, label) => {
    for (const hex of [
      'd472409191a16101', // a list
      'd472409180' + '01', // a map
      'd4724091d6ff0000000001', // a date
      'd4724091c4016101', // bytes
      'd4724091d4724191a1610102', // a record
      'd4724092a16191a1610102',
    ]) {
      assert.throws(() => read(hex), invalidKey, `${label}: ${hex}`)
    }
    assertSame(read('92a16140'), ['a', 64])
  })
})

test('keys that are no list', () => {
  eachReader((read, label) => {
    for (const hex of [
      'd47240c0',
      'd4724080',
      'd47240a16101',
      'd4724001',
      'd47240c301',
      'd47240d4724191a1610102',
      'd47240cb3ff800000000000001',
    ]) {
      assert.throws(() => read(hex), { name: 'TypeError' }, `${label}: ${hex}`)
    }
    assertSame(read('92a16140'), ['a', 64])
  })
})

test('records in maps and maps in records', () => {
  assertSame(unpack(fromHex('82a161d4724091a16201a1634002')), { a: { b: 1 }, c: { b: 2 } })
  assertSame(
    new Unpackr().unpack(fromHex('82a161d4724091a16201a1634002')),
    new Map([
      ['a', { b: 1 }],
      ['c', { b: 2 }],
    ]),
  )
  assertSame(new Unpackr().unpack(fromHex('81d4724091a16201' + 'a163')), new Map([[{ b: 1 }, 'c']]))
  assertSame(unpack(fromHex('d4724091a16181a16205')), { a: { b: 5 } })
})

test('definitions hold from value to value in unpackMultiple', () => {
  assertSame(unpackMultiple(fromHex('d4724091a1610140024003')), [{ a: 1 }, { a: 2 }, { a: 3 }])
  assertSame(unpackMultiple(fromHex('4001')), [64, 1])
  for (const reader of [new Unpackr(), new Packr(), new Packr({ structures: [] })]) {
    const seen = []
    reader.unpackMultiple(fromHex('d4724091a161014002d4724091a162034004'), (value, start, end) => {
      seen.push([value, start, end])
    })
    assertSame(seen, [
      [{ a: 1 }, 0, 7],
      [{ a: 2 }, 7, 9],
      [{ b: 3 }, 9, 16],
      [{ b: 4 }, 16, 18],
    ])
    assertSame(reader.unpack(fromHex('9140')), [64])
  }
})

test('with structures, definitions also hold in later calls of unpackMultiple', () => {
  const reader = new Unpackr({ structures: [['a']] })
  assertSame(reader.unpackMultiple(fromHex('4001d4724191a162054106')), [{ a: 1 }, { b: 5 }, { b: 6 }])
  assertSame(reader.unpackMultiple(fromHex('4107' + '4008')), [{ b: 7 }, { a: 8 }])
  assertSame(reader.unpack(fromHex('9141')), [65])
})

test('without structures, they do not', () => {
  const reader = new Unpackr()
  assertSame(reader.unpackMultiple(fromHex('d4724091a161014002')), [{ a: 1 }, { a: 2 }])
  assertSame(reader.unpackMultiple(fromHex('4003')), [64, 3])
})

test('integers that are like ids are keys in a list of keys', () => {
  const message = fromHex(`92${'d4724291a16307'}${'d472419140'}05`)
  assertSame(new Packr().unpack(message), [{ c: 7 }, { 64: 5 }])
  assertSame(unpack(message), [{ c: 7 }, { 64: 5 }])
})
