'use strict'

// Classes that programs register: the heap walker leaves their instances to the other one, and nothing else.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { addExtension, packCounts } = require('../helpers/ferropack')
const { withoutHeap, makePair, comparePair } = require('../helpers/walkers')
const arrays = require('../helpers/native-arrays')
const builtIns = require('../helpers/native-built-ins')
const classes = require('../helpers/native-classes')
const objects = require('../helpers/native-objects')

const skip = withoutHeap

class Point {
  constructor(x) {
    this.x = x
  }
}
class NamedPoint extends Point {}
class Other {
  constructor(x) {
    this.x = x
  }
}
class List extends Array {}
class Table extends Map {}
class Failure extends Error {}

let type = 0
const register = (Class) => addExtension({ Class, type: ++type, write: (value) => [typeof value, type] })

/** Why each walker of a pair packs a value as it does: the reason of the hand-over, or null. */
function reasonFor(value, options) {
  const pair = makePair(options)
  comparePair(pair, value, 'the first')
  comparePair(pair, [value, { value }], 'the second')
  const { heap, handovers } = packCounts(pair.heap)
  if (heap === 2) return null
  assert.equal(heap, 0)
  const reasons = Object.entries(handovers)
  assert.deepEqual(
    reasons.map(([, count]) => count),
    [2],
  )
  return reasons[0][0]
}

/** What no class that is registered here changes. */
function checkCommon(message) {
  for (const table of [objects.samples, arrays.samples, builtIns.scalars]) {
    for (const [name, make] of Object.entries(table)) {
      if (/\d,\d{3}/.test(name)) continue
      const pair = makePair()
      comparePair(pair, make(), `${name}, ${message}`)
      if (!/null|prototype|groups/.test(name))
        assert.equal(packCounts(pair.heap).heap, 1, `${name}, ${message}`)
    }
  }
  assert.equal(reasonFor(new Map([[1, 2]])), null, message)
}

test('without any class', { skip }, () => {
  checkCommon('none')
  for (const value of [new Point(1), new NamedPoint(1), new Other(1)]) assert.equal(reasonFor(value), null)
})

test('instances of a class, and of those that extend it', { skip }, () => {
  register(Point)
  checkCommon('one class')
  for (const options of [{}, { useRecords: true, structures: [] }, { structuredClone: true }]) {
    assert.equal(reasonFor(new Point(1), options), 'extension')
    assert.equal(reasonFor(new NamedPoint(1), options), 'extension')
  }
  assert.equal(reasonFor(Object.create(new NamedPoint(1))), 'extension')
  assert.equal(reasonFor(Object.assign(Object.create(null), { a: 1 })), null)
})

test('instances of other classes are packed by the heap walker', { skip }, () => {
  register(class {})
  register(class Unused extends Point {})
  for (const value of [new Other(1), new Date(5), new Set([1]), Buffer.from('a'), new Error('a'), /a/]) {
    assert.equal(reasonFor(value), null)
  }
  const pair = makePair()
  const many = Array.from({ length: 500 }, (_, i) => [new Other(i), new Date(i), new Set([i])])
  comparePair(pair, many, 'many')
  comparePair(pair, [...many, new Point(1)], 'many, and one')
  assert.deepEqual(packCounts(pair.heap), { heap: 1, tape: 1, handovers: { extension: 1 } })
})

test('an object whose prototype became that of a class', { skip }, () => {
  const pair = makePair()
  const value = new Other(1)
  comparePair(pair, value, 'before')
  Object.setPrototypeOf(value, Point.prototype)
  comparePair(pair, value, 'after')
  assert.deepEqual(packCounts(pair.heap), { heap: 1, tape: 1, handovers: { extension: 1 } })
})

test('a class whose parent became another one', { skip }, () => {
  class Late {}
  const pair = makePair()
  comparePair(pair, new Late(), 'before')
  Object.setPrototypeOf(Late.prototype, Point.prototype)
  comparePair(pair, new Late(), 'after')
  assert.deepEqual(packCounts(pair.heap), { heap: 1, tape: 1, handovers: { extension: 1 } })
})

test('classes that extend built-ins', { skip }, () => {
  for (const Class of [List, Table, Failure]) register(Class)
  checkCommon('classes that extend built-ins')
  for (const value of [List.of(1), new Table([[1, 2]]), new Failure('a')]) {
    assert.equal(reasonFor(value), 'extension')
  }
  assert.equal(reasonFor(new Error('a')), null)
})

test('built-ins themselves', { skip }, () => {
  for (const Class of [Date, Set, RegExp, Uint8Array, ArrayBuffer]) register(Class)
  checkCommon('built-ins')
  for (const value of [
    new Date(5),
    new Set(),
    /a/,
    new Uint8Array(2),
    Buffer.from('a'),
    new ArrayBuffer(2),
  ]) {
    assert.equal(reasonFor(value), 'extension')
  }
  for (const value of [new Error('a'), new Uint16Array(2), new DataView(new ArrayBuffer(2)), new Other(1)]) {
    assert.equal(reasonFor(value), null)
  }
})

test('a class that arrays and plain objects seem to be instances of', { skip }, () => {
  register(Object)
  checkCommon('Object')
  assert.equal(reasonFor(new Other(1)), 'extension')
  assert.equal(reasonFor(Object.assign(Object.create(null), { a: 1 })), null)
})

test('a class of which only code can tell the instances', { skip }, () => {
  register({ [Symbol.hasInstance]: (value) => value?.x === 'chosen' })
  checkCommon('any')
  for (const value of [new Other('chosen'), new Other(1), new Error('a'), Object.create(null)]) {
    assert.equal(reasonFor(value), 'extension')
  }
  const tables = [classes.samples, builtIns.buffers, builtIns.errors, builtIns.regexps, builtIns.dates]
  for (const table of tables) {
    for (const [name, make] of Object.entries(table)) comparePair(makePair(), make(), name)
  }
})

test('classes of which only code can tell are known as such', () => {
  const { prototypeOf } = require('../../src/js/extension-classes.js')
  function Old() {}
  class Frozen {}
  assert.equal(prototypeOf(Frozen), Frozen.prototype)
  assert.equal(prototypeOf(Date), Date.prototype)
  assert.equal(prototypeOf(Object.defineProperty(Old, 'prototype', { writable: false })), Old.prototype)
  for (const Class of [
    function Other() {},
    Old.bind(null),
    new Proxy(Frozen, {}),
    () => 1,
    { [Symbol.hasInstance]: () => true },
    Object.defineProperty(class {}, Symbol.hasInstance, { value: () => true }),
  ]) {
    assert.equal(prototypeOf(Class), null)
  }
})
