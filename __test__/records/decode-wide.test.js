'use strict'

// Reading ids of two bytes: which slot they name, when a byte from 0x60 on begins one, and those that nobody defined.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, unpack } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { defineWide, referWide } = require('../helpers/record-wire')
const { assertSame } = require('../helpers/same')

const readers = () => [{ unpack }, new Unpackr(), new Packr(), new Packr({ structures: [] })]
const lists = (count) => Array.from({ length: count }, (_, i) => [`k${i}`])

function assertReads(hex, expected) {
  for (const reader of readers()) {
    for (let i = 0; i < 3; i++) assertSame(reader.unpack(fromHex(hex)), expected, hex)
  }
}

test('a definition and its instances', () => {
  assertReads('92d572600091a16101600002', [{ a: 1 }, { a: 2 }])
  assertReads('93d572600091a1610160000260' + '0003', [{ a: 1 }, { a: 2 }, { a: 3 }])
  assertReads('d572600090', {})
})

test('the slot of the first byte need not be taken', () => {
  assertReads('92d572600191a16101600102', [{ a: 1 }, { a: 2 }])
  assertReads('93d572610591a16101d572650291a1620261' + '0503', [{ a: 1 }, { b: 2 }, { a: 3 }])
})

test('every slot up to the last', () => {
  for (const reader of readers()) {
    for (let slot = 32; slot <= 8223; slot += slot < 100 || slot > 8100 ? 1 : 61) {
      const hex = `93${defineWide(slot, 'a')}01${referWide(slot)}02${referWide(slot)}03`
      assertSame(reader.unpack(fromHex(hex)), [{ a: 1 }, { a: 2 }, { a: 3 }], `slot ${slot}`)
    }
    assertSame(reader.unpack(fromHex('92d572ffff91a161017fff02')), [{ a: 1 }, { a: 2 }])
  }
})

test('any first byte defines and is followed by an instance', () => {
  for (const reader of readers()) {
    for (let id = 0; id < 256; id++) {
      for (const high of ['00', '01', 'ff']) {
        const hex = `92d572${id.toString(16).padStart(2, '0')}${high}91a16105a178`
        assertSame(reader.unpack(fromHex(hex)), [{ a: 5 }, 'x'], hex)
      }
    }
  }
})

test('all slots in one message, in and out of order', () => {
  const slots = Array.from({ length: 8192 }, (_, i) => 32 + i)
  const parts = slots.map((slot) => `${defineWide(slot, `k${slot}`)}05`)
  const again = slots.map((_, i) => 32 + ((i * 4099) % 8192))
  const hex = `dc4000${parts.join('')}${again.map((slot) => `${referWide(slot)}06`).join('')}`
  const expected = [
    ...slots.map((slot) => ({ [`k${slot}`]: 5 })),
    ...again.map((slot) => ({ [`k${slot}`]: 6 })),
  ]
  for (const reader of readers()) assertSame(reader.unpack(fromHex(hex)), expected)
})

test('one-byte ids below 0x60 beside two-byte ones', () => {
  assertReads('94d4724091a16101d572600091a162024003600004', [{ a: 1 }, { b: 2 }, { a: 3 }, { b: 4 }])
  assertReads('93d4725f91a16101d572600191a162025f03', [{ a: 1 }, { b: 2 }, { a: 3 }])
})

test('a two-byte id that is defined again', () => {
  assertReads('94d572600191a16101600102d572600191a16203600104', [{ a: 1 }, { a: 2 }, { b: 3 }, { b: 4 }])
  assertReads('92d572600091a161d572600091a16205600006', [{ a: { b: 5 } }, { b: 6 }])
})

test('two-byte ids in values of each other', () => {
  assertReads('92d572600192a161a162d572600291a16301600202600107600208'.replace('07', '05'), [
    { a: { c: 1 }, b: { c: 2 } },
    { a: 5, b: { c: 8 } },
  ])
})

