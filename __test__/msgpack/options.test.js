'use strict'

// Options that change how objects and their keys are written: variableMapSize, coercibleKeyAsNumber, mapsAsObjects.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const coercing = new Packr({ useRecords: false, coercibleKeyAsNumber: true })
const standard = new Packr({ useRecords: false, variableMapSize: true, encodeUndefinedAsNil: true })

test('a packr for readers in other languages', () => {
  assert.equal(toHex(standard.pack({ compact: true, schema: 0 })), '82a7636f6d70616374c3a6736368656d6100')
  assert.equal(toHex(standard.pack([undefined, null, { u: undefined }])), '93c0c081a175c0')
  assert.equal(toHex(standard.pack({})), '80')
  assert.equal(toHex(standard.pack(new Map([[1, 'a']]))), '8101a161')
  assert.equal(toHex(standard.pack(['\u{1f426}', Buffer.from([1])])), '92a4f09f90a6c40101')
})

test('variableMapSize takes the smallest header', () => {
  const headers = [
    [0, '80'],
    [1, '81'],
    [15, '8f'],
    [16, 'de0010'],
    [65_535, 'deffff'],
    [65_536, 'df00010000'],
  ]
  for (const [count, header] of headers) {
    const value = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
    assert.ok(toHex(standard.pack(value).subarray(0, 5)).startsWith(header), String(count))
    assertSame(standard.unpack(standard.pack(value)), value)
  }
})

test('coercibleKeyAsNumber turns a key into a number when the number turns back into it', () => {
  const numbers = {
    0: '00',
    7: '07',
    127: '7f',
    128: 'cc80',
    65536: 'ce00010000',
    '-1': 'ff',
    '-33': 'd0df',
    1.5: 'cb3ff8000000000000',
    '-2.5': 'cbc004000000000000',
    4294967296: 'cb41f0000000000000',
    '1e+21': 'cb444b1ae4d6e2ef50',
    Infinity: 'cb7ff0000000000000',
    '-Infinity': 'cbfff0000000000000',
  }
  for (const [key, hex] of Object.entries(numbers)) {
    assert.equal(toHex(coercing.pack({ [key]: 1 })), `81${hex}01`, key)
    assertSame(coercing.unpack(coercing.pack({ [key]: 1 })), { [key]: 1 })
  }
})

test('coercibleKeyAsNumber leaves all other keys as they are', () => {
  for (const key of [
    '',
    ' ',
    '01',
    '00',
    '1e3',
    '1e21',
    '0x10',
    '1.0',
    '+1',
    '.5',
    '-0',
    '1_000',
    'x',
    '5px',
    'Infinity ',
    '\n',
    '9007199254740993',
  ]) {
    assert.equal(toHex(coercing.pack({ [key]: 1 })), `81${toHex(standard.pack(key))}01`, JSON.stringify(key))
    assertSame(coercing.unpack(coercing.pack({ [key]: 1 })), { [key]: 1 })
  }
  const value = { 1: 'one', 20: 'twenty', '': 'empty', ' ': 'space', '01': 'zip code', name: 'x' }
  assertSame(coercing.unpack(coercing.pack(value)), value)
})

test('coercibleKeyAsNumber writes small headers, with variableMapSize or without', () => {
  const both = new Packr({ useRecords: false, coercibleKeyAsNumber: true, variableMapSize: true })
  for (const packr of [coercing, both]) {
    assert.equal(toHex(packr.pack({ 7: 1 })), '810701')
    assert.equal(toHex(packr.pack({})), '80')
    assert.equal(toHex(packr.pack({ a: { 2: [{ 3: 'x' }] } })), '81a1618102918103a178')
  }
})

test('coercibleKeyAsNumber concerns objects, not the keys of a Map', () => {
  assert.equal(toHex(coercing.pack(new Map([['1', 1]]))), '81a13101')
})

test('mapsAsObjects', () => {
  const bytes = fromHex('82a16181016101a16290')
  const asMaps = new Map([
    ['a', new Map([[1, 97]])],
    [1, 'b'],
  ])
  assertSame(new Unpackr({ useRecords: false, mapsAsObjects: true }).unpack(fromHex('81a16101')), { a: 1 })
  assertSame(
    new Unpackr({ useRecords: false, mapsAsObjects: false }).unpack(fromHex('82a16181016101a162')),
    asMaps,
  )
  assertSame(new Unpackr({ mapsAsObjects: true }).unpack(fromHex('81a16101')), { a: 1 })
  assertSame(new Unpackr({}).unpack(fromHex('81a16101')), new Map([['a', 1]]))
  assertSame(new Unpackr().unpack(fromHex('80')), new Map())
  assert.throws(() => new Unpackr({ useRecords: false }).unpack(bytes.subarray(0, 4)), { incomplete: true })
})

test('mapsAsObjects: false keeps __proto__ and odd keys', () => {
  const maps = new Unpackr({ useRecords: false, mapsAsObjects: false })
  assertSame(maps.unpack(fromHex('81a95f5f70726f746f5f5f01')), new Map([['__proto__', 1]]))
  assertSame(
    maps.unpack(fromHex('83c001d4000002cb7ff800000000000003')),
    new Map([
      [null, 1],
      [undefined, 2],
      [NaN, 3],
    ]),
  )
})
