'use strict'

// saveStructures: when it is called, with what, and what becomes of new structures when packing or saving fails.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { StructureStore } = require('../helpers/counting-store')
const { assertSame } = require('../helpers/same')

const listsOf = (structures) => JSON.parse(JSON.stringify(structures))

/** A packr that notes what it saves, and has no getStructures. */
function noting(extra) {
  const saved = []
  const packr = new Packr({
    saveStructures(structures) {
      saved.push(listsOf(structures))
    },
    ...extra,
  })
  return { packr, saved }
}

test('new structures are saved once per message, whole, before the message is returned', () => {
  const { packr, saved } = noting()
  assert.equal(toHex(packr.pack([{ a: 1 }, { b: { c: 1 } }, { a: 2 }])), '934001' + '41' + '4201' + '4002')
  assert.deepEqual(saved, [[['a'], ['b'], ['c']]])
  packr.pack([{ a: 1 }, { c: 1 }])
  packr.pack(5)
  assert.equal(saved.length, 1)
  assert.equal(toHex(packr.pack([{ a: 1 }, { d: 1 }])), '924001' + '4301')
  assert.deepEqual(saved[1], [['a'], ['b'], ['c'], ['d']])
  assert.equal(saved.length, 2)
})

test('it is called as a method of the instance, with its structures and a function', () => {
  let call
  const packr = new Packr({
    saveStructures(...parameters) {
      call = [this, parameters, this.structures === parameters[0]]
    },
  })
  packr.pack({ a: 1 })
  const [receiver, parameters, isLive] = call
  assert.equal(receiver, packr)
  assert.equal(parameters.length, 2)
  assert.ok(Array.isArray(parameters[0]))
  assert.equal(isLive, true)
  assert.equal(typeof parameters[1], 'function')
})

test('nothing is saved where nothing is shared', () => {
  const { packr, saved } = noting({ maxSharedStructures: 1 })
  packr.pack([1, 'text', new Map()])
  assert.equal(saved.length, 0)
  packr.pack([{ a: 1 }, { b: 1 }])
  packr.pack([{ b: 1 }, { c: 1 }])
  assert.deepEqual(saved, [[['a']]])
  const refusing = noting({ shouldShareStructure: (keys) => keys.includes('s') })
  refusing.packr.pack([{ a: 1 }, { b: 1 }])
  assert.equal(refusing.saved.length, 0)
  refusing.packr.pack([{ a: 1 }, { s: 1 }])
  assert.deepEqual(refusing.saved, [[['s']]])
  const maps = noting({ useRecords: false })
  maps.packr.pack({ a: 1 })
  assert.equal(maps.saved.length, 0)
})

test('a store as JSON text, written by one and read by others', () => {
  const store = new StructureStore()
  const writer = new Packr(store.options())
  const values = Array.from({ length: 50 }, (_, i) => ({ [`k${i % 12}`]: i, deep: [{ [`d${i % 7}`]: 'x' }] }))
  const messages = values.map((value) => writer.pack(value))
  assert.equal(store.saves, 12)
  assert.equal(store.structures.length, 19)
  for (const reader of [new Packr(store.options()), new Unpackr(store.options())]) {
    assertSame(
      messages.map((bytes) => reader.unpack(bytes)),
      values,
    )
  }
})

test('a store that keeps the array itself and returns it', () => {
  let kept
  const options = () => ({
    getStructures: () => kept,
    saveStructures(structures) {
      kept = structures
    },
  })
  const first = new Packr(options())
  const messages = [first.pack({ a: 1 }), first.pack({ b: { a: 2 } })]
  const second = new Packr(options())
  assertSame(
    messages.map((bytes) => second.unpack(bytes)),
    [{ a: 1 }, { b: { a: 2 } }],
  )
  const third = second.pack([{ c: 1 }, { a: 1 }])
  assertSame(second.unpack(third), [{ c: 1 }, { a: 1 }])
  assertSame(new Packr(options()).unpack(third), [{ c: 1 }, { a: 1 }])
  assertSame(first.unpack(messages[1]), { b: { a: 2 } })
})

test('a store that packs the structures', () => {
  let bytes
  const options = () => ({
    getStructures: () => bytes && unpack(bytes),
    saveStructures(structures) {
      bytes = pack(structures)
    },
  })
  const writer = new Packr(options())
  const messages = [{ a: 1 }, { b: [{ c: 'x' }] }].map((value) => writer.pack(value))
  assert.equal(toHex(bytes), '93' + '91a161' + '91a162' + '91a163')
  const reader = new Unpackr(options())
  assertSame(
    messages.map((message) => reader.unpack(message)),
    [{ a: 1 }, { b: [{ c: 'x' }] }],
  )
})

