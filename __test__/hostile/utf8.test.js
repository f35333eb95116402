'use strict'

// Text that is not UTF-8 is read as the Encoding standard says: U+FFFD for each bad part, nothing thrown, nothing moved.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { unpack, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { arrayHeader, stringHeader } = require('../helpers/reference-encoder')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const standard = new TextDecoder('utf-8', { ignoreBOM: true })
const packed = (raw) => Buffer.concat([stringHeader(raw.length), raw])
const TAIL = fromHex('a3656e64')

function assertReads(raws, message) {
  const bytes = Buffer.concat([arrayHeader(raws.length + 1), ...raws.map(packed), TAIL])
  const expected = [...raws.map((raw) => standard.decode(raw)), 'end']
  for (const source of [bytes, new Uint8Array(bytes)]) assertSame(unpack(source), expected, message)
}

test('known broken sequences', () => {
  for (const hex of [
    'c328',
    'e28028',
    'f0288cbc',
    'ff',
    'c0af',
    '80',
    'e281',
    'f09f98',
    'eda080',
    'f4908080',
    'f8888080',
    'e2',
    'efbbbf',
    'efbbbfefbbbf',
    'efbb',
    'c2',
    'e0809f',
    'f0808080',
  ]) {
    const raw = fromHex(hex)
    assert.equal(unpack(packed(raw)), standard.decode(raw), hex)
    assertReads([raw], hex)
    assertSame(
      unpack(Buffer.concat([fromHex('81'), packed(raw), TAIL])),
      { [standard.decode(raw)]: 'end' },
      hex,
    )
  }
})

test('every sequence of two bytes', () => {
  const raws = []
  for (let i = 0; i < 0x10000; i++) raws.push(Buffer.from([i >> 8, i & 255]))
  assertReads(raws, 'two bytes')
})

test('sequences of three bytes behind each kind of lead byte', () => {
  for (const lead of [0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf4]) {
    const raws = []
    for (let i = 0; i < 0x10000; i += full ? 1 : 5) raws.push(Buffer.from([lead, i >> 8, i & 255]))
    assertReads(raws, lead.toString(16))
  }
})

test('broken text at every place around block boundaries', () => {
  for (const hex of ['ff', 'c3', 'e282', 'f09f98', 'eda080']) {
    const bad = fromHex(hex)
    for (const fill of ['a', '\u00e9', '\u4f60', '\u{1f600}']) {
      const raws = []
      for (let before = 0; before <= 70; before++) {
        const prefix = Buffer.from('a'.repeat(before % 4) + fill.repeat(before / Buffer.byteLength(fill)))
        raws.push(Buffer.concat([prefix, bad]), Buffer.concat([prefix, bad, Buffer.from(fill.repeat(9))]))
      }
      assertReads(raws, `${hex} in ${fill}`)
    }
  }
})

const PIECES = [
  '61',
  '2020202020202020',
  '00',
  '7f',
  'c280',
  'c3a9',
  'dfbf',
  'e0a080',
  'e282ac',
  'efbfbf',
  'efbbbf',
  'f0908080',
  'f09f9880',
  'f48fbfbf',
  'c0',
  'c1',
  'f5',
  'ff',
  '80',
  'bf',
  'c3',
  'e2',
  'e282',
  'ed',
  'eda080',
  'f0',
  'f09f',
  'f09f98',
  'f490',
].map(fromHex)

function randomText(random) {
  if (random.chance(0.3)) return random.bytes(random.below(random.chance(0.1) ? 600 : 40))
  const parts = Array.from({ length: random.below(random.chance(0.1) ? 200 : 20) }, () => random.pick(PIECES))
  return Buffer.concat(parts)
}

test('random bytes', (t) => {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  for (let round = 0; round < (full ? 300 : 30); round++) {
    const raws = Array.from({ length: 300 }, () => randomText(random))
    assertReads(raws, `FERROPACK_SEED=${seed}, round ${round}`)
    for (const raw of raws.slice(0, 50))
      assert.equal(unpack(packed(raw)), standard.decode(raw), `${toHex(raw)} FERROPACK_SEED=${seed}`)
  }
})

test('random bytes as keys', (t) => {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  const maps = new Unpackr({ useRecords: false, mapsAsObjects: false })
  for (let round = 0; round < 200; round++) {
    const raws = Array.from({ length: 15 }, () => randomText(random))
    const bytes = Buffer.concat([fromHex('8f'), ...raws.flatMap((raw, i) => [packed(raw), Buffer.from([i])])])
    const entries = raws.map((raw, i) => [standard.decode(raw), i])
    assertSame(unpack(bytes), Object.fromEntries(entries), `FERROPACK_SEED=${seed}`)
    assertSame(maps.unpack(bytes), new Map(entries), `FERROPACK_SEED=${seed}`)
  }
})
