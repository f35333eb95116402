'use strict'

// Random and damaged input: the value or the error must be that of the reference decoder, and every call is on its own.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { unpack, Unpackr, C1, pack } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { decode, NotPlain } = require('../helpers/reference-decoder')
const { difference } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')
const { randomValue } = require('../helpers/random-value')

const ROUNDS = full ? 300_000 : 20_000
// Error reports do not depend on the size of the input below this many bytes.
const LONGEST = 170

const READERS = [
  {},
  { mapsAsObjects: false },
  { int64AsType: 'number' },
  { int64AsType: 'string' },
  { int64AsType: 'auto' },
].map((options) => {
  const unpackr = new Unpackr({ useRecords: false, ...options })
  const read = Object.keys(options).length === 0 ? unpack : (bytes) => unpackr.unpack(bytes)
  return { options: { C1, ...options }, read }
})

const outcome = (action) => {
  try {
    return { value: action() }
  } catch (error) {
    return { error }
  }
}

function complaint(actual, expected) {
  if (!expected.error)
    return actual.error
      ? `throws ${actual.error}`
      : difference(actual.value, expected.value, { copies: true })
  if (!actual.error) return `is read, though ${expected.error}`
  const { incomplete, missingBytes, message } = expected.error
  if (actual.error.incomplete !== incomplete)
    return `incomplete is ${actual.error.incomplete}: ${actual.error}`
  if (actual.error.missingBytes !== missingBytes)
    return `missingBytes is ${actual.error.missingBytes}, not ${missingBytes}`
  if (!incomplete && !actual.error.message.startsWith(message)) return `${actual.error}, not ${message}`
  return null
}

// Returns whether there was anything to compare.
function compare(bytes, { options, read }) {
  const expected = outcome(() => decode(bytes, options))
  const actual = outcome(() => read(bytes))
  if (expected.error instanceof NotPlain) return false
  const found = complaint(actual, expected)
  if (found !== null) assert.fail(`${toHex(bytes)} ${JSON.stringify(options)}: ${found}`)
  return true
}

const LEADS = [
  0x80, 0x81, 0x82, 0x90, 0x91, 0x92, 0x93, 0xa0, 0xa1, 0xa3, 0xc0, 0xc2, 0xc4, 0xc5, 0xc7, 0xca, 0xcb, 0xcc,
  0xcd, 0xcf, 0xd0, 0xd1, 0xd3, 0xd4, 0xd6, 0xd7, 0xd9, 0xda, 0xdc, 0xde, 0xe0, 0xff, 0x00, 0x01, 0x7f,
]

function structured(random) {
  const length = random.below(40)
  return Buffer.from(
    Array.from({ length }, () =>
      random.chance(0.7) ? random.pick(LEADS) : random.chance(0.6) ? random.below(4) : random.below(256),
    ),
  )
}

function damaged(random) {
  const bytes = Buffer.from(pack(randomValue(random, 3)))
  if (bytes.length > LONGEST || bytes.length === 0) return structured(random)
  const kind = random.below(4)
  if (kind === 0) return bytes.subarray(0, random.below(bytes.length))
  if (kind === 1) return Buffer.concat([bytes, random.bytes(1 + random.below(3))])
  for (let i = 0; i <= random.below(3); i++)
    bytes[random.below(bytes.length)] = random.chance(0.5) ? random.pick(LEADS) : random.below(256)
  return bytes
}

const SOURCES = {
  'random bytes': (random) => random.bytes(random.below(30)),
  'random lead bytes': structured,
  'damaged messages': damaged,
}

for (const [name, make] of Object.entries(SOURCES)) {
  test(`${name} give what the reference decoder gives`, (t) => {
    const seed = chosenSeed()
    t.diagnostic(`FERROPACK_SEED=${seed}`)
    const random = randomFrom(seed)
    let compared = 0
    try {
      for (let i = 0; i < ROUNDS; i++) {
        if (compare(make(random), READERS[i % READERS.length])) compared++
      }
    } catch (error) {
      error.message += ` (FERROPACK_SEED=${seed})`
      throw error
    }
    assert.ok(compared > ROUNDS / 2, `${compared} of ${ROUNDS} compared`)
  })
}

test('every message of one and two bytes', () => {
  let compared = 0
  for (const reader of full ? READERS : READERS.slice(0, 1)) {
    for (let first = 0; first < 256; first++) {
      if (compare(Buffer.from([first]), reader)) compared++
      for (let second = 0; second < 256; second++) {
        if (compare(Buffer.from([first, second]), reader)) compared++
      }
    }
  }
  assert.ok(compared > 60_000)
})

test('calls that fail and calls that work, in turn', (t) => {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  const good = [{ a: [1, 'text'], b: { c: 0.5 } }, ['x'.repeat(100), '\u4f60'], 'plain', 5].map((value) => ({
    value,
    bytes: pack(value),
  }))
  for (let i = 0; i < ROUNDS / 4; i++) {
    const bytes = damaged(random)
    outcome(() => unpack(bytes))
    const { value, bytes: message } = good[i % good.length]
    const found = difference(unpack(message), value)
    if (found !== null) assert.fail(`after ${toHex(bytes)}: ${found} (FERROPACK_SEED=${seed})`)
  }
})
