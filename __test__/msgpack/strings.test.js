'use strict'

// Strings: UTF-8 with the smallest header, whatever the engine's own representation of the text is.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertRoundTrip } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')

const REPLACEMENT = '\ufffd'
const wellFormed = (text) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))
const assertString = (text, message) => assertRoundTrip(text, message, { expected: wellFormed(text) })

// One, two, three and four bytes a code point.
const CODE_POINTS = [
  'a',
  '\u007f',
  '\u0080',
  '\u00e9',
  '\u00ff',
  '\u0100',
  '\u07ff',
  '\u0800',
  '\u20ac',
  '\uffff',
  '\u{10000}',
  '\u{1f600}',
  '\u{10ffff}',
]
const LENGTHS = [
  0, 1, 2, 3, 7, 8, 15, 16, 17, 30, 31, 32, 33, 63, 64, 65, 127, 128, 129, 254, 255, 256, 257, 4095, 4096,
  4097, 65_534, 65_535, 65_536, 65_537,
]

test('lengths around every header boundary', () => {
  for (const length of LENGTHS) {
    const text = 'abcdefghij'.repeat(length / 10 + 1).slice(0, length)
    const header = length < 32 ? 1 : length < 256 ? 2 : length < 65_536 ? 3 : 5
    assert.equal(pack(text).length, length + header, String(length))
    assertRoundTrip(text, `${length} units`)
    assertRoundTrip([text, 7, text, { text }], `${length} units, nested`)
    assertRoundTrip({ [text]: 1 }, `${length} units, as key`)
  }
})

test('byte lengths around every header boundary, with wider code points', () => {
  for (const codePoint of ['\u00e9', '\u20ac', '\u{1f600}']) {
    const width = Buffer.byteLength(codePoint)
    for (const limit of [32, 256, 65_536]) {
      for (let bytes = limit - 2 * width; bytes <= limit + 2 * width; bytes++) {
        const count = Math.floor(bytes / width)
        const text = 'a'.repeat(bytes - count * width) + codePoint.repeat(count)
        assert.equal(Buffer.byteLength(text), bytes)
        assertString(text, `${bytes} bytes of ${codePoint}`)
      }
    }
  }
})

test('each width of code point at every place in the first seventy units', () => {
  for (const codePoint of CODE_POINTS) {
    for (let before = 0; before <= 70; before++) {
      for (const after of [0, 1, 9]) {
        assertString('a'.repeat(before) + codePoint + 'b'.repeat(after), `${codePoint} at ${before}`)
      }
    }
  }
})

test('two code points of different widths around block boundaries', () => {
  for (const first of CODE_POINTS) {
    for (const second of CODE_POINTS) {
      for (const before of [7, 14, 15, 16, 30, 31, 32, 62, 63, 64]) {
        assertString(`${'x'.repeat(before)}${first}${second}y`, `${first} ${second} at ${before}`)
      }
    }
  }
})

test('a lone surrogate anywhere becomes U+FFFD', () => {
  for (const half of ['\ud800', '\udbff', '\udc00', '\udfff']) {
    for (let before = 0; before <= 70; before++) {
      for (const after of [0, 1, 40]) {
        const text = 'q'.repeat(before) + half + 'r'.repeat(after)
        assertString(text, `half at ${before}`)
        assertSame(unpack(pack(text)), 'q'.repeat(before) + REPLACEMENT + 'r'.repeat(after))
      }
    }
    for (const wide of ['\u4f60', '\u00e9', '\u{1f600}']) {
      for (const before of [0, 1, 7, 8, 15, 16, 31, 32, 63, 64, 200, 5000]) {
        assertString(wide.repeat(before) + half, `half after ${before} ${wide}`)
        assertString(half + wide.repeat(before), `half before ${before} ${wide}`)
        assertString(wide.repeat(before) + half + wide, `half inside ${before} ${wide}`)
      }
    }
  }
  assert.equal(toHex(pack('\ud800')), 'a3efbfbd')
  assert.equal(toHex(pack('\ud83d\ud83d\ude00')), 'a7efbfbdf09f9880')
  assert.equal(toHex(pack('\ude00\ud83d')), 'a6efbfbdefbfbd')
})

test('U+FEFF is text like any other', () => {
  for (const length of [0, 1, 4, 28, 29, 30, 40, 61, 62, 63, 64, 65, 100, 3000]) {
    assertRoundTrip(`\ufeff${'data '.repeat(length).slice(0, length)}`, `BOM and ${length}`)
    assertRoundTrip(['\ufeff', `\ufeff\ufeff${'x'.repeat(length)}`, 'tail'], `BOM and ${length}`)
  }
  assertRoundTrip({ '\ufeffkey': '\ufeff' }, 'BOM in a key')
})

