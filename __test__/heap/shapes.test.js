'use strict'

// Objects whose hidden classes change, are given up and die between calls. What was learned about one is no help with
// another, not even with one at the same address.

const assert = require('node:assert/strict')
const { join } = require('node:path')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')
const { full } = require('../helpers/mode')
const { withoutHeap, makePair, comparePair, assertAllByHeap } = require('../helpers/walkers')

const skip = withoutHeap

/** Compares after each change of one object that is kept, and beside it an object of the shape it had. */
function follow(make, changes) {
  const pair = makePair()
  const object = make()
  let messages = 0
  const check = (name) => {
    // What was remembered of a class is used from its second object in a message on.
    for (const value of [object, [object, make(), object, { inner: object }, make(), make()], make()]) {
      comparePair(pair, value, name)
      messages++
    }
  }
  for (let i = 0; i < 3; i++) check('before')
  for (const [name, change] of Object.entries(changes)) {
    change(object)
    check(name)
    check(`${name}, again`)
  }
  assertAllByHeap(pair.heap, messages)
}

let made = 0

const setsOf = (key, values) =>
  Object.fromEntries(
    values.map((value, i) => [
      `${key} ${i}`,
      (object) => {
        object[key] = value
      },
    ]),
  )

test('keys that come and go', { skip }, () => {
  follow(() => ({ a: 1, b: 'two' }), {
    added: (object) => Object.assign(object, { c: 3 }),
    'added beyond the object': (object) => Object.assign(object, { d: 4, e: 5, f: 6, g: 7, h: 8, i: 9 }),
    'last deleted': (object) => delete object.i,
    'first deleted': (object) => delete object.a,
    'put back at the end': (object) => Object.assign(object, { a: 'again' }),
    'all deleted': (object) => {
      for (const key of Object.keys(object)) delete object[key]
    },
    'filled again': (object) => Object.assign(object, { x: 1.5, y: null }),
    'integer keys': (object) => Object.assign(object, { 5: 'five', 1: 'one' }),
    'integer key deleted': (object) => delete object[5],
    hidden: (object) => Object.defineProperty(object, 'x', { enumerable: false }),
    shown: (object) => Object.defineProperty(object, 'x', { enumerable: true }),
    'read-only': (object) => Object.defineProperty(object, 'x', { writable: false }),
    'not extensible': Object.preventExtensions,
    sealed: Object.seal,
    frozen: Object.freeze,
  })
})

test('a field from Smi to double to tagged', { skip }, () => {
  const key = `field${++made}`
  follow(() => ({ before: 'x', [key]: 1, after: 2 }), {
    ...setsOf(key, [2, 1.5, 3, -0, 2 ** 31, 'text', 7, 1.25, { deep: 1 }, null, undefined, 5]),
  })
})

test('fields of every kind to every other kind', { skip }, () => {
  const kinds = [1, 1.5, 'text', { a: 1 }, [1], null, true, 5n, new Date(5)]
  for (const from of kinds) {
    for (const to of kinds) {
      const key = `pair${++made}`
      const pair = makePair()
      const older = { [key]: from, after: 1 }
      const newer = { [key]: from, after: 1 }
      for (const value of [older, newer]) comparePair(pair, value, `${from}`)
      newer[key] = to
      for (const value of [older, newer, [older, newer, older]])
        comparePair(pair, value, `${from}, then ${to}`)
      older.after = 'migrated'
      for (const value of [newer, older]) comparePair(pair, value, `${from}, migrated, then ${to}`)
      assertAllByHeap(pair.heap, 7)
    }
  }
})

test('numbers written into a double field', { skip }, () => {
  follow(() => ({ n: 0.5, m: 1 }), setsOf('n', [1.5, 3, NaN, -0, 2 ** 32, -1, 0.1]))
})

test('a prototype that changes', { skip }, () => {
  class First {
    constructor() {
      this.a = 1
      this.b = 2
    }
  }
  class Second {}
  follow(() => new First(), {
    'another class': (object) => Object.setPrototypeOf(object, Second.prototype),
    'no prototype': (object) => Object.setPrototypeOf(object, null),
    'a plain object': (object) => Object.setPrototypeOf(object, Object.prototype),
    'the class again': (object) => Object.setPrototypeOf(object, First.prototype),
    'a member of the prototype': () => Object.assign(First.prototype, { member: 1 }),
    'an object that became a prototype': (object) => Object.assign(Object.create(object), { c: 1 }),
  })
})