test('saveStructures that packs with the same instance', () => {
  const kept = []
  const packr = new Packr({
    saveStructures(structures) {
      kept.push(packr.pack(structures.map((keys) => [...keys])))
    },
  })
  assert.equal(toHex(packr.pack([{ a: 1 }, 'outer'])), '924001a56f75746572')
  assert.equal(toHex(packr.pack([{ b: 1 }, { a: 1 }])), '9241014001')
  assert.deepEqual(kept.map(toHex), ['9191a161', '9291a16191a162'])
})

test('a promise is a success, whatever comes of it', async () => {
  const results = []
  const packr = new Packr({
    saveStructures(structures) {
      const result = Promise.resolve(structures.length === 1 ? false : undefined)
      results.push(result)
      return result
    },
  })
  assert.equal(toHex(packr.pack({ a: 1 })), '4001')
  assert.equal(toHex(packr.pack({ b: 1 })), '4101')
  assert.equal(results.length, 2)
  assert.deepEqual(await Promise.all(results), [false, undefined])
})

test('whatever is not false is a success', () => {
  for (const result of [undefined, null, 0, '', true, {}, Number.NaN]) {
    let calls = 0
    const packr = new Packr({
      saveStructures() {
        calls++
        return result
      },
    })
    assert.equal(toHex(packr.pack({ a: 1 })), '4001')
    assert.equal(toHex(packr.pack({ a: 2 })), '4002')
    assert.equal(calls, 1)
  }
})

test('a message that can not be packed saves nothing and takes its structures back', () => {
  for (const store of [null, new StructureStore(), new StructureStore([['z']])]) {
    let saves = 0
    const options = store
      ? store.options()
      : {
          saveStructures() {
            saves++
          },
        }
    const packr = new Packr(options)
    const known = store?.structures?.length ?? 0
    for (let i = 0; i < 3; i++) {
      assert.throws(() => packr.pack([{ a: 1 }, { b: 1 }, Symbol('none')]), /Unknown type: symbol/)
      assert.equal(store?.saves ?? saves, 0)
      assert.ok(packr.structures.length <= known)
    }
    assert.equal(toHex(packr.pack({ b: 1 })), `${(0x40 + known).toString(16)}01`)
    assert.equal(store?.saves ?? saves, 1)
    assert.throws(() => packr.pack([{ c: 1 }, Symbol('none')]), /Unknown type: symbol/)
    assert.equal(
      toHex(packr.pack([{ b: 2 }, { d: 1 }])),
      `92${(0x40 + known).toString(16)}02${(0x41 + known).toString(16)}01`,
    )
    if (store) assert.deepEqual(store.structures, [...(known ? [['z']] : []), ['b'], ['d']])
  }
})

test('a message without new structures that fails changes nothing', () => {
  const { packr, saved } = noting()
  packr.pack({ a: 1 })
  for (let i = 0; i < 3; i++) assert.throws(() => packr.pack([{ a: 1 }, Symbol('none')]), /symbol/)
  assert.equal(toHex(packr.pack([{ a: 1 }, { b: 1 }])), '9240014101')
  assert.equal(saved.length, 2)
})

test('an error while saving leaves pack, and the structures are saved with the next message', () => {
  const store = new StructureStore()
  let failures = 2
  const packr = new Packr(
    store.options({
      saveStructures(structures) {
        store.saves++
        if (failures-- > 0) throw new Error('disk full')
        store.text = JSON.stringify(structures)
      },
    }),
  )
  const value = { a: 1, b: { c: 2 } }
  for (let i = 0; i < 2; i++) assert.throws(() => packr.pack(value), { name: 'Error', message: 'disk full' })
  assert.equal(store.structures, null)
  const bytes = packr.pack(value)
  assert.equal(toHex(bytes), '40014102')
  assert.deepEqual(store.structures, [['a', 'b'], ['c']])
  assert.equal(store.saves, 3)
  assertSame(new Packr(store.options()).unpack(bytes), value)
  assertSame(packr.unpack(bytes), value)
})

test('an error while saving, without getStructures', () => {
  let failing = false
  const { packr, saved } = noting({
    saveStructures(structures) {
      if (failing) throw new TypeError('not now')
      saved.push(listsOf(structures))
    },
  })
  packr.pack({ a: 1 })
  failing = true
  for (let i = 0; i < 3; i++) {
    assert.throws(() => packr.pack([{ a: 1 }, { b: 1 }, { c: 1 }]), { name: 'TypeError', message: 'not now' })
    assert.equal(packr.structures.length, 1)
  }
  // What is stored can still be packed.
  assert.equal(toHex(packr.pack([{ a: 1 }])), '914001')
  failing = false
  assert.equal(toHex(packr.pack([{ c: 1 }, { b: 1 }, { a: 2 }])), '9341014201' + '4002')
  assert.deepEqual(saved.at(-1), [['a'], ['c'], ['b']])
})

