'use strict'

// The option shouldShareStructure, which keeps shapes out of the shared ones, and the ids of what it refuses: two
// shapes that are in use never have the same one.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { RecordModel } = require('../helpers/record-model')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const seed = chosenSeed()
const noX = (keys) => !keys.includes('x')
const listsOf = (structures) => JSON.parse(JSON.stringify(structures))

test('refused shapes are defined in their messages, with ids of their own', () => {
  const structures = []
  const packr = new Packr({ structures, shouldShareStructure: noX })
  const messages = [
    [{ a: 1 }, '4001'],
    [{ x: 1 }, 'd4726091a17801'],
    [{ b: 2 }, '4102'],
    [[{ x: 1 }, { x: 2 }], '92d4726191a178016102'],
    [{ a: 3 }, '4003'],
  ]
  for (const [value, hex] of messages) assert.equal(toHex(packr.pack(value)), hex)
  assert.deepEqual(listsOf(structures), [['a'], ['b']])
  for (const [value, hex] of messages) assertSame(packr.unpack(fromHex(hex)), value)
})

test('it is called with the keys, as a method of the instance', () => {
  const calls = []
  const packr = new Packr({
    structures: [],
    shouldShareStructure(...parameters) {
      calls.push([this, parameters])
      return true
    },
  })
  packr.pack({ a: 1, b: { c: 1 } })
  packr.pack([{ a: 1, b: 2 }, { c: 1 }])
  assert.equal(calls.length, 2)
  for (const [receiver] of calls) assert.equal(receiver, packr)
  assert.deepEqual(
    calls.map(([, parameters]) => parameters.map((keys) => [...keys])),
    [[['a', 'b']], [['c']]],
  )
  assert.ok(Array.isArray(calls[0][1][0]))
})

test('a shape that was refused is asked for again in the next message, not in the same one', () => {
  let calls = 0
  const packr = new Packr({ structures: [], shouldShareStructure: () => calls++ > 3 })
  packr.pack([{ a: 1 }, { a: 2 }])
  assert.equal(calls, 1)
  packr.pack({ a: 1 })
  packr.pack({ a: 1 })
  packr.pack({ a: 1 })
  assert.equal(calls, 4)
  assert.equal(toHex(packr.pack([{ a: 1 }, { a: 2 }])), '9240014002')
  assert.equal(calls, 5)
  packr.pack({ a: 1 })
  assert.equal(calls, 5)
})

test('it is not asked once no shape can be shared any more', () => {
  let calls = 0
  const packr = new Packr({
    structures: [],
    maxSharedStructures: 1,
    shouldShareStructure: () => ++calls > 0,
  })
  packr.pack([{ a: 1 }, { b: 1 }, { c: 1 }])
  assert.equal(calls, 1)
})

test('the function may be changed between messages', () => {
  const packr = new Packr({ structures: [] })
  packr.shouldShareStructure = noX
  assert.equal(toHex(packr.pack([{ a: 1 }, { x: 1 }])), '924001d4726091a17801')
  packr.shouldShareStructure = undefined
  assert.equal(toHex(packr.pack([{ a: 1 }, { x: 1 }])), '9240014101')
})

test('ids of refused shapes go on from message to message and start over at the end', () => {
  const packr = new Packr({ structures: [], maxOwnStructures: 2, shouldShareStructure: () => false })
  assert.equal(toHex(packr.pack({ a: 1 })), 'd4726091a16101')
  assert.equal(toHex(packr.pack({ a: 2 })), 'd4726191a16102')
  assert.equal(toHex(packr.pack({ a: 3 })), 'd4726091a16103')
  assert.equal(
    toHex(packr.pack([{ a: 1 }, { b: 1 }, { c: 1 }, { a: 2 }])),
    '94d4726191a16101d4726091a16201d4726191a16301d4726091a16102',
  )
})

test('refused shapes are maps where there are no own structures', () => {
  const packr = new Packr({
    structures: [],
    maxOwnStructures: 0,
    shouldShareStructure: noX,
    mapsAsObjects: true,
  })
  assert.equal(toHex(packr.pack([{ x: 1 }, { a: { x: 2 } }])), '92de0001a1780140de0001a17802')
})

test('no id is that of two shapes when the shared ones run out behind a refused one', () => {
  const options = () => ({ structures: [], maxSharedStructures: 1, shouldShareStructure: noX })
  const value = [{ x: 1 }, { a: 1 }, { b: 1 }, { x: 2 }]
  const packr = new Packr(options())
  const hex = '94d4724191a178014001d4724191a16201d4724291a17802'
  assert.equal(toHex(packr.pack(value)), hex)
  assertSame(packr.unpack(fromHex(hex)), value)
  const more = [...value, { b: 2 }, { a: 2 }, { c: 1 }, { x: 3 }, { b: 3 }]
  for (let i = 0; i < 40; i++) {
    assertSame(packr.unpack(packr.pack(i % 2 === 0 ? more : value)), i % 2 === 0 ? more : value)
  }
})

