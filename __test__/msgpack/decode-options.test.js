'use strict'

// Options that only unpacking looks at.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const msgpackr = require('msgpackr')
const { pack, Packr, unpack, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { registerWithBoth } = require('../helpers/register-reader')
const { assertSame } = require('../helpers/same')

test('freezeData freezes arrays and records, and no maps', () => {
  const value = [[], [1, 2], [1.5, 2], { a: [1], b: { c: 1 } }, new Map([['k', [1]]]), new Set([1]), 'text']
  const bytes = new msgpackr.Packr({ moreTypes: true }).pack(value)
  const frozen = new Unpackr({ freezeData: true })
  for (let i = 0; i < 20; i++) {
    const result = frozen.unpack(bytes)
    assertSame(result, value)
    const objects = [result, ...result.slice(0, 4), result[3].a, result[3].b, result[4].get('k')]
    for (const object of objects) assert.ok(Object.isFrozen(object))
    assert.ok(!Object.isFrozen(result[4]) && !Object.isFrozen(result[5]))
  }
  const maps = new Unpackr({ freezeData: true, useRecords: false }).unpack(pack({ a: [1], b: { c: 1 } }))
  assertSame(maps, { a: [1], b: { c: 1 } })
  assert.ok(!Object.isFrozen(maps) && !Object.isFrozen(maps.b) && Object.isFrozen(maps.a))
  const list = frozen.unpackMultiple(Buffer.concat([bytes, bytes]))
  assert.ok(!Object.isFrozen(list) && list.every(Object.isFrozen))
  frozen.freezeData = false
  assert.ok(!Object.isFrozen(frozen.unpack(bytes)))
})

test('freezeData with references, and wide records', () => {
  const value = [{ x: 1 }]
  value.push(value[0], value)
  const bytes = new msgpackr.Packr({ structuredClone: true }).pack(value)
  const result = new Unpackr({ freezeData: true }).unpack(bytes)
  assertSame(result, value)
  assert.ok(Object.isFrozen(result) && Object.isFrozen(result[0]))
})

test('copyBuffers copies binary data, and keeps its class', () => {
  const bytes = pack({ bin: Buffer.from([1, 2, 3]), list: [Buffer.from([4])] })
  for (const source of [bytes, new Uint8Array(bytes)]) {
    const copied = new Unpackr({ copyBuffers: true, useRecords: false }).unpack(source)
    const viewed = unpack(source)
    assert.equal(viewed.bin.buffer, source.buffer)
    assert.notEqual(copied.bin.buffer, source.buffer)
    assert.equal(copied.bin.constructor, source.constructor)
    source.fill(0)
    assert.deepEqual([[...copied.bin], [...copied.list[0]]], [[1, 2, 3], [4]])
    assert.deepEqual([...viewed.bin], [0, 0, 0])
    source.set(bytes.length ? pack({ bin: Buffer.from([1, 2, 3]), list: [Buffer.from([4])] }) : [])
  }
})

test('binary data stays what it is when callbacks unpack', () => {
  registerWithBoth({ type: 51, unpack: (data) => unpack(data) })
  const bytes = fromHex('93c4020102d433 05 c4020304')
  for (const source of [bytes, new Uint8Array(bytes)]) {
    const [before, inner, after] = unpack(source)
    assert.equal(inner, 5)
    for (const view of [before, after]) {
      assert.equal(view.buffer, source.buffer)
      assert.equal(view.constructor, source.constructor)
    }
  }
})

test('arrays may be keys of objects', () => {
  const allowed = new Unpackr({ useRecords: false, allowArraysInMapKeys: true })
  const keys = [
    [1, 'a', true, 5n],
    [1, [2, 'x'], []],
    [],
    [[1.5], ['y']],
    ['only text'],
    Array.from({ length: 40 }, (_, i) => i),
  ]
  for (const key of keys) {
    const bytes = pack(
      new Map([
        [key, 'v'],
        ['z', 2],
      ]),
    )
    const expected = { [key.flat().toString()]: 'v', z: 2 }
    for (let i = 0; i < 4; i++) assertSame(allowed.unpack(bytes), expected)
    assert.throws(() => unpack(bytes), /^Error: Invalid property type for record: object\./)
    assertSame(
      new msgpackr.Unpackr({ useRecords: false, allowArraysInMapKeys: true }).unpack(Buffer.from(bytes)),
      expected,
    )
  }
  for (const key of [
    [null],
    [[[1]]],
    [{}],
    [undefined],
    [1, [new Date(0)]],
    [Buffer.from([1])],
    new Map(),
    Buffer.from([1]),
  ]) {
    const bytes = pack(new Map([[key, 1]]))
    assert.throws(() => allowed.unpack(bytes), /^Error: Invalid property type for record: object\./)
  }
  allowed.allowArraysInMapKeys = false
  assert.throws(() => allowed.unpack(pack(new Map([[[1], 1]]))), /Invalid property type/)
})

test('an array as a key that has an id', () => {
  const bytes = fromHex('82d66900000001920102a161d670000000010 5'.replace(' ', ''))
  assertSame(new Unpackr({ useRecords: false, allowArraysInMapKeys: true }).unpack(bytes), { '1,2': 5 })
})

test('int64AsType counts wherever an integer stands', () => {
  const hex = '94cf0000000000000005d3fffffffffffffffbcfffffffffffffffff82cf0020000000000001d30020000000000000'
  const types = ['bigint', 'number', 'string', 'auto', undefined, 'other']
  for (const int64AsType of types) {
    for (const more of [{}, { mapsAsObjects: false }, { freezeData: true }]) {
      const options = { useRecords: false, int64AsType, ...more }
      const bytes = fromHex(`${hex}a16101`)
      const expected = new msgpackr.Unpackr({ ...options }).unpack(Buffer.from(bytes))
      assertSame(new Unpackr(options).unpack(bytes), expected)
      assertSame(new Unpackr(options).unpackMultiple(bytes), [expected])
    }
  }
})

test('typed arrays whose codes or lengths are odd', () => {
  for (const hex of [
    'c70074',
    'c703740c0102',
    'c7037412ffff',
    'c7047403010203',
    'c704740900ffff',
    'd474ff',
  ]) {
    const error = (read) => {
      try {
        return read(fromHex(hex))
      } catch ({ name, message }) {
        return { name, message }
      }
    }
    assert.deepEqual(error(unpack), error(msgpackr.unpack), hex)
  }
})

test('what is said about bytes that are left', () => {
  const deep = fromHex(`${'91'.repeat(5000)}0101`)
  assert.throws(() => unpack(deep), /^Error: Data read, but end of buffer not reached /)
  const values = [
    { a: 1n, b: [undefined, null] },
    'x'.repeat(300),
    Array.from({ length: 500 }, (_, i) => i),
    undefined,
    { u: undefined, v: 1 },
  ]
  for (const value of values) {
    const bytes = Buffer.concat([new Packr({ useRecords: false }).pack(value), Buffer.from([1])])
    let message
    try {
      msgpackr.unpack(Buffer.from(bytes))
    } catch (error) {
      ;({ message } = error)
    }
    assert.throws(() => unpack(bytes), { message })
  }
})
