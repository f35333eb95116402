'use strict'

// Which extension packs a value: the newest of those whose class it is an instance of, before toJSON and before what
// is known of built-in classes.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { addExtension, pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const moreTypes = new Packr({ moreTypes: true, useRecords: false })

class Base {}
class Middle extends Base {}
class Derived extends Middle {}

test('the newest comes first', () => {
  addExtension({ Class: Derived, type: 61, write: () => 1 })
  assert.equal(toHex(pack([new Base(), new Middle(), new Derived()])), '93de0000de0000d43d0001')
  addExtension({ Class: Middle, type: 62, write: () => 2 })
  assert.equal(toHex(pack([new Base(), new Middle(), new Derived()])), '93de0000d43e0002d43e0002')
  addExtension({ Class: Base, type: 63, write: () => 3 })
  assert.equal(toHex(pack([new Base(), new Middle(), new Derived()])), '93d43f0003d43f0003d43f0003')
  addExtension({ Class: Derived, type: 64, write: () => 4 })
  assert.equal(toHex(pack([new Base(), new Middle(), new Derived()])), '93d43f0003d43f0003d4400004')
})

test('a packr that has packed knows an extension that is registered later', () => {
  class Late {
    a = 1
  }
  const packrs = [{ pack }, new Packr(), new Packr({ structures: [] })]
  for (const packr of packrs) for (let i = 0; i < 100; i++) packr.pack([new Late(), { a: i }])
  addExtension({ Class: Late, type: 65, write: ({ a }) => a })
  for (const packr of packrs)
    for (let i = 0; i < 3; i++) assert.equal(toHex(packr.pack([new Late()])), '91d4410001')
})

test('an extension comes before toJSON', () => {
  class Both {
    toJSON() {
      return 'by toJSON'
    }
  }
  assert.equal(toHex(pack(new Both())), 'a9627920746f4a534f4e')
  addExtension({ Class: Both, type: 67, write: () => 5 })
  assert.equal(toHex(pack(new Both())), 'd4430005')
  assert.equal(toHex(pack([Object.assign(new Both(), { toJSON: 1 })])), '91d4430005')
})

test('what toJSON gives may be an instance', () => {
  class Inner {}
  addExtension({ Class: Inner, type: 68, write: () => 6 })
  const outer = { __proto__: { toJSON: () => new Inner(), constructor: class {} } }
  assert.equal(toHex(pack([outer])), '91d4440006')
})

test('plain objects, arrays and maps have no extension', () => {
  for (const Class of [Object, Array, Map]) {
    class Marker {}
    Object.defineProperty(Marker, Symbol.hasInstance, { value: (value) => value?.constructor === Class })
    addExtension({ Class: Marker, type: 69, write: () => assert.fail('not asked') })
  }
  assert.equal(toHex(pack([{ a: [] }, new Map()])), '92de0001a1619080')
  assertSame(new Packr().unpack(new Packr().pack([{ a: [] }, new Map()])), [{ a: [] }, new Map()])
})

test('everything that is an object', () => {
  class OwnMap extends Map {}
  class OwnArray extends Array {}
  const marked = new WeakSet()
  class Marker {}
  Object.defineProperty(Marker, Symbol.hasInstance, { value: (value) => marked.has(value) })
  addExtension({ Class: Marker, type: 70, write: () => 7 })
  const values = {
    instance: new (class {})(),
    'instance without a prototype': Object.create(null),
    function: () => {},
    class: class {},
    date: new Date(0),
    set: new Set(),
    error: new Error('e'),
    regexp: /a/,
    'typed array': new Uint8Array(1),
    buffer: Buffer.alloc(1),
    'array buffer': new ArrayBuffer(1),
    'data view': new DataView(new ArrayBuffer(1)),
    'of a subclass of Map': new OwnMap(),
    'of a subclass of Array': new OwnArray(),
    boxed: Object(1),
    promise: Promise.resolve(),
    symbol: Object(Symbol('s')),
  }
  for (const [name, value] of Object.entries(values)) {
    marked.add(value)
    for (const packr of [{ pack }, moreTypes, new Packr({ structuredClone: true })])
      assert.equal(toHex(packr.pack([value, 1])), '92d446000701', name)
  }
})

test('in every place of a message', () => {
  class Placed {
    constructor(n) {
      this.n = n
    }
  }
  addExtension({ Class: Placed, type: 71, write: ({ n }) => n, read: (n) => new Placed(n) })
  const packr = new Packr({ moreTypes: true, mapsAsObjects: false })
  const places = [
    (value) => value,
    (value) => [value],
    (value) => [1, value, 'x', value],
    (value) => ({ a: value, b: { c: [value] } }),
    (value) => new Map([[value, value]]),
    (value) => new Set([value]),
    (value) => new Error('e', { cause: value }),
    (value) => new AggregateError([value], 'several'),
    (value) => ({ ...value, value }),
  ]
  for (const place of places) {
    const value = place(new Placed(5))
    const { pack: packIt } = packr
    assertSame(packr.unpack(packIt(value)), place(new Placed(5)), String(place), { copies: true })
  }
  assert.equal(toHex(packr.pack(new Map([[new Placed(1), new Placed(2)]]))), '81d4470001d4470002')
})

test('a key that an extension writes as text', () => {
  class Name {}
  addExtension({ Class: Name, write: () => 'name' })
  assertSame(unpack(pack(new Map([[new Name(), 1]]))), { name: 1 })
})

test('built-in classes', () => {
  const built = {
    date: [new Date(5), Date, (date) => date.getTime()],
    set: [new Set([1]), Set, (set) => [...set]],
    error: [new RangeError('boom'), Error, (error) => error.message],
    regexp: [/a/, RegExp, (regexp) => regexp.source],
    bytes: [new Uint8Array([1]), Uint8Array, (bytes) => bytes.length],
    memory: [new ArrayBuffer(3), ArrayBuffer, (memory) => memory.byteLength],
    view: [new DataView(new ArrayBuffer(3)), DataView, (view) => view.byteLength],
    function: [function named() {}, Function, (fn) => fn.name],
    promise: [Promise.resolve(), Promise, () => 'promise'],
  }
  const written = {
    date: 5,
    set: [1],
    error: 'boom',
    regexp: 'a',
    bytes: 1,
    memory: 3,
    view: 3,
    function: 'named',
    promise: 'promise',
  }
  let type = 72
  for (const [name, [value, Class, write]] of Object.entries(built)) {
    addExtension({ Class, type, write, read: (inner) => [name, inner] })
    for (const packr of [
      { pack, unpack },
      moreTypes,
      new Packr({ structuredClone: true }),
      new Packr({ useToJSON: false }),
    ]) {
      const expected = [[name, written[name]], { a: [name, written[name]] }]
      assertSame(packr.unpack(packr.pack([value, { a: value }])), expected, name, { copies: true })
    }
    type++
  }
  // A Buffer is a Uint8Array.
  assertSame(unpack(pack(Buffer.alloc(7))), ['bytes', 7])
  assertSame(unpack(pack(new TypeError('t'))), ['error', 't'])
})

test('what is changed of an extension after it was registered does not change its class', () => {
  class First {}
  class Second {}
  const extension = { Class: First, type: 44, pack: () => Buffer.from([1, 2]) }
  addExtension(extension)
  extension.Class = Second
  assert.equal(toHex(pack([new First(), new Second()])), '92d52c0102de0000')
  extension.Class = null
  assert.equal(toHex(pack([new First(), new Second()])), '92d52c0102de0000')
})
