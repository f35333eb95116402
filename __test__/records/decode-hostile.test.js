'use strict'

// Messages that were made to do harm with record definitions: they end with an error or a value, in a time that
// their length explains, and the reader works afterwards.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, unpack } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { define, defineWide, referWide } = require('../helpers/record-wire')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const seed = chosenSeed()
const LISTS = [['a', 'b'], ['c']]
const readers = () => [
  { unpack },
  new Unpackr(),
  new Packr({ structures: [] }),
  new Unpackr({ structures: LISTS.map((keys) => [...keys]) }),
]

const arrayOf = (count, hex) => Buffer.concat([fromHex(`dd${count.toString(16).padStart(8, '0')}`), hex])
const END = { message: 'Unexpected end of MessagePack data', incomplete: true }

function assertUsable(reader) {
  assertSame(reader.unpack(fromHex('92d4724391a161014302')), [{ a: 1 }, { a: 2 }])
  assertSame(reader.unpack(fromHex('92a16150')), ['a', 80])
}

test('100,000 definitions of one id', () => {
  const count = 100_000
  const parts = Array.from({ length: count }, (_, i) => `${define(0x40, `k${i % 70_000}`)}05`)
  const bytes = arrayOf(count, fromHex(parts.join('')))
  for (const reader of readers()) {
    const value = reader.unpack(bytes)
    assert.equal(value.length, count)
    for (const i of [0, 1, 65_535, 65_536, count - 1]) assertSame(value[i], { [`k${i % 70_000}`]: 5 })
    assertUsable(reader)
  }
})

test('100,000 definitions of all ids of two bytes', () => {
  const count = 100_000
  const parts = Array.from(
    { length: count },
    (_, i) => `${defineWide(32 + (i % 8192), 'a', `b${i % 10}`)}0506`,
  )
  const bytes = arrayOf(count, fromHex(parts.join('')))
  for (const reader of readers()) {
    const value = reader.unpack(bytes)
    for (const i of [0, 8191, 8192, count - 1]) assertSame(value[i], { a: 5, [`b${i % 10}`]: 6 })
    assertUsable(reader)
  }
})

test('ids at the end of their range', () => {
  for (const reader of readers()) {
    assertSame(reader.unpack(fromHex('92d572ffff91a161017fff02')), [{ a: 1 }, { a: 2 }])
    assertSame(reader.unpack(fromHex('92d4727f91a161017f02')), [{ a: 1 }, { a: 2 }])
    for (let i = 0; i < 50; i++) assertSame(reader.unpack(fromHex('d572ffff91a16101')), { a: 1 })
    assertUsable(reader)
  }
})

test('definitions within the values of definitions', () => {
  for (const depth of [10, 1000, 4000]) {
    for (const [label, start] of [
      ['one id', () => 'd4724091a161'],
      ['all ids', (i) => `d472${(0x40 + (i % 64)).toString(16)}91a161`],
      ['two-byte ids', (i) => defineWide(32 + (i % 8000), 'a')],
      ['two keys', () => 'd4724092a162a16105'],
    ]) {
      const bytes = fromHex(`${Array.from({ length: depth }, (_, i) => start(i)).join('')}01`)
      for (const reader of readers()) {
        let value = reader.unpack(bytes)
        for (let i = 0; i < depth; i++) {
          assert.deepEqual(Object.keys(value).sort(), label === 'two keys' ? ['a', 'b'] : ['a'])
          value = value.a
        }
        assert.equal(value, 1)
        assertUsable(reader)
      }
    }
  }
})

test('a million definitions within each other', () => {
  for (const [start, end] of [
    ['d4724091a161', '01'],
    ['d4724091', 'a16101'], // each in the key list of the one before
    ['d47240', '91a16101'], // each in the place of a key list
    ['d572ffff91a161', '01'],
  ]) {
    const bytes = fromHex(start.repeat(1_000_000) + end)
    for (const reader of readers()) {
      try {
        reader.unpack(bytes)
      } catch (error) {
        assert.ok(error instanceof Error)
      }
      assertUsable(reader)
    }
  }
})

test('references that nest as deep as they are long', () => {
  const bytes = fromHex(`d4724091a161${'40'.repeat(1_000_000)}01`)
  for (const reader of readers()) {
    try {
      reader.unpack(bytes)
    } catch (error) {
      assert.ok(error instanceof RangeError, String(error))
    }
    assertUsable(reader)
  }
})

test('keys that are claimed and not there', () => {
  for (const reader of readers()) {
    for (const hex of [
      'd47240dcffffa161',
      'd47240ddffffffff',
      'd47240ddffffffffa16101',
      'd572ffffdcffff',
      'd472409fa161',
    ]) {
      assert.throws(() => reader.unpack(fromHex(hex)), END, hex)
    }
    assertUsable(reader)
  }
})