test('any mixture of shared, refused and own shapes is read as it was written', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  for (let i = 0; i < 300; i++) {
    const shared = random.pick([1, 2, 3, 5, 31, 32, 33, 64, 70])
    const own = random.pick([1, 2, 3, 5, 32, 64])
    const shouldShareStructure = (keys) => keys.length === 0 || Number(keys[0].slice(1)) % 3 !== 0
    const packr = new Packr({
      structures: [],
      maxSharedStructures: shared,
      maxOwnStructures: own,
      shouldShareStructure,
    })
    const kinds = random.pick([4, 8, 20, 90])
    const build = (depth) =>
      depth === 0
        ? random.below(200)
        : { [`k${random.below(kinds)}`]: build(random.below(depth)), end: random.below(9) }
    for (let j = 0; j < 6; j++) {
      const value = Array.from({ length: random.below(50) }, () => build(random.below(4)))
      const bytes = packr.pack(value)
      const message = `${shared} shared, ${own} own, ${kinds} kinds: ${toHex(bytes)}`
      assertSame(packr.unpack(bytes), value, message)
      const reader = new Unpackr({ structures: listsOf(packr.structures) })
      assertSame(reader.unpack(bytes), value, message)
      for (const keys of listsOf(packr.structures)) assert.ok(shouldShareStructure(keys))
    }
  }
})

test('bytes where no shape that is refused meets the end of the shared ones', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  const shares = (keys) => Number(keys[0].slice(1)) % 3 !== 0
  const structures = []
  const packr = new Packr({
    structures,
    maxSharedStructures: 70,
    maxOwnStructures: 5,
    shouldShareStructure: shares,
  })
  const model = new RecordModel({ shared: 70, own: 5, shares })
  for (let i = 0; i < 200; i++) {
    const value = Array.from({ length: 20 }, () => ({
      [`k${random.below(90)}`]: { [`k${random.below(9)}`]: 1 },
    }))
    assert.equal(toHex(packr.pack(value)), model.pack(value))
  }
  assert.deepEqual(listsOf(structures), model.structures)
})

test('an error of the function passes through', () => {
  const packr = new Packr({
    structures: [],
    shouldShareStructure(keys) {
      if (keys.includes('bad')) throw new RangeError('not shared')
      return true
    },
  })
  for (let i = 0; i < 3; i++) {
    assert.throws(() => packr.pack([{ a: 1 }, { bad: 1 }]), { name: 'RangeError', message: 'not shared' })
    assertSame(packr.unpack(packr.pack([{ a: 1 }, { b: 1 }])), [{ a: 1 }, { b: 1 }])
  }
})

test('a function that packs with the same instance', () => {
  const inner = []
  const packr = new Packr({
    structures: [],
    shouldShareStructure(keys) {
      if (keys.includes('outer')) inner.push(packr.pack({ inner: 1 }))
      return !keys.includes('inner')
    },
  })
  for (let i = 0; i < 3; i++) {
    const value = [{ a: 1 }, { outer: 1 }, { inner: 2 }]
    assertSame(packr.unpack(packr.pack(value)), value)
  }
  for (const bytes of inner) assertSame(packr.unpack(bytes), { inner: 1 })
})

test('a callback that replaces the structures while ids are given', () => {
  let clears = 0
  const packr = new Packr({
    structures: [],
    shouldShareStructure(keys) {
      if (keys.includes('b') && clears++ < 2) this.clearSharedData()
      return true
    },
  })
  const value = [{ a: 1 }, { b: 2 }, { a: 3 }, { c: 1 }]
  assertSame(packr.unpack(packr.pack(value)), value)
  const restless = new Packr({
    structures: [],
    shouldShareStructure() {
      this.structures = []
      return true
    },
  })
  assert.throws(() => restless.pack(value), /structures were replaced/)
})

test('a callback that packs what it is asked about', () => {
  let isAsked = false
  const packr = new Packr({
    structures: [],
    shouldShareStructure() {
      if (!isAsked) {
        isAsked = true
        packr.pack({ a: 5, z: [{ a: 1 }] })
      }
      return true
    },
  })
  const value = [{ a: 1 }, { a: 2 }, { z: 1 }]
  assertSame(packr.unpack(packr.pack(value)), value)
  assertSame(packr.structures, [['a', 'z'], ['a'], ['z']])
})

test('a callback that packs with another packr', () => {
  for (const isFailing of [false, true]) {
    const log = new Packr({ structures: [] })
    for (let i = 0; i < 3; i++) for (const key of ['x', 'y', 'id']) log.pack({ [key]: 1 })
    const packr = new Packr({
      structures: [],
      shouldShareStructure() {
        log.pack({ x: 1 })
        if (isFailing) assert.throws(() => log.pack({ x: Symbol('none') }))
        return true
      },
    })
    const value = [{ name: 'a' }, { id: 1 }, { y: 2 }, {}]
    for (let i = 0; i < 3; i++) assertSame(packr.unpack(packr.pack(value)), value)
    assertSame(packr.structures, [['name'], ['id'], ['y'], []])
  }
})

test('a callback that packs with the same packr what either walker can take', () => {
  for (const limits of [{ maxSharedStructures: 2 }, { maxSharedStructures: 4, maxOwnStructures: 2 }, {}]) {
    let isBusy = false
    const other = new Packr({ structures: [['x']] })
    const packr = new Packr({
      structures: [['known']],
      ...limits,
      shouldShareStructure(keys) {
        if (!isBusy) {
          isBusy = true
          other.pack({ x: 1 })
          assert.equal(toHex(packr.pack(8)), '08')
          assertSame(packr.unpack(packr.pack([{ known: 1 }, { d: 1 }])), [{ known: 1 }, { d: 1 }])
          isBusy = false
        }
        return !keys.includes('b')
      },
    })
    for (let i = 0; i < 4; i++) {
      for (const value of [
        [{ a: { d: i } }, { b: 1 }, { d: 2 }],
        { a: 2, b: 5, c: { d: 5 } },
        [{ d: 1 }, {}],
      ]) {
        assertSame(packr.unpack(packr.pack(value)), value)
      }
    }
    assertSame(packr.unpack(packr.pack({ known: { d: 5 } })), { known: { d: 5 } })
  }
})
