'use strict'

// The flags of `pack`: the whole buffer in place of a result, room before a message, and the next message over it.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const library = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const { pack, unpack, Packr, REUSE_BUFFER_MODE, RESET_BUFFER_MODE, RESERVE_START_SPACE } = library

const PACKRS = {
  module: () => ({ pack, unpack }),
  maps: () => new Packr({ useRecords: false }),
  records: () => new Packr(),
  'shared structures': () => new Packr({ structures: [] }),
  references: () => new Packr({ structuredClone: true }),
  'bundled strings': () => new Packr({ bundleStrings: true }),
  'by the tape': () => new Packr({ heap: false }),
}
const value = { a: 1, text: 'some text', list: [1.5, { a: 2 }] }
const large = (length) => ({ text: 'x'.repeat(length), end: 'end' })
const SIZES = [10, 1000, 32_000, 33_000, 66_000, 1_500_000]

for (const [name, make] of Object.entries(PACKRS)) {
  test(`${name}: the whole buffer`, () => {
    const packr = make()
    const plain = make()
    for (const size of SIZES) {
      const expected = plain.pack(large(size))
      const whole = packr.pack(large(size), REUSE_BUFFER_MODE)
      assert.ok(Buffer.isBuffer(whole))
      assert.equal(toHex(whole.subarray(whole.start, whole.end)), toHex(expected))
      assert.equal(packr.offset ?? whole.end, whole.end)
      assertSame(plain.unpack(whole, { start: whole.start, end: whole.end }), large(size))
      // Neither is said of a result that is none.
      const next = packr.pack(1)
      assert.equal(next.start, undefined)
      assert.equal(next.end, undefined)
    }
  })

  test(`${name}: small messages share the whole buffer`, () => {
    const packr = make()
    packr.pack(Buffer.alloc(33_000))
    const results = Array.from({ length: 20 }, (_, i) => {
      const whole = packr.pack([i], REUSE_BUFFER_MODE)
      return { whole, start: whole.start, end: whole.end }
    })
    const again = results.filter(({ whole }) => whole === results.at(-1).whole)
    assert.ok(again.length >= 1)
    for (const [i, { whole, start, end }] of results.entries())
      assertSame(unpack(whole, { start, end }), [i], 'a result before')
  })

  test(`${name}: the next message over this one`, () => {
    const packr = make()
    packr.pack(Buffer.alloc(33_000))
    packr.pack(1)
    const earlier = packr.pack(value)
    const hex = toHex(earlier)
    const first = packr.pack([1, 2, 3], RESET_BUFFER_MODE)
    assert.equal(toHex(first), '93010203')
    const second = packr.pack([4, 5], RESET_BUFFER_MODE)
    assert.equal(toHex(second), '920405')
    assert.equal(second.byteOffset, first.byteOffset)
    assert.equal(second.buffer, first.buffer)
    assert.equal(toHex(first), '92040503')
    const third = packr.pack(6)
    assert.equal(third.byteOffset, first.byteOffset)
    assert.notEqual(packr.pack(7).byteOffset, third.byteOffset)
    assert.equal(toHex(third), '06')
    assert.equal(toHex(earlier), hex)
  })

  test(`${name}: room before the message`, () => {
    const packr = make()
    const plain = make()
    for (const room of [0, 1, 5, 7, 8, 100, 255]) {
      // What was there before must not be seen.
      packr.pack(Buffer.alloc(2000, 0xff), RESET_BUFFER_MODE)
      for (const size of SIZES) {
        const expected = plain.pack(large(size))
        const bytes = packr.pack(large(size), RESERVE_START_SPACE | room)
        assert.equal(bytes.length, room + expected.length)
        assert.ok(bytes.subarray(0, room).equals(Buffer.alloc(room)))
        assert.ok(bytes.subarray(room).equals(expected))
        if (packr.offset !== undefined) assert.equal(packr.offset, packr.position)
      }
    }
  })

  test(`${name}: all together`, () => {
    const packr = make()
    const plain = make()
    // All packrs write to one buffer, so these come first.
    const messages = [10, 500, 20, 2000].map((size) => [size, plain.pack(large(size))])
    packr.pack(large(2000), RESET_BUFFER_MODE)
    const places = []
    for (const [size, expected] of messages) {
      const whole = packr.pack(large(size), REUSE_BUFFER_MODE | RESET_BUFFER_MODE | RESERVE_START_SPACE | 9)
      const { start, end } = whole
      places.push(start)
      assert.equal(end - start, 9 + expected.length)
      assert.ok(whole.subarray(start, start + 9).equals(Buffer.alloc(9)))
      assert.ok(whole.subarray(start + 9, end).equals(expected))
    }
    assert.deepEqual(places, new Array(4).fill(places[0]))
  })

  test(`${name}: a large message that is not kept`, () => {
    const packr = make()
    for (const flags of [RESET_BUFFER_MODE, RESET_BUFFER_MODE | REUSE_BUFFER_MODE]) {
      const kept = packr.pack(value)
      const hex = toHex(kept)
      const bytes = packr.pack(large(100_000), flags)
      const copy = Buffer.from(bytes)
      packr.pack(large(50))
      packr.pack(large(100_000), flags)
      assert.equal(toHex(kept), hex)
      assertSame(packr.unpack(copy), large(100_000))
    }
  })

  test(`${name}: an error leaves everything as it was`, () => {
    const packr = make()
    const earlier = packr.pack(value)
    const hex = toHex(earlier)
    for (const flags of [512, 1024, 2048 + 30, 512 + 1024 + 2048 + 30]) {
      for (const length of [10, 40_000, 100_000]) {
        assert.throws(() => packr.pack(['x'.repeat(length), Symbol('no')], flags), {
          message: 'Unknown type: symbol',
        })
        assert.equal(toHex(earlier), hex)
        assertSame(packr.unpack(packr.pack(value)), value)
      }
    }
  })

  test(`${name}: a message within with flags`, () => {
    const packr = make()
    const inner = []
    const outer = {
      before: 'text before',
      get whole() {
        const whole = packr.pack({ a: 'inner' }, REUSE_BUFFER_MODE)
        inner.push(Buffer.from(whole.subarray(whole.start, whole.end)))
        return 1
      },
      get overwritten() {
        inner.push(Buffer.from(packr.pack({ a: 'inner' }, RESET_BUFFER_MODE)))
        return 2
      },
      get room() {
        inner.push(Buffer.from(packr.pack({ a: 'inner' }, RESERVE_START_SPACE | 20).subarray(20)))
        return 3
      },
      after: 'text after',
    }
    const expected = { before: 'text before', whole: 1, overwritten: 2, room: 3, after: 'text after' }
    for (const flags of [0, 512, 1024, 2048 + 3, 512 + 1024 + 2048 + 3]) {
      const bytes = packr.pack(outer, flags)
      const start = (flags & 512 ? bytes.start : 0) + (flags & 2048 ? 3 : 0)
      assertSame(packr.unpack(bytes, { start, end: flags & 512 ? bytes.end : bytes.length }), expected)
    }
    for (const bytes of inner) assertSame(packr.unpack(bytes), { a: 'inner' })
  })
}

