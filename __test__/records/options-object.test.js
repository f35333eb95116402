'use strict'

// Objects and arrays given as options are read, never written, except that the array `structures` grows; they may be
// frozen, and one object may serve for several instances.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { StructureStore } = require('../helpers/counting-store')
const { assertSame } = require('../helpers/same')

const frozenLists = (lists) => Object.freeze(lists.map((keys) => Object.freeze(keys)))

test('frozen options of every kind', () => {
  const store = new StructureStore()
  const kinds = [
    {},
    { useRecords: true },
    { useRecords: false },
    { sequential: true },
    { sequential: true, useRecords: false },
    { structures: [] },
    { maxOwnStructures: 2 },
    { maxSharedStructures: 4 },
    { int64AsNumber: true },
    store.options(),
  ]
  const value = [
    { a: 1, b: { c: 2 } },
    { a: 3, b: null },
  ]
  for (const options of kinds) {
    const names = Object.keys(options)
    const entries = Object.entries(options)
    Object.freeze(options)
    const packr = new Packr(options)
    for (let i = 0; i < 3; i++) assertSame(packr.unpack(packr.pack(value)), value, names.join())
    new Unpackr(options)
    new Packr(options).pack(value)
    assert.deepEqual(Object.keys(options), names)
    for (const [name, given] of entries) assert.equal(options[name], given)
  }
})

test('options that are not frozen stay as they are', () => {
  const kinds = [
    { sequential: true },
    { useRecords: false },
    { getStructures: () => [] },
    { int64AsNumber: true },
    { structures: [] },
  ]
  for (const options of kinds) {
    const names = Object.keys(options)
    const packr = new Packr(options)
    packr.unpack(packr.pack({ a: 1 }))
    new Unpackr(options)
    assert.deepEqual(Reflect.ownKeys(options), names)
  }
})

test('what follows from the options shows on the instance', () => {
  assert.ok(Array.isArray(new Packr().structures))
  assert.ok(Array.isArray(new Packr({ sequential: true }).structures))
  assert.ok(Array.isArray(new Unpackr({ sequential: true }).structures))
  assert.equal(new Packr({ sequential: true }).trusted, true)
  assert.equal(new Packr({ sequential: true, trusted: false }).trusted, false)
  assert.ok(Array.isArray(new Unpackr({ getStructures: () => [] }).structures))
  assert.equal(new Packr({ useRecords: false }).structures, undefined)
  assert.equal(new Unpackr().structures, undefined)
})

test('one sequential options object for several instances: each has its own sequence', () => {
  const options = { sequential: true }
  const first = new Packr(options)
  const second = new Packr(options)
  assert.notEqual(first.structures, second.structures)
  const firstPeer = new Unpackr({ sequential: true })
  const secondPeer = new Unpackr({ sequential: true })
  assert.equal(toHex(first.pack({ a: 1 })), 'd4724091a16101')
  assert.equal(toHex(second.pack({ b: 1 })), 'd4724091a16201')
  assertSame(firstPeer.unpack(fromHex('d4724091a16101')), { a: 1 })
  assertSame(secondPeer.unpack(fromHex('d4724091a16201')), { b: 1 })
  assertSame(firstPeer.unpack(first.pack({ a: 2 })), { a: 2 })
  assertSame(secondPeer.unpack(second.pack({ b: 2 })), { b: 2 })
  assert.deepEqual(Object.keys(options), ['sequential'])
})

test('one options object with an array for several instances: they share it', () => {
  const options = Object.freeze({ structures: [] })
  const first = new Packr(options)
  assert.equal(toHex(first.pack({ a: 1 })), '4001')
  const second = new Packr(options)
  const reader = new Unpackr(options)
  assert.equal(toHex(second.pack({ b: 1 })), '4101')
  assert.equal(toHex(first.pack([{ a: 2 }, { b: 2 }])), '9240024102')
  for (const instance of [first, second, reader]) {
    assertSame(instance.unpack(fromHex('9240024102')), [{ a: 2 }, { b: 2 }])
  }
  assert.equal(second.structures, options.structures)
})

test('one options object with a store for several instances', () => {
  const store = new StructureStore([['z']])
  const options = Object.freeze(store.checkedOptions())
  const packrs = Array.from({ length: 3 }, () => new Packr(options))
  for (let i = 0; i < 12; i++) {
    const value = [{ [`k${i >> 1}`]: i }, { z: i }]
    const bytes = packrs[i % 3].pack(value)
    for (const packr of [...packrs, new Unpackr(options)]) assertSame(packr.unpack(bytes), value)
  }
  assert.deepEqual(store.structures, [['z'], ['k0'], ['k1'], ['k2'], ['k3'], ['k4'], ['k5']])
})

test('frozen lists in an array that grows', () => {
  const structures = [Object.freeze(['a', 'b']), Object.freeze(['c'])]
  const packr = new Packr({ structures })
  for (let i = 0; i < 6; i++) {
    assert.equal(toHex(packr.pack([{ a: 1, b: 2 }, { c: 3 }, { d: 4 }])), '9340010241034204')
    assertSame(packr.unpack(fromHex('9340010241034204')), [{ a: 1, b: 2 }, { c: 3 }, { d: 4 }])
  }
  assert.deepEqual([...structures[2]], ['d'])
})

test('a frozen array of frozen lists', () => {
  const structures = frozenLists([['a', 'b'], ['c']])
  for (const Class of [Packr, Unpackr]) {
    const reader = new Class({ structures })
    for (let i = 0; i < 6; i++)
      assertSame(reader.unpack(fromHex('92400102' + '4103')), [{ a: 1, b: 2 }, { c: 3 }])
    // A definition that takes the place of one holds for its message.
    assertSame(reader.unpack(fromHex('92d4724091a178014002')), [{ x: 1 }, { x: 2 }])
    assertSame(reader.unpack(fromHex('400102')), { a: 1, b: 2 })
  }
  const packr = new Packr({ structures })
  assert.equal(toHex(packr.pack([{ a: 1, b: 2 }, { c: 3 }])), '924001024103')
  assert.deepEqual(structures, [['a', 'b'], ['c']])
})

test('key lists given are never changed', () => {
  const lists = [['a', 'b'], ['c']]
  const packr = new Packr({ structures: [...lists] })
  packr.unpack(packr.pack([{ a: 1, b: 2 }, { c: 1 }, { a: 1 }]))
  packr.unpack(fromHex('92d4724091a178014002'))
  assert.deepEqual(
    lists.map((keys) => [...keys]),
    [['a', 'b'], ['c']],
  )
})

test('unknown options become properties and have no effect', () => {
  const packr = new Packr({ randomAccessStructure: true, whatever: 5 })
  assert.equal(packr.whatever, 5)
  assert.equal(toHex(packr.pack({ a: 1 })), 'd4724091a16101')
})
