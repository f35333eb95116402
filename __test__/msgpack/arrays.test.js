'use strict'

// Arrays in every representation the engine has for them.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertRoundTrip } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')

const KINDS = {
  'small integers': (i) => i % 100,
  doubles: (i) => i / 8,
  strings: (i) => `s${i % 10}`,
  nulls: () => null,
}

test('lengths around every header boundary', () => {
  for (const length of [0, 1, 14, 15, 16, 17, 255, 256, 4000]) {
    for (const [kind, element] of Object.entries(KINDS)) {
      assertRoundTrip(
        Array.from({ length }, (_, i) => element(i)),
        `${length} ${kind}`,
      )
    }
  }
  for (const length of [65_535, 65_536]) {
    assertRoundTrip(
      Array.from({ length }, (_, i) => i % 100),
      `${length} small integers`,
    )
  }
  assertRoundTrip(
    Array.from({ length: 65_536 }, (_, i) => i / 8),
    '65536 doubles',
  )
})

const RUNS = {
  'small integers': (i) => i,
  'wide integers': (i) => i * 1_000_003 - 2_000_000_000,
  doubles: (i) => i + 0.5,
  booleans: (i) => i % 2 === 0,
  strings: (i) => `text ${i}`,
  nulls: () => null,
  'empty arrays': () => [],
  'equal objects': (i) => ({ id: i, name: 'n' }),
  undefineds: () => undefined,
  bigints: (i) => BigInt(i),
  dates: (i) => new Date(i),
}

test('a run of one kind that ends in another', () => {
  for (const [name, element] of Object.entries(RUNS)) {
    for (const [otherName, other] of Object.entries(RUNS)) {
      for (const length of [1, 3, 15, 16, 40]) {
        const run = Array.from({ length }, (_, i) => element(i))
        assertRoundTrip([...run, other(7)], `${name}, then ${otherName}`)
        assertRoundTrip([other(7), ...run], `${otherName}, then ${name}`)
        assertRoundTrip([...run, other(7), ...run], `${name} around ${otherName}`)
      }
    }
  }
})

test('numbers of all widths in one array', () => {
  const numbers = [
    0,
    -1,
    127,
    128,
    -33,
    255,
    256,
    65_535,
    65_536,
    2 ** 31,
    2 ** 32,
    -(2 ** 31),
    0.5,
    NaN,
    -Infinity,
  ]
  for (let shift = 0; shift < numbers.length; shift++) {
    const turned = [...numbers.slice(shift), ...numbers.slice(0, shift)]
    assertRoundTrip(turned, `turned by ${shift}`)
    assertRoundTrip(
      Array.from({ length: 500 }, (_, i) => turned[i % turned.length]),
      `repeated, turned by ${shift}`,
    )
  }
})

test('holes are undefined', () => {
  // biome-ignore lint/suspicious/noSparseArray: holes are the subject
  assert.equal(toHex(pack([, 1])), '92d4000001')
  // biome-ignore lint/suspicious/noSparseArray: holes are the subject
  assert.equal(toHex(pack([0.5, , 1.5])), '93cb3fe0000000000000d40000cb3ff8000000000000')
  // biome-ignore lint/suspicious/noSparseArray: holes are the subject
  assert.equal(toHex(pack(['a', , 'b'])), '93a161d40000a162')
  assertSame(
    unpack(pack(new Array(20))),
    Array.from({ length: 20 }, () => undefined),
  )
  const removed = [1, 2, 3]
  delete removed[1]
  assert.equal(toHex(pack(removed)), '9301d4000003')
  const grown = [1]
  grown.length = 4
  assert.equal(toHex(pack(grown)), '9401d40000d40000d40000')
})

test('a hole shows what the prototype has there', () => {
  // biome-ignore lint/suspicious/noSparseArray: holes are the subject
  const list = [1, , 3]
  Array.prototype[1] = 'inherited'
  try {
    assertSame(unpack(pack(list)), [1, 'inherited', 3])
  } finally {
    delete Array.prototype[1]
  }
  assertSame(unpack(pack(list)), [1, undefined, 3])
})

