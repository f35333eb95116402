'use strict'

// Values made in another realm (vm contexts, test runners) are recognised by what they are.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const vm = require('node:vm')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const context = vm.createContext({})
const elsewhere = (code) => vm.runInContext(`(${code})`, context)

const SAME_BYTES = [
  '{ a: 1, b: [1, [2]], c: { d: "x" } }',
  '[1, "two", 3.5, null]',
  'new Map([["k", [1]], [2, {}]])',
  'new Set(["x", 1])',
  'new Date(1700000000123)',
  'new Date(NaN)',
  '/a+b/gi',
  'new TypeError("t", { cause: 1 })',
  'new AggregateError([1], "agg")',
  'new Uint8Array([1, 2, 3])',
  'new Float64Array([1.5])',
  'new DataView(new ArrayBuffer(3), 1)',
  'new Uint8Array([1, 2]).buffer',
  'new (class Point { constructor() { this.x = 1 } })()',
  'new (class Named { toJSON() { return "named" } })()',
  'new (class Catalog extends Map {})([[1, 2]])',
  'new (class Tags extends Set {})([1])',
  'Object.freeze({ a: 0.5 })',
  '10n',
  '() => 1',
  'Object.assign(Object.create(null), { a: 1 })',
]

test('each kind has the bytes of its like in this realm', () => {
  for (const code of SAME_BYTES) {
    const here = vm.runInThisContext(`(${code})`)
    assert.equal(toHex(pack(elsewhere(code))), toHex(pack(here)), code)
    assert.equal(toHex(pack({ v: [elsewhere(code)] })), toHex(pack({ v: [here] })), code)
  }
})

test('results are made in this realm', () => {
  const value = elsewhere(
    '{ list: [1, [2]], map: new Map([["k", [1]]]), set: new Set(["x"]), plain: { a: 1 }, when: new Date(5) }',
  )
  assertSame(unpack(pack(value)), {
    list: [1, [2]],
    map: { k: [1] },
    set: ['x'],
    plain: { a: 1 },
    when: new Date(5),
  })
  const maps = new Packr({ useRecords: false, mapsAsObjects: false })
  assertSame(maps.unpack(maps.pack(elsewhere('new Map([[1, new Map()]])'))), new Map([[1, new Map()]]))
})

test('values of both realms in one message', () => {
  const rows = Array.from({ length: 50 }, (_, i) =>
    i % 2 ? elsewhere(`{ id: ${i}, name: "n" }`) : { id: i, name: 'n' },
  )
  assertSame(
    unpack(pack(rows)),
    Array.from({ length: 50 }, (_, i) => ({ id: i, name: 'n' })),
  )
})

test('an error thrown in another realm comes out itself', () => {
  const thrower = elsewhere('{ get a() { throw (globalThis.thrown = new RangeError("theirs")) } }')
  assert.throws(
    () => pack(thrower),
    (error) => error === context.thrown,
  )
  assertSame(unpack(pack([1])), [1])
})