test('what counts as a flag', () => {
  const packr = new Packr({ useRecords: false })
  for (const none of [
    undefined,
    null,
    0,
    1,
    255,
    256,
    511,
    4096,
    {},
    [],
    'text',
    NaN,
    true,
    false,
    0.5,
    2 ** 32,
    Infinity,
  ]) {
    for (const run of [pack, packr.pack, packr.encode]) {
      const bytes = run([1], none)
      assert.equal(toHex(bytes), '9101', String(none))
      assert.equal(bytes.start, undefined)
    }
  }
  for (const whole of [512, '512', 513, 512.9, 512 + 2 ** 32, [512], { valueOf: () => 512 }]) {
    const bytes = packr.pack([1], whole)
    assert.equal(toHex(bytes.subarray(bytes.start, bytes.end)), '9101', String(whole))
  }
  assert.throws(() => packr.pack([1], Symbol('s')), TypeError)
  assert.throws(() => packr.pack([1], 512n), TypeError)
  assert.equal(toHex(packr.pack([1], 2048 + 256 + 3)), '0000009101')
})

test('the index of an array as flags', () => {
  const packr = new Packr({ useRecords: false })
  for (const run of [pack, packr.pack]) {
    const values = Array.from({ length: 600 }, (_, i) => [i])
    const results = values.map(run)
    for (const [i, result] of results.entries()) {
      // From 512 on each is the whole buffer; what lies in it is at the place of the last.
      if (i >= 512) assert.equal(typeof result.start, 'number')
      else assertSame(unpack(result), [i])
    }
    const last = results.at(-1)
    assertSame(unpack(last, { start: last.start, end: last.end }), [599])
  }
})

test('results without flags never change', () => {
  const packr = new Packr({ useRecords: false })
  const kept = []
  for (let i = 0; i < 3000; i++) {
    const bytes = packr.pack({ i, text: 'y'.repeat(i % 90) })
    kept.push({ bytes, hex: toHex(bytes) })
    packr.pack({ over: 'written '.repeat(i % 40) }, RESET_BUFFER_MODE)
    packr.pack([i], REUSE_BUFFER_MODE)
    packr.pack([i], RESERVE_START_SPACE | (i & 0xff))
  }
  for (const { bytes, hex } of kept) assert.equal(toHex(bytes), hex)
})

test('as lmdb uses it', () => {
  const packr = new Packr({ structures: [] })
  const reader = () => new Packr({ structures: packr.structures.map((keys) => [...keys]) })
  const page = Buffer.alloc(1 << 16)
  let at = 0
  const places = []
  for (let i = 0; i < 500; i++) {
    const bytes = packr.pack(
      { id: i, name: `name ${i}`, tags: ['a', 'b'] },
      REUSE_BUFFER_MODE | RESET_BUFFER_MODE,
    )
    const { start, end } = bytes
    bytes.copy(page, at, start, end)
    places.push({ start: at, end: at + end - start })
    at += end - start
  }
  const instance = reader()
  for (const [i, place] of places.entries())
    assertSame(instance.unpack(page, place), { id: i, name: `name ${i}`, tags: ['a', 'b'] })
})