test('sparse arrays', () => {
  const sparse = []
  sparse[50_000] = 'end'
  sparse[7] = 'seven'
  const expected = Array.from({ length: 50_001 }, (_, i) =>
    i === 7 ? 'seven' : i === 50_000 ? 'end' : undefined,
  )
  assertSame(unpack(pack(sparse)), expected)
})

test('arrays with room to spare, shifted, sliced and frozen', () => {
  const queue = Array.from({ length: 200 }, (_, i) => ({ i }))
  for (let i = 0; i < 150; i++) queue.shift()
  assertRoundTrip(queue, 'shifted')
  const spare = []
  for (let i = 0; i < 1000; i++) spare.push(i)
  for (let i = 0; i < 990; i++) spare.pop()
  assertRoundTrip(spare, 'popped')
  assertRoundTrip(Object.freeze([1, 'a', Object.freeze([])]), 'frozen')
  assertRoundTrip(Object.seal([1.5, 2.5]), 'sealed')
  assertRoundTrip(Object.preventExtensions(['x']), 'not extensible')
  const literal = () => [1, 2, 3]
  assertRoundTrip([literal(), literal()], 'copy on write')
  const written = literal()
  written[0] = 'changed'
  assertRoundTrip([literal(), written], 'written copy')
})

test('extra properties and symbols are dropped', () => {
  assert.equal(
    toHex(pack(Object.assign([1], { x: 2, '-1': 3, toJSON: () => 'never', [Symbol('s')]: 1 }))),
    '9101',
  )
})

test('subclasses and proxies of arrays are arrays', () => {
  class Rows extends Array {
    toJSON() {
      return 'never'
    }
  }
  assert.equal(toHex(pack(Rows.from([1, 2]))), '920102')
  assert.equal(toHex(pack(new Proxy([1, [2]], {}))), '92019102')
  assert.equal(toHex(pack('abc'.match(/b/))), '91a162')
  assert.equal(toHex(pack(Object.setPrototypeOf([1], null))), '9101')
})

test('arguments are an object', () => {
  const given = (function () {
    // biome-ignore lint/complexity/noArguments: the arguments object is the subject
    return arguments
  })(1, 2)
  assert.equal(toHex(pack(given)), 'de0002a13001a13102')
})

test('accessor elements', () => {
  const list = Object.defineProperty([1, 2, 3], 1, { get: () => 'got', enumerable: true })
  assertSame(unpack(pack(list)), [1, 'got', 3])
})

test('an array whose length changes while it is packed keeps the length first read', () => {
  const shrinking = [
    {
      get a() {
        shrinking.length = 1
        return 1
      },
    },
    2,
    3,
  ]
  assertSame(unpack(pack([shrinking, 'after'])), [[{ a: 1 }, undefined, undefined], 'after'])
  const growing = [
    {
      get a() {
        growing.push('more')
        return 1
      },
    },
    2,
  ]
  assertSame(unpack(pack([growing, 'after'])), [[{ a: 1 }, 2], 'after'])
  const retyped = [
    {
      get a() {
        retyped[1] = 'text'
        retyped[2] = 0.5
        return 1
      },
    },
    2,
    3,
  ]
  assertSame(unpack(pack(retyped)), [{ a: 1 }, 'text', 0.5])
})

test('one array in many places is written each time', () => {
  const shared = [1, 'x']
  assertRoundTrip([[1, 'x'], { a: [1, 'x'] }], 'copies', { like: [shared, { a: shared }] })
  assertSame(unpack(pack([shared, shared])), [
    [1, 'x'],
    [1, 'x'],
  ])
})

test('nested arrays', () => {
  assertRoundTrip([[], [[]], [[[1]]], [[2.5, [null, ['x']]]]], 'nested')
  let deep = []
  for (let i = 0; i < 500; i++) deep = [deep, i]
  assertRoundTrip(deep, '500 levels')
})

test('a sparse array of billions of holes is refused at once', () => {
  const sparse = []
  sparse.length = 2 ** 32 - 1
  assert.throws(() => pack({ sparse }), RangeError)
  assert.equal(toHex(pack([1])), '9101')
})
