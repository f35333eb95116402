'use strict'

// Which objects become records, and by which keys: class instances, objects with odd prototypes, getters that
// interfere, and what is no record although it lies beside one.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const LABELS = {
  inline: {},
  shared: { structures: [] },
  'one own structure': { maxOwnStructures: 1 },
}

function assertInline(value, hex, expected = value) {
  const packr = new Packr()
  for (let i = 0; i < 4; i++) assert.equal(toHex(packr.pack(value)), hex)
  for (const options of Object.values(LABELS)) {
    const other = new Packr({ ...options })
    for (let i = 0; i < 4; i++) assertSame(other.unpack(other.pack(value)), expected, hex, { copies: true })
  }
}

class Point {
  constructor(x, y) {
    this.x = x
    this.y = y
  }
}

test('instances of classes', () => {
  assertInline([new Point(1, 2), new Point(3, 4), { x: 5, y: 6 }], '93d4724092a178a1790102400304400506', [
    { x: 1, y: 2 },
    { x: 3, y: 4 },
    { x: 5, y: 6 },
  ])
  class Line extends Point {}
  assertInline([new Line(1, 2), new Point(3, 4)], '92d4724092a178a1790102400304', [
    { x: 1, y: 2 },
    { x: 3, y: 4 },
  ])
})

test('toJSON of a class is a record if it gives an object', () => {
  class Money {
    constructor(amount) {
      this.amount = amount
    }
    toJSON() {
      return { money: this.amount }
    }
  }
  class Code {
    toJSON() {
      return 'code'
    }
  }
  class Itself {
    constructor() {
      this.a = 1
    }
    toJSON() {
      return this
    }
  }
  assertInline(
    [new Money(1), new Money(2), new Code(), { money: 3 }],
    '94d4724091a56d6f6e6579014002a4636f64654003',
    [{ money: 1 }, { money: 2 }, 'code', { money: 3 }],
  )
  assertInline([new Itself(), { a: 2 }], '92d4724091a161014002', [{ a: 1 }, { a: 2 }])
  assert.equal(toHex(new Packr({ useToJSON: false }).pack(new Money(1))), 'd4724091a6616d6f756e7401')
})

test('toJSON of a plain object is not called', () => {
  assert.equal(toHex(new Packr().pack({ toJSON() {} })), 'd4724091a6746f4a534f4ed40000')
})

test('frozen objects, proxies, objects without a prototype', () => {
  const bare = Object.assign(Object.create(null), { a: 1 })
  assertInline([Object.freeze({ a: 1 }), new Proxy({ a: 1 }, {}), bare], '93d4724091a1610140014001', [
    { a: 1 },
    { a: 1 },
    { a: 1 },
  ])
})

test('a constructor that is data', () => {
  assertInline([{ constructor: 1, a: 2 }], '91d4724092ab636f6e7374727563746f72a1610102')
  for (const kind of [Map, Array, Date, Object, null]) {
    const packr = new Packr()
    const read = packr.unpack(packr.pack([{ constructor: kind, a: 2 }, { a: 3 }]))
    assertSame(read, [{ constructor: kind === null ? null : undefined, a: 2 }, { a: 3 }])
  }
})

test('hidden properties and symbols are no keys', () => {
  const value = Object.defineProperty({ a: 1, [Symbol('s')]: 2 }, 'hidden', { value: 3 })
  assertInline([value, { a: 2 }], '92d4724091a161014002', [{ a: 1 }, { a: 2 }])
})

test('inherited properties are no keys', () => {
  const heir = Object.assign(Object.create({ inherited: 1 }), { own: 2 })
  assertInline([heir, { own: 3 }], '92d4724091a36f776e024003', [{ own: 2 }, { own: 3 }])
})

test('hasOwnProperty as data', () => {
  for (const data of [1, null, 'text', [1], { a: 1 }]) {
    for (const options of Object.values(LABELS)) {
      const packr = new Packr({ ...options })
      const value = [{ hasOwnProperty: data, a: 2 }, { a: 3 }]
      for (let i = 0; i < 3; i++) assertSame(packr.unpack(packr.pack(value)), value)
    }
  }
})

