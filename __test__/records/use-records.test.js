'use strict'

// The option useRecords: records for all objects, for none, or for those that a function chooses.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const RECORD = 'd4724091a16101'
const MAP = 'de0001a16101'

test('without the option, and with true, null or undefined, objects are records', () => {
  for (const options of [
    undefined,
    null,
    {},
    { useRecords: true },
    { useRecords: null },
    { useRecords: undefined },
  ]) {
    const packr = new Packr(options)
    assert.equal(toHex(packr.pack({ a: 1 })), RECORD)
    assert.equal(toHex(packr.pack(64)), 'cc40')
    assertSame(packr.unpack(packr.pack([{ a: 1 }, { a: 2 }])), [{ a: 1 }, { a: 2 }])
  }
})

test('false: objects are maps, and maps are objects', () => {
  const packr = new Packr({ useRecords: false })
  assert.equal(toHex(packr.pack({ a: 1 })), MAP)
  assert.equal(toHex(packr.pack(64)), '40')
  assertSame(packr.unpack(Buffer.from(MAP, 'hex')), { a: 1 })
  assertSame(new Packr().unpack(Buffer.from(MAP, 'hex')), new Map([['a', 1]]))
  assertSame(new Packr({ mapsAsObjects: true }).unpack(Buffer.from(MAP, 'hex')), { a: 1 })
})

test('other values that count as false are no reason to fail', () => {
  const value = [{ a: 1, b: { a: 2 } }, { a: 1 }, 64, new Map([['k', { a: 1 }]])]
  for (const useRecords of [0, '', Number.NaN]) {
    const packr = new Packr({ useRecords, mapsAsObjects: true })
    for (let i = 0; i < 3; i++) {
      assertSame(packr.unpack(packr.pack(value)), [{ a: 1, b: { a: 2 } }, { a: 1 }, 64, { k: { a: 1 } }])
    }
  }
})

test('a function chooses for every object', () => {
  const packr = new Packr({ useRecords: (object) => Boolean(object.id), mapsAsObjects: true })
  const value = [{ id: 1, a: 2 }, { b: 1 }, { id: 0, a: 3 }, { id: 2, a: 4 }]
  const hex = '94d4724092a26964a1610102de0001a16201de0002a2696400a1610340' + '0204'
  for (let i = 0; i < 3; i++) assert.equal(toHex(packr.pack(value)), hex)
  assertSame(packr.unpack(packr.pack(value)), value)
  assert.equal(toHex(packr.pack(100)), 'cc64')
})

test('a function sees each object once and is called without this', () => {
  const seen = []
  const packr = new Packr({
    useRecords(object) {
      seen.push([this, object])
      return object.record
    },
  })
  const inner = { record: 'yes' }
  const outer = { record: '', inner }
  packr.pack([outer, inner, new Map([['k', 1]]), [1], 'text'])
  assert.equal(seen.length, 3)
  for (const [i, object] of [outer, inner, inner].entries()) {
    assert.equal(seen[i][0], undefined)
    assert.equal(seen[i][1], object)
  }
})

test('a map inside a record and a record inside a map', () => {
  const packr = new Packr({ useRecords: (object) => 'a' in object, mapsAsObjects: true })
  assert.equal(toHex(packr.pack({ a: { b: { a: 1 } } })), 'd4724091a161de0001a1624001')
  assert.equal(toHex(packr.pack({ b: { a: { b: 1 } } })), 'de0001a162d4724091a161de0001a16201')
})

test('with a function, maps are read as Map unless told otherwise', () => {
  const packr = new Packr({ useRecords: () => false })
  assertSame(packr.unpack(packr.pack({ a: 1 })), new Map([['a', 1]]))
})

test('a function and headers of variable size', () => {
  const packr = new Packr({ useRecords: (object) => 'a' in object, variableMapSize: true })
  assert.equal(toHex(packr.pack([{ b: 1 }, { a: 1 }, {}])), `9381a16201${RECORD}80`)
})

test('a function chooses for class instances and for what toJSON gives', () => {
  class Point {
    constructor(x) {
      this.x = x
    }
  }
  class Wrapped {
    toJSON() {
      return { wrapped: 1 }
    }
  }
  const seen = []
  const packr = new Packr({
    useRecords(object) {
      seen.push(object.constructor.name)
      return object instanceof Point
    },
  })
  assert.equal(
    toHex(packr.pack([new Point(1), new Wrapped()])),
    '92d4724091a17801de0001a777726170706564' + '01',
  )
  assert.deepEqual(seen, ['Point', 'Object'])
})

test('a function that throws ends the message, and the next one works', () => {
  const packr = new Packr({
    useRecords(object) {
      if (object.bad) throw new TypeError('not this one')
      return true
    },
  })
  for (let i = 0; i < 3; i++) {
    assert.throws(() => packr.pack([{ a: 1 }, { bad: true }]), { name: 'TypeError', message: 'not this one' })
    assert.equal(toHex(packr.pack({ a: 1 })), RECORD)
  }
})

test('a function that packs with the same instance', () => {
  const inner = []
  const packr = new Packr({
    useRecords(object) {
      if (object.outer) inner.push(toHex(packr.pack({ a: object.outer })))
      return true
    },
  })
  const hex = '92d4724091a56f7574657201d4724191a16102'
  for (let i = 0; i < 3; i++) assert.equal(toHex(packr.pack([{ outer: 1 }, { a: 2 }])), hex)
  assert.deepEqual(inner, [RECORD, RECORD, RECORD])
})

test('the choice may change with every object and every message', () => {
  let turn = 0
  const packr = new Packr({ useRecords: () => turn++ % 3 !== 0, mapsAsObjects: true })
  const value = Array.from({ length: 50 }, (_, i) => ({ [`k${i % 4}`]: i, inner: { i } }))
  for (let i = 0; i < 10; i++) assertSame(packr.unpack(packr.pack(value)), value)
})
