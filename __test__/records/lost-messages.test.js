'use strict'

// Messages whose bytes never come out, wherever it fails: what they would have announced is announced again, and what
// others have sent meanwhile stays readable.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const copyOf = (lists) => lists.map((keys) => keys.slice())

function storeOptions(store, extra) {
  return {
    getStructures: () => copyOf(store.lists),
    saveStructures(structures) {
      store.lists = copyOf(structures)
    },
    ...extra,
  }
}

/** Calls `body` with ever less of the stack left, and once more with all of it. */
function nearTheEndOfTheStack(times, body) {
  let left = times
  ;(function deeper() {
    try {
      deeper()
    } catch {}
    if (left-- > 0) {
      try {
        body()
      } catch {}
    }
  })()
  body()
}

test('a load that fails is tried again before anything is saved', () => {
  const store = { lists: [['q'], ['r']] }
  let failures = 1
  const packr = new Packr(
    storeOptions(store, {
      getStructures() {
        if (failures-- > 0) throw new Error('not now')
        return copyOf(store.lists)
      },
    }),
  )
  assert.throws(() => packr.pack({ a: 1 }), { message: 'not now' })
  assert.equal(toHex(packr.pack({ a: 1 })), '4201')
  assertSame(store.lists, [['q'], ['r'], ['a']])
})

test('shouldShareStructure fails for a shape of an inner message', () => {
  const store = { lists: [] }
  let isAngry = true
  const packr = new Packr(
    storeOptions(store, {
      shouldShareStructure([first]) {
        if (first === 'y' && isAngry) throw new Error('no')
        return true
      },
    }),
  )
  const value = {
    x: 1,
    get inner() {
      packr.pack({ y: 1 })
      return 1
    },
  }
  assert.throws(() => packr.pack(value), { message: 'no' })
  isAngry = false
  const bytes = packr.pack({ x: 5, inner: 6 })
  assertSame(new Packr(storeOptions(store)).unpack(bytes), { x: 5, inner: 6 })
})

test('what another packr has added to the array stays when a message fails', () => {
  const structures = []
  const failing = new Packr({ structures, saveStructures() {} })
  const other = new Packr({ structures })
  let bytes
  const value = {
    a: 1,
    get fails() {
      bytes = other.pack({ b: 7 })
      throw new Error('no')
    },
  }
  assert.throws(() => failing.pack(value), { message: 'no' })
  failing.pack({ c: 8 })
  assertSame(other.unpack(bytes), { b: 7 })
})

test('what another packr has added behind structures that are not saved stays, too', () => {
  const structures = []
  const other = new Packr({ structures })
  let bytes
  let saved = null
  const packr = new Packr({
    structures,
    saveStructures(lists) {
      if (bytes === undefined) {
        bytes = other.pack({ b: 7 })
        throw new Error('full')
      }
      saved = copyOf(lists)
    },
  })
  assert.throws(() => packr.pack({ a: 1 }), { message: 'full' })
  assertSame(other.unpack(bytes), { b: 7 })
  packr.pack({ c: 1 })
  assertSame(saved, [['a'], ['b'], ['c']])
})

test('a message within shouldShareStructure refers to what is stored only', () => {
  const store = { lists: [] }
  let inner
  const packr = new Packr(
    storeOptions(store, {
      saveStructures(structures, isCompatible) {
        if (!isCompatible(copyOf(store.lists))) return false
        store.lists = copyOf(structures)
      },
      shouldShareStructure([first]) {
        if (first === 'b' && inner === undefined) {
          inner = packr.pack({ a: 9 })
          store.lists = [['other']]
        }
        return true
      },
    }),
  )
  const value = [{ a: 1 }, { b: 1 }]
  const bytes = packr.pack(value)
  assertSame(store.lists[0], ['other'])
  for (const reader of [packr, new Packr(storeOptions(store))]) {
    assertSame(reader.unpack(inner), { a: 9 })
    assertSame(reader.unpack(bytes), value)
  }
})

