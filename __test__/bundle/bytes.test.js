'use strict'

// What bundleStrings writes, byte for byte: which strings are collected, where a bundle ends, and what is left alone.

const assert = require('node:assert/strict')
const { describe, test } = require('node:test')
const msgpackr = require('msgpackr')
const { C1, Packr } = require('../helpers/ferropack')
const { assertBytes } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')

/** Packs with both walkers, whose bytes must be the same. */
function packBoth(value, options) {
  const [first, second] = [true, false].map((heap) =>
    new Packr({ bundleStrings: true, ...options, heap }).pack(value),
  )
  assertBytes(first, second, 'by the heap walker')
  return first
}

const hexOf = (value, options) => packBoth(value, options).toString('hex')

/** Fails unless the bytes are msgpackr's. */
function assertLikeMsgpackr(value, options, message) {
  const expected = new msgpackr.Packr({ bundleStrings: true, ...options }).pack(value)
  assertBytes(packBoth(value, options), expected, message)
}

describe('known bytes', () => {
  const MAPS = { useRecords: false }
  for (const [name, value, hex, options] of [
    ['one string', ['hello'], '91d66200000006c105a0a568656c6c6f'],
    ['two strings', ['hello', 'world'], '92d66200000008c105c105a0aa68656c6c6f776f726c64'],
    ['text that is not ASCII', ['h\u00e9llo'], '91d66200000006c1fba668c3a96c6c6fa0'],
    [
      'text of both kinds',
      ['hello', 'h\u00e9llo', 'w\u00f6rld', 'abcd', 'ab'],
      '95d6620000000fc105c1fbc1fbc104a26162ac68c3a96c6c6f77c3b6726c64a968656c6c6f61626364',
    ],
    ['a record', { name: 'hello' }, 'd4724091d66200000008c104c105a0a96e616d6568656c6c6f'],
    ['a map', { name: 'hello', ab: 'x' }, 'de0002d6620000000dc104c105a26162a178a0a96e616d6568656c6c6f', MAPS],
    ['a Map', new Map([['hello', 1]]), '81d66200000007c10501a0a568656c6c6f'],
    ['halves of a pair', ['abc\ud83d', '\ude00abc'], '92d66200000008c1fcc1fcaa616263f09f9880616263a0'],
    ['a mark of the byte order', ['\ufeffabc'], '91d66200000006c1fca6efbbbf616263a0'],
    ['short strings', ['abc', { a: 'x' }], '92a3616263d4724091a161a178'],
    ['a string', 'hello', 'a568656c6c6f'],
    ['no value with text', [1, null, new Date(1000), [{}]], '9401c0d6ff0000000191d4724090'],
    ['nothing', {}, 'd4724090'],
  ]) {
    test(name, () => {
      assert.equal(hexOf(value, options), hex)
      assertLikeMsgpackr(value, options, name)
    })
  }

  test('with shared structures keys are not written', () => {
    assert.equal(hexOf({ data: 'hello' }, { structures: [] }), '40d66200000006c105a0a568656c6c6f')
  })

  test('messages of a sequence have bundles of their own', () => {
    const packr = new Packr({ bundleStrings: true, sequential: true })
    const hex = [
      { data: 42, x: 'hello' },
      { data: 43, x: 'world' },
    ].map((value) => packr.pack(value).toString('hex'))
    assert.deepEqual(hex, [
      'd4724092d6620000000bc104a1782ac105a0a96461746168656c6c6f',
      '402bd66200000006c105a0a5776f726c64',
    ])
  })
})

describe('which strings are collected', () => {
  const lengths = [0, 1, 3, 4, 5, 31, 32, 63, 64, 127, 128, 255, 256, 4094, 4095, 4096, 4097, 70_000]
  for (const [name, unit] of [
    ['ASCII', 'a'],
    ['Latin-1', '\u00e9'],
    ['wide', '\u4f60'],
    ['pairs', '\u{1f600}'],
    ['lone halves', '\ud800'],
  ]) {
    test(name, () => {
      for (const length of lengths) {
        const text = unit.repeat(length).slice(0, length)
        const mixed = length === 0 ? '' : 'b'.repeat(length - 1) + unit[0]
        for (const options of [{}, { useRecords: false }]) {
          const message = `${length} units, ${JSON.stringify(options)}`
          for (const value of [
            [text],
            [mixed, 'some text'],
            { [text]: mixed },
            [{ [mixed]: 1 }, { [mixed]: text }],
          ])
            assertLikeMsgpackr(value, options, message)
        }
      }
    })
  }

  test('a key takes as much part in a bundle as a value', () => {
    const rows = Array.from({ length: 3 }, () => ({
      'half \ud83d': '\ude00 other',
      '\ude00 half': 1,
      plain: 'text',
    }))
    for (const options of [
      {},
      { useRecords: false },
      { structures: [] },
      { useRecords: false, variableMapSize: true },
    ])
      assertLikeMsgpackr(rows, options, JSON.stringify(options))
  })

  test('only a message that is a string itself is left alone', () => {
    class Text {
      toJSON() {
        return 'hello'
      }
    }
    class Nested {
      toJSON() {
        return new Text()
      }
    }
    const hidden = Object.defineProperty(() => {}, 'toJSON', { value: () => 'hello' })
    for (const value of [new Text(), new Nested(), hidden])
      assert.equal(hexOf(value), 'd66200000006c105a0a568656c6c6f')
    for (const value of [new Text(), new Nested(), hidden, [new Text()], new String('hello'), 'hello'])
      assertLikeMsgpackr(value, {}, 'a value that becomes a string')
  })
})

