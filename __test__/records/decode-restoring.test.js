'use strict'

// What a message defines holds for that message: neither the reader's structures nor those of its packing side are
// any different afterwards, however the message ended.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, unpack } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { define, defineWide } = require('../helpers/record-wire')
const { assertSame } = require('../helpers/same')

const LISTS = [['a', 'b'], ['c']]
const copies = () => LISTS.map((keys) => [...keys])

/** Messages that define ids which are taken, and whether they can be read. */
const MESSAGES = {
  'one that can be read': '92d4724092a178a1790102400304',
  'one that defines all ids': Array.from({ length: 64 }, (_, i) => `${define(0x40 + i, `x${i}`)}01`).reduce(
    (all, one) => all + one,
    'dc0040',
  ),
  'one that defines an id twice': '93d4724091a17801d4724091a17902' + '4003',
  'one with a two-byte id': `92${defineWide(32, 'x')}01d4724091a17902`,
  'one that is cut': '92d4724092a178a179010240',
  'one that is cut in a key list': '92d4724191a17801d4724092a178',
  'one with bytes behind it': 'd4724091a1780105',
  'one with an impossible key': '92d4724091a17801d472419190' + '01',
  'one with an unknown extension': '92d4724091a17801d45000',
}

for (const [label, hex] of Object.entries(MESSAGES)) {
  test(`structures given as an option, after ${label}`, () => {
    const structures = copies()
    const packr = new Packr({ structures })
    const readers = [packr, new Unpackr({ structures: copies() }), new Unpackr({ getStructures: copies })]
    for (let i = 0; i < 5; i++) {
      for (const reader of readers) {
        try {
          reader.unpack(fromHex(hex))
        } catch (error) {
          assert.ok(error instanceof Error)
        }
        assertSame(reader.unpack(fromHex('92400102' + '4103')), [{ a: 1, b: 2 }, { c: 3 }])
        assertSame(reader.unpack(fromHex('93427f' + '60')), [66, 127, 96])
      }
      assert.equal(toHex(packr.pack([{ a: 1, b: 2 }, { c: 3 }])), '924001024103')
    }
    assert.deepEqual(JSON.parse(JSON.stringify(structures)), LISTS)
    assert.equal(toHex(packr.pack({ x: 1 })), '4201')
    assert.deepEqual(JSON.parse(JSON.stringify(structures)), [...LISTS, ['x']])
  })
}

test('structures that the instance itself shared', () => {
  const packr = new Packr({ structures: [] })
  packr.pack([{ a: 1, b: 2 }, { c: 3 }])
  for (const hex of Object.values(MESSAGES)) {
    try {
      packr.unpack(fromHex(hex))
    } catch (error) {
      assert.ok(error instanceof Error)
    }
    assertSame(packr.unpack(fromHex('92400102' + '4103')), [{ a: 1, b: 2 }, { c: 3 }])
    assert.equal(toHex(packr.pack([{ a: 1, b: 2 }, { c: 3 }])), '924001024103')
  }
})

test('another instance with the same array', () => {
  const structures = copies()
  const first = new Packr({ structures })
  const second = new Packr({ structures })
  for (let i = 0; i < 4; i++) {
    assertSame(first.unpack(fromHex('92d4724092a178a1790102400304')), [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ])
    assertSame(second.unpack(fromHex('400102')), { a: 1, b: 2 })
    assert.equal(toHex(second.pack({ a: 1, b: 2 })), '400102')
  }
})

test('after unpackMultiple', () => {
  const structures = copies()
  const packr = new Packr({ structures })
  for (let i = 0; i < 4; i++) {
    assertSame(packr.unpackMultiple(fromHex('d4724091a178014002')), [{ x: 1 }, { x: 2 }])
    assertSame(packr.unpack(fromHex('400102')), { a: 1, b: 2 })
    assert.equal(toHex(packr.pack([{ a: 1, b: 2 }, { c: 3 }])), '924001024103')
  }
  assert.deepEqual(JSON.parse(JSON.stringify(structures)), LISTS)
})

test('after unpackMultiple that fails', () => {
  const packr = new Packr({ structures: copies() })
  for (let i = 0; i < 3; i++) {
    assert.throws(
      () => packr.unpackMultiple(fromHex('4103' + '92d4724091a17801')),
      (error) => {
        assertSame([error.values, error.lastPosition, error.incomplete], [[{ c: 3 }], 2, true])
        return true
      },
    )
    assertSame(packr.unpackMultiple(fromHex('400102' + '4103')), [{ a: 1, b: 2 }, { c: 3 }])
    assertSame(packr.unpack(fromHex('400102')), { a: 1, b: 2 })
  }
})

test('after unpackMultiple whose callback stops, throws, or reads other messages', () => {
  const reader = new Unpackr({ structures: copies() })
  const message = fromHex('d4724091a17801' + '4002' + 'd4724191a17903' + '4104')
  const check = () => assertSame(reader.unpack(fromHex('92400102' + '4103')), [{ a: 1, b: 2 }, { c: 3 }])
  reader.unpackMultiple(message, () => false)
  check()
  assert.throws(
    () =>
      reader.unpackMultiple(message, () => {
        throw new RangeError('enough')
      }),
    { message: 'enough' },
  )
  check()
  const seen = []
  reader.unpackMultiple(message, (value) => {
    check()
    seen.push(value, reader.unpack(fromHex('92d4724091a17a054006'))[1])
  })
  assertSame(seen, [{ x: 1 }, { z: 6 }, { x: 2 }, { z: 6 }, { y: 3 }, { z: 6 }, { y: 4 }, { z: 6 }])
  check()
})

test("the module's functions forget every definition", () => {
  for (let i = 0; i < 3; i++) {
    assertSame(unpack(fromHex('92d4724091a178014002')), [{ x: 1 }, { x: 2 }])
    assertSame(unpack(fromHex('9240' + '41')), [64, 65])
    assert.throws(() => unpack(fromHex('92d4724091a1780140')), { incomplete: true })
    assertSame(unpack(fromHex('9240' + '41')), [64, 65])
  }
})

test('own definitions of a packr and those that it reads are separate', () => {
  const packr = new Packr()
  for (let i = 0; i < 4; i++) {
    assert.equal(toHex(packr.pack([{ a: 1 }, { a: 2 }])), '92d4724091a161014002')
    assertSame(packr.unpack(fromHex('92d4724091a178014002')), [{ x: 1 }, { x: 2 }])
    assertSame(packr.unpack(fromHex('9140')), [64])
  }
})

test('a message that is read while another one is packed', () => {
  for (const structures of [undefined, []]) {
    const packr = new Packr({ structures })
    const value = (i) => ({
      a: 1,
      get read() {
        return packr.unpack(fromHex('93d4724091a17801' + 'd4724191a17902' + '4003'))
      },
      b: { a: i },
    })
    for (let i = 0; i < 4; i++) {
      const read = [{ x: 1 }, { y: 2 }, { x: 3 }]
      assertSame(packr.unpack(packr.pack([value(i), { a: 5 }])), [{ a: 1, read, b: { a: i } }, { a: 5 }])
    }
  }
})
