'use strict'

// The place where the next message is written: what `position` and `offset` tell, and what setting `position` does.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr, RESET_BUFFER_MODE } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const aligned = (place) => (place + 7) & ~7

test('offset is the end of the last result of an instance', () => {
  const packr = new Packr({ useRecords: false })
  assert.equal(packr.offset, 0)
  assert.ok(Object.hasOwn(packr, 'offset'))
  const bytes = packr.pack({ a: 1 })
  assert.equal(packr.offset, bytes.byteOffset + bytes.length)
  const other = new Packr()
  other.pack([1])
  assert.equal(other.offset, other.position)
  assert.equal(packr.offset, bytes.byteOffset + bytes.length)
  assert.equal(packr.position, other.position)
})

test('position is that of all instances', () => {
  const packrs = [new Packr({ useRecords: false }), new Packr(), new Packr({ structures: [] })]
  for (const packr of packrs) {
    const bytes = packr.pack([1, 2])
    for (const each of packrs) assert.equal(each.position, bytes.byteOffset + bytes.length)
  }
  const { get, set } = Object.getOwnPropertyDescriptor(Packr.prototype, 'position')
  assert.equal(typeof get, 'function')
  assert.equal(typeof set, 'function')
})

test('messages begin at multiples of eight', () => {
  const packr = new Packr({ useRecords: false })
  for (let i = 0; i < 40; i++) assert.equal(packr.pack('x'.repeat(i)).byteOffset % 8, 0)
})

test('a position that is set', () => {
  const packr = new Packr({ useRecords: false })
  packr.useBuffer(new Uint8Array(8192))
  for (const place of [0, 1, 7, 8, 9, 100, 4000]) {
    packr.position = place
    assert.equal(packr.position, place)
    const bytes = packr.pack({ place })
    assert.equal(bytes.byteOffset, aligned(place))
    assertSame(unpack(bytes), { place })
  }
  packr.useBuffer(Buffer.alloc(0))
})

test('a position that is none, or outside of the buffer', () => {
  const packr = new Packr({ useRecords: false })
  const odd = [
    -1,
    -1e9,
    NaN,
    Infinity,
    -Infinity,
    1e9,
    2 ** 31,
    2 ** 32 + 5,
    1.5,
    '16',
    'text',
    null,
    undefined,
    {},
    [],
    [8],
    true,
    5n,
  ]
  for (const lend of [false, true]) {
    for (const place of odd) {
      for (const length of [1, 3000, 50_000]) {
        const view = new Uint8Array(8192)
        packr.useBuffer(lend ? view : Buffer.alloc(0))
        packr.position = place
        assert.ok(packr.position >= 0)
        const bytes = packr.pack(['x'.repeat(length), 1])
        assertSame(unpack(Buffer.from(bytes)), ['x'.repeat(length), 1])
        assert.ok(packr.position >= bytes.length)
      }
    }
  }
  assert.throws(() => {
    packr.position = Symbol('s')
  }, TypeError)
  packr.useBuffer(Buffer.alloc(0))
  assertSame(unpack(packr.pack([1])), [1])
})

test('going back to before a message writes over it', () => {
  const packr = new Packr({ useRecords: false })
  packr.useBuffer(new Uint8Array(8192))
  packr.pack('first')
  const { position } = packr
  const second = packr.pack('second')
  packr.position = position
  const third = packr.pack('third!')
  assert.equal(third.byteOffset, second.byteOffset)
  assert.equal(toHex(second), toHex(third))
  packr.useBuffer(Buffer.alloc(0))
})

test('a position that is set while a message is packed', () => {
  const packr = new Packr({ useRecords: false })
  for (const place of [0, 64, 8000, 8192, 1e9, -5]) {
    packr.useBuffer(new Uint8Array(8192))
    packr.pack('earlier')
    const value = {
      text: 'some text',
      get moved() {
        packr.position = place
        return place
      },
      after: 'after',
    }
    assertSame(unpack(packr.pack(value)), { text: 'some text', moved: place, after: 'after' })
  }
  packr.useBuffer(Buffer.alloc(0))
})

test('the position of a message that could not be packed', () => {
  const packr = new Packr({ useRecords: false })
  packr.pack([1])
  const { position, offset } = packr
  assert.throws(() => packr.pack(['x'.repeat(100), Symbol('no')]), Error)
  assert.equal(packr.position, position)
  assert.equal(packr.offset, offset)
})

test('the position after a message that is not kept', () => {
  const packr = new Packr({ useRecords: false })
  packr.pack([1])
  const bytes = packr.pack([1, 2, 3], RESET_BUFFER_MODE)
  assert.equal(packr.position, bytes.byteOffset)
  assert.equal(packr.offset, bytes.byteOffset + bytes.length)
})

test('the module writes to the same buffer', () => {
  const packr = new Packr()
  const bytes = pack([1, 2, 3])
  assert.equal(packr.position, bytes.byteOffset + bytes.length)
})