test('elements of an array from kind to kind', { skip }, () => {
  follow(() => [1, 2, 3], {
    doubles: (array) => array.push(1.5),
    tagged: (array) => array.push('text'),
    hole: (array) => delete array[1],
    'hole filled': (array) => array.fill(undefined, 1, 2),
    longer: (array) => {
      array.length = 30
    },
    sparse: (array) => {
      array[5000] = 'far'
    },
    'no longer sparse': (array) => {
      array.length = 4
    },
    shifted: (array) => array.shift(),
    'not extensible': Object.preventExtensions,
    sealed: Object.seal,
    frozen: Object.freeze,
  })
})

test('Map and Set from table to table', { skip }, () => {
  const changes = {
    grown: (entries) => {
      for (let i = 0; i < 100; i++) entries.set(i, i)
    },
    'partly deleted': (entries) => {
      for (let i = 0; i < 100; i += 3) entries.delete(i)
    },
    shrunk: (entries) => {
      for (let i = 0; i < 97; i++) entries.delete(i)
    },
    'grown again': (entries) => {
      for (let i = 0; i < 40; i++) entries.set(`key ${i}`, i)
    },
    cleared: (entries) => entries.clear(),
    'filled again': (entries) => entries.set('a', 1),
  }
  const forSet = (set) => ({
    set: (key) => set.add(key),
    delete: (key) => set.delete(key),
    clear: () => set.clear(),
  })
  follow(() => new Map([['first', 1]]), changes)
  follow(
    () => new Set(['first']),
    Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, (set) => change(forSet(set))])),
  )
})

// V8 gives the first instances room for more fields, watches how much is used, and then shrinks all of them in place.
test('hundreds of instances of a constructor', { skip }, () => {
  for (const fields of [0, 1, 3, 7, 12, 40]) {
    for (const late of [0, 1, 9]) {
      class Own {
        constructor(i) {
          for (let f = 0; f < fields; f++) this[`field${f}`] = f % 2 ? i : `text ${i}`
        }
      }
      const Old = function Old(i) {
        this.first = i
        for (let f = 0; f < fields; f++) this[`field${f}`] = i / 2
      }
      const pair = makePair()
      const kept = []
      for (let i = 0; i < 120; i++) {
        const instances = [new Own(i), new Old(i)]
        for (let l = 0; l < late; l++) {
          if (i % 10 === 0) for (const instance of instances) instance[`late${l}`] = l
        }
        kept.push(...instances)
        for (const value of [...instances, kept[i], kept.slice(-4)])
          comparePair(pair, value, `instance ${i} of ${fields}`)
      }
      comparePair(pair, kept, 'all')
      assertAllByHeap(pair.heap, 120 * 4 + 1)
    }
  }
})

test('many shapes that live', { skip }, () => {
  const pair = makePair()
  const shapeOf = (i, n) => ({ [`k${i % 50}`]: i, [`l${i % 61}`]: n / 2, common: `${n}` })
  const objects = Array.from({ length: 3000 }, (_, i) => shapeOf(i, i))
  for (let round = 0; round < 2; round++) for (const object of objects) comparePair(pair, object, 'alone')
  for (let round = 0; round < 2; round++) {
    const many = [0, 1, 2, 3].flatMap((n) => objects.map((_, i) => shapeOf(i, i + n)))
    comparePair(pair, many, 'together')
    comparePair(pair, many.reverse(), 'backwards')
  }
  assertAllByHeap(pair.heap, 2 * objects.length + 4)
})

test('keys of every length, and many of them', { skip }, () => {
  const pair = makePair()
  let messages = 0
  for (let length = 1; length <= 70; length++) {
    for (const letter of ['k', '\u00e9', '\u4f60']) {
      const key = letter.repeat(length)
      const rows = [1, 2, 3, 4].map((i) => ({ before: i, [key]: { [key]: i }, after: 'x' }))
      for (let round = 0; round < 2; round++) comparePair(pair, rows, `a key of ${length}`)
      messages += 2
    }
  }
  for (const count of [1, 2, 15, 16, 17, 126, 127, 128, 129, 130, 200, 1000, 1019, 1020]) {
    const make = new Function(
      'value',
      `return {${Array.from({ length: count }, (_, i) => `key${i}: value + ${i}`)}}`,
    )
    for (let round = 0; round < 3; round++)
      comparePair(pair, [make(1), make(2), make(0.5), make(3)], `${count} keys`)
    messages += 3
  }
  assertAllByHeap(pair.heap, messages)
})

