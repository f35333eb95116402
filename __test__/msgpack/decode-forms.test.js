'use strict'

// Every wire form, as other encoders write it.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { unpack, Unpackr, C1 } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const maps = new Unpackr({ useRecords: false, mapsAsObjects: false })

test('every single byte that is a value', () => {
  for (let byte = 0; byte < 0x80; byte++) assert.equal(unpack(Buffer.from([byte])), byte)
  for (let byte = 0xe0; byte <= 0xff; byte++) assert.equal(unpack(Buffer.from([byte])), byte - 256)
  const others = { 80: {}, 90: [], a0: '', c0: null, c1: C1, c2: false, c3: true }
  for (const [hex, value] of Object.entries(others)) assertSame(unpack(fromHex(hex)), value, hex)
})

const TEXT = 'abcdefghijklmnopqrstuvwxyz'.repeat(3000)

test('strings with every header that can hold them', () => {
  for (const length of [0, 1, 5, 31, 32, 64, 255, 256, 65_535, 65_536]) {
    const text = TEXT.slice(0, length)
    const body = Buffer.from(text)
    const headers = []
    if (length < 32) headers.push(Buffer.from([0xa0 + length]))
    if (length < 256) headers.push(Buffer.from([0xd9, length]))
    if (length < 65_536) headers.push(Buffer.from([0xda, length >> 8, length & 255]))
    headers.push(Buffer.from([0xdb, 0, length >> 16, (length >> 8) & 255, length & 255]))
    for (const header of headers) {
      const bytes = Buffer.concat([header, body])
      assert.equal(unpack(bytes), text, `${length}, ${header.length} byte header`)
      assertSame(unpack(Buffer.concat([fromHex('93'), bytes, bytes, fromHex('07')])), [text, text, 7])
      assertSame(unpack(Buffer.concat([fromHex('81'), bytes, fromHex('07')])), { [text]: 7 })
    }
  }
})

test('binary values with every header that can hold them', () => {
  for (const hex of ['c40107', 'c5000107', 'c60000000107']) {
    assertSame(unpack(fromHex(hex)), Buffer.from([7]), hex)
    assertSame(unpack(fromHex(`93${hex}01${hex}`)), [Buffer.from([7]), 1, Buffer.from([7])], hex)
  }
})

test('arrays and maps with every header that can hold them', () => {
  for (const header of ['93', 'dc0003', 'dd00000003']) {
    assertSame(unpack(fromHex(`${header}01a16190`)), [1, 'a', []], header)
    assertSame(unpack(fromHex(`92${header}01a16190c0`)), [[1, 'a', []], null], header)
  }
  for (const header of ['82', 'de0002', 'df00000002']) {
    assertSame(unpack(fromHex(`${header}a16101a16280`)), { a: 1, b: {} }, header)
    assertSame(
      maps.unpack(fromHex(`${header}a16101a16280`)),
      new Map([
        ['a', 1],
        ['b', new Map()],
      ]),
      header,
    )
  }
  for (const hex of ['dc0000', 'dd00000000']) assertSame(unpack(fromHex(hex)), [], hex)
  for (const hex of ['de0000', 'df00000000']) assertSame(unpack(fromHex(hex)), {}, hex)
})

test('a message as written in another language', () => {
  const bytes = fromHex(`
    8a a46e616d65a3426f62 a361676518 a6616374697665c3 a5656d61696cc0 a5636f756e74cd1388
    a472617465cb3fd5555555555555 a47461677392a161d90162 a56c696d6974d2ffff8000
    a46d657461de0001a16bdc0001c2 a3626967cf0000000100000000`)
  const expected = {
    name: 'Bob',
    age: 24,
    active: true,
    email: null,
    count: 5000,
    rate: 1 / 3,
    tags: ['a', 'b'],
    limit: -32768,
    meta: { k: [false] },
    big: 4294967296n,
  }
  for (let i = 0; i < 5; i++) assertSame(unpack(bytes), expected)
  const numbers = new Unpackr({ int64AsType: 'number', useRecords: false })
  assertSame(numbers.unpack(bytes), { ...expected, big: 4294967296 })
})

test('runs of numbers that end in something else', () => {
  const runs = {
    '01': 1,
    ff: -1,
    cc80: 128,
    cd0100: 256,
    ce00010000: 65536,
    d0df: -33,
    d1ff7f: -129,
    cb3ff8000000000000: 1.5,
    ca3fc00000: 1.5,
  }
  const ends = {
    a161: 'a',
    c0: null,
    c3: true,
    d40000: undefined,
    90: [],
    80: {},
    cf0000000000000001: 1n,
    c1: C1,
  }
  for (const [hex, number] of Object.entries(runs)) {
    for (const length of [1, 14, 40, 300]) {
      for (const [endHex, end] of Object.entries(ends)) {
        const header = (length + 1).toString(16).padStart(4, '0')
        const bytes = fromHex(`dc${header}${hex.repeat(length)}${endHex}`)
        assertSame(
          unpack(bytes),
          [...Array.from({ length }, () => number), end],
          `${length} x ${hex}, then ${endHex}`,
        )
      }
    }
  }
})

test('maps whose keys change from row to row', () => {
  const rows = Array.from({ length: 400 }, (_, i) =>
    Object.fromEntries([
      [`k${i % 5}`, i],
      [`k${(i * 3) % 7}x`, null],
      ['same', 'v'],
    ]),
  )
  const hex = rows.map((row) => {
    const body = Object.entries(row).map(([key, value]) =>
      Buffer.concat([
        Buffer.from([0xa0 + key.length]),
        Buffer.from(key),
        value === null
          ? fromHex('c0')
          : value === 'v'
            ? fromHex('a176')
            : Buffer.from([0xcd, value >> 8, value & 255]),
      ]),
    )
    return Buffer.concat([Buffer.from([0x80 + body.length]), ...body])
  })
  const bytes = Buffer.concat([Buffer.from([0xdc, rows.length >> 8, rows.length & 255]), ...hex])
  for (let i = 0; i < 5; i++) assertSame(unpack(bytes), rows)
})

test('text of many lengths, narrow and wide, in one message', () => {
  const texts = []
  for (let i = 0; i < 1500; i++)
    texts.push(`${'narrow'.repeat(i % 9)}${i}`, `${'w\u00e9'.repeat(i % 5)}${'\u4f60'.repeat(i % 3)}${i}`)
  const parts = texts.map((text) => {
    const body = Buffer.from(text)
    return Buffer.concat([Buffer.from([0xd9, body.length]), body])
  })
  const bytes = Buffer.concat([Buffer.from([0xdc, texts.length >> 8, texts.length & 255]), ...parts])
  assertSame(unpack(bytes), texts)
  assertSame(unpack(new Uint8Array(bytes)), texts)
})
