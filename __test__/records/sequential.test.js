'use strict'

// The option sequential: a definition holds for all messages that follow, so that a reader of all messages in order
// sees each shape defined once.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { RecordModel } = require('../helpers/record-model')
const { StructureStore } = require('../helpers/counting-store')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')
const reference = require('msgpackr')

const seed = chosenSeed()
const shape = (i, value = i % 32) => ({ [`s${i}`]: value })

/** Fresh readers of one sequence; the reference is one of them. */
const readers = () => [
  new Unpackr({ sequential: true }),
  new Packr({ sequential: true }),
  new Unpackr({ structures: [], trusted: true }),
  new reference.Unpackr({ sequential: true }),
]

function assertRead(instances, bytes, value, message) {
  for (const [i, reader] of instances.entries())
    assertSame(reader.unpack(bytes), value, `${message}, reader ${i}`)
}

test('each shape is defined once', () => {
  const packr = new Packr({ sequential: true })
  const fresh = readers()
  for (const [value, hex] of [
    [{ a: 1, b: 2 }, 'd4724092a161a1620102'],
    [{ a: 3, b: 4 }, '400304'],
    [{ c: 1 }, 'd4724191a16301'],
    [{ a: 5, b: 6 }, '400506'],
    [[{ c: 2 }, { c: { a: 7, b: {} } }], '92' + '4102' + '41' + '4007' + 'd4724290'],
    [64, 'cc40'],
    [{}, '42'],
  ]) {
    assert.equal(toHex(packr.pack(value)), hex)
    assertRead(fresh, fromHex(hex), value, hex)
  }
})

test('after 32 shapes the ids start over', () => {
  const packr = new Packr({ sequential: true })
  const fresh = readers()
  const model = new RecordModel({ own: 32, sequential: true })
  const order = [...Array(34).keys(), 0, 5, 33, 1, 2, 3, 0, ...Array(70).keys(), 69, 68, 37]
  for (const i of order) {
    const bytes = packr.pack(shape(i))
    assert.equal(toHex(bytes), model.pack(shape(i)), `shape ${i}`)
    assertRead(fresh, bytes, shape(i), `shape ${i}`)
  }
})

for (const own of [0, 1, 2, 31, 64, 65, 200]) {
  test(`a sequence with ${own} own structures`, (t) => {
    t.diagnostic(`FERROPACK_SEED=${seed}`)
    const random = randomFrom(seed)
    const options = { sequential: true, maxOwnStructures: own, mapsAsObjects: true }
    const packr = new Packr(options)
    const fresh = [new Unpackr(options), new Packr(options)]
    const model = new RecordModel({ own, sequential: true })
    for (let i = 0; i < 300; i++) {
      const kinds = random.pick([3, 40, 90, 300])
      const value = Array.from({ length: random.below(6) }, () =>
        Object.assign(
          shape(random.below(kinds)),
          random.chance(0.3) && { inner: shape(random.below(kinds)) },
        ),
      )
      const bytes = packr.pack(value)
      assert.equal(toHex(bytes), model.pack(value))
      assertRead(fresh, bytes, value, `${own} own structures`)
    }
  })
}

test('the array given is shared, and nothing is defined', () => {
  const structures = []
  const packr = new Packr({ sequential: true, structures })
  assert.equal(toHex(packr.pack({ a: 1, b: 2 })), '400102')
  assert.deepEqual(JSON.parse(JSON.stringify(structures)), [['a', 'b']])
})

test('a limit of shared structures shares without definitions', () => {
  const packr = new Packr({ sequential: true, maxSharedStructures: 1 })
  assert.equal(toHex(packr.pack({ a: 1 })), '4001')
  assert.equal(toHex(packr.pack([{ a: 1 }, { b: 1 }])), '924001' + 'd4724191a16201')
  assert.equal(toHex(packr.pack({ b: 2 })), '4102')
})

