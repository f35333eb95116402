'use strict'

// getStructures: when it is called, what it may return, and that nothing it returned is ever changed.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { StructureStore } = require('../helpers/counting-store')
const { assertSame } = require('../helpers/same')

const lists = (count) => Array.from({ length: count }, (_, i) => [`k${i}`])

test('nothing is loaded before it is needed', () => {
  const store = new StructureStore([['a']])
  for (const Class of [Packr, Unpackr]) new Class(store.options())
  assert.equal(store.loads, 0)
  const reader = new Unpackr(store.options())
  assertSame(reader.unpack(fromHex('93a161c0cc40')), ['a', null, 64])
  assertSame(reader.unpack(fromHex('92d4724091a178014002')), [{ x: 1 }, { x: 2 }])
  assert.equal(store.loads, 0)
  assertSame(reader.unpack(fromHex('4005')), { a: 5 })
  assert.equal(store.loads, 1)
})

test('a packr loads once, before its first record', () => {
  const store = new StructureStore([['a'], ['b']])
  const packr = new Packr(store.options())
  for (let i = 0; i < 4; i++) assert.equal(toHex(packr.pack([{ b: 1 }, { a: i }])), `92410140${`0${i}`}`)
  assertSame(packr.unpack(fromHex('924001' + '4102')), [{ a: 1 }, { b: 2 }])
  assert.equal(store.loads, 1)
  assert.equal(store.saves, 0)
})

test('it is called as a method of the instance, without arguments', () => {
  const calls = []
  const getStructures = function (...parameters) {
    calls.push([this, parameters.length])
    return [['a']]
  }
  const packr = new Packr({ getStructures })
  packr.pack({ a: 1 })
  const reader = new Unpackr({ getStructures })
  reader.unpack(fromHex('4001'))
  assert.deepEqual(
    calls.map(([receiver, count]) => [receiver === packr || receiver === reader, count]),
    [
      [true, 0],
      [true, 0],
    ],
  )
  assert.equal(calls[0][0], packr)
  assert.equal(calls[1][0], reader)
})

test('a store without structures', () => {
  for (const nothing of [null, undefined, []]) {
    const packr = new Packr({ getStructures: () => nothing, saveStructures() {} })
    assert.equal(toHex(packr.pack([{ a: 1 }, { b: 1 }])), '9240014101')
    assertSame(packr.unpack(fromHex('924002' + '4102')), [{ a: 2 }, { b: 2 }])
    assertSame(new Unpackr({ getStructures: () => nothing }).unpack(fromHex('9240' + '5f')), [64, 95])
  }
})

test('getStructures without saveStructures', () => {
  const packr = new Packr({ getStructures: () => [['a']], maxSharedStructures: 8 })
  assert.equal(toHex(packr.pack({ a: 1 })), '4001')
  assertSame(packr.unpack(fromHex('92' + '4001' + 'cc40')), [{ a: 1 }, 64])
  const reader = new Packr({ getStructures: () => lists(3) })
  for (let i = 0; i < 5; i++)
    assertSame(reader.unpack(fromHex('93' + '4201' + '4001' + '4102')), [{ k2: 1 }, { k0: 1 }, { k1: 2 }])
})

test('an id that is not known loads again, and those that are known stay', () => {
  const store = new StructureStore([['a']])
  const reader = new Unpackr(store.options())
  assertSame(reader.unpack(fromHex('4001')), { a: 1 })
  store.text = JSON.stringify([['a'], ['b']])
  assertSame(reader.unpack(fromHex('4002')), { a: 2 })
  assert.equal(store.loads, 1)
  assertSame(reader.unpack(fromHex('93' + '4003' + '4104' + '4105')), [{ a: 3 }, { b: 4 }, { b: 5 }])
  assert.equal(store.loads, 2)
})

test('structures that come while a message is read', () => {
  const store = new StructureStore([['a']])
  const reader = new Unpackr(store.options())
  reader.unpack(fromHex('4001'))
  store.text = JSON.stringify([['a'], ['b'], ['c']])
  // The definition of the message itself holds on, whatever is loaded in the middle of it.
  const message = '94' + '4001' + 'd4725091a17802' + '4203' + '5004'
  for (let i = 0; i < 4; i++)
    assertSame(reader.unpack(fromHex(message)), [{ a: 1 }, { x: 2 }, { c: 3 }, { x: 4 }])
  assertSame(reader.unpack(fromHex('91' + '4105')), [{ b: 5 }])
})

test('a definition in place of one that is stored', () => {
  const store = new StructureStore([['a'], ['b']])
  const reader = new Unpackr(store.options())
  for (let i = 0; i < 4; i++) {
    assertSame(reader.unpack(fromHex('93' + 'd4724091a17801' + '4002' + '4103')), [
      { x: 1 },
      { x: 2 },
      { b: 3 },
    ])
    assertSame(reader.unpack(fromHex('92' + '4004' + '4105')), [{ a: 4 }, { b: 5 }])
  }
})

test('an id that stays unknown is the integer that its byte is', () => {
  const store = new StructureStore([['a']])
  for (const Class of [Packr, Unpackr]) {
    const reader = new Class(store.options())
    for (let i = 0; i < 3; i++)
      assertSame(reader.unpack(fromHex('93' + '4001' + '50' + '7f')), [{ a: 1 }, 80, 127])
  }
})

test('a two-byte id that stays unknown is an error', () => {
  const reader = new Unpackr({ getStructures: () => lists(100) })
  for (let i = 0; i < 3; i++) {
    assert.throws(() => reader.unpack(fromHex('7f0505')), {
      name: 'Error',
      message: 'Record id is not defined for 223',
    })
    assertSame(reader.unpack(fromHex('93' + '600001' + '630202' + '5f03')), [
      { k32: 1 },
      { k99: 2 },
      { k31: 3 },
    ])
  }
})

