'use strict'

// Messages in which what is met again is a reference, packed by the heap walker: msgpackr's bytes, whatever the
// objects are and however large the message gets.

const assert = require('node:assert/strict')
const { describe, test } = require('node:test')
const msgpackr = require('msgpackr')
const { Packr, packCounts } = require('../helpers/ferropack')
const { withoutHeap, makePair, comparePair, assertAllByHeap, handoversOf } = require('../helpers/walkers')
const { randomFrom, chosenSeed } = require('../helpers/seed')
const { full } = require('../helpers/mode')
const builtIns = require('../helpers/native-built-ins')
const objects = require('../helpers/native-objects')
const arrays = require('../helpers/native-arrays')
const classes = require('../helpers/native-classes')

const REFERRING = { structuredClone: true, useRecords: false }
const SMALL = /\d,\d{3}|of 10,000/

function cycleOf(length) {
  const first = { name: 'first' }
  let last = first
  for (let i = 1; i < length; i++) last = last.next = { name: `number ${i}` }
  last.next = first
  return first
}

const graphs = {
  'an object in itself': () => {
    const object = { a: 1 }
    object.self = object
    return object
  },
  'an array in itself': () => {
    const array = [1]
    array.push(array, array)
    return array
  },
  'a Map in itself': () => {
    const map = new Map()
    return map.set(map, map)
  },
  'a Set in itself': () => {
    const set = new Set()
    return set.add(set).add([set])
  },
  'an error that causes itself': () => {
    const error = new Error('round')
    error.cause = error
    return error
  },
  'a cycle of 100': () => cycleOf(100),
  'one object many times': () => new Array(1000).fill({ a: 1 }),
  'one of many objects again': () => {
    const list = Array.from({ length: 50 }, (_, i) => ({ i }))
    return [...list, list[49], list[0], list[49], list[25]]
  },
  'the first again, at the end': () => {
    const first = { text: 'x'.repeat(300) }
    return [first, 'y'.repeat(70_000), first]
  },
  'objects of many classes': () => {
    const list = Array.from({ length: 100 }, (_, i) => ({ [`key${i}`]: i, text: 'z' }))
    return [list, ...(list.toReversed?.() ?? [...list].reverse())]
  },
  'what comes again under a symbol': () => {
    const shared = { a: 1 }
    return [Object.assign({ b: shared }, { [Symbol('s')]: shared }), shared]
  },
  'an object with a hidden property, twice': () => {
    const object = Object.defineProperty({ list: [{}] }, 'hidden', { value: 1 })
    return [object, object.list, object]
  },
  'an instance and its parts': () => {
    class Own {
      parts = [{ a: 1 }]
    }
    const own = new Own()
    return [own, own.parts, own.parts[0], own]
  },
  'sparse arrays and integer keys': () => {
    const shared = new Date(5)
    const sparse = []
    sparse[1500] = shared
    return { sparse, 7: shared, 3: [shared] }
  },
  'keys of a Map': () => {
    const key = { k: 1 }
    return new Map([
      [key, key],
      ['other', key],
    ])
  },
  'two views of one ArrayBuffer': () => {
    const { buffer } = Uint8Array.of(1, 2, 3, 4)
    return [new Uint8Array(buffer), new Uint8Array(buffer), new DataView(buffer), buffer, buffer]
  },
  'strings and numbers': () => ['a long text', 'a long text', 0.5, 0.5, 5n, 5n, null, null],
  'boxed values': () => {
    const boxed = [new Number(1), new String('ab'), Object(5n)]
    return [boxed, ...boxed]
  },
}

describe('values that hold what they hold more than once', { skip: withoutHeap }, () => {
  const sets = {
    maps: REFERRING,
    'maps without types': { ...REFERRING, moreTypes: false },
    'small maps': { ...REFERRING, variableMapSize: true },
  }
  for (const [label, options] of Object.entries(sets)) {
    for (const [name, make] of Object.entries(graphs)) {
      test(`${name}, ${label}`, { skip: withoutHeap }, () => {
        const pair = makePair(options)
        const reference = new msgpackr.Packr({ ...options })
        const value = make()
        for (let round = 1; round <= 3; round++) {
          const { bytes } = comparePair(pair, value, name)
          assert.equal(bytes.toString('hex'), Buffer.from(reference.pack(value)).toString('hex'))
          assertAllByHeap(pair.heap, round, name)
        }
      })
    }
  }
})

test('the same with records', { skip: withoutHeap }, () => {
  for (const [name, make] of Object.entries(graphs)) {
    for (const options of [{ structuredClone: true }, { structuredClone: true, structures: [] }]) {
      const set = () => ({ useRecords: true, ...options, ...(options.structures ? { structures: [] } : {}) })
      const pair = makePair(set)
      const reference = new msgpackr.Packr(set())
      for (let round = 0; round < 3; round++) {
        const { bytes } = comparePair(pair, make(), name)
        assert.equal(bytes.toString('hex'), Buffer.from(reference.pack(make())).toString('hex'), name)
      }
      // The first message or two teach the packr its structures, if there are few enough.
      if (!/many classes|integer|boxed/.test(name)) assert.ok(packCounts(pair.heap).heap >= 1, name)
    }
  }
})

