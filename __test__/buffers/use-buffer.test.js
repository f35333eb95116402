'use strict'

// Buffers that a caller lends: messages are written to them as long as they fit, nothing is ever written outside of
// them, and what becomes of them is no matter to other messages.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const library = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const { pack, unpack, Packr, REUSE_BUFFER_MODE, RESET_BUFFER_MODE, RESERVE_START_SPACE } = library

const LENT = 8192
const MIN = 2058
const GUARD = 0xaa

/** A view of `size` bytes with guards around it, of a memory of its own. */
function guarded(size, { Class = Uint8Array, before = 24, after = 40 } = {}) {
  const memory = new Uint8Array(before + size + after).fill(GUARD)
  const view =
    Class === Buffer ? Buffer.from(memory.buffer, before, size) : new Class(memory.buffer, before, size)
  const check = () => {
    assert.ok(memory.subarray(0, before).every((byte) => byte === GUARD))
    assert.ok(memory.subarray(before + size).every((byte) => byte === GUARD))
  }
  return { view, check }
}

/** Lends no buffer any more. */
function takeBack(packr) {
  packr.useBuffer(Buffer.alloc(0))
  assert.ok(packr.pack(1).buffer.byteLength > 1)
}

const PACKRS = {
  maps: () => new Packr({ useRecords: false }),
  records: () => new Packr(),
  'by the tape': () => new Packr({ heap: false }),
  references: () => new Packr({ structuredClone: true }),
}

for (const [name, make] of Object.entries(PACKRS)) {
  for (const Class of [Uint8Array, Buffer]) {
    test(`${name}: a lent ${Class.name}`, () => {
      const packr = make()
      const { view, check } = guarded(LENT, { Class })
      packr.useBuffer(view)
      assert.equal(packr.position, 0)
      const value = {
        text: 'long text '.repeat(20),
        wide: '\u00e9'.repeat(100),
        n: 1,
        bytes: Buffer.alloc(70, 7),
      }
      let end = 0
      for (let i = 0; i < 10; i++) {
        const bytes = packr.pack(value)
        assert.equal(Object.getPrototypeOf(bytes), Buffer.prototype)
        assert.equal(bytes.buffer, view.buffer)
        assert.equal(bytes.byteOffset, view.byteOffset + ((end + 7) & ~7))
        end = bytes.byteOffset - view.byteOffset + bytes.length
        assert.equal(packr.position, end)
        assert.equal(packr.offset, end)
        assertSame(packr.unpack(bytes), value, name, { copies: true })
      }
      check()
      takeBack(packr)
      check()
    })

    test(`${name}: the flags with a lent ${Class.name}`, () => {
      const packr = make()
      const { view, check } = guarded(LENT, { Class })
      packr.useBuffer(view)
      const whole = packr.pack([1, 2], REUSE_BUFFER_MODE)
      assert.equal(whole, view)
      assert.deepEqual([whole.start, whole.end], [0, 3])
      const over = packr.pack([3, 4], RESET_BUFFER_MODE)
      assert.equal(over.byteOffset, view.byteOffset + 8)
      assert.equal(packr.pack([5], RESET_BUFFER_MODE).byteOffset, view.byteOffset + 8)
      view.fill(0xff, 8)
      const room = packr.pack([6], RESERVE_START_SPACE | 5)
      assert.equal(toHex(room), '00000000009106')
      assert.equal(room.buffer, view.buffer)
      const all = packr.pack([7], REUSE_BUFFER_MODE | RESET_BUFFER_MODE | RESERVE_START_SPACE | 3)
      assert.equal(all, view)
      assert.deepEqual([all.start, all.end], [16, 21])
      assert.equal(toHex(Buffer.from(view.buffer, view.byteOffset + 16, 5)), '0000009107')
      check()
      takeBack(packr)
    })
  }

  test(`${name}: a message that does not fit`, () => {
    const packr = make()
    const { view, check } = guarded(LENT)
    packr.useBuffer(view)
    const first = packr.pack('first')
    const hex = toHex(first)
    for (const size of [LENT, 40_000, 200_000]) {
      const bytes = packr.pack('x'.repeat(size))
      assert.notEqual(bytes.buffer, view.buffer)
      assertSame(packr.unpack(bytes), 'x'.repeat(size))
    }
    assert.equal(toHex(first), hex)
    check()
    takeBack(packr)
  })

  test(`${name}: messages until the end of the lent buffer`, () => {
    const packr = make()
    for (let size = MIN; size < MIN + 20; size++) {
      const { view, check } = guarded(size)
      packr.useBuffer(view)
      const kept = []
      for (let i = 0; i < 100; i++) {
        const bytes = packr.pack(['x'.repeat(60), i])
        kept.push({ bytes, hex: toHex(bytes) })
      }
      assert.ok(kept.filter(({ bytes }) => bytes.buffer === view.buffer).length > 20)
      for (const { bytes, hex } of kept) {
        assert.equal(toHex(bytes), hex)
        const inside = bytes.buffer === view.buffer
        if (inside) assert.ok(bytes.byteOffset + bytes.length <= view.byteOffset + view.length)
      }
      check()
    }
    takeBack(packr)
  })

  test(`${name}: a message as long as the lent buffer`, () => {
    const packr = make()
    for (const size of [MIN, LENT]) {
      for (const missing of [-1, 0, 1, 8]) {
        const { view, check } = guarded(size)
        packr.useBuffer(view)
        const value = Buffer.alloc(size - 3 - missing, 7)
        const bytes = packr.pack(value)
        assert.equal(bytes.length, size - missing)
        if (missing < 0) assert.notEqual(bytes.buffer, view.buffer)
        assertSame(packr.unpack(bytes), value)
        check()
      }
    }
    takeBack(packr)
  })

  test(`${name}: a message that holds the lent buffer`, () => {
    const packr = make()
    const { view, check } = guarded(LENT)
    packr.useBuffer(view)
    view.set([1, 2, 3, 4])
    const part = new Uint8Array(view.buffer, view.byteOffset, 4)
    const bytes = packr.pack([part, 'text', part])
    assert.equal(bytes.buffer, view.buffer)
    const [first, text, second] = packr.unpack(Buffer.from(bytes))
    assert.equal(text, 'text')
    assert.deepEqual([...first], [1, 2, 3, 4])
    assert.deepEqual([...second], [1, 2, 3, 4])
    check()
    takeBack(packr)
  })
}