test('missing lists keep their slots', () => {
  const packr = new Packr({ getStructures: () => [['a'], null, ['c']], saveStructures() {} })
  assert.equal(toHex(packr.pack([{ a: 1 }, { c: 2 }, { d: 3 }])), '93400142024303')
  assertSame(packr.unpack(fromHex('94' + '4001' + '41' + '4202' + '4303')), [
    { a: 1 },
    65,
    { c: 2 },
    { d: 3 },
  ])
})

test('what was returned is never changed', () => {
  const kept = [['a'], ['b', 'c'], null, []]
  const before = JSON.stringify(kept)
  const frozen = Object.freeze(kept.map((keys) => keys && Object.freeze([...keys])))
  const frozenOutside = Object.freeze([['a'], ['b', 'c'], null, []])
  for (const given of [kept, frozen, frozenOutside]) {
    const own = [given, ...given.filter(Boolean)].map((list) => [list, Reflect.ownKeys(list)])
    let saved
    const packr = new Packr({
      getStructures: () => given,
      saveStructures(structures) {
        saved = JSON.stringify(structures)
      },
    })
    for (let i = 0; i < 6; i++) {
      const value = [{ a: 1 }, { b: 1, c: { z: 1 } }, {}, { [`new${i}`]: 1 }]
      assertSame(packr.unpack(packr.pack(value)), value)
      assertSame(packr.unpack(fromHex('92' + 'd4724091a17801' + '4002')), [{ x: 1 }, { x: 2 }])
    }
    const reader = new Unpackr({ getStructures: () => given })
    for (let i = 0; i < 6; i++) {
      assertSame(reader.unpack(fromHex('93' + '4001' + 'd4724191a17805' + '43')), [{ a: 1 }, { x: 5 }, {}])
    }
    assert.equal(JSON.stringify(given), before)
    for (const [list, keys] of own) assert.deepEqual(Reflect.ownKeys(list), keys)
    assert.equal(JSON.parse(saved).length, 4 + 1 + 6)
    assert.notEqual(packr.structures, given)
  }
})

test('the caller may change later what it returned', () => {
  const given = [['a'], ['b']]
  const packr = new Packr({ getStructures: () => given, saveStructures() {} })
  packr.pack({ a: 1 })
  given.length = 0
  assert.equal(toHex(packr.pack([{ a: 1 }, { b: 2 }, { c: 3 }])), '93400141024203')
  const lists = [['a'], ['b']]
  const reader = new Unpackr({ getStructures: () => lists })
  assertSame(reader.unpack(fromHex('4001')), { a: 1 })
  lists[1][0] = 'changed'
  lists.reverse()
  assertSame(reader.unpack(fromHex('92' + '4001' + '4102')), [{ a: 1 }, { b: 2 }])
})

test('an error of getStructures passes through, and the next call loads', () => {
  for (const Class of [Packr, Unpackr]) {
    let failing = true
    const instance = new Class({
      getStructures() {
        if (failing) throw new RangeError('no store')
        return [['a']]
      },
    })
    const read = () => instance.unpack(fromHex('91' + '4001'))
    for (let i = 0; i < 2; i++) assert.throws(read, { name: 'RangeError', message: 'no store' })
    if (Class === Packr) assert.throws(() => instance.pack({ a: 1 }), { message: 'no store' })
    failing = false
    assertSame(read(), [{ a: 1 }])
    if (Class === Packr) assert.equal(toHex(instance.pack({ a: 1 })), '4001')
  }
})

test('getStructures that packs and unpacks with the same instance', () => {
  const text = JSON.stringify([['a'], ['b']])
  const options = () => ({
    getStructures() {
      const other = new Packr()
      return other.unpack(other.pack({ lists: JSON.parse(text) })).lists
    },
    saveStructures() {},
  })
  const packr = new Packr(options())
  assert.equal(toHex(packr.pack([{ b: 1 }, { a: 2 }, { c: 3 }])), '93410140024203')
  const reader = new Unpackr({
    getStructures() {
      return reader.unpack(fromHex('92' + '91a161' + '91a162'))
    },
  })
  const bytes = Buffer.from([0x93, 0x40, 0x01, 0xc4, 0x02, 0x07, 0x08, 0x41, 0x02])
  const [first, binary, last] = reader.unpack(bytes)
  assertSame([first, last], [{ a: 1 }, { b: 2 }])
  assert.ok(Buffer.isBuffer(binary))
  assert.deepEqual([...binary], [7, 8])
})

test('unpackMultiple with a store', () => {
  const store = new StructureStore([['a']])
  const reader = new Unpackr(store.options())
  assertSame(reader.unpackMultiple(fromHex('4001' + '4002' + '05')), [{ a: 1 }, { a: 2 }, 5])
  assert.equal(store.loads, 1)
  store.text = JSON.stringify([['a'], ['b']])
  const seen = []
  reader.unpackMultiple(fromHex('4001' + '4102'), (value, start, end) => {
    seen.push([value, start, end])
  })
  assertSame(seen, [
    [{ a: 1 }, 0, 2],
    [{ b: 2 }, 2, 4],
  ])
  assert.equal(store.loads, 2)
})

test('what is no array is refused, and nothing is lost', () => {
  for (const loaded of ['text', 5, { 0: ['q'], length: 1 }, Promise.resolve([])]) {
    let saves = 0
    const packr = new Packr({ getStructures: () => loaded, saveStructures: () => void saves++ })
    assert.throws(() => packr.pack({ a: 1 }), { name: 'TypeError', message: /getStructures must return/ })
    assert.equal(saves, 0)
  }
})