test('every kind of object is referred to', { skip: withoutHeap }, () => {
  const tables = [objects.samples, arrays.samples, classes.samples, ...Object.values(builtIns)]
  for (const table of tables) {
    for (const [name, make] of Object.entries(table)) {
      if (SMALL.test(name)) continue
      const pair = makePair(REFERRING)
      const value = make()
      comparePair(pair, [value, { value }, 'between', value], name)
      comparePair(pair, [make(), make()], `${name}, made twice`)
      assertAllByHeap(pair.heap, 2, name)
    }
  }
})

test('lists of keys that are defined twice are left to the other walker', { skip: withoutHeap }, () => {
  const options = { useRecords: true, structuredClone: true, maxOwnStructures: 1 }
  const pair = makePair(options)
  const value = [{ a: 1 }, { b: 2 }, { a: 3 }]
  const expected = '93d47240d6690000000191a16101d4724091a16202d47240d6700000000103'
  for (let round = 0; round < 3; round++) {
    assert.equal(comparePair(pair, value, `round ${round}`).bytes.toString('hex'), expected)
  }
  assert.deepEqual(packCounts(pair.heap), { heap: 0, tape: 3, handovers: { structure: 3 } })
})

test('what would run code is left to the other walker, as ever', { skip: withoutHeap }, () => {
  const pair = makePair(REFERRING)
  const shared = { toJSON: 1 }
  const run = () => 1
  for (const value of [
    [run, run],
    [shared, { get: () => shared }, shared],
    [new URL('http://a/b'), shared, shared],
  ]) {
    comparePair(pair, value, 'handed over')
  }
  assert.equal(handoversOf(pair.heap), 3)
  comparePair(pair, [shared, shared], 'the next message')
  assert.equal(packCounts(pair.heap).heap, 1)
})

test('references among bundled strings are left to the other walker', { skip: withoutHeap }, () => {
  const pair = makePair({ ...REFERRING, bundleStrings: true })
  const object = { text: 'collected' }
  comparePair(pair, [object, object], 'both')
  assert.deepEqual(packCounts(pair.heap), { heap: 0, tape: 1, handovers: { references: 1 } })
})

test('nothing is remembered from one message to the next', { skip: withoutHeap }, () => {
  const packr = new Packr(REFERRING)
  const object = { a: [1] }
  const first = packr.pack(object).toString('hex')
  for (let i = 0; i < 200; i++) {
    assert.equal(packr.pack(object).toString('hex'), first)
    assert.equal(packr.pack([object.a, i]).toString('hex').slice(0, 6), '929101')
  }
})

test('objects that moved between messages', { skip: withoutHeap }, () => {
  const pair = makePair(REFERRING)
  const kept = []
  for (let round = 0; round < 30; round++) {
    kept.push({ round, list: Array.from({ length: 500 }, (_, i) => ({ i })) })
    if (kept.length > 5) kept.shift()
    comparePair(pair, [kept, kept.map(({ list }) => list[7])], `round ${round}`)
  }
  assertAllByHeap(pair.heap, 30, 'all')
})

test('a large message with very many targets', { skip: withoutHeap }, () => {
  const pair = makePair(REFERRING)
  const list = Array.from({ length: full ? 400_000 : 60_000 }, (_, i) => [i])
  const { bytes } = comparePair(pair, [list, list], 'the list twice')
  assert.equal(bytes.subarray(1, 7).toString('hex'), 'd66900000001')
  comparePair(pair, [...list, ...list], 'each element twice')
  comparePair(pair, [list, [...list].reverse()], 'each element twice, from the last on')
  assertAllByHeap(pair.heap, 3, 'all')
})

test('random graphs', { skip: withoutHeap }, (t) => {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  const packr = new Packr(REFERRING)
  const reference = new msgpackr.Packr({ ...REFERRING })
  const rounds = full ? 5000 : 300
  const makers = [() => ({}), () => [], () => new Map(), () => new Set(), () => new Date(random.below(1e9))]
  for (let round = 0; round < rounds; round++) {
    const nodes = Array.from({ length: 1 + random.below(30) }, () => random.pick(makers)())
    for (let links = random.below(60); links > 0; links--) {
      const from = random.pick(nodes)
      const to = random.chance(0.8) ? random.pick(nodes) : random.below(300)
      if (Array.isArray(from)) from.push(to)
      else if (from instanceof Map) from.set(random.below(9), to)
      else if (from instanceof Set) from.add(to)
      else if (!(from instanceof Date)) from[`key${random.below(9)}`] = to
    }
    const actual = packr.pack(nodes[0]).toString('hex')
    assert.equal(actual, Buffer.from(reference.pack(nodes[0])).toString('hex'), `round ${round}`)
  }
  assertAllByHeap(packr, rounds, 'all')
})