test('NUL and control characters', () => {
  assertRoundTrip('\0', 'NUL')
  assertRoundTrip('a\0b\0'.repeat(20), 'NULs')
  assertRoundTrip(Array.from({ length: 128 }, (_, i) => String.fromCharCode(i)).join(''), 'all of ASCII')
})

test('every code point of the basic plane', () => {
  for (let first = 0; first < 0x10000; first += 0x400) {
    let text = ''
    for (let code = first; code < first + 0x400; code++) text += String.fromCharCode(code)
    assertString(text, first.toString(16))
    for (let at = 0; at < text.length; at += 97) assertString(text[at], text.charCodeAt(at).toString(16))
  }
})

test('code points beyond the basic plane', () => {
  let text = ''
  for (let code = 0x10000; code <= 0x10ffff; code += 0x111) text += String.fromCodePoint(code)
  assertString(text, 'sampled')
})

test('concatenated strings', () => {
  for (const piece of ['abc', 'abcdefghijklmnop', '\u00e9t\u00e9', '\u4f60\u597d', '\u{1f600}x']) {
    let left = ''
    let right = ''
    for (let i = 0; i < 300; i++) {
      left += piece + i
      right = i + piece + right
    }
    assertRoundTrip(left, 'grown at the end')
    assertRoundTrip(right, 'grown at the front')
    assertRoundTrip([`${left}${right}`, left + right, right + left], 'joined')
  }
  assertRoundTrip(`${'narrow '.repeat(10)}${'\u4f60'.repeat(10)}`, 'one narrow half, one wide half')
})

test('halves of a surrogate pair joined by concatenation', () => {
  const high = `${'x'.repeat(30)}\ud83d`
  const low = `\ude00${'y'.repeat(30)}`
  assert.equal(Buffer.from(pack(high + low)).includes(Buffer.from('\u{1f600}')), true)
  assertString(high + low, 'joined pair')
  assertString(low + high, 'joined the wrong way')
})

test('slices of longer strings', () => {
  const narrow = 'abcdefghijklmnopqrstuvwxyz'.repeat(40)
  const wide = '\u4f60\u597d\u{1f600}abc\u00e9'.repeat(100)
  for (let from = 0; from < 40; from++) {
    for (const length of [1, 12, 13, 14, 31, 32, 64, 300]) {
      assertString(narrow.slice(from, from + length), `slice ${from} ${length}`)
      assertString(wide.slice(from, from + length), `wide slice ${from} ${length}`)
    }
  }
})

test('text that came from outside the engine', () => {
  const bytes = Buffer.from('text from bytes '.repeat(5000))
  assertRoundTrip(bytes.toString('latin1'), 'latin1 of 80 kB')
  assertRoundTrip(bytes.toString('utf8'), 'utf8 of 80 kB')
  assertRoundTrip(bytes.toString('hex'), 'hex')
  const wide = Buffer.from('\u4f60\u597d '.repeat(400_000), 'utf16le').toString('utf16le')
  assertRoundTrip(wide, 'utf16 of 2.4 MB')
  const latin = Buffer.alloc(1_500_000, 0xe9).toString('latin1')
  assertRoundTrip(latin, 'latin1 of 1.5 MB')
})

test('a wide string whose units are all narrow', () => {
  const wide = `\u4f60${'narrow text '.repeat(10)}`
  assertRoundTrip(wide.slice(1), 'narrow slice of a wide string')
  assertRoundTrip({ [wide.slice(1)]: wide.slice(1) }, 'as key and value')
})

test('interned, symbol-like and numeric strings', () => {
  assertRoundTrip(
    ['length', 'constructor', '__proto__', 'toString', '0', '-1', '4294967295', '1e21'],
    'names',
  )
  assertRoundTrip(
    Array.from({ length: 300 }, (_, i) => String(i * 7919)),
    'numbers as text',
  )
})

test('many strings in one message, then more', () => {
  const texts = Array.from(
    { length: 2000 },
    (_, i) => `${'t'.repeat(i % 80)}${i % 3 === 0 ? '\u00e9' : ''}${i % 7 === 0 ? '\u4f60' : ''}${i}`,
  )
  assertRoundTrip(texts, 'texts')
  assertRoundTrip(
    texts.map((text) => ({ [text.slice(0, 5)]: text, text })),
    'texts in objects',
  )
})

test('long strings', () => {
  for (const unit of ['a', '\u00e9', '\u4f60', '\u{1f600}']) assertRoundTrip(unit.repeat(700_000), unit)
})