test('lists given as an option: from the 33rd on their ids take two bytes', () => {
  for (const options of [{ structures: lists(100) }, { getStructures: () => lists(100) }]) {
    for (const Class of [Packr, Unpackr]) {
      const reader = new Class(options)
      for (let round = 0; round < 5; round++) {
        for (let slot = 0; slot < 100; slot++) {
          const id = slot < 32 ? (0x40 + slot).toString(16) : referWide(slot)
          assertSame(reader.unpack(fromHex(`92${id}05${id}06`)), [{ [`k${slot}`]: 5 }, { [`k${slot}`]: 6 }])
        }
      }
    }
  }
})

test('a missing list among those given', () => {
  const structures = lists(70)
  structures[33] = null
  structures[40] = undefined
  const reader = new Unpackr({ structures })
  assertSame(reader.unpack(fromHex(`93${referWide(32)}05${referWide(65)}06${referWide(69)}07`)), [
    { k32: 5 },
    { k65: 6 },
    { k69: 7 },
  ])
})

test('a two-byte id that is not defined', () => {
  for (const options of [{ structures: lists(100) }, { getStructures: () => lists(100) }]) {
    const reader = new Unpackr(options)
    for (let i = 0; i < 3; i++) {
      for (const [hex, slot] of [
        ['7f0505', 223],
        ['640205', 100],
        ['60ff05', 8192],
        ['7fff05', 8223],
      ]) {
        const expected = { name: 'Error', message: `Record id is not defined for ${slot}` }
        assert.throws(() => reader.unpack(fromHex(hex)), expected, hex)
        assert.throws(() => reader.unpack(fromHex(`92${referWide(50)}01${hex}`)), expected, hex)
      }
      assertSame(reader.unpack(fromHex(`${referWide(99)}05`)), { k99: 5 })
    }
  }
})

test('a two-byte id that is not defined, in a message that defines others', () => {
  for (const reader of readers()) {
    assert.throws(() => reader.unpack(fromHex('92d572600091a16101600102')), {
      name: 'Error',
      message: 'Record id is not defined for 64',
    })
    assertSame(reader.unpack(fromHex('9260' + '7f')), [96, 127])
  }
})

test('where no id of two bytes is known, bytes from 0x60 on are integers or one-byte ids', () => {
  assertReads('93607f61', [96, 127, 97])
  assertReads('94d4726091a161016002617f', [{ a: 1 }, { a: 2 }, 97, 127])
  assertReads('93d4727f91a161017f0260', [{ a: 1 }, { a: 2 }, 96])
  const reader = new Unpackr({ structures: lists(32) })
  assertSame(reader.unpack(fromHex('935f0160' + '7f')), [{ k31: 1 }, 96, 127])
})

test('after a message with two-byte ids', () => {
  for (const reader of readers()) {
    for (let i = 0; i < 3; i++) {
      assertSame(reader.unpack(fromHex('92d572600191a16101600102')), [{ a: 1 }, { a: 2 }])
      assertSame(reader.unpack(fromHex('9260' + '61')), [96, 97])
      assertSame(reader.unpack(fromHex('92d4726091a161016002')), [{ a: 1 }, { a: 2 }])
    }
  }
})

test('what a packr with many own shapes writes, any reader can read', () => {
  for (const options of [
    { maxOwnStructures: 200 },
    { structures: lists(70), maxSharedStructures: 90, shouldShareStructure: () => false },
  ]) {
    const packr = new Packr(options)
    const value = Array.from({ length: 400 }, (_, i) => ({ [`own${i % 150}`]: i, end: null }))
    const bytes = packr.pack(value)
    for (const reader of [...readers(), packr]) assertSame(reader.unpack(bytes), value)
  }
})

test('a shared store, many own structures and many shapes', () => {
  let store = []
  const copy = (structures) => JSON.parse(JSON.stringify(structures))
  const options = () => ({
    maxOwnStructures: 256,
    getStructures: () => copy(store),
    saveStructures(structures) {
      store = copy(structures)
    },
  })
  const writer = new Packr(options())
  const values = Array.from({ length: 300 }, (_, i) => ({
    [`attribute${i}`]: i,
    common: { x: i, y: 'text' },
  }))
  const messages = values.map((value) => writer.pack(value))
  const all = writer.pack(values)
  const reader = new Packr(options())
  for (const [i, bytes] of messages.entries()) assertSame(reader.unpack(bytes), values[i], `record ${i}`)
  assertSame(reader.unpack(all), values)
  assert.equal(store.length, 32)
})