test('an error while saving after others have stored more', () => {
  const store = new StructureStore([['a']])
  let failing = true
  const packr = new Packr(
    store.options({
      saveStructures(structures) {
        if (failing) throw new Error('locked')
        store.text = JSON.stringify(structures)
      },
    }),
  )
  packr.pack({ a: 1 })
  assert.throws(() => packr.pack({ b: 1 }), { message: 'locked' })
  store.text = JSON.stringify([['a'], ['other']])
  failing = false
  const bytes = packr.pack([{ b: 1 }, { other: 2 }])
  assert.deepEqual(store.structures, [['a'], ['other'], ['b']])
  assert.equal(toHex(bytes), '92' + '4201' + '4102')
})

test('what others have stored is read by a packr that has its own new structures', () => {
  const store = new StructureStore()
  const first = new Packr(store.checkedOptions())
  const second = new Packr(store.checkedOptions())
  for (let i = 0; i < 30; i++) {
    const [writer, reader] = i % 2 === 0 ? [first, second] : [second, first]
    const value = [{ [`k${i}`]: i }, { [`k${i >> 1}`]: { [`k${i >> 2}`]: 0 } }]
    const bytes = writer.pack(value)
    for (const packr of [reader, writer, new Packr(store.options())])
      assertSame(packr.unpack(bytes), value, `${i}`)
  }
  assert.equal(new Set(store.structures.map(String)).size, store.structures.length)
  assert.equal(store.structures.length, 30)
})

test('structures given and saved: the array grows and is saved', () => {
  const structures = [['a']]
  const { packr, saved } = noting({ structures })
  assert.equal(toHex(packr.pack([{ a: 1 }, { b: 1 }])), '9240014101')
  assert.deepEqual(saved, [[['a'], ['b']]])
  assert.deepEqual(listsOf(structures), [['a'], ['b']])
  assertSame(packr.unpack(fromHex('4105')), { b: 5 })
})

test('own definitions that were read are not saved', () => {
  const { packr, saved } = noting()
  packr.pack({ a: 1 })
  assertSame(packr.unpack(fromHex('93' + 'd4724191a17801' + '4102' + '4003')), [{ x: 1 }, { x: 2 }, { a: 3 }])
  packr.pack({ b: 1 })
  assert.deepEqual(saved.at(-1), [['a'], ['b']])
})

test('a store that keeps the very array, and asks whether it is compatible', () => {
  let stored
  const packr = new Packr({
    getStructures: () => stored,
    saveStructures(structures, isCompatible) {
      if (!isCompatible(stored)) return false
      stored = structures
    },
  })
  const messages = ['a', 'b', 'c', 'd'].map((key) => [packr.pack({ [key]: 1 }), { [key]: 1 }])
  assertSame(stored, [['a'], ['b'], ['c'], ['d']])
  for (const [bytes, value] of messages) {
    assertSame(new Packr({ getStructures: () => stored }).unpack(bytes), value)
    assertSame(packr.unpack(bytes), value)
  }
})

test('a store that keeps the very array, and fails', () => {
  let stored = null
  let isFull = false
  const packr = new Packr({
    getStructures: () => stored,
    saveStructures(structures) {
      if (isFull) throw new RangeError('full')
      stored = structures
    },
  })
  const first = packr.pack({ a: 1 })
  isFull = true
  assert.throws(() => packr.pack({ b: 1 }), { message: 'full' })
  isFull = false
  assertSame(packr.unpack(packr.pack([{ c: 1 }, { a: 2 }])), [{ c: 1 }, { a: 2 }])
  assertSame(new Packr({ getStructures: () => stored }).unpack(first), { a: 1 })
})

test('a store that answers with promises', () => {
  const lazy = new Packr({ getStructures: async () => [['a']], saveStructures() {} })
  assert.throws(() => lazy.pack({ a: 1 }), { name: 'TypeError', message: /promise/ })
  const packr = new Packr({
    getStructures: () => null,
    saveStructures: (_, isCompatible) => isCompatible(Promise.resolve([])),
  })
  assert.throws(() => packr.pack({ a: 1 }), { name: 'TypeError', message: /isCompatible takes an array/ })
})
