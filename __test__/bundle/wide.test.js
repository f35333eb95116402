'use strict'

// Bundles of so much text beyond ASCII that they are longer than 65,535 bytes. msgpackr cuts off the length of
// those that are not the last; what is written here it can read.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const msgpackr = require('msgpackr')
const { Packr } = require('../helpers/ferropack')
const { assertBytes } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')

/** Packs with both walkers; msgpackr must read the value out of it, and so must this package. */
function assertReadable(value, options = {}) {
  const bytes = [true, false].map((heap) => new Packr({ bundleStrings: true, ...options, heap }).pack(value))
  assertBytes(bytes[0], bytes[1], 'by the heap walker')
  assertSame(new msgpackr.Packr(options).unpack(bytes[0]), value, JSON.stringify(options), { copies: true })
  assertSame(new Packr(options).unpack(bytes[0]), value, JSON.stringify(options), { copies: true })
  return bytes[0]
}

const ideographs = (length) => '\u4f60\u597d'.repeat(length).slice(0, length)

test('the length of a wide bundle takes four bytes', () => {
  const value = Array.from({ length: 60 }, () => ideographs(500))
  const bytes = assertReadable(value)
  // The first bundle has 44 strings: its one that counts for nothing, and 43 of 500 units.
  const strings = 3 + 44 * 500 * 3 + 1
  const opening = bytes.indexOf('c9', 'hex')
  assert.equal(bytes.readUInt32BE(opening + 1), 4 + 2 + strings)
  assert.equal(bytes[opening + 5], 0x62)
})

test('lengths around 65,535 bytes', () => {
  // The field, a header of 16 bits, and an empty string.
  const others = 4 + 3 + 1
  for (let length = 65_530; length <= 65_540; length++) {
    const rest = length - others - 7 * 9000
    const twos = [4, 5, 6].find((count) => (rest - count * 2) % 3 === 0)
    const last = '\u00e9'.repeat(twos) + ideographs((rest - twos * 2) / 3)
    const value = [...Array.from({ length: 7 }, () => ideographs(3000)), last, 'x'.repeat(4000), 'behind']
    const bytes = assertReadable(value)
    // Behind the header of the array and that of the opening.
    const strings = 3 + bytes.readUInt32BE(3)
    if (length <= 65_535) {
      assert.equal(bytes[strings - 8], 0xc8)
      assert.equal(bytes.readUInt16BE(strings - 7), length)
      assertBytes(bytes, new msgpackr.Packr({ bundleStrings: true }).pack(value), 'as msgpackr writes it')
    } else {
      assert.equal(bytes[strings - 10], 0xc9)
      // From here on the text has a longer header, too, where it is as long itself.
      assert.equal(bytes.readUInt32BE(strings - 9), length + (length - others > 65_535 ? 2 : 0))
    }
  }
})

test('wide and narrow bundles in turn', () => {
  const value = Array.from({ length: 400 }, (_, i) => ({
    name: `${i}`.padStart(5, '0'),
    text: i % 120 < 60 ? ideographs(300 + i) : 'narrow text '.repeat(20 + (i % 30)),
    list: [ideographs(4 + (i % 9)), '\u00e9t\u00e9'.repeat(i % 50), '\u{1f600}'.repeat(i % 70)],
  }))
  for (const options of [
    {},
    { useRecords: false },
    { variableMapSize: true, useRecords: false },
    { sequential: true },
  ])
    assertReadable(value, options)
})

test('the last bundle has no length', () => {
  const value = Array.from({ length: 7 }, () => ideographs(3500))
  const bytes = assertReadable(value)
  assertBytes(bytes, new msgpackr.Packr({ bundleStrings: true }).pack(value), 'as msgpackr writes it')
  assert.ok(bytes.length > 65_535 + 1000)
})

test('halves of pairs at the ends of strings and bundles', () => {
  const value = Array.from({ length: 300 }, (_, i) => [
    `\ude00${'\u{1f600}'.repeat(50 + (i % 40))}\ud83d`,
    `\ude00${ideographs(100)}`,
    '\ude00text \ud83d',
    '\ude00more text \ud83d',
  ])
  // Where a bundle ends no half meets another one, and becomes U+FFFD, as it does in a string alone.
  const bytes = [true, false].map((heap) => new Packr({ bundleStrings: true, heap }).pack(value))
  assertBytes(bytes[0], bytes[1], 'by the heap walker')
  const read = new msgpackr.Packr().unpack(bytes[0])
  const flat = (strings) => strings.flat().map((text) => text.length)
  assert.deepEqual(flat(read), flat(value))
  const strings = value.flat()
  const different = read.flat().filter((text, i) => text !== strings[i])
  const bundles = bytes[0].toString('latin1').split('\xef\xbf\xbd').length - 1
  assert.ok(different.length > 1 && different.length <= bundles)
  for (const text of different) assert.match(text, /^\ufffd|\ufffd$/)
})
