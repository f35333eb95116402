'use strict'

// References when packing: the exact bytes for every kind of object that a message holds more than once, and that the
// same objects come back.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const records = (options) => new Packr({ structuredClone: true, ...options })
const maps = (options) => new Packr({ structuredClone: true, useRecords: false, ...options })

/** The two words of a target and of a reference to it. */
const T = (id) => `d6690000000${id}`
const R = (id) => `d6700000000${id}`

function assertPacks(value, expected, packr = records(), decoded = value) {
  assert.equal(toHex(packr.pack(value)), expected)
  assertSame(packr.unpack(packr.pack(value)), decoded)
}

test('objects', () => {
  const shared = { x: 1 }
  assertPacks([shared, shared], `92${T(1)}d4724091a17801${R(1)}`)
  assertPacks([shared, shared], `92${T(1)}de0001a17801${R(1)}`, maps())
  assertPacks([shared, shared], `92${T(1)}81a17801${R(1)}`, maps({ variableMapSize: true }))
  assertPacks({ a: shared, b: [shared] }, `d4724092a161a162${T(1)}d4724191a1780191${R(1)}`)
  assertPacks([{ x: 1 }, { x: 1 }], '92d4724091a178014001')
})

test('an object that holds itself', () => {
  const value = {}
  value.self = value
  assertPacks(value, `${T(1)}d4724091a473656c66${R(1)}`)
  assertPacks(value, `${T(1)}de0001a473656c66${R(1)}`, maps())
  const deep = {}
  deep.a = { b: [deep] }
  assertPacks(deep, `${T(1)}d4724091a161d4724191a16291${R(1)}`)
})

test('ids count by second meetings', () => {
  const [a, b, c] = [{ a: 1 }, { b: 1 }, { c: 1 }]
  assertPacks([a, b, b, a], `94${T(2)}d4724091a16101${T(1)}d4724191a16201${R(1)}${R(2)}`)
  assertPacks(
    [a, b, c, c, b, a, b],
    `97${T(3)}d4724091a16101${T(2)}d4724191a16201${T(1)}d4724291a16301${R(1)}${R(2)}${R(3)}${R(2)}`,
  )
})

test('arrays', () => {
  const list = [1]
  assertPacks([list, list], `92${T(1)}9101${R(1)}`)
  assertPacks([[], []], '929090')
  const empty = []
  assertPacks([empty, empty], `92${T(1)}90${R(1)}`)
  list.push(list)
  assertPacks(list, `${T(1)}9201${R(1)}`)
})

test('maps', () => {
  const map = new Map([['k', 1]])
  assertPacks([map, map], `92${T(1)}81a16b01${R(1)}`)
  const key = { k: 1 }
  assertPacks(new Map([[key, key]]), `81${T(1)}d4724091a16b01${R(1)}`)
  map.set('m', map)
  assertPacks(map, `${T(1)}82a16b01a16d${R(1)}`)
})

test('sets', () => {
  const set = new Set([1])
  assertPacks([set, set], `92${T(1)}d473009101${R(1)}`)
  set.add(set)
  assertPacks(set, `${T(1)}d473009201${R(1)}`)
})

test('errors', () => {
  const error = new RangeError('r')
  const hex = 'd4650093aa52616e67654572726f72a172d40000'
  assert.equal(toHex(records().pack([error, error])), `92${T(1)}${hex}${R(1)}`)
  const [first, second] = records().unpack(records().pack([error, error]))
  assert.equal(first, second)
  assert.ok(first instanceof RangeError)
  error.cause = error
  assert.equal(toHex(records().pack(error)), `${T(1)}d4650093aa52616e67654572726f72a172${R(1)}`)
  const result = records().unpack(records().pack(error))
  assert.equal(result.cause, result)
  assert.equal(result.message, 'r')
})

test('the errors of an AggregateError', () => {
  const error = new TypeError('t')
  const value = [new AggregateError([error, error], 'm'), error]
  assert.equal(
    toHex(records().pack(value)),
    `92d4650094ae4167677265676174654572726f72a16dd4000092${T(1)}d4650093a9547970654572726f72a174d40000${R(1)}${R(1)}`,
  )
  const [aggregate, alone] = records().unpack(records().pack(value))
  assert.deepEqual(
    aggregate.errors.map((each) => each === alone),
    [true, true],
  )
})

test('dates, expressions and functions', () => {
  const date = new Date(5000)
  assertPacks([date, { date }, date], `93${T(1)}d6ff00000005d4724091a464617465${R(1)}${R(1)}`)
  const regexp = /a/g
  assertPacks([regexp, regexp], `92${T(1)}d4780092a161a167${R(1)}`)
  const fn = () => 1
  assertPacks([fn, fn], `92${T(1)}d40000${R(1)}`, records(), [undefined, undefined])
  assertPacks([fn, fn], `92${T(1)}a2666e${R(1)}`, records({ writeFunction: () => 'fn' }), ['fn', 'fn'])
})

