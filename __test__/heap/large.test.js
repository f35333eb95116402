'use strict'

// Messages of megabytes, up to a gigabyte: more than fits where results are put at first.

const assert = require('node:assert/strict')
const { freemem } = require('node:os')
const { join } = require('node:path')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')
const { unpack } = require('../helpers/ferropack')
const { full } = require('../helpers/mode')
const { withoutHeap, makePair, comparePair, assertAllByHeap } = require('../helpers/walkers')

const skip = withoutHeap
const MEGABYTE = 1 << 20
const GIGABYTE = 1 << 30

/** A text that V8 has put together: of many thousand parts it would be left to it. */
function joined(text) {
  // Not asked in vain, or V8 would leave the search out.
  return text.indexOf('\0') < 0 ? text : ''
}

const numbers = (length) => Array.from({ length }, (_, i) => i)

// Each makes about as many bytes as it is asked for.
const MAKERS = {
  rows: (bytes) =>
    numbers(bytes / 55).map((i) => ({ id: i, name: `the name of row ${i}`, value: i / 3, on: i % 2 === 0 })),
  Smis: (bytes) => numbers(bytes / 5).map((i) => i + 2 ** 20),
  doubles: (bytes) => numbers(bytes / 9).map((i) => i + 0.5),
  'one text': (bytes) => joined('x'.repeat(bytes)),
  'one wide text': (bytes) => joined('\u4f60'.repeat(bytes / 3)),
  'one joined text': (bytes) => {
    let text = ''
    while (text.length < bytes) text += `part ${text.length} and more `.repeat(8)
    return { text: joined(text) }
  },
  texts: (bytes) => numbers(bytes / 30).map((i) => `a text with its number ${i}`),
  'wide texts': (bytes) => numbers(bytes / 30).map((i) => `\u4f60\u597d\u00e9 ${i} \u{1f600}`),
  bytes: (bytes) => Buffer.alloc(bytes, 7),
  'many bytes': (bytes) => numbers(bytes / 1000).map((i) => Buffer.alloc(1000, i)),
  Map: (bytes) => new Map(numbers(bytes / 20).map((i) => [`key ${i}`, i / 7])),
  Set: (bytes) => new Set(numbers(bytes / 12).map((i) => `item ${i}`)),
  keys: (bytes) =>
    Object.fromEntries(numbers(bytes / 45).map((i) => [`one of the many keys, number ${i}`, i])),
}

for (const [name, make] of Object.entries(MAKERS)) {
  test(`2 to 8 MB of ${name}, one after the other`, { skip }, () => {
    const pair = makePair()
    const kept = []
    let messages = 0
    for (const size of full ? [2, 8, 3, 6, 2, 4] : [2, 4]) {
      const value = make(size * MEGABYTE)
      for (const message of [value, [value, 1], { small: size }]) {
        kept.push(comparePair(pair, message, `${size} MB of ${name}`).bytes)
        messages++
      }
    }
    assertAllByHeap(pair.heap, messages)
    const lengths = kept.map(({ length }) => length)
    assert.ok(lengths[0] > MEGABYTE, `${lengths}`)
    assert.equal(unpack(kept[2]).small, 2)
  })
}

test('8 MB whose last part is handed over', { skip }, () => {
  const pair = makePair()
  const rows = MAKERS.rows(8 * MEGABYTE)
  for (let i = 0; i < 2; i++) {
    comparePair(
      pair,
      [
        rows,
        {
          get a() {
            return 1
          },
        },
      ],
      'handed over',
    )
    comparePair(pair, [rows[0]], 'after')
  }
})

test('sizes around every limit of a buffer', { skip }, () => {
  const pair = makePair()
  let messages = 0
  for (let power = 10; power <= 21; power++) {
    for (const delta of [-9, -5, -4, -3, -2, -1, 0, 1, 5]) {
      comparePair(pair, joined('x'.repeat(2 ** power + delta)), `text of 2^${power} + ${delta}`)
      comparePair(pair, [1, Buffer.alloc(2 ** power + delta)], `bytes of 2^${power} + ${delta}`)
      messages += 2
    }
  }
  assertAllByHeap(pair.heap, messages)
})

test('30 MB of all kinds', { skip }, () => {
  const pair = makePair()
  const value = Object.values(MAKERS).map((make) => make((full ? 6 : 2.4) * MEGABYTE))
  const { bytes } = comparePair(pair, value, 'all kinds')
  assert.ok(bytes.length > 25 * MEGABYTE, `${bytes.length}`)
  comparePair(pair, { small: 1 }, 'after')
  assertAllByHeap(pair.heap, 2)
})

// The bytes are compared by their hash, so that only one result lives at a time.
const GIGANTIC = `
  const { createHash } = require('node:crypto')
  const { makePair } = require(${JSON.stringify(join(__dirname, '..', 'helpers', 'walkers'))})
  const { packCounts } = require(process.env.FERROPACK_ENTRY)
  const part = 1 << 24
  const values = {
    bytes: () => new Array(64).fill(Buffer.alloc(part, 5)),
    text: () => new Array(64).fill(Buffer.alloc(part, 'x').toString('latin1')),
    'wide text': () => new Array(22).fill(Buffer.alloc(2 * part, '\\u4f60', 'utf16le').toString('utf16le')),
    numbers: () => new Array(${GIGABYTE / 9 / 1000}|0).fill(Array.from({ length: 1000 }, (_, i) => i + 0.5)),
  }
  const pair = makePair()
  const seen = {}
  for (const [name, make] of Object.entries(values)) {
    const value = make()
    const [heap, tape] = [pair.heap, pair.tape].map((packr) => {
      try {
        const bytes = packr.pack(value)
        return bytes.length + ' ' + createHash('sha1').update(bytes).digest('hex')
      } catch (error) {
        return error.name + ': ' + error.message
      }
    })
    seen[name] = { heap, tape }
  }
  console.log(JSON.stringify({ seen, counts: packCounts(pair.heap) }))
`

const notNow =
  (!full && 'in full mode only') || (freemem() < 6 * GIGABYTE && `only ${freemem()} bytes of memory are free`)

test('a gigabyte', { skip: withoutHeap || notNow }, () => {
  const { seen, counts } = JSON.parse(runScript(GIGANTIC, { flags: ['--max-old-space-size=6000'] }))
  for (const [name, { heap, tape }] of Object.entries(seen)) {
    assert.equal(heap, tape, name)
    assert.ok(Number(heap.split(' ')[0]) > GIGABYTE * 0.9, `${name}: ${heap}`)
  }
  assert.deepEqual(counts.handovers, {})
})