test('all packrs and the module write to a lent buffer', () => {
  const { view, check } = guarded(LENT)
  new Packr().useBuffer(view)
  for (const packr of [{ pack }, new Packr(), new Packr({ structures: [] })])
    assert.equal(packr.pack({ a: 1 }).buffer, view.buffer)
  check()
  takeBack(new Packr())
})

test('a buffer that is lent again is written from its start', () => {
  const packr = new Packr({ useRecords: false })
  const { view, check } = guarded(LENT)
  for (let i = 0; i < 3; i++) {
    packr.useBuffer(view)
    assert.equal(packr.pack([i]).byteOffset, view.byteOffset)
  }
  check()
  takeBack(packr)
})

test('earlier results stay as they were when a buffer is lent and taken back', () => {
  const packr = new Packr({ useRecords: false })
  const kept = []
  for (let i = 0; i < 200; i++) {
    const bytes = packr.pack({ i, text: 'y'.repeat(i) })
    kept.push({ bytes, hex: toHex(bytes) })
    if (i % 3 === 0) packr.useBuffer(new Uint8Array(LENT))
    if (i % 3 === 1) packr.useBuffer(Buffer.alloc(10))
  }
  for (const { bytes, hex } of kept) assert.equal(toHex(bytes), hex)
  takeBack(packr)
})

test('a buffer that is too small is left alone', () => {
  const packr = new Packr({ useRecords: false })
  for (const size of [0, 1, 16, MIN - 1]) {
    const { view, check } = guarded(size)
    packr.useBuffer(view)
    const bytes = packr.pack({ text: 'x'.repeat(300) })
    assert.notEqual(bytes.buffer, view.buffer)
    assertSame(unpack(bytes), { text: 'x'.repeat(300) })
    assert.ok(view.every((byte) => byte === GUARD))
    check()
  }
})

test('memory that threads share is left alone', () => {
  const packr = new Packr({ useRecords: false })
  const shared = new Uint8Array(new SharedArrayBuffer(LENT)).fill(GUARD)
  packr.useBuffer(shared)
  const bytes = packr.pack({ a: 1 })
  assert.notEqual(bytes.buffer, shared.buffer)
  assert.equal(toHex(bytes), 'de0001a16101')
  assert.ok(shared.every((byte) => byte === GUARD))
})