test('a hasOwnProperty that answers as it likes leaves a message that can be read', () => {
  const parent = Object.assign(Object.create(null), { inherited: 0 })
  const makers = [
    () => ({ hasOwnProperty: (key) => key !== 'secret', secret: 1, a: 2 }),
    () => ({ hasOwnProperty: () => false, a: 2 }),
    () => ({ hasOwnProperty: () => true, a: 2 }),
    () => Object.assign(Object.create({ hasOwnProperty: () => true, inherited: 1 }), { a: 2 }),
    () => Object.assign(Object.create(parent), { a: 2 }),
  ]
  const maps = new Packr({ useRecords: false })
  for (const make of makers) {
    const keys = Object.keys(maps.unpack(maps.pack(make())))
    for (const options of Object.values(LABELS)) {
      const packr = new Packr({ ...options })
      for (let i = 0; i < 4; i++) {
        const [read, after, end] = packr.unpack(packr.pack([make(), { a: 3 }, 'end']))
        assert.deepEqual(Object.keys(read), keys)
        assertSame([read.a, after, end], [keys.includes('a') ? 2 : undefined, { a: 3 }, 'end'])
      }
    }
  }
})

test('a getter that adds, deletes or changes properties leaves a message that can be read', () => {
  const adding = () => ({
    get first() {
      this.added = 1
      return 1
    },
    second: 2,
  })
  const deleting = () => ({
    get first() {
      delete this.second
      return 1
    },
    second: 2,
    third: 'x',
  })
  const changing = () => ({
    get first() {
      this.second = { now: ['an object'] }
      return 1
    },
    second: 2,
  })
  const emptying = () => ({
    get first() {
      for (const key of Object.keys(this)) delete this[key]
      return 1
    },
    second: 2,
    third: 'x',
  })
  for (const options of Object.values(LABELS)) {
    const packr = new Packr({ ...options })
    for (let i = 0; i < 5; i++) {
      const value = [adding(), deleting(), changing(), emptying(), { first: 1, second: 2 }, 'after']
      const [added, deleted, changed, emptied, plain, after] = packr.unpack(packr.pack(value))
      assert.deepEqual([added.first, added.second], [1, 2])
      assert.deepEqual([deleted.first, deleted.second, deleted.third], [1, undefined, 'x'])
      assertSame(changed, { first: 1, second: { now: ['an object'] } })
      assert.deepEqual([emptied.first, emptied.second, emptied.third], [1, undefined, undefined])
      assertSame([plain, after], [{ first: 1, second: 2 }, 'after'])
    }
  }
})

test('getters run once and in order', () => {
  for (const options of Object.values(LABELS)) {
    const packr = new Packr({ ...options })
    const calls = []
    const value = {}
    for (const key of ['b', 'a', 'c']) {
      Object.defineProperty(value, key, { enumerable: true, get: () => calls.push(key) })
    }
    packr.pack(value)
    packr.pack([value])
    assert.deepEqual(calls, ['b', 'a', 'c', 'b', 'a', 'c'])
  }
})

test('a getter that packs and unpacks with the same instance', () => {
  for (const options of Object.values(LABELS)) {
    const packr = new Packr({ ...options })
    const value = () => ({
      a: 1,
      get size() {
        packr.pack({ z: [1, 2, 3], text: 'inner text', q: { w: 1 } })
        return packr.unpack(packr.pack({ z: [4] })).z[0]
      },
      text: 'outer text',
      d: { q: { w: 2 } },
    })
    for (let i = 0; i < 4; i++) {
      assertSame(packr.unpack(packr.pack([value(), { d: { q: { w: 3 } } }])), [
        { a: 1, size: 4, text: 'outer text', d: { q: { w: 2 } } },
        { d: { q: { w: 3 } } },
      ])
    }
  }
})

test('a nested message defines what it uses, and the outer one goes on', () => {
  const packr = new Packr()
  class Packed {
    constructor(content) {
      this.content = content
    }
    toJSON() {
      return packr.pack(this.content)
    }
  }
  const value = () => [{ a: 2 }, new Packed({ a: 3, b: 1 }), { a: 4 }, { c: 1 }, { a: 5, b: 2 }]
  const inner = 'd4724092a161a1620301'
  for (let i = 0; i < 4; i++) {
    assert.equal(
      toHex(packr.pack(value())),
      `95d4724091a16102c40a${inner}4004d4724191a16301d4724292a161a1620502`,
    )
    assert.equal(toHex(packr.pack({ a: 1 })), 'd4724091a16101')
  }
})

test('what can not be packed leaves the instance as it was', () => {
  for (const options of [{}, { maxOwnStructures: 1 }, { maxOwnStructures: 65 }]) {
    const packr = new Packr(options)
    for (let i = 0; i < 5; i++) {
      assert.throws(
        () => packr.pack([{ a: 1 }, { b: { c: Symbol('none') } }, { a: 2 }]),
        /Unknown type: symbol/,
      )
      assert.equal(toHex(packr.pack({ a: 1 })), 'd4724091a16101')
      assert.equal(toHex(packr.pack({ b: 1 })), 'd4724091a16201')
    }
  }
})
