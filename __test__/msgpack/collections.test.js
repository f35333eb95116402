'use strict'

// Map, Set, RegExp and Error, as module-level pack writes them.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertRoundTrip } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')

const maps = new Packr({ useRecords: false, mapsAsObjects: false })
const SIZES = [0, 1, 2, 3, 4, 5, 15, 16, 17, 300, 65_536]

test('maps of every header size', () => {
  for (const size of SIZES) {
    const map = new Map(Array.from({ length: size }, (_, i) => [i, `v${i}`]))
    assertRoundTrip(map, `${size} entries`, { expected: Object.fromEntries(map) })
    assertSame(maps.unpack(maps.pack(map)), map, `${size} entries`)
  }
})

test('sets of every header size', () => {
  for (const size of SIZES) {
    const list = Array.from({ length: size }, (_, i) => `v${i}`)
    assertRoundTrip(new Set(list), `${size} members`, { like: list, expected: list })
  }
})

test('keys of any type', () => {
  const map = new Map([
    [null, 1],
    [undefined, 2],
    [true, 3],
    [1.5, 4],
    [10n, 5],
    ['x', 6],
    [-3, 7],
  ])
  assertRoundTrip(map, 'map', { expected: { 10: 5, null: 1, undefined: 2, true: 3, 1.5: 4, x: 6, '-3': 7 } })
  assertSame(maps.unpack(maps.pack(map)), map)
  const deep = new Map([
    [[1, 2], new Map([[new Map(), 'empty']])],
    [new Date(0), 'date'],
    ['s', new Map()],
  ])
  assertSame(maps.unpack(maps.pack(deep)), deep)
})

test('collections that grew, shrank and were cleared', () => {
  const map = new Map()
  const set = new Set()
  for (let i = 0; i < 1000; i++) {
    map.set(i, i)
    set.add(i)
  }
  for (let i = 0; i < 1000; i += 3) {
    map.delete(i)
    set.delete(i)
  }
  map.set(0, 'again')
  set.add(0)
  assertSame(maps.unpack(maps.pack(map)), map)
  assertSame(unpack(pack(set)), [...set])
  map.clear()
  set.clear()
  assert.equal(toHex(pack([map, set])), '928090')
  map.set('a', 1).delete('a')
  assert.equal(toHex(pack(map)), '80')
  assert.equal(toHex(pack(map.set('b', 2))), '81a16202')
})

test('collections under iteration while they change', () => {
  const map = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ])
  const entries = map.entries()
  entries.next()
  map.delete('a')
  map.set('d', 4)
  for (let i = 0; i < 100; i++) map.set(i, i)
  assertSame(maps.unpack(maps.pack(map)), new Map(map))
  entries.next()
  assertSame(maps.unpack(maps.pack(map)), new Map(map))
})

test('nested in objects and in each other', () => {
  const value = { map: new Map([['set', new Set([new Map([[1, [2]]])])]]), after: 'x' }
  assertSame(unpack(pack(value)), { map: { set: [{ 1: [2] }] }, after: 'x' })
})

test('subclasses of Map and Set are written as what they are', () => {
  class Catalog extends Map {
    lookup(key) {
      return this.get(key)
    }
  }
  class Tags extends Set {}
  const catalog = new Catalog([
    ['a', 1],
    ['b', [2]],
  ])
  assert.equal(toHex(pack(catalog)), toHex(pack(new Map(catalog))))
  assertSame(unpack(pack({ catalog, after: 1 })), { catalog: { a: 1, b: [2] }, after: 1 })
  assertSame(maps.unpack(maps.pack(catalog)), new Map(catalog))
  assert.equal(toHex(pack(new Tags(['x']))), '91a178')
})

test('a subclass that defines toJSON is written through it', () => {
  class Tags extends Set {
    toJSON() {
      return [...this].sort()
    }
  }
  class Table extends Map {
    toJSON() {
      return { rows: [...this] }
    }
  }
  class Problem extends Error {
    toJSON() {
      return 'problem'
    }
  }
  class Pattern extends RegExp {
    toJSON() {
      return 'pattern'
    }
  }
  const value = {
    tags: new Tags(['b', 'a']),
    table: new Table([['x', 1]]),
    problem: new Problem('p'),
    pattern: new Pattern('p'),
  }
  assertSame(unpack(pack(value)), {
    tags: ['a', 'b'],
    table: { rows: [['x', 1]] },
    problem: 'problem',
    pattern: 'pattern',
  })
  const deaf = new Packr({ useRecords: false, useToJSON: false })
  assertSame(deaf.unpack(deaf.pack(value)), {
    tags: ['b', 'a'],
    table: { x: 1 },
    problem: ['Error', 'p', undefined],
    pattern: ['p', ''],
  })
})

test('own properties, toJSON among them, do not change what a collection is', () => {
  const extra = { toJSON: () => 'never', extra: 1 }
  assert.equal(toHex(pack(Object.assign(new Map([[1, 2]]), extra))), '810102')
  assert.equal(toHex(pack(Object.assign(new Set([1, 2]), extra))), '920102')
  assert.equal(toHex(pack(Object.assign(/a/g, extra))), '92a161a167')
  assert.equal(toHex(pack(Object.assign(new Error('e'), extra))), '93a54572726f72a165d40000')
})

test('regular expressions are source and flags', () => {
  for (const regexp of [/a+b/gi, /a/, /(?:)/, /[/\\]/u, /\u00e9/y, /^x$/dms]) {
    assertSame(unpack(pack([regexp, 1])), [[regexp.source, regexp.flags], 1])
  }
  assert.equal(toHex(pack(/a+b/gi)), '92a3612b62a26769')
})

test('errors are name, message and cause', () => {
  const custom = Object.assign(new Error('q'), { name: 'MyErr', code: 'E_X' })
  const cases = [
    [new Error('boom'), ['Error', 'boom', undefined]],
    [new Error(), ['Error', '', undefined]],
    [new TypeError('t', { cause: { why: 1 } }), ['TypeError', 't', { why: 1 }]],
    [new RangeError('r', { cause: new Error('inner') }), ['RangeError', 'r', ['Error', 'inner', undefined]]],
    [custom, ['MyErr', 'q', undefined]],
    [new (class Special extends Error {})('s'), ['Error', 's', undefined]],
    [
      new AggregateError([new RangeError('x'), 1], 'agg'),
      ['AggregateError', 'agg', undefined, [['RangeError', 'x', undefined], 1]],
    ],
    [new DOMException('m', 'AbortError'), ['AbortError', 'm', undefined]],
  ]
  for (const [error, expected] of cases) assertSame(unpack(pack([error, 'after'])), [expected, 'after'])
  assert.equal(toHex(pack(new Error('boom'))), '93a54572726f72a4626f6f6dd40000')
})
