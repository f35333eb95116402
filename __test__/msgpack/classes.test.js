'use strict'

// Class instances and toJSON: who is asked, when, and what its answer becomes.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const varied = new Packr({ useRecords: false, variableMapSize: true })

class Point {
  #secret = 'never seen'
  constructor(x, y) {
    this.x = x
    this.y = y
  }
  get sum() {
    return this.x + this.y + this.#secret.length
  }
}

class Money {
  constructor(cents) {
    this.cents = cents
  }
  toJSON(...given) {
    Money.calls.push(given.length)
    return { cents: this.cents, currency: 'EUR' }
  }
}
Money.calls = []

test('an instance is its own enumerable properties', () => {
  assert.equal(toHex(pack(new Point(1, 2))), 'de0002a17801a17902')
  assert.equal(
    toHex(varied.pack([new Point(1, 2), new Point('a', null)])),
    '9282a17801a1790282a178a161a179c0',
  )
  assertSame(unpack(pack({ p: new Point(0.5, [1]) })), { p: { x: 0.5, y: [1] } })
})

test('enumerable properties of the prototype are dropped', () => {
  class Base {
    constructor() {
      this.own = 1
    }
  }
  Base.prototype.shared = 2
  assert.equal(toHex(pack(new Base())), 'de0001a36f776e01')
  class Derived extends Base {
    field = 'f'
  }
  assert.equal(toHex(pack(new Derived())), 'de0002a36f776e01a56669656c64a166')
})

test('toJSON of a class is called once, without arguments', () => {
  Money.calls = []
  assertSame(unpack(pack([new Money(5), { m: new Money(7) }])), [
    { cents: 5, currency: 'EUR' },
    { m: { cents: 7, currency: 'EUR' } },
  ])
  assert.deepEqual(Money.calls, [0, 0])
})

test('toJSON may return anything', () => {
  const answers = [null, 5, 'text', true, 0.5, 5n, [1, [2]], { a: 1 }, new Date(5)]
  for (const answer of answers) {
    class Wrapper {
      toJSON() {
        return answer
      }
    }
    assertSame(unpack(pack([new Wrapper(), 1])), [answer, 1], '', { copies: true })
  }
  class Silent {
    toJSON() {}
  }
  assert.equal(toHex(pack([new Silent()])), '91d40000')
  class Itself {
    a = 1
    toJSON() {
      return this
    }
  }
  assert.equal(toHex(pack(new Itself())), 'de0001a16101')
  class Chained {
    toJSON() {
      return new Money(1)
    }
  }
  assertSame(unpack(pack(new Chained())), { cents: 1, currency: 'EUR' })
  class Refused {
    toJSON() {
      return Symbol('no')
    }
  }
  assert.throws(() => pack(new Refused()), { message: 'Unknown type: symbol' })
})

test('toJSON of a plain object is a property like any other', () => {
  assert.equal(toHex(pack({ toJSON: () => 1 })), 'de0001a6746f4a534f4ed40000')
  assert.equal(toHex(pack({ toJSON: 5, a: 1 })), 'de0002a6746f4a534f4e05a16101')
})

test('toJSON of an object without prototype is called', () => {
  assert.equal(toHex(pack(Object.assign(Object.create(null), { toJSON: () => 'called' }))), 'a663616c6c6564')
})

test('toJSON that is own, inherited, or added later to a prototype', () => {
  class Late {
    constructor() {
      this.a = 1
    }
  }
  const late = new Late()
  for (let i = 0; i < 10; i++) assert.equal(toHex(pack(late)), 'de0001a16101')
  Late.prototype.toJSON = () => 'late'
  assert.equal(toHex(pack(late)), 'a46c617465')
  assert.equal(toHex(pack([late, late])), '92a46c617465a46c617465')
  delete Late.prototype.toJSON
  assert.equal(toHex(pack(late)), 'de0001a16101')
  const own = Object.assign(new Late(), { toJSON: () => 'own' })
  assert.equal(toHex(pack(own)), 'a36f776e')
  class Base {
    toJSON() {
      return 'base'
    }
  }
  class Derived extends Base {
    b = 1
  }
  assert.equal(toHex(pack(new Derived())), 'a462617365')
})

test('a toJSON that is no function', () => {
  class Wrong {
    toJSON = 5
  }
  assert.throws(() => pack(new Wrong()), TypeError)
  class Empty {
    get toJSON() {
      return undefined
    }
    a = 1
  }
  assert.equal(toHex(pack(new Empty())), 'de0001a16101')
})