test('what is no buffer is refused', () => {
  const packr = new Packr({ useRecords: false })
  const { view, check } = guarded(LENT)
  packr.useBuffer(view)
  const others = [
    undefined,
    null,
    5,
    'text',
    {},
    [],
    new ArrayBuffer(LENT),
    new Uint16Array(LENT),
    new DataView(new ArrayBuffer(LENT)),
    new Uint8ClampedArray(LENT),
    new Proxy(Buffer.alloc(LENT), {}),
  ]
  for (const other of others)
    assert.throws(() => packr.useBuffer(other), {
      name: 'TypeError',
      message: 'useBuffer takes a Buffer or Uint8Array',
    })
  assert.equal(packr.pack(1).buffer, view.buffer)
  check()
  takeBack(packr)
})

test('a lent buffer that is transferred', () => {
  const packr = new Packr({ useRecords: false })
  const view = new Uint8Array(LENT)
  packr.useBuffer(view)
  packr.pack({ a: 1 })
  structuredClone(view, { transfer: [view.buffer] })
  assert.equal(view.length, 0)
  for (let i = 0; i < 3; i++) {
    for (const flags of [0, 512, 1024, 2048 + 10]) {
      const bytes = packr.pack({ i }, flags)
      const start = (bytes.start ?? 0) + (flags & 2048 ? 10 : 0)
      assertSame(unpack(bytes, { start, end: bytes.end ?? bytes.length }), { i })
    }
  }
  const large = packr.pack('x'.repeat(50_000))
  assertSame(unpack(large), 'x'.repeat(50_000))
})

test('a lent buffer that is transferred while a message is packed', () => {
  for (const length of [10, 3000, 50_000]) {
    const packr = new Packr({ useRecords: false })
    const view = new Uint8Array(LENT)
    packr.useBuffer(view)
    const value = {
      text: 'x'.repeat(length),
      get gone() {
        if (view.length > 0) structuredClone(view, { transfer: [view.buffer] })
        return true
      },
    }
    assertSame(unpack(packr.pack(value)), { text: 'x'.repeat(length), gone: true })
    assertSame(unpack(packr.pack([1])), [1])
  }
})

test('another buffer that is lent while a message is packed', () => {
  const packr = new Packr({ useRecords: false })
  const first = guarded(LENT)
  const second = guarded(LENT)
  packr.useBuffer(first.view)
  const value = {
    get a() {
      packr.useBuffer(second.view)
      return packr.pack('inner').length
    },
    b: 'b',
  }
  const bytes = packr.pack(value)
  assertSame(unpack(bytes), { a: 6, b: 'b' })
  assert.equal(bytes.buffer, second.view.buffer)
  first.check()
  second.check()
  takeBack(packr)
})

const resizable = 'resize' in ArrayBuffer.prototype
test('a lent buffer that shrinks and grows', { skip: !resizable && 'no resizable memory here' }, () => {
  const packr = new Packr({ useRecords: false })
  for (const isTracking of [true, false]) {
    const memory = new ArrayBuffer(LENT, { maxByteLength: 4 * LENT })
    const view = isTracking ? new Uint8Array(memory) : new Uint8Array(memory, 8, LENT - 16)
    packr.useBuffer(view)
    const value = { text: 'x'.repeat(200) }
    assertSame(unpack(Buffer.from(packr.pack(value))), value)
    for (const size of [100, 0, LENT, 20, 4 * LENT, 3000]) {
      memory.resize(size)
      for (let i = 0; i < 20; i++) {
        const bytes = packr.pack(value)
        assertSame(unpack(Buffer.from(bytes)), value)
        if (i % 2 === 0) packr.pack(value, RESET_BUFFER_MODE)
      }
    }
    memory.resize(LENT)
    packr.useBuffer(view)
    const shrinking = {
      text: 'x'.repeat(3000),
      get small() {
        memory.resize(100)
        return 1
      },
    }
    assertSame(unpack(packr.pack(shrinking)), { text: 'x'.repeat(3000), small: 1 })
  }
  takeBack(packr)
})

test('a view that tells other lengths than it has', () => {
  const packr = new Packr({ useRecords: false })
  class Liar extends Uint8Array {
    get length() {
      return 1e9
    }
    get byteOffset() {
      return 1e9
    }
  }
  const { view, check } = guarded(LENT, { Class: Liar })
  for (const value of [{ a: 1 }, 'x'.repeat(LENT), 'x'.repeat(100_000)]) {
    try {
      packr.useBuffer(view)
      packr.pack(value)
    } catch (error) {
      assert.ok(error instanceof Error)
    }
    check()
  }
  takeBack(packr)
  assertSame(unpack(packr.pack({ a: 1 })), { a: 1 })
})