test('objects of one shape within one another', { skip }, () => {
  const pair = makePair()
  class Node {
    constructor(left, right) {
      this.left = left
      this.right = right
    }
  }
  const tree = (depth, make) => (depth === 0 ? null : make(tree(depth - 1, make), tree(depth - 1, make)))
  for (let round = 0; round < 3; round++) {
    comparePair(
      pair,
      tree(8, (left, right) => ({ left, right })),
      'plain',
    )
    comparePair(
      pair,
      tree(8, (left, right) => new Node(left, right)),
      'class',
    )
    comparePair(
      pair,
      tree(5, (left, right) => ({ left, [`only${round}`]: [left, { left, right }], right })),
      'mixed',
    )
  }
  assertAllByHeap(pair.heap, 9)
})

test('a message that ends in the middle of what is learned', { skip }, () => {
  const pair = makePair()
  for (let i = 0; i < 30; i++) {
    const row = (last) => ({ [`first${i % 3}`]: 1, second: 'x', last })
    comparePair(pair, [row(1), row(() => 1), row(2)], 'handed over')
    comparePair(pair, [row(1), row(2), row(3), row({ a: 1 })], 'after')
  }
})

// Shapes that nothing holds any more give their memory to new ones, often of the same size and at the same place.
const DYING = `
  const { makePair, comparePair } = require(${JSON.stringify(join(__dirname, '..', 'helpers', 'walkers'))})
  const { packCounts } = require(process.env.FERROPACK_ENTRY)
  const [rounds, each] = ${JSON.stringify(full ? [120, 400] : [24, 150])}
  const pair = makePair()
  // Each gives a maker of objects of one shape.
  const shapes = [
    (key) => (i) => ({ [key]: i, b: 'two' }),
    (key) => (i) => ({ b: 'two', [key]: i / 2 }),
    (key) => (i) => ({ [key]: 'text', [key + 'x']: i, b: { [key]: 1 } }),
    (key) => (i) => Object.assign(Object.create(null), { [key]: i }),
    (key) => (i) => ({ __proto__: null, [key]: i }),
    (key) => { class Own { constructor(i) { this[key] = i; this.b = [i] } } return (i) => new Own(i) },
    (key) => { class Own { [key] = 1; #secret = 1 } return () => new Own() },
    (key) => { class Base { a = 1 } class Own extends Base { [key] = 0.25 } return () => new Own() },
    (key) => (i) => { const o = { a: 1, [key]: i, c: 3 }; delete o.a; return o },
    (key) => (i) => Object.defineProperty({ [key]: i, shown: 1 }, key, { enumerable: i % 2 === 0 }),
  ]
  let made = 0
  for (let round = 0; round < rounds; round++) {
    let objects = []
    for (let i = 0; i < each; i++) {
      // The same few names come again in other places, so that old and new shapes are alike in size.
      const key = 'key' + ((made++ * 7919) % 4093)
      const make = shapes[(i + round) % shapes.length](key)
      objects.push([make(i), make(i + 2), make(i + 4), make(i + 5)])
    }
    for (const object of objects) comparePair(pair, object, 'round ' + round)
    comparePair(pair, objects, 'round ' + round + ', together')
    objects = null
    gc()
    if (round % 3 === 0) gc()
  }
  const { heap, handovers } = packCounts(pair.heap)
  console.log(JSON.stringify({ heap, expected: rounds * (each + 1), handovers }))
`

for (const flags of [[], ['--max-semi-space-size=1'], ['--stress-compaction']]) {
  test(`shapes that die, ${flags.join(' ') || 'no flags'}`, { skip }, () => {
    const { heap, expected, handovers } = JSON.parse(runScript(DYING, { flags: ['--expose-gc', ...flags] }))
    assert.deepEqual(handovers, {})
    assert.equal(heap, expected)
  })
}

// A class that dies takes its prototype's address with it, and another one may then have it.
const DYING_CLASSES = `
  const { makePair, comparePair } = require(${JSON.stringify(join(__dirname, '..', 'helpers', 'walkers'))})
  const pair = makePair()
  for (let round = 0; round < ${full ? 150 : 30}; round++) {
    let instances = []
    for (let i = 0; i < 100; i++) {
      const Own = new Function('return class Own { a = 1; b = 2 }')()
      if (i % 9 === round % 9) Own.prototype.toJSON = () => 'json'
      instances.push(new Own())
    }
    for (const instance of instances) comparePair(pair, instance, 'round ' + round)
    instances = null
    gc()
  }
  console.log('done')
`

test('classes that die, some with toJSON', { skip }, () => {
  assert.equal(runScript(DYING_CLASSES, { flags: ['--expose-gc'] }), 'done\n')
})
