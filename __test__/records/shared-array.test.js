'use strict'

// Shared structures in the array given as the option `structures`: shapes are added to it where the user sees them,
// messages only refer to them, and all instances that were given the array know them.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { RecordModel } = require('../helpers/record-model')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const seed = chosenSeed()

/** The key lists alone, whatever else hangs on them. */
const listsOf = (structures) => JSON.parse(JSON.stringify(structures))

function assertMessages(packr, expected) {
  for (const [value, hex] of expected) {
    const bytes = packr.pack(value)
    assert.equal(toHex(bytes), hex)
    assertSame(packr.unpack(bytes), value, hex, { copies: true })
  }
}

test('no shape is ever defined in a message', () => {
  const structures = []
  const packr = new Packr({ structures })
  assertMessages(packr, [
    [{ a: 1, b: 2 }, '400102'],
    [{ a: 3, b: 4 }, '400304'],
    [{ c: 1 }, '4101'],
    [[{ a: 1, b: 2 }, { c: 5 }], '924001024105'],
    [{ a: 1, b: { a: { c: 7 }, b: {} } }, '4001404107' + '42'],
  ])
  assert.deepEqual(listsOf(structures), [['a', 'b'], ['c'], []])
})

test('the array given is the one of the instance, and grows with every message', () => {
  const structures = []
  const packr = new Packr({ structures })
  assert.equal(packr.structures, structures)
  packr.pack(1)
  assert.equal(structures.length, 0)
  packr.pack({ a: 1 })
  assert.deepEqual(listsOf(structures), [['a']])
  packr.pack({ a: 2 })
  assert.deepEqual(listsOf(structures), [['a']])
  packr.pack([{ b: 1 }, { a: 1, b: { c: 1 } }])
  assert.deepEqual(listsOf(structures), [['a'], ['b'], ['a', 'b'], ['c']])
  assert.equal(packr.structures, structures)
  for (const keys of structures) assert.ok(Array.isArray(keys))
})

test('what was packed can be read with a copy of the array', () => {
  const writer = new Packr({ structures: [] })
  const values = [{ a: 1 }, { b: [{ a: 2 }, { c: 'x' }] }, { __proto__: null, 7: 1 }]
  const messages = values.map((value) => writer.pack(value))
  const text = JSON.stringify(writer.structures)
  for (const Class of [Packr, Unpackr]) {
    const reader = new Class({ structures: JSON.parse(text) })
    for (let i = 0; i < 3; i++) {
      assertSame(
        messages.map((bytes) => reader.unpack(bytes)),
        [{ a: 1 }, { b: [{ a: 2 }, { c: 'x' }] }, { 7: 1 }],
      )
    }
    assert.equal(JSON.stringify(reader.structures), text)
  }
})

test('lists that are there already', () => {
  const structures = [['a', 'b'], []]
  const packr = new Packr({ structures })
  assertMessages(packr, [
    [{ a: 1, b: 2 }, '400102'],
    [{}, '41'],
    [{ x: 1 }, '4201'],
    [{ b: 1, a: 2 }, '430102'],
  ])
  assert.deepEqual(listsOf(structures), [['a', 'b'], [], ['x'], ['b', 'a']])
})

test('missing lists keep their slots', () => {
  for (const structures of [
    [['a'], null, ['c']],
    [['a'], undefined, ['c']],
    Object.assign([['a']], { 2: ['c'] }),
  ]) {
    const packr = new Packr({ structures })
    assertMessages(packr, [
      [[{ a: 1 }, { c: 2 }, { d: 3 }], '93400142024303'],
      [{ d: { c: 1 } }, '434201'],
    ])
    assert.equal(structures.length, 4)
    assert.ok(structures[1] === undefined || structures[1] === null)
    assert.deepEqual([[...structures[0]], [...structures[2]], [...structures[3]]], [['a'], ['c'], ['d']])
    assertSame(packr.unpack(fromHex('9141')), [65])
  }
})

test('a missing list in front', () => {
  const packr = new Packr({ structures: [null, ['b']] })
  assertMessages(packr, [[[{ b: 1 }, { c: 1 }], '9241014201']])
})

test('two instances with one array', () => {
  const structures = []
  const first = new Packr({ structures })
  const second = new Packr({ structures })
  assert.equal(toHex(first.pack({ a: 1 })), '4001')
  assert.equal(toHex(second.pack({ b: 1 })), '4101')
  assert.equal(toHex(second.pack({ a: 2 })), '4002')
  assert.equal(toHex(first.pack([{ b: 2 }, { c: 3 }])), '9241024203')
  assert.equal(toHex(second.pack([{ c: 4 }, { d: { a: 1 } }])), '924204434001')
  assert.deepEqual(listsOf(structures), [['a'], ['b'], ['c'], ['d']])
  assert.equal(first.structures, second.structures)
  const reader = new Unpackr({ structures })
  for (const packr of [first, second, reader]) {
    assertSame(packr.unpack(fromHex('924204434001')), [{ c: 4 }, { d: { a: 1 } }])
  }
})

test('an Unpackr that was given the array knows what is added later', () => {
  const structures = []
  const reader = new Unpackr({ structures })
  const writer = new Packr({ structures })
  for (let i = 0; i < 20; i++) {
    const value = [{ [`k${i}`]: i }, { k0: { [`k${i >> 1}`]: 'x' } }]
    assertSame(reader.unpack(writer.pack(value)), value)
  }
  assert.equal(structures.length, 20)
})

