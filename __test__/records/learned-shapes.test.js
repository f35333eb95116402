'use strict'

// What is learned about shapes between messages (key lists, hidden classes, which id a shape has) must never show in
// the bytes: not between known and new shapes, not after errors, not when tables fill up, not with many packrs.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, pack, unpack } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { RecordModel } = require('../helpers/record-model')
const { encode } = require('../helpers/reference-encoder')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const seed = chosenSeed()
const times = full ? 10 : 1

/** Values of a few shapes that recur and some that never do. */
function valuesFrom(random) {
  let unique = 0
  const leaf = () =>
    random.pick([() => random.below(300), () => 'text', () => null, () => `unique ${random.uint32()}`])()
  const build = (depth) => {
    const inner = () => (depth < 3 && random.chance(0.4) ? build(depth + 1) : leaf())
    return random.pick([
      () => ({ id: random.below(100), value: inner() }),
      () => ({ id: random.below(100), value: inner(), more: leaf() }),
      () => ({ id: 1 }),
      () => ({ value: inner(), id: 2 }),
      () => ({ [`k${random.below(30)}`]: inner(), end: 0 }),
      () => ({ [`k${random.below(30)}`]: { [`k${random.below(30)}`]: inner() } }),
      () => ({ [`unique${unique++}`]: inner(), id: leaf() }),
      () => ({}),
      () => Array.from({ length: random.below(6) }, inner),
    ])()
  }
  return () => Array.from({ length: random.below(5) }, () => build(0))
}

/** A packr, the model that says what it writes, and a reader of its own. */
function makePair({ shared = 0, own = 64 }) {
  const structures = shared > 0 ? [] : undefined
  const options = { structures, maxSharedStructures: shared, maxOwnStructures: own, mapsAsObjects: true }
  const packr = new Packr(options)
  const model = new RecordModel({ shared, own })
  const reader = new Unpackr({ structures, mapsAsObjects: true })
  return {
    packr,
    reader,
    check(value, message) {
      const bytes = packr.pack(value)
      assert.equal(toHex(bytes), model.pack(value), message)
      assertSame(packr.unpack(bytes), value, message, { copies: true })
      assertSame(reader.unpack(bytes), value, message, { copies: true })
    },
  }
}

test('known shapes, new ones, and messages that fail', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  for (const own of [64, 32, 3, 1, 70, 0]) {
    const next = valuesFrom(random)
    const { packr, reader, check } = makePair({ own })
    for (let i = 0; i < 500 * times; i++) {
      const value = next()
      if (random.chance(0.2))
        assert.throws(() => packr.pack([...next(), { id: Symbol('none'), value }]), /symbol/)
      if (random.chance(0.2)) {
        const bytes = Buffer.from(packr.pack(next()))
        const cut = bytes.subarray(0, random.below(bytes.length))
        for (const one of [packr, reader]) assert.throws(() => one.unpack(cut), { incomplete: true })
      }
      check(value, `${own} own structures, message ${i}`)
    }
  }
})

test('shared shapes among messages that fail', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  for (const limits of [{}, { maxSharedStructures: 5, maxOwnStructures: 3 }, { maxSharedStructures: 100 }]) {
    const next = valuesFrom(random)
    const structures = []
    const packr = new Packr({ structures, ...limits })
    for (let i = 0; i < 400 * times; i++) {
      const value = next()
      if (random.chance(0.3))
        assert.throws(() => packr.pack([...next(), { id: Symbol('none'), value }]), /symbol/)
      const bytes = packr.pack(value)
      assertSame(packr.unpack(bytes), value, `message ${i}`)
      const lists = JSON.parse(JSON.stringify(structures))
      assertSame(new Unpackr({ structures: lists }).unpack(bytes), value, `message ${i}`)
      assert.equal(new Set(lists.map((keys) => JSON.stringify(keys))).size, lists.length)
    }
  }
})

