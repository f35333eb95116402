'use strict'

// How many shapes can be shared, what becomes of those beyond, and ids of two bytes.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { RecordModel } = require('../helpers/record-model')
const { referWide } = require('../helpers/record-wire')
const { assertSame } = require('../helpers/same')

const shape = (i, value = i % 32) => ({ [`a${i}`]: value })
const lists = (count) => Array.from({ length: count }, (_, i) => [`a${i}`])
const countOf = (structures) => JSON.parse(JSON.stringify(structures)).length

/** Packs the values one by one, and once more, as the model does; every message is read by writer and reader. */
function assertAsModel(values, { shared = 32, own = 32 } = {}) {
  const structures = []
  const options = { structures, maxSharedStructures: shared, maxOwnStructures: own, mapsAsObjects: true }
  const packr = new Packr(options)
  const model = new RecordModel({ shared, own })
  const messages = []
  for (const value of [...values, ...values]) {
    const bytes = packr.pack(value)
    assert.equal(toHex(bytes), model.pack(value), `${shared} shared, ${own} own`)
    messages.push([bytes, value])
  }
  assert.deepEqual(JSON.parse(JSON.stringify(structures)), model.structures)
  const reader = new Unpackr({ structures: model.structures.map((keys) => [...keys]), mapsAsObjects: true })
  for (const [bytes, value] of messages) {
    assertSame(packr.unpack(bytes), value)
    assertSame(reader.unpack(bytes), value)
  }
}

test('32 are shared by default, and the others defined in every message', () => {
  const packr = new Packr({ structures: [] })
  for (let i = 0; i < 32; i++) assert.equal(toHex(packr.pack(shape(i, 1))), `${(0x40 + i).toString(16)}01`)
  for (let i = 0; i < 2; i++) {
    assert.equal(toHex(packr.pack(shape(32, 1))), 'd4726091a361333201')
    assert.equal(toHex(packr.pack([shape(33, 1), shape(33, 2), shape(5, 3)])), '93d4726091a36133330160024503')
  }
  assert.equal(countOf(packr.structures), 32)
  assertAsModel(Array.from({ length: 70 }, (_, i) => shape(i)))
})

test('one shared structure', () => {
  const packr = new Packr({ structures: [], maxSharedStructures: 1 })
  assert.equal(toHex(packr.pack({ a: 1 })), '4001')
  assert.equal(toHex(packr.pack({ b: 1 })), 'd4724191a16201')
  assert.equal(toHex(packr.pack([{ b: 1 }, { b: 2 }])), '92d4724191a162014102')
  assert.equal(toHex(packr.pack({ a: 2 })), '4002')
  assert.equal(countOf(packr.structures), 1)
})

test('no shared structure', () => {
  const structures = []
  const packr = new Packr({ structures, maxSharedStructures: 0 })
  for (let i = 1; i < 3; i++) assert.equal(toHex(packr.pack({ a: i })), `d4724091a1610${i}`)
  assert.equal(structures.length, 0)
})

test('shared structures and no own ones: maps for what is not shared', () => {
  const packr = new Packr({
    structures: [],
    maxOwnStructures: 0,
    maxSharedStructures: 1,
    mapsAsObjects: true,
  })
  assert.equal(toHex(packr.pack({ a: 1 })), '4001')
  assert.equal(toHex(packr.pack([{ b: 1 }, { a: { b: 2 } }])), '92de0001a1620140de0001a16202')
  assert.equal(toHex(packr.pack({ a: 2 })), '4002')
  assertAsModel(
    Array.from({ length: 20 }, (_, i) => [shape(i % 7), shape(i % 5)]),
    { shared: 3, own: 0 },
  )
})