test('two instances in turn, with all kinds of shapes', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  const structures = []
  const packrs = Array.from({ length: 4 }, () => new Packr({ structures }))
  const model = new RecordModel({ shared: 32, own: 32 })
  for (let i = 0; i < 400; i++) {
    const value = Array.from({ length: random.below(4) }, () => ({
      [`k${random.below(1 + i / 9)}`]: { [`k${random.below(1 + i / 9)}`]: random.below(200) },
    }))
    const bytes = random.pick(packrs).pack(value)
    assert.equal(toHex(bytes), model.pack(value))
    assertSame(random.pick(packrs).unpack(bytes), value)
  }
  assert.deepEqual(listsOf(structures), model.structures)
})

test('an array for each: none knows the shapes of the other', () => {
  const first = new Packr({ structures: [] })
  const second = new Packr({ structures: [] })
  assert.equal(toHex(first.pack({ a: 1 })), '4001')
  assert.equal(toHex(second.pack({ b: 1 })), '4001')
  assertSame(first.unpack(fromHex('4002')), { a: 2 })
  assertSame(second.unpack(fromHex('4002')), { b: 2 })
})

test('a message that can not be packed leaves the shapes that it added', () => {
  const structures = []
  const packr = new Packr({ structures })
  assert.throws(() => packr.pack([{ a: 1 }, Symbol('none')]), /Unknown type: symbol/)
  const after = toHex(packr.pack({ b: 1 }))
  assertSame(packr.unpack(fromHex(after)), { b: 1 })
  assertSame(packr.unpack(packr.pack([{ a: 1 }, { b: 2 }])), [{ a: 1 }, { b: 2 }])
  assert.equal(new Set(listsOf(structures).map(String)).size, structures.length)
})

test('a record that is read without its structures is an error or the integers that its bytes are', () => {
  const writer = new Packr({ structures: [] })
  const bytes = writer.pack({ name: 'x', list: [1, 2] })
  for (const reader of [new Packr({ structures: [] }), new Unpackr(), new Packr()]) {
    assert.throws(() => reader.unpack(bytes), /Data read, but end of buffer not reached/)
  }
  assertSame(writer.unpack(bytes), { name: 'x', list: [1, 2] })
})

test('nested messages of one instance use its array too', () => {
  const packr = new Packr({ structures: [] })
  class Packed {
    constructor(content) {
      this.content = content
    }
    toJSON() {
      return packr.pack(this.content)
    }
  }
  const value = () => [{ a: 2 }, new Packed({ a: 3, b: 1 }), { a: 4 }, { c: 1 }, { a: 5, b: 2 }]
  assert.equal(toHex(packr.pack({ a: 1 })), '4001')
  for (let i = 0; i < 3; i++) assert.equal(toHex(packr.pack(value())), '954002c40341030140044201410502')
  assert.deepEqual(listsOf(packr.structures), [['a'], ['a', 'b'], ['c']])
  assertSame(packr.unpack(packr.unpack(packr.pack(value()))[1]), { a: 3, b: 1 })
})

test('a nested message inside the first object of a shape', () => {
  const packr = new Packr({ structures: [] })
  const value = () => ({
    a: 1,
    get b() {
      return packr.pack({ c: { a: 1, b: 2 } })
    },
  })
  for (let i = 0; i < 3; i++) {
    const outer = packr.unpack(packr.pack([value(), { a: 3, b: 4 }, { c: 5 }]))
    assertSame(outer.slice(1), [{ a: 3, b: 4 }, { c: 5 }])
    assertSame(packr.unpack(outer[0].b), { c: { a: 1, b: 2 } })
  }
})

test('useRecords: false writes maps, and reads the records of the array', () => {
  const structures = [['a']]
  const packr = new Packr({ structures, useRecords: false })
  assert.equal(toHex(packr.pack({ a: 1 })), 'de0001a16101')
  assertSame(packr.unpack(fromHex('4001')), { a: 1 })
  packr.pack({ b: 1 })
  assert.deepEqual(listsOf(structures), [['a']])
})

test('a function for useRecords chooses what is shared', () => {
  const structures = []
  const packr = new Packr({ structures, useRecords: (object) => 'id' in object, mapsAsObjects: true })
  assertMessages(packr, [[[{ id: 1 }, { a: 1 }, { id: 2 }], '934001de0001a161014002']])
  assert.deepEqual(listsOf(structures), [['id']])
})

test('clearSharedData starts over with an array of its own', () => {
  const structures = []
  const packr = new Packr({ structures })
  assert.equal(toHex(packr.pack([{ a: 1 }, { b: 1 }])), '9240014101')
  packr.clearSharedData()
  assert.notEqual(packr.structures, structures)
  assert.deepEqual(listsOf(packr.structures), [])
  assert.equal(toHex(packr.pack({ b: 1 })), '4001')
  assertSame(packr.unpack(packr.pack([{ b: 2 }, { a: 1 }])), [{ b: 2 }, { a: 1 }])
  assert.deepEqual(listsOf(packr.structures), [['b'], ['a']])
  assert.deepEqual(listsOf(structures), [['a'], ['b']])
})

test('clearSharedData of one instance leaves the others their array', () => {
  const structures = [['a']]
  const first = new Packr({ structures })
  const second = new Packr({ structures })
  first.clearSharedData()
  assert.equal(toHex(first.pack({ b: 1 })), '4001')
  assert.equal(toHex(second.pack([{ a: 1 }, { c: 1 }])), '9240014101')
  assert.deepEqual(listsOf(structures), [['a'], ['c']])
})

test('clearSharedData without structures does nothing', () => {
  const packr = new Packr({ useRecords: false })
  packr.clearSharedData()
  assert.equal(packr.structures, undefined)
  assert.equal(toHex(packr.pack({ a: 1 })), 'de0001a16101')
})
