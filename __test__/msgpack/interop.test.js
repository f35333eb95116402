'use strict'

// Other libraries: what they write is read, and they read what is written for them.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const standard = require('@msgpack/msgpack')
const lite = require('msgpack-lite')
const notepack = require('notepack.io')
const { pack, unpack, Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const plain = new Packr({ useRecords: false, variableMapSize: true, encodeUndefinedAsNil: true })

/** The others write large integers as such. */
const asNumbers = new Unpackr({ useRecords: false, int64AsType: 'number' })

/** What every library knows: no undefined, no bigints, no dates. */
class PlainValues {
  constructor(random) {
    this.random = random
  }

  scalar() {
    const { random } = this
    switch (random.below(6)) {
      case 0:
        return random.pick([null, true, false])
      case 1:
        return random.below(2 ** (1 + random.below(31))) - random.below(70_000)
      case 2:
        return (random.fraction() - 0.5) * 10 ** random.below(20)
      case 3:
        // No half of a pair, which each library writes in its own way.
        return [...'text \u00e9 \u4f60 \u{1f600} '.repeat(30)].slice(0, random.below(300)).join('')
      default:
        return random.pick(['', 'name', 'value', 'a longer text than thirty-one bytes'])
    }
  }

  make(depth = 4) {
    const { random } = this
    if (depth === 0 || random.chance(0.3)) return this.scalar()
    const length = random.below(random.chance(0.02) ? 300 : 6)
    if (random.chance(0.5)) return Array.from({ length }, () => this.make(depth - 1))
    return Object.fromEntries(Array.from({ length }, (_, i) => [`key ${i}`, this.make(depth - 1)]))
  }
}

test('random values, both ways', (t) => {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const values = new PlainValues(randomFrom(seed))
  for (let i = 0; i < (full ? 3000 : 300); i++) {
    const value = values.make()
    // The sign of zero is not written.
    const expected = JSON.parse(JSON.stringify(value), (_, each) => (Object.is(each, -0) ? 0 : each))
    const message = `FERROPACK_SEED=${seed}, value ${i}`
    assertSame(asNumbers.unpack(standard.encode(value)), expected, message)
    assertSame(asNumbers.unpack(lite.encode(value)), expected, message)
    assertSame(asNumbers.unpack(notepack.encode(value)), expected, message)
    for (const bytes of [pack(value), plain.pack(value)]) {
      assert.deepEqual(standard.decode(bytes), expected, message)
      assert.deepEqual(lite.decode(bytes), expected, message)
      assert.deepEqual(notepack.decode(bytes), expected, message)
    }
  }
})

test('binary data and dates', () => {
  const date = new Date(1_532_219_539_733)
  assertSame(unpack(standard.encode({ at: date, data: Uint8Array.of(1, 2) })), {
    at: date,
    data: Uint8Array.of(1, 2),
  })
  assert.deepEqual(standard.decode(pack({ at: date })), { at: date })
  assert.deepEqual([...standard.decode(pack(Buffer.from([1, 2])))], [1, 2])
  assert.deepEqual([...lite.decode(pack(Buffer.from([1, 2])))], [1, 2])
})

test('a message as other languages write it', () => {
  const hex =
    '8aa46e616d65a3426f62a361676518a6616374697665c3a5656d61696cc0a5636f756e74cd1388a472617465cb3fd5555555555555' +
    'a47461677392a161d90162a56c696d6974d2ffff8000a46d657461de0001a16bdc0001c2a3626967cf0000000100000000'
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
    big: 4_294_967_296n,
  }
  assertSame(unpack(fromHex(hex)), expected)
  assertSame(asNumbers.unpack(fromHex(hex)), { ...expected, big: 4_294_967_296 })
})

test('messages without extensions and with small headers', () => {
  const hexes = [
    [{ compact: true, schema: 0 }, '82a7636f6d70616374c3a6736368656d6100'],
    [[undefined, null, { u: undefined }], '93c0c081a175c0'],
    [{}, '80'],
    [new Map([[1, 'a']]), '8101a161'],
    [['\u{1f426}', Buffer.from([1])], '92a4f09f90a6c40101'],
  ]
  for (const [value, hex] of hexes) assert.equal(toHex(plain.pack(value)), hex)
})