test('a limit without an array or a store shares all the same', () => {
  const packr = new Packr({ maxSharedStructures: 2 })
  assert.equal(toHex(packr.pack([{ a: 1 }])), '914001')
  assert.equal(toHex(packr.pack([{ a: 1 }, { b: 1 }, { c: 1 }])), '9340014101d4724291a16301')
  assertSame(packr.unpack(fromHex('9240014102')), [{ a: 1 }, { b: 2 }])
})

test('with 33 shared structures, ids from 0x60 on take two bytes', () => {
  const packr = new Packr({ structures: [], maxSharedStructures: 33 })
  for (let i = 0; i < 32; i++) packr.pack(shape(i))
  assert.equal(toHex(packr.pack(shape(31, 1))), '5f01')
  assert.equal(toHex(packr.pack(shape(32, 1))), '600001')
  assert.equal(toHex(packr.pack(shape(33, 1))), 'd572610091a361333301')
  assert.equal(
    toHex(packr.pack([shape(32, 1), shape(33, 1), shape(33, 2)])),
    '93600001d572610091a361333301610002',
  )
  assertAsModel(
    Array.from({ length: 80 }, (_, i) => shape(i)),
    { shared: 33 },
  )
})

test('the two limits together decide on ids of two bytes', () => {
  for (const [own, hex] of [
    [32, 'd4726091a361333201'],
    [33, 'd572600091a361333201'],
  ]) {
    const packr = new Packr({ structures: lists(32), maxOwnStructures: own })
    assert.equal(toHex(packr.pack(shape(32, 1))), hex)
    assertSame(packr.unpack(fromHex(hex)), shape(32, 1))
  }
})

test('100 shared structures', () => {
  const packr = new Packr({ structures: lists(100), maxSharedStructures: 100 })
  for (const [i, hex] of Object.entries({
    0: '40',
    31: '5f',
    32: '6000',
    63: '7f00',
    64: '6001',
    99: '6302',
  })) {
    assert.equal(toHex(packr.pack(shape(i, 5))), `${hex}05`)
    assertSame(packr.unpack(fromHex(`${hex}05`)), shape(i, 5))
  }
  assert.equal(toHex(packr.pack([shape(100, 1), shape(100, 2)])), '92d572640291a46131303001640202')
  assertAsModel(
    Array.from({ length: 140 }, (_, i) => [shape(i), shape(i >> 1), shape(99)]),
    { shared: 100 },
  )
})

test('many lists given to both sides', () => {
  const structures = () => Array.from({ length: 100 }, (_, i) => [`k${i}`, 'n'])
  const sender = new Packr({ structures: structures(), maxSharedStructures: 100 })
  for (const receiver of [
    new Packr({ structures: structures(), maxSharedStructures: 100 }),
    new Packr({ structures: structures() }),
    new Unpackr({ structures: structures() }),
  ]) {
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 100; i++) {
        const value = { [`k${i}`]: 'v', n: i }
        const bytes = sender.pack(value)
        assertSame(receiver.unpack(bytes), value, `structure ${i}`)
        assertSame(sender.unpack(bytes), value, `structure ${i}`)
      }
    }
  }
})

test('as many shared structures as there can be', () => {
  const packr = new Packr({ structures: [], maxSharedStructures: 8160 })
  const model = new RecordModel({ shared: 8160, own: 32 })
  const all = Array.from({ length: 8160 + 40 }, (_, i) => shape(i))
  for (let i = 0; i < all.length; i += 600) {
    const value = all.slice(i, i + 600)
    assert.equal(toHex(packr.pack(value)), model.pack(value))
  }
  assert.equal(countOf(packr.structures), 8160)
  assert.equal(toHex(packr.pack(shape(8159, 2))), '7ffd02')
  assert.equal(toHex(packr.pack(shape(8160, 1))), 'd57260fe91a56138313630' + '01')
  const mixed = [all[0], all[8159], all[8160], all[40], all[8191], all[8160]]
  assert.equal(toHex(packr.pack(mixed)), model.pack(mixed))
  for (const value of [mixed, all.slice(8100), all.slice(0, 300)]) {
    const bytes = packr.pack(value)
    assertSame(packr.unpack(bytes), value, 'writer', { copies: true })
    const reader = new Unpackr({ structures: model.structures })
    assertSame(reader.unpack(bytes), value, 'reader', { copies: true })
  }
})

