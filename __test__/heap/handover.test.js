'use strict'

// What the heap walker does not take: the other one packs the whole message, with the same bytes or the same error,
// and code of the user runs as often as if there had been no attempt.

const assert = require('node:assert/strict')
const { describe, test } = require('node:test')
const { packCounts } = require('../helpers/ferropack')
const tables = require('../helpers/handed-over-kinds')
const others = require('../helpers/other-objects')
const {
  withoutHeap,
  makePair,
  outcomeOf,
  assertSameOutcome,
  comparePair,
  handoversOf,
} = require('../helpers/walkers')

const LONG = Array.from({ length: 2000 }, (_, i) => ({
  id: i,
  text: `text ${i}`,
  wide: '\u4f60',
  half: i / 2,
}))

const PLACES = {
  alone: (value) => value,
  'first of an array': (value) => [value, 1, 'text'],
  'last of an object': (value) => ({ a: 1, b: [1.5], value }),
  'in a Map': (value) =>
    new Map([
      ['a', 1],
      ['key', [value]],
    ]),
  'after a long text': (value) => ['x'.repeat(70_000), value],
  'after many objects': (value) => [LONG, value],
}

// Two values are made: what is seen once could be another thing the second time.
function checkKind(make, name) {
  for (const [place, put] of Object.entries(PLACES)) {
    const label = `${name}, ${place}`
    const { heap, tape } = makePair()
    const made = make()
    const twin = make()
    const actual = outcomeOf(heap, put(made.value))
    const expected = outcomeOf(tape, put(twin.value))
    assertSameOutcome(actual, expected, label)
    assert.equal(handoversOf(heap), 1, `${label}: hand-overs ${JSON.stringify(packCounts(heap))}`)
    assert.equal(packCounts(heap).heap, 0, label)
    if (made.calls !== null) assert.deepEqual([made.calls(), twin.calls()], [1, 1], `${label}: calls`)

    // Neither the attempt nor an error leaves anything behind.
    comparePair({ heap, tape }, { after: [1, 'text', 0.5] }, `${label}, the next message`)
    assert.equal(packCounts(heap).heap, 1, label)
  }
}

for (const [label, table] of Object.entries(tables)) {
  describe(label, { skip: withoutHeap }, () => {
    for (const [name, make] of Object.entries(table))
      test(name, { skip: withoutHeap }, () => checkKind(make, name))
  })
}

for (const [label, table] of Object.entries(others)) {
  describe(`${label}, whoever packs them`, { skip: withoutHeap }, () => {
    for (const [name, make] of Object.entries(table)) {
      test(name, { skip: withoutHeap }, () => {
        for (const put of [PLACES.alone, PLACES['last of an object']]) {
          const pair = makePair()
          for (let round = 0; round < 3; round++) comparePair(pair, put(make()), name)
          comparePair(pair, { after: 1 }, `${name}, the next message`)
        }
      })
    }
  })
}

// `pollute` runs while the values exist, and `clean` whatever comes.
function whilePolluted(prototype, key, descriptor, run) {
  Object.defineProperty(prototype, key, { configurable: true, ...descriptor })
  try {
    run()
  } finally {
    delete prototype[key]
  }
}

const holey = () => {
  const array = [1, 2, 3]
  delete array[1]
  return { array, doubles: Object.assign([1.5, 2.5], { length: 3 }), none: new Array(2) }
}

for (const [name, prototype] of [
  ['Array.prototype', Array.prototype],
  ['Object.prototype', Object.prototype],
]) {
  test(`holes while ${name} has elements`, { skip: withoutHeap }, () => {
    const pair = makePair()
    const clean = comparePair(pair, holey(), 'before').bytes
    whilePolluted(prototype, 1, { value: 'from the prototype', writable: true }, () => {
      const { bytes } = comparePair(pair, holey(), 'polluted')
      assert.ok(!bytes.equals(clean))
      assert.equal(handoversOf(pair.heap), 1)
    })
    assert.ok(comparePair(pair, holey(), 'after').bytes.equals(clean))
  })

  test(`holes while ${name} has a getter for an index`, { skip: withoutHeap }, () => {
    const pair = makePair()
    const calls = { count: 0 }
    const get = () => ++calls.count && 'got'
    whilePolluted(prototype, 1, { get }, () => {
      comparePair(pair, holey().array, 'polluted')
      assert.equal(calls.count, 2, 'once for each walker')
    })
  })

  test(`arrays without holes and objects while ${name} has elements`, { skip: withoutHeap }, () => {
    const pair = makePair()
    whilePolluted(prototype, 0, { value: 'from the prototype', writable: true, enumerable: true }, () => {
      for (const value of [[1, 2], [], { a: 1 }, { 1: 'own' }, new Map([[1, []]])])
        comparePair(pair, value, 'polluted')
    })
    for (const value of [[1, 2], [], { a: 1 }]) comparePair(pair, value, 'after')
  })
}

test('objects while Object.prototype has an enumerable key', { skip: withoutHeap }, () => {
  const pair = makePair()
  whilePolluted(Object.prototype, 'inherited', { value: 'never packed', enumerable: true }, () => {
    for (const value of [
      { a: 1 },
      {},
      { inherited: 'own' },
      [{ a: 1 }],
      new (class Own {
        a = 1
      })(),
    ]) {
      comparePair(pair, value, 'polluted')
    }
  })
})

test('a setter on Object.prototype is not called', { skip: withoutHeap }, () => {
  const pair = makePair()
  let calls = 0
  const descriptor = { set: () => calls++, get: () => calls++ }
  whilePolluted(Object.prototype, 'watched', descriptor, () => {
    comparePair(pair, [{ a: 1 }, { b: [2] }], 'polluted')
    assert.equal(calls, 0)
  })
})

test('values that are handed over and others in turn', { skip: withoutHeap }, () => {
  const pair = makePair()
  let native = 0
  for (const table of Object.values(tables)) {
    for (const [name, make] of Object.entries(table)) {
      const { value, calls } = make()
      if (calls === null) comparePair(pair, value, name)
      comparePair(pair, { name, list: [1, 1.5, name] }, `after ${name}`)
      native++
    }
  }
  assert.equal(packCounts(pair.heap).heap, native)
})

test('results that were given before stay as they were', { skip: withoutHeap }, () => {
  const { heap, tape } = makePair()
  const kept = []
  for (let i = 0; i < 300; i++) {
    const value = { i, text: 'x'.repeat(i) }
    kept.push([heap.pack(value), tape.pack(value)])
    outcomeOf(heap, ['y'.repeat(i * 20), tables.functions.symbol().value])
    if (i % 3 === 0) outcomeOf(heap, tables.accessors.getter().value)
  }
  for (const [i, [actual, expected]] of kept.entries()) assert.ok(actual.equals(expected), `${i}`)
})
