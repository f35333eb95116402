'use strict'

// `mapAsEmptyObject` and `setAsEmptyObject`: collections written as an object without keys.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const map = () => new Map([['k', 1]])
const set = () => new Set([1])
class OwnMap extends Map {}
class OwnSet extends Set {}

test('every Map is empty', () => {
  for (const options of [
    {},
    { useRecords: false },
    { variableMapSize: true, useRecords: false },
    { structures: [] },
    { maxOwnStructures: 0 },
  ]) {
    const packr = new Packr({ mapAsEmptyObject: true, ...options })
    assert.equal(toHex(packr.pack(map())), '80')
    assert.equal(toHex(packr.pack([map(), new Map(), new OwnMap([['k', 1]]), set()])), '948080809101')
  }
})

test('every Set is an object without keys', () => {
  const hexes = [
    [{}, '92d472409040'],
    [{ useRecords: false }, '92de0000de0000'],
    [{ useRecords: false, variableMapSize: true }, '928080'],
    [{ useRecords: false, coercibleKeyAsNumber: true }, '928080'],
    [{ useRecords: false, skipValues: [undefined] }, '928080'],
    [{ structures: [] }, '924040'],
    [{ maxOwnStructures: 0 }, '92de0000de0000'],
    [{ moreTypes: true }, '92d472409040'],
    [{ moreTypes: true, useRecords: false }, '92de0000de0000'],
    [{ useRecords: () => true }, '92d472409040'],
    [{ useRecords: () => false }, '92de0000de0000'],
  ]
  for (const [options, hex] of hexes) {
    const make = () => (options.structures ? { ...options, structures: [] } : options)
    assert.equal(toHex(new Packr({ setAsEmptyObject: true, ...make() }).pack([set(), set()])), hex)
    assert.equal(
      toHex(new Packr({ setAsEmptyObject: true, ...make() }).pack([new OwnSet([1]), new Set()])),
      hex,
    )
  }
})

test('what is in them is not looked at', () => {
  const packr = new Packr({ mapAsEmptyObject: true, setAsEmptyObject: true, useRecords: false })
  const bad = {
    get a() {
      throw new Error('looked at')
    },
  }
  assert.equal(toHex(packr.pack([new Map([[bad, Symbol('s')]]), new Set([bad, Symbol('s')])])), '9280de0000')
})

test('both, with other values around', () => {
  const packr = new Packr({ mapAsEmptyObject: true, setAsEmptyObject: true })
  assertSame(packr.unpack(packr.pack({ m: map(), s: set(), list: [1, { a: 'text' }] })), {
    m: new Map(),
    s: {},
    list: [1, { a: 'text' }],
  })
  assertSame(
    new Packr({ mapsAsObjects: true }).unpack(new Packr({ mapAsEmptyObject: true }).pack({ m: map() })),
    { m: {} },
  )
})

test('references', () => {
  const shared = { m: map(), s: set() }
  assert.equal(
    toHex(new Packr({ mapAsEmptyObject: true, structuredClone: true }).pack([shared.m, shared.m])),
    '92d6690000000180d67000000001',
  )
  assert.equal(
    toHex(new Packr({ setAsEmptyObject: true, structuredClone: true }).pack([shared.s, shared.s])),
    '92d66900000001d4724090d67000000001',
  )
})

test('toJSON and the options', () => {
  class Listed extends Set {
    toJSON() {
      return [...this]
    }
  }
  const packr = new Packr({ mapAsEmptyObject: true, setAsEmptyObject: true, useRecords: false })
  assert.equal(toHex(packr.pack(new Listed([1]))), '9101')
  packr.useToJSON = false
  assert.equal(toHex(packr.pack(new Listed([1]))), 'de0000')
})

test('they are looked at when a value is packed', () => {
  const packr = new Packr({ useRecords: false })
  assert.equal(toHex(packr.pack([map(), set()])), '9281a16b019101')
  packr.mapAsEmptyObject = true
  assert.equal(toHex(packr.pack([map(), set()])), '92809101')
  packr.setAsEmptyObject = true
  assert.equal(toHex(packr.pack([map(), set()])), '9280de0000')
  packr.mapAsEmptyObject = packr.setAsEmptyObject = false
  assert.equal(toHex(packr.pack([map(), set()])), '9281a16b019101')
})
