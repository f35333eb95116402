'use strict'

// The buffers that pack returns: never written again, and never keeping much more memory alive than they need.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const SMALL_RETENTION = 64 * 1024
const valueFor = (i) => ({ i, text: 'x'.repeat(i % 70), list: ['y'.repeat(i % 50), i / 4] })

test('a result is a Buffer', () => {
  for (const value of [null, 'text', { a: 1 }, Buffer.alloc(100_000)]) {
    const result = pack(value)
    assert.ok(Buffer.isBuffer(result))
    assert.equal(Object.getPrototypeOf(result), Buffer.prototype)
  }
})

test('thousands of kept results stay as they were', () => {
  const packr = new Packr({ useRecords: false, variableMapSize: true })
  const kept = []
  for (let i = 0; i < 5000; i++) {
    const results = [pack(valueFor(i)), packr.pack(valueFor(i))]
    kept.push({ i, results, hex: results.map(toHex) })
  }
  for (const { i, results, hex } of kept) {
    assert.deepEqual(results.map(toHex), hex)
    for (const result of results) assertSame(unpack(result), valueFor(i))
  }
})

test('results of all sizes stay as they were', () => {
  const kept = []
  for (let length = 1; length < 300_000; length = Math.ceil(length * 1.3)) {
    for (const fill of [1, 2]) kept.push({ result: pack(Buffer.alloc(length, fill)), length, fill })
    pack('z'.repeat(length))
  }
  for (const { result, length, fill } of kept)
    assert.ok(unpack(result).equals(Buffer.alloc(length, fill)), `${length}`)
})

test('a pack that throws leaves earlier results intact', () => {
  const earlier = Array.from({ length: 50 }, (_, i) => pack(valueFor(i)))
  const packr = new Packr({ useRecords: false })
  for (const run of [pack, packr.pack]) {
    assert.throws(() => run(['a'.repeat(5000), { deep: [Symbol('no')] }]), {
      message: 'Unknown type: symbol',
    })
    assert.throws(() => run([1, 2, 2n ** 64n]), RangeError)
    assertSame(unpack(run(['next'])), ['next'])
  }
  earlier.forEach((result, i) => {
    assertSame(unpack(result), valueFor(i))
  })
})

test('a small result keeps at most 64 KiB alive', () => {
  for (let i = 0; i < 200; i++) {
    const result = pack(valueFor(i))
    assert.ok(
      result.buffer.byteLength <= SMALL_RETENTION,
      `${result.length} bytes keep ${result.buffer.byteLength}`,
    )
  }
})

test('a small result after a large one keeps at most 64 KiB alive', () => {
  const packr = new Packr({ useRecords: false })
  for (const run of [pack, packr.pack]) {
    run({ attachment: Buffer.alloc(12_000_000) })
    run('long text '.repeat(300_000))
    for (let i = 0; i < 5; i++) {
      const small = run({ ok: i })
      assert.ok(small.length < 16)
      assert.ok(
        small.buffer.byteLength <= SMALL_RETENTION,
        `${small.length} bytes keep ${small.buffer.byteLength}`,
      )
    }
  }
})

test('a large result shares its memory with no other', () => {
  const seen = new Set()
  for (const length of [65_537, 70_000, 100_000, 500_000, 3_000_000]) {
    for (let i = 0; i < 3; i++) {
      const result = pack(Buffer.alloc(length, i))
      assert.ok(!seen.has(result.buffer))
      seen.add(result.buffer)
      assert.ok(!seen.has(pack({ small: i }).buffer))
    }
  }
})

test('handing a result to another thread empties no other result', () => {
  const first = pack(valueFor(1))
  const second = pack(valueFor(2))
  let received
  try {
    received = structuredClone(first, { transfer: [first.buffer] })
  } catch (error) {
    assert.equal(error.name, 'DataCloneError')
  }
  if (received) assertSame(unpack(received), valueFor(1))
  assertSame(unpack(first), valueFor(1))
  assertSame(unpack(second), valueFor(2))
  assertSame(unpack(pack(valueFor(3))), valueFor(3))
})

test('a result over 64 KiB can be transferred', () => {
  const small = pack(valueFor(1))
  const large = pack(Buffer.alloc(200_000, 7))
  const { length } = large
  const received = structuredClone(large, { transfer: [large.buffer] })
  assert.equal(received.length, length)
  assert.equal(large.length, 0)
  assert.ok(unpack(received).every((byte) => byte === 7))
  assertSame(unpack(small), valueFor(1))
  assertSame(unpack(pack(valueFor(2))), valueFor(2))
})