test('a message within saveStructures, which then refuses or fails', () => {
  for (const answer of [() => false, () => assert.fail('full')]) {
    const store = { lists: [] }
    let inner
    const packr = new Packr(
      storeOptions(store, {
        saveStructures(structures) {
          if (inner === undefined) {
            inner = packr.pack({ a: 9 })
            store.lists = [['other']]
            return answer()
          }
          store.lists = copyOf(structures)
        },
      }),
    )
    try {
      packr.pack({ a: 1 })
    } catch (error) {
      assert.equal(error.message, 'full')
    }
    assertSame(new Packr(storeOptions(store)).unpack(inner), { a: 9 })
    assertSame(packr.unpack(packr.pack({ a: 2 })), { a: 2 })
  }
})

test('messages within shouldShareStructure, asked when the inner ones are done', () => {
  const store = { lists: [] }
  const inner = []
  let isBusy = false
  const packr = new Packr(
    storeOptions(store, {
      shouldShareStructure() {
        if (!isBusy) {
          isBusy = true
          for (const value of [{ x: 1 }, {}, [{ d: 1 }, { x: 2 }], {}, { d: 3 }]) {
            const bytes = packr.pack(value)
            assertSame(new Packr(storeOptions(store)).unpack(bytes), value)
            inner.push([bytes, value])
          }
          isBusy = false
        }
        return true
      },
    }),
  )
  for (let i = 0; i < 3; i++) {
    const value = { a: {}, b: [{ c: i }, { [`key${i}`]: {} }] }
    assertSame(new Packr(storeOptions(store)).unpack(packr.pack(value)), value)
  }
  for (const [bytes, value] of inner) assertSame(new Packr(storeOptions(store)).unpack(bytes), value)
})

test('structures that are new within saveStructures are saved as well', () => {
  const saves = []
  const packr = new Packr({
    structures: [],
    saveStructures(structures) {
      saves.push(structures.length)
      if (saves.length === 1) packr.pack({ n: 1 })
    },
  })
  packr.pack({ a: 1 })
  assertSame(saves, [1, 2])
  assertSame(packr.structures, [['a'], ['n']])
})

test('a callback that fills the array to its limit', () => {
  let isAsked = false
  const packr = new Packr({
    structures: [],
    maxSharedStructures: 1,
    shouldShareStructure() {
      if (!isAsked) {
        isAsked = true
        packr.pack({ inner: 1 })
      }
      return true
    },
  })
  const value = [{ b: 1 }, { c: 1 }, { b: 2 }]
  assertSame(packr.unpack(packr.pack(value)), value)
  assertSame(packr.structures, [['inner']])
  assertSame(packr.unpack(packr.pack({ b: 1 })), { b: 1 })
})

test('sequences go on after the stack was too short for a message', () => {
  for (let round = 0; round < 150; round++) {
    const packr = new Packr({ sequential: true })
    const reader = new Unpackr({ sequential: true })
    const value = [{ [`shape${round}`]: 1, z: { y: 2 } }, { a: 1 }]
    const sent = []
    nearTheEndOfTheStack(20, () => sent.push(packr.pack(value)))
    for (const bytes of sent) assertSame(reader.unpack(bytes), value)
  }
})

test('structures are saved after the stack was too short for a message', () => {
  for (let round = 0; round < 60; round++) {
    const store = { lists: [] }
    const packr = new Packr(storeOptions(store))
    // Too long for a result that shares its memory.
    const value = { [`shape${round}`]: 'x'.repeat(40_000), z: { y: 2 } }
    const sent = []
    nearTheEndOfTheStack(10, () => sent.push(packr.pack(value)))
    const reader = new Packr(storeOptions(store))
    for (const bytes of sent) assertSame(reader.unpack(bytes), value)
  }
})

test('a load goes on after the engine could not schedule anything', (t) => {
  const reader = new Unpackr({ getStructures: () => [['a', 'b']] })
  t.mock.method(globalThis, 'setImmediate', () => {
    throw new RangeError('Maximum call stack size exceeded')
  })
  const bytes = Buffer.from('400102', 'hex')
  try {
    reader.unpack(bytes)
  } catch {}
  t.mock.restoreAll()
  for (let i = 0; i < 2; i++) assertSame(reader.unpack(bytes), { a: 1, b: 2 })
})