test('useToJSON: false never calls it', () => {
  const deaf = new Packr({ useRecords: false, useToJSON: false })
  Money.calls = []
  assert.equal(toHex(deaf.pack(new Money(5))), 'de0001a563656e747305')
  assert.equal(toHex(deaf.pack(new URL('http://a/b'))), 'de0000')
  assert.equal(toHex(deaf.pack(Object.assign(() => 1, { toJSON: () => 'fj' }))), 'd40000')
  assert.deepEqual(Money.calls, [])
  for (const useToJSON of [true, undefined, null, 0, '']) {
    const packr = new Packr({ useRecords: false, useToJSON })
    assertSame(packr.unpack(packr.pack(new Money(5))), { cents: 5, currency: 'EUR' })
  }
})

test('a prototype swapped away', () => {
  assert.equal(toHex(pack(Object.setPrototypeOf({ a: 1 }, Point.prototype))), 'de0001a16101')
  assert.equal(
    toHex(pack(Object.setPrototypeOf({ a: 1 }, Money.prototype))),
    toHex(pack(new Money(undefined))),
  )
  assert.equal(toHex(pack(Object.setPrototypeOf(new Point(1, 2), Object.prototype))), 'de0002a17801a17902')
})

test('a proxy of an instance', () => {
  assert.equal(toHex(pack(new Proxy(new Point(1, 2), {}))), 'de0002a17801a17902')
  assertSame(unpack(pack(new Proxy(new Money(3), {}))), { cents: 3, currency: 'EUR' })
})

test('rows of instances of several classes', () => {
  const rows = Array.from(
    { length: 300 },
    (_, i) => [new Point(i, i / 2), new Money(i), { x: i }, Object.create(null)][i % 4],
  )
  const expected = rows.map((row) =>
    row instanceof Money ? { cents: row.cents, currency: 'EUR' } : { ...row },
  )
  assertSame(unpack(pack(rows)), expected)
})

class Silent {
  toJSON() {
    return 'silent'
  }
}

/** Objects that an own `constructor` makes look plain, with what they are packed as. */
const DISGUISED = [
  ['a Set with a hidden one', () => hide(new Set([1])), [1]],
  ['a Date with a hidden one', () => hide(new Date(0)), new Date(0)],
  ['an instance with toJSON', () => hide(new Silent()), 'silent'],
  [
    'one whose toJSON gives itself',
    () =>
      hide(
        new (class {
          toJSON() {
            return this
          }
        })(),
      ),
    {},
  ],
  ['an instance without toJSON', () => hide(new (class {})()), {}],
  [
    'no prototype and an enumerable one',
    () => Object.assign(Object.create(null), { constructor: Object }),
    { constructor: undefined },
  ],
  [
    'a class and an enumerable one',
    () => Object.assign(new Point(1, 2), { constructor: Object }),
    { x: 1, y: 2, constructor: undefined },
  ],
]

function hide(object) {
  return Object.defineProperty(object, 'constructor', { value: Object })
}

for (const [label, make, expected] of DISGUISED) {
  for (const [form, options] of Object.entries({
    maps: { useRecords: false, mapsAsObjects: true },
    records: {},
    references: { structuredClone: true, moreTypes: false },
    pairs: { useRecords: false, mapsAsObjects: true, skipValues: ['never'] },
  })) {
    test(`${form}: callbacks run once beside ${label}`, () => {
      const packr = new Packr(options)
      let calls = 0
      const value = [
        {
          get before() {
            return ++calls
          },
        },
        make(),
        new (class {
          toJSON() {
            return { after: ++calls }
          }
        })(),
      ]
      const read = packr.unpack(packr.pack(value))
      assertSame(read, [{ before: 1 }, expected, { after: 2 }])
      assert.equal(calls, 2)
    })
  }
}

test('a built-in that hides its constructor and holds itself', () => {
  const map = new Map()
  map.set('me', map)
  const set = new Set()
  set.add([set])
  for (const value of [hide(map), hide(set)]) {
    assert.throws(() => pack(value), RangeError)
    const packr = new Packr({ structuredClone: true })
    const [read] = packr.unpack(packr.pack([value, 1]))
    if (value === map) assert.equal(read.get('me'), read)
    else assert.equal([...read][0][0], read)
  }
})
