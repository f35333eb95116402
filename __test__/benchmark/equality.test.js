'use strict'

// What the benchmarks take for a right result.

const assert = require('node:assert/strict')
const { join } = require('node:path')
const { test } = require('node:test')
const { root } = require('../helpers/entry')

const { differenceAt } = require(join(root, 'benchmark', 'equality.js'))

class Point {
  constructor(x) {
    this.x = x
  }
}
const date = new Date(1e12)

const SAME = [
  ['scalars', {}, [1, 'a', null, undefined, true, 2n], [1, 'a', null, undefined, true, 2n]],
  ['bytes of any class', {}, [new Uint8Array([1, 2])], [Buffer.from([1, 2])]],
  ['dates', {}, { at: new Date(1e12) }, { at: date }],
  ['dates as text, where they are not carried', { carriesDates: false }, [date.toJSON()], [date]],
  ['an instance as its properties', {}, { x: 1 }, new Point(1)],
  ['instances of the engine', { givesInstances: true }, new Point(1), { x: 1 }],
  ['undefined as null, where it is not carried', { carriesUndefined: false }, [null], [undefined]],
  ['null as nothing, where it is not carried', { carriesNull: false }, {}, { a: null }],
  ['absent as null, where undefined is not carried', { carriesUndefined: false }, { a: null }, {}],
  ['undefined as nothing, where it is not carried', { carriesUndefined: false }, {}, { a: undefined }],
  [
    'what is not set, where there are defaults',
    { carriesUndefined: false, carriesNull: false, givesInstances: true, hasDefaults: true },
    Object.assign(Object.create({ a: 0, b: [], c: '' }), { a: 1, d: [] }),
    { a: 1, b: [], c: null },
  ],
  ['maps', {}, new Map([[1, 2]]), new Map([[1, 2]])],
]

for (const [label, traits, actual, wanted] of SAME) {
  test(`same: ${label}`, () => assert.equal(differenceAt(actual, wanted, traits, 'it'), null))
}

const DIFFERENT = [
  ['a number', {}, [1, 2], [1, 3], 'it.1'],
  ['minus zero', {}, [0], [-0], 'it.0'],
  ['text for a number', {}, { a: { b: '1' } }, { a: { b: 1 } }, 'it.a.b'],
  ['a property too many', {}, { a: 1, b: 2 }, { a: 1 }, 'it'],
  ['a property too few', {}, { a: 1 }, { a: 1, b: 2 }, 'it'],
  ['another property', {}, { b: 1 }, { a: 1 }, 'it.a'],
  ['an array too long', {}, [1, 2], [1], 'it'],
  ['an object for an array', {}, { 0: 1 }, [1], 'it'],
  ['an array for an object', {}, [1], { 0: 1 }, 'it'],
  ['null for an object', {}, null, {}, 'it'],
  ['bytes', {}, [Buffer.from([1])], [Buffer.from([2])], 'it.0'],
  ['text for bytes', {}, ['a'], [Buffer.from('a')], 'it.0'],
  ['a date as text', {}, [date.toJSON()], [date], 'it.0'],
  ['undefined as null', {}, [null], [undefined], 'it.0'],
  ['null that is lost', { carriesUndefined: false }, {}, { a: null }, 'it'],
  ['a value for null', { carriesNull: false }, { a: 0 }, { a: null }, 'it.a'],
  ['null for a value', { carriesUndefined: false, carriesNull: false }, { a: null }, { a: 0 }, 'it.a'],
  ['a value that is lost', { carriesUndefined: false }, {}, { a: 1 }, 'it'],
  [
    'a value for one that is not set',
    { carriesUndefined: false, carriesNull: false, givesInstances: true, hasDefaults: true },
    Object.assign(Object.create({ a: 0, b: 0 }), { a: 1 }),
    { a: 1, b: 2 },
    'it.b',
  ],
  ['another class', {}, new Point(1), { x: 1 }, 'it'],
  ['a map', {}, new Map([[1, 2]]), new Map([[1, 3]]), 'it'],
]

for (const [label, traits, actual, wanted, path] of DIFFERENT) {
  test(`different: ${label}`, () => assert.equal(differenceAt(actual, wanted, traits, 'it'), path))
}