test('binary data', () => {
  const buffer = Buffer.from([1, 2])
  assertPacks([buffer, { buffer }], `92${T(1)}c4020102d4724091a6627566666572${R(1)}`)
  const memory = new ArrayBuffer(2)
  assertPacks([memory, memory], `92${T(1)}c70374100000${R(1)}`)
  const view = new DataView(memory)
  assertPacks([view, view], `92${T(1)}c70374110000${R(1)}`)
  const longs = new BigInt64Array(1)
  assertPacks([longs, longs], `92${T(1)}c709740900000000000000` + `00${R(1)}`)
})

test('views of one memory are copies', () => {
  const memory = new ArrayBuffer(4)
  const shorts = new Uint16Array(memory)
  const value = [shorts, shorts, new Uint8Array(memory), memory]
  assertPacks(value, `94${T(1)}c705740400000000${R(1)}c705740100000000c705741000000000`)
  const result = records().unpack(records().pack(value))
  result[0][0] = 1
  assert.deepEqual([...result[2]], [0, 0, 0, 0])
})

test('what toJSON gives', () => {
  class AsJSON {
    toJSON() {
      return { j: 1 }
    }
  }
  const value = new AsJSON()
  assertPacks([value, value], `92${T(1)}d4724091a16a01${R(1)}`, records(), (({ 0: o }) => [o, o])([{ j: 1 }]))
  const json = { j: 2 }
  class Same {
    toJSON() {
      return json
    }
  }
  // Both the instance and what it gives have an id of the same place; the higher one stands first.
  const same = new Same()
  const packr = records()
  assert.equal(toHex(packr.pack([same, json, same])), `93${T(2)}${T(1)}d4724091a16a02${R(1)}${R(2)}`)
  const result = packr.unpack(packr.pack([same, json, same]))
  assert.equal(result[0], result[1])
  assert.equal(result[0], result[2])
})

test('instances, boxed values, proxies and objects without a prototype', () => {
  class Instance {
    a = 1
  }
  for (const value of [
    new Instance(),
    new Proxy({ a: 1 }, {}),
    Object.assign(Object.create(null), { a: 1 }),
  ]) {
    const packr = records()
    assert.equal(toHex(packr.pack([value, value])), `92${T(1)}d4724091a16101${R(1)}`)
  }
  const boxed = Object(1)
  assert.equal(toHex(records().pack([boxed, boxed])), `92${T(1)}d4724090${R(1)}`)
})

test('primitives are never shared', () => {
  const values = [undefined, undefined, null, null, 'text', 'text', 1n, 1n, 1.5, 1.5, true, true]
  assert.equal(
    toHex(records().pack(values)),
    `9cd40000d40000c0c0a474657874a474657874${'d30000000000000001'.repeat(2)}${'cb3ff8000000000000'.repeat(2)}c3c3`,
  )
  const large = 2n ** 64n
  assert.equal(toHex(records().pack([large, large])), `92${'d84200000000000000010000000000000000'.repeat(2)}`)
})

test('without more types', () => {
  const packr = records({ moreTypes: false })
  const set = new Set([1])
  assert.equal(toHex(packr.pack([set, set])), `92${T(1)}9101${R(1)}`)
  const bytes = new Uint8Array([1])
  assert.equal(toHex(packr.pack([bytes, bytes])), `92${T(1)}c40101${R(1)}`)
  const [first, second] = packr.unpack(packr.pack([set, set]))
  assert.equal(first, second)
})

test('ids end with the message', () => {
  const packr = records()
  const shared = { x: 1 }
  const hex = `92${T(1)}d4724091a17801${R(1)}`
  for (let i = 0; i < 3; i++) assert.equal(toHex(packr.pack([shared, shared])), hex)
  assert.equal(toHex(packr.pack(shared)), 'd4724091a17801')
  assert.equal(toHex(packr.pack([shared])), '91d4724091a17801')
})

test('the option is looked at when a message is packed', () => {
  const packr = new Packr({ moreTypes: true })
  const shared = { x: 1 }
  assert.equal(toHex(packr.pack([shared, shared])), '92d4724091a178014001')
  packr.structuredClone = true
  assert.equal(toHex(packr.pack([shared, shared])), `92${T(1)}d4724091a17801${R(1)}`)
  packr.structuredClone = false
  assert.equal(toHex(packr.pack([shared, shared])), '92d4724091a178014001')
})

test('many of one object and many objects', () => {
  const item = { url: 'https://site.test/some/page' }
  const packr = records()
  const one = packr.unpack(packr.pack(new Array(10_000).fill(item)))
  assert.ok(one.every((each) => each === one[0]))
  const pairs = Array.from({ length: 70_000 }, (_, i) => ({ i }))
  const result = packr.unpack(packr.pack([pairs, pairs.toReversed?.() ?? [...pairs].reverse()]))
  assert.equal(result[1][0].i, 69_999)
  assert.ok(result[0].every((each, i) => each === result[1][69_999 - i]))
})