test('fifty packrs in turn, each with its own shapes and limits', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  const pairs = Array.from({ length: 50 }, (_, i) =>
    makePair({ shared: [0, 0, 1, 5, 32, 33, 100][i % 7], own: [64, 1, 2, 32, 65][i % 5] }),
  )
  const plain = new Packr({ useRecords: false })
  const next = valuesFrom(random)
  for (let i = 0; i < 3000 * times; i++) {
    const value = next()
    // The same value by several of them: a shape has another id in each.
    for (let j = random.below(3); j >= 0; j--) {
      const which = random.below(pairs.length)
      pairs[which].check(value, `packr ${which}, message ${i}`)
    }
    if (random.chance(0.1)) {
      assert.ok(encode(value).equals(pack(value)))
      assert.ok(encode(value).equals(plain.pack(value)))
      assertSame(unpack(pack(value)), value)
    }
  }
})

test('packrs that come and go between those that stay', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  const next = valuesFrom(random)
  const staying = [makePair({}), makePair({ shared: 32, own: 32 })]
  for (let i = 0; i < 600 * times; i++) {
    const value = next()
    for (const pair of staying) pair.check(value, `message ${i}`)
    const passing = makePair({ shared: random.below(40), own: 1 + random.below(40) })
    for (let j = random.below(3); j >= 0; j--)
      passing.check(j === 0 ? next() : value, `passing, message ${i}`)
  }
})

test('more shapes than any table keeps', () => {
  const old = [makePair({}), makePair({ shared: 32, own: 32 }), makePair({ own: 1 })]
  const known = [{ id: 1, value: { id: 2 } }, { first0: 1, second0: { inner0: 2 } }, { id: 3 }]
  for (const pair of old) for (let i = 0; i < 5; i++) pair.check(known, `at first, ${i}`)
  const values = Array.from({ length: 5000 }, (_, i) => ({
    [`first${i}`]: i,
    [`second${i}`]: { [`inner${i}`]: 'text' },
  }))
  const filling = makePair({})
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < values.length; i += 50) {
      const some = values.slice(i, i + 50)
      for (let again = 0; again < 2; again++) filling.check(some, `round ${round}, from ${i}`)
    }
    for (const pair of old) pair.check(known, `after round ${round}`)
  }
})

test('more shapes in one message than any table keeps', () => {
  const old = [makePair({}), makePair({ shared: 32, own: 32 })]
  const known = [{ id: 1, value: { id: 2 } }, { shape7: 1, b: 2 }, { id: 3 }]
  for (const pair of old) for (let i = 0; i < 5; i++) pair.check(known, `at first, ${i}`)
  for (const count of full ? [4095, 4096, 4097, 5000, 10_000] : [4097]) {
    const value = Array.from({ length: count }, (_, i) => ({
      [`shape${i}`]: i,
      b: { [`inner${i % 5000}`]: 1 },
    }))
    value.push(value[0], value[count - 1], { id: 1 })
    for (const pair of [makePair({ own: 8192 }), makePair({ shared: 8000, own: 100 }), ...old]) {
      for (let again = 0; again < 2; again++) pair.check(value, `${count} shapes`)
    }
    for (const pair of old) pair.check(known, `after ${count} shapes`)
  }
})

test('one shape, however its objects were made', () => {
  class Made {
    constructor() {
      this.a = 1
      this.b = 2
      this.c = 3
    }
  }
  const makers = [
    () => ({ a: 1, b: 2, c: 3 }),
    () => JSON.parse('{"a":1,"b":2,"c":3}'),
    () => new Made(),
    () => Object.assign(Object.create(null), { a: 1, b: 2, c: 3 }),
    () => Object.assign(Object.create({ inherited: 1 }), { a: 1, b: 2, c: 3 }),
    () => Object.freeze({ a: 1, b: 2, c: 3 }),
    () => Object.fromEntries(Object.entries({ a: 1, b: 2, c: 3 })),
    () => ({
      a: 1,
      get b() {
        return 2
      },
      c: 3,
    }),
    () => new Proxy({ a: 1, b: 2, c: 3 }, {}),
    () => Object.defineProperty({ a: 1, b: 2, c: 3 }, 'hidden', { value: 4 }),
    () => ({ a: 1, b: 2, c: 3, [Symbol('s')]: 4 }),
    () => {
      const object = { a: 1, x: 0, b: 2, c: 3 }
      delete object.x
      return object
    },
    () => {
      const object = {}
      for (let i = 0; i < 2000; i++) object[`x${i}`] = i
      for (let i = 0; i < 2000; i++) delete object[`x${i}`]
      return Object.assign(object, { a: 1, b: 2, c: 3 })
    },
    () => ({ a: 1, ...{ b: 2, c: 3 } }),
    () => {
      const object = { a: 'text', b: 2.5, c: null }
      return Object.assign(object, { a: 1, b: 2, c: 3 })
    },
  ]
  const packr = new Packr()
  const expected = `${'9f'}d4724093a161a162a163010203${'40010203'.repeat(makers.length - 1)}`
  assert.equal(makers.length, 15)
  for (let i = 0; i < 6; i++) {
    const turned = makers.map((_, j) => makers[(i + j) % makers.length]())
    assert.equal(toHex(packr.pack(turned)), expected)
  }
  const shared = new Packr({ structures: [] })
  for (let i = 0; i < 40; i++) assert.equal(toHex(shared.pack(makers[(i * 7) % makers.length]())), '40010203')
})