describe('where a bundle ends', () => {
  const MOST = 21_760

  /** Strings of `units` units in all, none longer than 4,000 or shorter than 100. */
  function stringsOf(units, character) {
    const count = Math.ceil(units / 4000)
    return Array.from({ length: count }, (_, i) =>
      character.repeat(Math.floor(units / count) + (i < units % count ? 1 : 0)),
    )
  }

  for (const [name, character] of [
    ['ASCII', 'y'],
    ['Latin-1', '\u00e9'],
  ]) {
    test(name, () => {
      for (const first of ['abcd', 'x'.repeat(4095)]) {
        for (const units of [MOST - 5, MOST - 4, MOST - 3, MOST - 1, MOST, MOST + 1]) {
          const strings = [first, ...stringsOf(units, character)]
          assertLikeMsgpackr(strings, {}, `${units} units`)
          assertLikeMsgpackr([...strings, 'more', 'text'], {}, `${units} units and more`)
        }
      }
    })
  }

  test('there may be many', () => {
    const words = [
      'hello',
      'h\u00e9llo',
      '\u{1f600}\u{1f600}',
      'x'.repeat(4095),
      'abc',
      'long text '.repeat(30),
    ]
    const value = Array.from({ length: 2000 }, (_, i) => ({
      name: words[i % 5] + i,
      [`key ${i % 7}`]: words[i % 6],
    }))
    for (const options of [{}, { useRecords: false }]) {
      assertLikeMsgpackr(value, options, JSON.stringify(options))
      assertSame(
        new msgpackr.Packr({ bundleStrings: true, ...options }).unpack(packBoth(value, options)),
        value,
      )
    }
  })
})

describe('C1', () => {
  test('is a value where nothing was collected before it', () => {
    assert.equal(hexOf([C1]), '91c1')
    assert.equal(hexOf([C1, 'abc', C1, 'hello']), '94c1a3616263c1d66200000006c105a0a568656c6c6f')
  })

  test('is refused behind a string, as it would be read as one', () => {
    for (const heap of [true, false]) {
      const packr = new Packr({ bundleStrings: true, heap })
      const text = /^C1 can not be packed behind a string with bundleStrings/
      for (const value of [['hello', C1], { name: C1 }, [['hello'], new Map([['a', [C1]]])]])
        assert.throws(() => packr.pack(value), { constructor: Error, message: text })
      assert.equal(packr.pack(['hello']).toString('hex'), '91d66200000006c105a0a568656c6c6f')
    }
  })
})

test('a message inside of another one has bundles of its own', () => {
  const packr = new Packr({ bundleStrings: true, useRecords: false })
  const other = new Packr({ useRecords: false })
  const value = (inner, outer) => ({
    before: 'text before',
    get inner() {
      return inner().toString('latin1')
    },
    behind: outer,
  })
  const bytes = packr.pack(value(() => packr.pack({ name: 'inner text' }), 'text behind'))
  const expected = packr.pack({
    before: 'text before',
    inner: packr.pack({ name: 'inner text' }).toString('latin1'),
    behind: 'text behind',
  })
  assertBytes(bytes, expected, 'a bundle in a bundle')
  assert.throws(() => packr.pack(value(() => packr.pack(['hello', C1]), 'text')), /^Error: C1/)
  const plain = other.pack(value(() => packr.pack({ name: 'inner text' }), 'text behind'))
  assert.ok(plain.includes('text behind') && !plain.includes('before behind'))
  assert.equal(packr.pack(['hello']).toString('hex'), '91d66200000006c105a0a568656c6c6f')
})