test('values that are claimed and not there', () => {
  const keys = Buffer.alloc(65_535, fromHex('c0'))
  const definition = Buffer.concat([fromHex('d47240dcffff'), keys])
  for (const reader of readers()) {
    assert.throws(() => reader.unpack(definition), END)
    assert.throws(() => reader.unpack(Buffer.concat([definition, fromHex('01')])), END)
    assertUsable(reader)
  }
})

test('65,535 keys, all the same and all different', () => {
  const count = 65_535
  const same = Buffer.concat([
    fromHex('d47240dcffff'),
    Buffer.alloc(2 * count, fromHex('a161')),
    Buffer.alloc(count, 7),
  ])
  const different = Array.from(
    { length: count },
    (_, i) => `a6${Buffer.from(`k${String(i).padStart(5, '0')}`).toString('hex')}`,
  )
  const bytes = Buffer.concat([
    fromHex('92d47240dcffff'),
    fromHex(different.join('')),
    Buffer.alloc(count, 7),
    fromHex('40'),
    Buffer.alloc(count, 8),
  ])
  for (const reader of readers()) {
    assertSame(reader.unpack(same), { a: 7 })
    const [first, second] = reader.unpack(bytes)
    assert.equal(Object.keys(first).length, count)
    assert.deepEqual([first.k00000, first.k65534, second.k00000, second.k65534], [7, 7, 8, 8])
    assertUsable(reader)
  }
})

test('many records of a shape with many equal keys', () => {
  const keys = 1000
  const count = 300
  const definition = Buffer.concat([
    fromHex('d47240dc03e8'),
    Buffer.alloc(2 * keys, fromHex('a161')),
    Buffer.alloc(keys, 1),
  ])
  const instance = Buffer.concat([fromHex('40'), Buffer.alloc(keys, 2)])
  const bytes = arrayOf(
    count,
    Buffer.concat([definition, ...Array.from({ length: count - 1 }, () => instance)]),
  )
  for (const reader of readers()) {
    const value = reader.unpack(bytes)
    assertSame([value[0], value[1], value.at(-1)], [{ a: 1 }, { a: 2 }, { a: 2 }])
    assertUsable(reader)
  }
})

test('a million empty records', () => {
  const count = 1_000_000
  const bytes = arrayOf(count, Buffer.concat([fromHex('d4724090'), Buffer.alloc(count - 1, 0x40)]))
  for (const reader of readers()) {
    const value = reader.unpack(bytes)
    assert.equal(value.length, count)
    assertSame(value[count - 1], {})
    assert.notEqual(value[0], value[1])
    assertUsable(reader)
  }
})

test('messages that define everything, one after the other', () => {
  const reader = new Unpackr({ structures: LISTS.map((keys) => [...keys]) })
  for (let i = 0; i < (full ? 300 : 30); i++) {
    const parts = Array.from({ length: 8192 }, (_, slot) => `${defineWide(32 + slot, `m${i} k${slot}`)}01`)
    const last = `${referWide(8223)}02`
    const value = reader.unpack(arrayOf(8193, fromHex(parts.join('') + last)))
    assertSame(value.slice(-2), [{ [`m${i} k8191`]: 1 }, { [`m${i} k8191`]: 2 }])
    assertSame(reader.unpack(fromHex('92400102' + '4103')), [{ a: 1, b: 2 }, { c: 3 }])
  }
})

test('damaged messages', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  const value = Array.from({ length: 40 }, (_, i) => ({
    [`k${i % 9}`]: { x: i, y: [{ z: 'text' }] },
    [`end${i % 5}`]: null,
  }))
  const messages = [{}, { maxOwnStructures: 2 }, { maxOwnStructures: 100 }, { maxOwnStructures: 0 }].map(
    (options) => Buffer.from(new Packr(options).pack(value)),
  )
  const interesting = [
    0xd4, 0xd5, 0x72, 0x40, 0x41, 0x60, 0x7f, 0x90, 0x91, 0x92, 0xdc, 0xff, 0xc0, 0x80, 0xc7,
  ]
  const structures = () => LISTS.map((keys) => [...keys])
  const all = [
    ...readers(),
    new Packr({ structures: structures(), mapsAsObjects: true }),
    new Unpackr({ sequential: true }),
  ]
  const checked = all.slice(3, 5)
  for (let i = 0; i < (full ? 20_000 : 2000); i++) {
    const bytes = Buffer.from(random.pick(messages))
    for (let j = random.below(4); j >= 0; j--) {
      bytes[random.below(bytes.length)] = random.chance(0.7)
        ? random.pick(interesting)
        : random.uint32() & 0xff
    }
    for (const reader of all) {
      try {
        if (random.chance(0.2)) reader.unpackMultiple?.(bytes)
        else reader.unpack(bytes)
      } catch (error) {
        assert.ok(error instanceof Error, String(error))
      }
    }
    for (const reader of checked) {
      assertSame(reader.unpack(fromHex('92400102' + '4103')), [{ a: 1, b: 2 }, { c: 3 }], `message ${i}`)
    }
  }
})