test('more than can be numbered is refused', () => {
  const shared = { name: 'Error', message: 'Maximum maxSharedStructure is 8160' }
  const sum = { name: 'Error', message: 'Maximum maxSharedStructure + maxOwnStructure is 8192' }
  assert.throws(() => new Packr({ structures: [], maxSharedStructures: 8161 }), shared)
  assert.throws(() => new Packr({ maxSharedStructures: 8161, maxOwnStructures: 0 }), shared)
  assert.throws(() => new Packr({ structures: [], maxSharedStructures: 8160, maxOwnStructures: 33 }), sum)
  assert.throws(() => new Packr({ maxSharedStructures: 1, maxOwnStructures: 8192 }), sum)
  // Without an array, 64 own structures are the default.
  assert.throws(() => new Packr({ maxSharedStructures: 8160 }), sum)
  assert.doesNotThrow(() => new Packr({ structures: [], maxSharedStructures: 8160 }))
  assert.doesNotThrow(() => new Packr({ maxSharedStructures: 0, maxOwnStructures: 8192 }))
})

test('more lists than may be shared: nothing can be packed, everything can be read', () => {
  const cases = [
    [{ structures: lists(3), maxSharedStructures: 2 }, 3],
    [{ structures: lists(33) }, 33],
    [{ structures: lists(1), maxSharedStructures: 0 }, 1],
    [{ getStructures: () => lists(40), saveStructures() {} }, 40],
  ]
  for (const [options, count] of cases) {
    const packr = new Packr(options)
    const message = `Shared structures is larger than maximum shared structures, try increasing maxSharedStructures to ${count}`
    for (let i = 0; i < 3; i++) {
      assert.throws(() => packr.pack(shape(0)), { name: 'Error', message })
      const last = count > 32 ? referWide(count - 1) : (0x3f + count).toString(16)
      assertSame(packr.unpack(fromHex(`92${last}054006`)), [shape(count - 1, 5), shape(0, 6)])
    }
  }
})

test('null and undefined leave the limits as they are', () => {
  const expected = new Packr({ structures: lists(31) }).pack([shape(31), shape(32), shape(33)])
  for (const nothing of [null, undefined]) {
    const options = { structures: lists(31), maxSharedStructures: nothing, maxOwnStructures: nothing }
    assert.equal(toHex(new Packr(options).pack([shape(31), shape(32), shape(33)])), toHex(expected))
  }
})

for (const option of ['maxSharedStructures', 'maxOwnStructures']) {
  test(`${option}: what a number is made of counts as that number`, () => {
    const value = [{ a: 1 }, { b: 2 }, { a: 3 }, { c: 4 }]
    for (const given of ['0', '2', ' 40 ', '', [], ['3'], true, false, new Number(3), { valueOf: () => 5 }]) {
      const options = { structures: [], [option]: given }
      const same = { structures: [], [option]: Number(given) }
      const packr = new Packr(options)
      assert.equal(toHex(packr.pack(value)), toHex(new Packr(same).pack(value)), String(given))
      assertSame(packr.unpack(packr.pack(value)), value)
    }
  })

  test(`${option}: what is no whole number is refused`, () => {
    const message = `${option} must be a whole number that is not negative`
    for (const given of [1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 'x', '1.5', {}, [1, 2]]) {
      assert.throws(() => new Packr({ [option]: given }), { name: 'RangeError', message }, String(given))
    }
    // Absent, as in options that are merged.
    for (const given of [undefined, null]) {
      assert.equal(toHex(new Packr({ [option]: given }).pack({ a: 1 })), toHex(new Packr().pack({ a: 1 })))
    }
  })
}
