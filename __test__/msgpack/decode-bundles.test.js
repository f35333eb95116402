'use strict'

// Bundled strings are read: strings that lie joined behind the values, which have only their lengths.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const msgpackr = require('msgpackr')
const { C1, unpack, unpackMultiple, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { registerWithBoth } = require('../helpers/register-reader')
const { assertSame } = require('../helpers/same')

const packed = (value, options = {}) =>
  Buffer.from(new msgpackr.Packr({ bundleStrings: true, ...options }).pack(value))
const text = (string) => {
  const bytes = Buffer.from(string)
  return `d9${bytes.length.toString(16).padStart(2, '0')}${bytes.toString('hex')}`
}
/** A message: an opening, values that are given as hex, and the two runs. */
const bundled = (before, values, other, ascii) =>
  fromHex(
    `${before}d662${(4 + values.length / 2).toString(16).padStart(8, '0')}${values}${text(other)}${text(ascii)}`,
  )

test('strings as values and keys, of maps and of records', () => {
  const values = [
    ['hello'],
    ['hello', 'h\u00e9llo', 'w\u00f6rld', 'abcd', 'ab', '', 'x'.repeat(4095), 'x'.repeat(4096)],
    { name: 'hello', ab: 'x', 'long k\u00e9y': ['long k\u00e9y'] },
    new Map([
      ['key of it', 'value of it'],
      [1, 'another'],
    ]),
    [
      { name: 'one', label: 'first' },
      { name: 'two!', label: 'second' },
      { name: 'three', other: 'third' },
    ],
    { 'bundled key': { 'inner key': ['deep text'] }, plain: 5 },
  ]
  for (const value of values) {
    assertSame(new Unpackr({}).unpack(packed(value)), value)
    const objects = packed(value, { useRecords: false })
    assertSame(unpack(objects), msgpackr.unpack(Buffer.from(objects)))
  }
})

test('many objects with the same keys', () => {
  const rows = Array.from({ length: 3000 }, (_, i) => ({
    name: `name ${i}`,
    unit: 'metre',
    'caf\u00e9': `caf\u00e9 ${i}`,
    i,
  }))
  for (const options of [{}, { useRecords: false }]) {
    const bytes = packed(rows, options)
    for (let i = 0; i < 3; i++) assertSame(new Unpackr(options).unpack(bytes), rows)
  }
})

test('several bundles in a row, in the wide closing form too', () => {
  const value = Array.from({ length: 900 }, (_, i) => `${i}${'text '.repeat(12)}${i % 5 ? '' : '\u00e9'}`)
  const bytes = packed(value)
  assertSame(unpack(bytes), value)
  const first = 'a bundled string'
  const second = 'of the next one'
  const strings = `${text('')}${text(first)}`
  const size = (4 + strings.length / 2).toString(16)
  // The opening points to the strings of the first bundle behind the field of the closing form.
  for (const closing of [`c8${size.padStart(4, '0')}62`, `c9${size.padStart(8, '0')}62`]) {
    const before = `c110${closing}`
    const opening = `92d662${(4 + before.length / 2 + 4).toString(16).padStart(8, '0')}`
    const offset = (4 + strings.length / 2 + 2).toString(16).padStart(8, '0')
    const hex = `${opening}${before}${offset}${strings}c10f${text('')}${text(second)}`
    assertSame(unpack(fromHex(hex)), [first, second])
    assertSame(unpack(fromHex(hex)), msgpackr.unpack(fromHex(hex)))
  }
})

test('strings are cut by UTF-16 units', () => {
  assertSame(unpack(packed(['abc\ud83d', '\ude00abc'])), ['abc\ud83d', '\ude00abc'])
  const halves = { 'abc\ud83d': 1, '\ude00abc': 2 }
  assertSame(new Unpackr({}).unpack(packed(halves)), halves)
  assertSame(unpack(packed(halves, { useRecords: false })), halves)
  // Longer than what is there, and zero, which is no ASCII.
  assertSame(unpack(bundled('94', 'c102c1cd0100c100c1d080', '\u00e9\u00e8', 'abcde')), [
    'ab',
    'cde',
    '',
    '\u00e9\u00e8',
  ])
})

test('runs of the other kind, and a mark at the start', () => {
  assertSame(unpack(bundled('93', 'c1fec1ffc103', 'abc', '\ufeff\u00e9x')), ['ab', 'c', '\ufeff\u00e9x'])
  assertSame(unpack(bundled('92', 'c1fdc1ff', '\ufeffabc', '')), ['\ufeffab', 'c'])
})

test('short and inline strings between bundled ones', () => {
  const value = []
  for (let i = 0; i < 300; i++) {
    value.push(
      `bundled ${i}`,
      'kg',
      `\u00e9${i % 7}`,
      `b\u00fcndel ${i}`,
      i % 50 === 0 ? 'inline '.repeat(700) : i,
    )
  }
  const bytes = packed(value)
  for (let i = 0; i < 4; i++) assertSame(unpack(bytes), value)
})

test('inside extensions that own a value', () => {
  class Point {
    constructor(name) {
      this.name = name
    }
  }
  registerWithBoth({
    Class: Point,
    type: 31,
    write: (point) => ['point', point.name],
    read: (data) => new Point(data[1]),
  })
  const value = {
    start: 'text before',
    point: new Point('name of it'),
    set: new Set(['in a set', '\u4f60\u597d again']),
    error: new RangeError('what happened'),
    source: /source/g,
    end: 'text after',
  }
  assertSame(new Unpackr({}).unpack(packed(value, { moreTypes: true })), value)
})

test('with references', () => {
  const inner = {}
  const value = { first: inner, b: inner, third: ['some text', inner], again: 'some more' }
  assertSame(new Unpackr({}).unpack(packed(value, { structuredClone: true })), value)
  const result = new Unpackr({}).unpack(
    fromHex(
      'd66900000001d4724092d66200000010c104c104c10bd67000000001a0b36161616173656c6668656c6c6f20776f726c64',
    ),
  )
  assert.equal(result.self, result)
  assert.equal(result.aaaa, 'hello world')
})

test('the next value begins behind the strings', () => {
  const parts = [packed(['hello']), packed({ name: 'second' }), packed(3), packed([['h\u00e9llo']])]
  const values = [['hello'], { name: 'second' }, 3, [['h\u00e9llo']]]
  const bytes = Buffer.concat(parts)
  assertSame(new Unpackr({}).unpackMultiple(bytes), values)
  let end = 0
  new Unpackr({}).unpackMultiple(bytes, (_value, from, to) => {
    assert.equal(from, end)
    end = to
  })
  assert.equal(end, bytes.length)
  assertSame(unpackMultiple(fromHex(`${toHex(parts[0])}c1`)), [['hello'], C1])
  assert.throws(
    () => unpack(fromHex(`${toHex(parts[0])}01`)),
    /^Error: Data read, but end of buffer not reached \["hello"\]/,
  )
})

test('a nested unpack has its own strings', () => {
  registerWithBoth({ type: 32, unpack: (data) => unpack(data) })
  const inner = packed(['inner text', '\u00e9\u00e9\u00e9\u00e9'])
  const extension = `c7${inner.length.toString(16).padStart(2, '0')}20${inner.toString('hex')}`
  assertSame(unpack(bundled('93', `c105${extension}c105`, '', 'firstlater')), [
    'first',
    ['inner text', '\u00e9\u00e9\u00e9\u00e9'],
    'later',
  ])
})

test('what is no bundle', () => {
  const failures = {
    // No string, at the first place or the second, and where the input ends.
    d66200000006c10501a0: { message: 'Expected string', incomplete: undefined },
    d66200000006c105a001: { message: 'Expected string', incomplete: undefined },
    d66200000006c105a0: { message: 'Expected string', incomplete: true },
    d662fffffffff0c105a0: { message: 'Expected string', incomplete: true },
    d66200000006c105a0a5: { message: 'Unexpected end of MessagePack data', incomplete: true },
    d66200000006c1c0a0a0: { message: 'Expected the length of a bundled string', incomplete: undefined },
    d66200000005c1: { message: 'Expected string', incomplete: true },
  }
  for (const [hex, { message, incomplete }] of Object.entries(failures)) {
    assert.throws(
      () => unpack(fromHex(hex)),
      (error) => error.message === message && error.incomplete === incomplete,
      hex,
    )
  }
  const bytes = packed({ name: 'a text', 'other k\u00e9y': 'another' })
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => new Unpackr({}).unpack(bytes.subarray(0, length)), { incomplete: true })
  }
})

test('the same strings are not read again and again', () => {
  const size = 1 << 20
  const openings = Buffer.alloc(6 * 10_000)
  for (let at = 0; at < openings.length; at += 6) {
    openings.set([0xd6, 0x62], at)
    openings.writeUInt32BE(openings.length + 1 - at - 2, at + 2)
  }
  const strings = Buffer.concat([fromHex('dbfffffffe').fill(0, 1), Buffer.alloc(size, 0xc3), fromHex('a0')])
  strings.writeUInt32BE(size, 1)
  const bytes = Buffer.concat([openings, fromHex('01'), strings])
  assert.throws(() => unpack(bytes), { message: 'String bundles overlap' })
  // Value by value, each with a short bundle of its own at last.
  const values = []
  for (let i = 0; i < 2000; i++) values.push(Buffer.from(fromHex('d66200000000d66200000005c0a0a0')))
  const many = Buffer.concat([...values, strings])
  for (let i = 0; i < values.length; i++)
    many.writeUInt32BE(many.length - strings.length - i * 15 - 2, i * 15 + 2)
  assert.throws(() => unpackMultiple(many), { message: 'String bundles overlap' })
})