test('with a store on both sides', () => {
  const store = new StructureStore()
  const writer = new Packr(store.options({ sequential: true }))
  const reader = new Unpackr(store.options({ sequential: true }))
  for (let i = 0; i < 60; i++) {
    const value = [shape(i % 40), shape(i % 7)]
    assertSame(reader.unpack(writer.pack(value)), value, `message ${i}`)
  }
})

test('without records there is nothing to remember', () => {
  const packr = new Packr({ sequential: true, useRecords: false })
  for (let i = 1; i < 4; i++) assert.equal(toHex(packr.pack({ a: i })), `de0001a1610${i}`)
})

test('a function for useRecords', () => {
  const packr = new Packr({ sequential: true, useRecords: (object) => 'a' in object })
  assert.equal(toHex(packr.pack([{ a: 1 }, { b: 1 }])), '92d4724091a16101' + 'de0001a16201')
  assert.equal(toHex(packr.pack([{ a: 1 }, { b: 1 }])), '924001' + 'de0001a16201')
})

test('a reader that missed the definition', () => {
  const packr = new Packr({ sequential: true })
  packr.pack({ a: 1 })
  const late = new Unpackr({ sequential: true })
  assert.throws(() => late.unpack(packr.pack({ a: 2 })), /Data read, but end of buffer not reached 64/)
  assertSame(late.unpack(packr.pack([{ b: 1 }, 5])), [{ b: 1 }, 5])
  assertSame(late.unpack(packr.pack({ b: 2 })), { b: 2 })
})

test('an instance reads its own messages in order', () => {
  const packr = new Packr({ sequential: true })
  for (let i = 0; i < 100; i++) {
    const value = [shape(i % 45), shape((i * 7) % 45)]
    assertSame(packr.unpack(packr.pack(value)), value)
  }
})

test('unpackMultiple reads a part of the sequence', () => {
  const packr = new Packr({ sequential: true })
  const reader = new Unpackr({ sequential: true })
  const values = Array.from({ length: 60 }, (_, i) => ({ ...shape(i % 20), n: i }))
  const messages = values.map((value) => Buffer.from(packr.pack(value)))
  for (let i = 0; i < messages.length; i += 15) {
    assertSame(reader.unpackMultiple(Buffer.concat(messages.slice(i, i + 14))), values.slice(i, i + 14))
    assertSame(reader.unpack(messages[i + 14]), values[i + 14])
  }
})

test('a message that is cut can be read when it is whole', () => {
  const packr = new Packr({ sequential: true })
  const reader = new Unpackr({ sequential: true })
  for (let i = 0; i < 50; i++) {
    const value = [shape(i), { ...shape(i >> 1), text: 'some text' }]
    const bytes = packr.pack(value)
    for (const length of [0, 1, 3, bytes.length >> 1, bytes.length - 1]) {
      assert.throws(() => reader.unpack(bytes.subarray(0, length)), { incomplete: true })
    }
    assertSame(reader.unpack(bytes), value)
  }
})

test('trusted: false: a reader forgets, a writer does not', () => {
  const packr = new Packr({ sequential: true, trusted: false })
  const messages = [{ a: 1 }, { a: 2 }].map((value) => packr.pack(value))
  assert.deepEqual(messages.map(toHex), ['d4724091a16101', '4002'])
  const reader = new Unpackr({ sequential: true, trusted: false })
  for (let i = 0; i < 3; i++) {
    assertSame(reader.unpack(messages[0]), { a: 1 })
    assert.throws(() => reader.unpack(messages[1]), /Data read, but end of buffer not reached 64/)
    assertSame(reader.unpack(fromHex('92d4724091a178014002')), [{ x: 1 }, { x: 2 }])
  }
  assertRead(readers(), messages[0], { a: 1 }, 'trusting')
})

test('clearSharedData defines everything again', () => {
  const packr = new Packr({ sequential: true })
  packr.pack([{ a: 1 }, { b: 1 }])
  packr.clearSharedData()
  assert.equal(toHex(packr.pack([{ b: 1 }, { b: 2 }])), '92d4724091a162014002')
})
