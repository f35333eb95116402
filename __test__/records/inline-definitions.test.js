'use strict'

// Records without any sharing: a shape is defined where it is met first, and later instances refer to it.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, unpack } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { RecordModel } = require('../helpers/record-model')
const { assertSame } = require('../helpers/same')

const fields = (count, name = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [name + i, i]))

function assertBytes(value, hex) {
  const packr = new Packr()
  for (const time of ['first', 'second', 'third']) assert.equal(toHex(packr.pack(value)), hex, `${time} time`)
  assertSame(packr.unpack(packr.pack(value)), value, hex, { copies: true })
  assertSame(new Unpackr().unpack(Buffer.from(hex, 'hex')), value, hex, { copies: true })
  assertSame(unpack(Buffer.from(hex, 'hex')), value, hex, { copies: true })
}

test('one object is defined and follows its definition', () => {
  assertBytes({ a: 1, b: 2 }, 'd4724092a161a1620102')
  assertBytes({ a: undefined }, 'd4724091a161d40000')
  assertBytes({ a: 'text', b: null, c: true, d: [1] }, 'd4724094a161a162a163a164a474657874c0c39101')
})

test('an empty object is a shape too', () => {
  assertBytes({}, 'd4724090')
  assertBytes([{}, {}], '92d472409040')
  assertBytes([{ a: {} }, {}], '92d4724091a161d472419041')
})

test('a shape that was met is referred to', () => {
  assertBytes(
    [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
    '92d4724092a161a1620102400304',
  )
  assertBytes([{ a: 1 }, { b: 2 }, { a: 3 }, { b: 4 }], '94d4724091a16101d4724191a1620240034104')
})

test('the order of keys is part of a shape', () => {
  assertBytes(
    [
      { a: 1, b: 2 },
      { b: 3, a: 4 },
      { a: 5, b: 6 },
    ],
    '93d4724092a161a1620102d4724192a162a1610304400506',
  )
})

test('a shape whose keys begin another one', () => {
  assertBytes([{ a: 1 }, { a: 1, b: 2 }, { a: 1 }], '93d4724091a16101d4724192a161a16201024001')
  assertBytes(
    [{ a: 1, b: 2 }, { a: 3 }, {}, { a: 4, b: 5 }],
    '94d4724092a161a1620102d4724191a16103d4724290400405',
  )
})

test('an outer object is numbered before those inside it', () => {
  assertBytes({ a: { b: { c: 1 } } }, 'd4724091a161d4724191a162d4724291a16301')
  assertBytes({ a: { a: { a: 1 } } }, 'd4724091a161404001')
  assertBytes([{ a: [{ b: 1 }, { a: { b: 2 } }] }], '91d4724091a16192d4724191a1620140' + '4102')
})

test('records in collections, and collections in records', () => {
  assert.equal(toHex(new Packr().pack([{ a: 1 }, new Map([['a', { a: 2 }]])])), '92d4724091a1610181a1614002')
  assert.equal(toHex(new Packr().pack({ a: new Map([[{ a: 1 }, 2]]) })), 'd4724091a161814001' + '02')
  assert.equal(toHex(new Packr().pack([new Set([{ a: 1 }]), { a: 2 }])), '9291d4724091a161014002')
  const read = new Packr().unpack(new Packr().pack({ list: [new Map([['a', { b: 1 }]])] }))
  assertSame(read, { list: [new Map([['a', { b: 1 }]])] })
})

test('keys of 16 and more take a longer list', () => {
  const keys = (count) => Object.keys(fields(count))
  for (const [count, header] of [
    [15, '9f'],
    [16, 'dc0010'],
    [40, 'dc0028'],
  ]) {
    const value = fields(count)
    const names = keys(count).map(
      (key) => (0xa0 + key.length).toString(16) + Buffer.from(key).toString('hex'),
    )
    const numbers = Object.values(value).map((n) => n.toString(16).padStart(2, '0'))
    assertBytes([value, value], `92d47240${header}${names.join('')}${numbers.join('')}40${numbers.join('')}`)
  }
})

test('options of maps have no say in records', () => {
  for (const options of [
    { variableMapSize: true },
    { mapsAsObjects: true },
    { coercibleKeyAsNumber: true },
  ]) {
    assert.equal(toHex(new Packr(options).pack({ 1: 1 })), 'd4724091a13101')
  }
})

test('integers from 64 to 127 take two bytes beside records', () => {
  const value = [{ a: 1 }, 63, 64, { a: 64 }, 65, 127, 128, { b: 100, c: { a: 99 } }, 96, 95]
  assertBytes(
    value,
    '9a' +
      'd4724091a16101' +
      '3fcc40' +
      '40cc40' +
      'cc41cc7fcc80' +
      'd4724192a162a163cc6440cc63' +
      'cc60cc5f',
  )
  for (let n = 60; n < 132; n++) assertSame(new Packr().unpack(new Packr().pack(n)), n)
  assertSame(new Packr().unpack(Buffer.from('94403f507f', 'hex')), [64, 63, 80, 127])
})

test('every message defines its shapes anew', () => {
  const packr = new Packr()
  for (let i = 0; i < 5; i++) {
    assert.equal(toHex(packr.pack({ a: i })), `d4724091a1610${i}`)
    assert.equal(toHex(packr.pack({ b: i, a: { b: 1, a: 2 } })), `d4724092a162a1610${i}400102`)
    assert.equal(toHex(packr.pack([])), '90')
  }
})

test('bytes of whole documents', () => {
  const rows = Array.from({ length: 300 }, (_, i) => ({
    id: i,
    name: `name ${i}`,
    tags: i % 3 === 0 ? [] : [{ tag: i % 5 }],
    ...(i % 7 === 0 && { extra: { id: i, deep: { id: 1, name: 'x', tags: null } } }),
  }))
  const packr = new Packr()
  const expected = new RecordModel().pack(rows)
  for (let i = 0; i < 3; i++) assert.equal(toHex(packr.pack(rows)), expected)
  assertSame(packr.unpack(packr.pack(rows)), rows)
})