test('objects that change between messages', () => {
  const inline = makePair({})
  const shared = makePair({ shared: 32, own: 32 })
  const object = { a: 1, b: { c: 2 } }
  const list = [object, { a: 1, b: 2 }, object.b]
  const steps = [
    () => {
      object.d = 3
    },
    () => {
      delete object.a
    },
    () => {
      object.a = 'again, now last'
    },
    () => {
      object.b.e = { a: 1 }
    },
    () => {
      Object.defineProperty(object, 'd', { enumerable: false })
    },
    () => {
      object[0] = 'element'
    },
    () => {
      for (const key of Object.keys(object)) delete object[key]
    },
    () => {
      Object.assign(object, { a: 1, b: 2 })
    },
    () => {
      Object.defineProperty(object, 'd', { enumerable: true })
    },
    () => {
      for (let i = 0; i < 100; i++) object[`x${i}`] = i
    },
    () => {
      Object.freeze(object)
    },
  ]
  for (const [i, step] of steps.entries()) {
    step()
    const value = JSON.parse(JSON.stringify(list))
    for (let again = 0; again < 4; again++) {
      for (const { packr, check } of [inline, shared]) {
        check(value, `step ${i}, a copy`)
        assertSame(packr.unpack(packr.pack(list)), value, `step ${i}`, { copies: true })
        assert.equal(toHex(packr.pack(list)), toHex(packr.pack(value)), `step ${i}`)
      }
    }
  }
})

test('shapes that begin each other', () => {
  const pairs = [makePair({}), makePair({ own: 500 }), makePair({ shared: 200, own: 32 })]
  const prefix = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
  const rising = Array.from({ length: 150 }, (_, i) => prefix(i))
  for (const pair of pairs) {
    pair.check(rising, 'rising')
    pair.check([...rising].reverse(), 'falling')
    for (const value of rising) pair.check([value, value], 'one by one')
  }
})

test('a large message in the middle of small ones', () => {
  const pairs = [makePair({}), makePair({ shared: 32, own: 32 })]
  const small = [
    { code: 'kg', list: [{ x: 1 }, { y: 2.5 }] },
    { code: 'mg', list: [] },
  ]
  const large = Array.from({ length: 60_000 }, (_, i) =>
    i % 3 === 0 ? { code: 'kg', i } : { [`k${i % 100}`]: { x: i } },
  )
  for (const pair of pairs) {
    for (let i = 0; i < 5; i++) pair.check(small, 'before')
    for (let i = 0; i < 2; i++) {
      pair.check(large, 'large')
      pair.check(small, 'after')
    }
  }
})

test('results stay as they are while more is packed', () => {
  const packr = new Packr()
  const shared = new Packr({ structures: [] })
  const kept = []
  for (let i = 0; i < 2000; i++) {
    const value = { [`k${i % 90}`]: 'x'.repeat(i % 70), inner: { [`n${i % 20}`]: i } }
    kept.push([packr, packr.pack(value), value], [shared, shared.pack(value), value])
  }
  for (const [from, bytes, value] of kept) assertSame(from.unpack(bytes), value)
})
