'use strict'

// References and records: key lists that a message defines twice are referred to, and definitions, shared structures
// and sequences stay right.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const msgpackr = require('msgpackr')
const { Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const T = (id) => `d6690000000${id}`
const R = (id) => `d6700000000${id}`

test('a key list that was given up is referred to where it is defined again', () => {
  const packr = new Packr({ structuredClone: true, maxOwnStructures: 1 })
  const value = [{ a: 0 }, { b: 1 }, { a: 2 }]
  assert.equal(toHex(packr.pack(value)), `93d47240${T(1)}91a16100d4724091a16201d47240${R(1)}02`)
  assertSame(packr.unpack(packr.pack(value)), value)
})

test('two key lists in turn', () => {
  const packr = new Packr({ structuredClone: true, maxOwnStructures: 1 })
  const value = [{ a: 0 }, { b: 1 }, { a: 2 }, { b: 3 }]
  assert.equal(
    toHex(packr.pack(value)),
    `94d47240${T(1)}91a16100d47240${T(2)}91a16201d47240${R(1)}02d47240${R(2)}03`,
  )
  assertSame(packr.unpack(packr.pack(value)), value)
})

test('key lists and objects count together', () => {
  const packr = new Packr({ structuredClone: true, maxOwnStructures: 1 })
  const shared = { a: 0 }
  const value = [shared, { b: 1 }, shared, { a: 2 }, { b: 3 }, shared]
  assert.equal(
    toHex(packr.pack(value)),
    toHex(Buffer.from(new msgpackr.Packr({ structuredClone: true, maxOwnStructures: 1 }).pack(value))),
  )
  const result = packr.unpack(packr.pack(value))
  assertSame(result, value)
  assert.equal(result[0], result[5])
})

test('lists of many keys', () => {
  for (const maxOwnStructures of [1, 2, 3, 5]) {
    const options = { structuredClone: true, maxOwnStructures }
    const packr = new Packr(options)
    const value = Array.from({ length: 60 }, (_, i) => ({
      [`key ${i % 7}`]: i,
      nested: { [`inner ${i % 4}`]: [i, { deep: i }] },
    }))
    const bytes = packr.pack(value)
    assert.equal(toHex(bytes), toHex(Buffer.from(new msgpackr.Packr(options).pack(value))))
    assertSame(packr.unpack(bytes), value)
  }
})

test('key lists are not referred to without references', () => {
  const packr = new Packr({ maxOwnStructures: 1 })
  assert.equal(
    toHex(packr.pack([{ a: 0 }, { b: 1 }, { a: 2 }])),
    '93d4724091a16100d4724091a16201d4724091a16102',
  )
})

test('key lists are not remembered after the message', () => {
  const packr = new Packr({ structuredClone: true, maxOwnStructures: 1 })
  for (let i = 0; i < 3; i++) {
    assert.equal(toHex(packr.pack({ a: 0 })), 'd4724091a16100')
    assert.equal(toHex(packr.pack([{ b: 0 }])), '91d4724091a16200')
  }
})

test('no record at all', () => {
  const packr = new Packr({ structuredClone: true, maxOwnStructures: 0 })
  const shared = { x: 1 }
  assert.equal(toHex(packr.pack([shared, shared])), `92${T(1)}de0001a17801${R(1)}`)
})

test('shared structures', () => {
  const packr = new Packr({ structuredClone: true, structures: [] })
  const shared = { x: 1 }
  assert.equal(toHex(packr.pack([shared, shared, { x: 2 }])), `93${T(1)}4001${R(1)}4002`)
  shared.self = shared
  assert.equal(toHex(packr.pack(shared)), `${T(1)}4101${R(1)}`)
  const result = packr.unpack(packr.pack(shared))
  assert.equal(result.self, result)
  assert.deepEqual(
    packr.structures.map((keys) => [...keys]),
    [['x'], ['x', 'self']],
  )
})

test('a sequence', () => {
  const packr = new Packr({ structuredClone: true, sequential: true })
  const reader = new Packr({ structuredClone: true, sequential: true })
  const shared = { x: 1 }
  const expected = [`92${T(1)}d4724091a17801${R(1)}`, `92${T(1)}4001${R(1)}`, '4001']
  const messages = [[shared, shared], [shared, shared], shared].map((value) => Buffer.from(packr.pack(value)))
  assert.deepEqual(messages.map(toHex), expected)
  const [first, second, third] = messages.map((bytes) => reader.unpack(bytes))
  assertSame(first, [shared, shared])
  assertSame(second, [shared, shared])
  assertSame(third, shared)
})

test('records for some objects', () => {
  const options = { structuredClone: true, useRecords: (object) => 'record' in object }
  const packr = new Packr(options)
  const record = { record: 1 }
  const map = { map: 1 }
  assert.equal(
    toHex(packr.pack([record, map, record, map])),
    `94${T(1)}d4724091a67265636f726401${T(2)}de0001a36d617001${R(1)}${R(2)}`,
  )
})

test('keys that become numbers and values that are skipped', () => {
  const shared = { 1: 'one', left: undefined }
  const options = { structuredClone: true, useRecords: false }
  assert.equal(
    toHex(new Packr({ ...options, coercibleKeyAsNumber: true }).pack([shared, shared])),
    `92${T(1)}8201a36f6e65a46c656674d40000${R(1)}`,
  )
  assert.equal(
    toHex(new Packr({ ...options, skipValues: [undefined] }).pack([shared, shared])),
    `92${T(1)}81a131a36f6e65${R(1)}`,
  )
})

test('a getter and a message within', () => {
  const packr = new Packr({ structuredClone: true })
  const shared = { x: 1 }
  let inner
  const value = [
    shared,
    {
      get packed() {
        inner = toHex(packr.pack([shared, shared]))
        return shared
      },
    },
    shared,
  ]
  assert.equal(toHex(packr.pack(value)), `93${T(1)}d4724091a17801d4724191a67061636b6564${R(1)}${R(1)}`)
  assert.equal(inner, `92${T(1)}d4724091a17801${R(1)}`)
})

test('bundled strings', () => {
  const options = { structuredClone: true, bundleStrings: true }
  const packr = new Packr(options)
  const shared = { text: 'some text' }
  const value = ['first text', shared, shared, { shared, more: 'other text' }]
  value.push(value)
  const bytes = packr.pack(value)
  assert.equal(toHex(bytes), toHex(Buffer.from(new msgpackr.Packr(options).pack(value))))
  const result = packr.unpack(bytes)
  assert.equal(result[4], result)
  assert.equal(result[1], result[2])
  assert.equal(result[3].shared, result[1])
  assert.equal(result[1].text, 'some text')
})

test('one object ten thousand times, with and without references', () => {
  const item = { url: 'https://site.test/some/page', name: '\u4f60\u597d again' }
  const value = { output: new Array(10_001).fill(item) }
  for (const options of [{}, { structuredClone: true }, { useRecords: false }, { structures: [] }]) {
    const packr = new Packr({ bundleStrings: true, ...options })
    const result = packr.unpack(packr.pack(value))
    assertSame(result, value, 'value', { copies: true })
    assert.equal(result.output[0] === result.output[10_000], Boolean(options.structuredClone))
  }
})
