'use strict'

// Bytes of every kind, also such that change while they are read.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const vm = require('node:vm')
const { pack, Packr, unpack, unpackMultiple, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { registerReader } = require('../helpers/register-reader')
const { assertSame } = require('../helpers/same')

const value = { list: [1, 'text'], bin: Buffer.from([1, 2, 3]), long: 'long text '.repeat(40) }
const bytes = pack(value)
const plain = (result) => ({ ...result, bin: Buffer.from(result.bin) })

const canResize = typeof ArrayBuffer.prototype.resize === 'function'

test('the source is left as it was', () => {
  const source = Object.freeze(Object.preventExtensions(new Uint8Array(0)))
  assert.throws(() => unpack(source), { incomplete: true })
  const array = Object.preventExtensions(new Uint8Array(bytes))
  const names = Object.getOwnPropertyNames(array).length
  assertSame(plain(unpack(array)), value)
  assertSame(plain(unpackMultiple(array)[0]), value)
  assert.equal(Object.getOwnPropertyNames(array).length, names)
})

test('memory of other realms and shared memory', () => {
  const foreign = vm.runInNewContext('(bytes) => Uint8Array.from(bytes)')([...bytes])
  for (const source of [foreign, foreign.buffer]) assertSame(plain(unpack(source)), value)
  const shared = new SharedArrayBuffer(bytes.length)
  const views = [new Uint8Array(shared), Buffer.from(shared)]
  views[0].set(bytes)
  for (const view of views) {
    for (const copyBuffers of [false, true]) {
      const options = { useRecords: false, copyBuffers }
      for (const result of [
        new Unpackr(options).unpack(view),
        new Unpackr(options).unpackMultiple(view)[0],
      ]) {
        assertSame(plain(result), value)
        assert.notEqual(result.bin.buffer, shared)
        assert.equal(Buffer.isBuffer(result.bin), Buffer.isBuffer(view))
      }
    }
  }
})

test('buffers whose length can change', { skip: !canResize }, () => {
  const buffer = new ArrayBuffer(bytes.length, { maxByteLength: bytes.length + 1000 })
  new Uint8Array(buffer).set(bytes)
  assertSame(plain(unpack(buffer)), value)
  const tracking = new Uint8Array(buffer)
  assertSame(plain(unpack(tracking)), value)
  buffer.resize(bytes.length + 10)
  assert.throws(() => unpack(tracking), /end of buffer not reached/)
  assertSame(plain(unpack(tracking, bytes.length)), value)
  const fixed = new Uint8Array(buffer, 0, bytes.length)
  buffer.resize(bytes.length - 1)
  assert.throws(() => unpack(fixed), { incomplete: true })
  assert.throws(() => unpack(tracking), { incomplete: true })
})

let onRead
registerReader({ type: 61, unpack: (...given) => onRead(...given) })
/** Four values: what a callback sees first, then text, an object, and 300 bytes. */
const message = Buffer.concat([
  fromHex('94d53d0000'),
  pack('a text that comes after it, long enough'),
  pack({ a: [1] }),
  pack(Buffer.alloc(300, 3)),
])

function check(source) {
  let result
  try {
    result = unpack(source)
  } catch (error) {
    assert.ok(error instanceof Error)
    return
  }
  assert.equal(result[1], 'a text that comes after it, long enough')
  assert.deepEqual(result[2], { a: [1] })
  assert.equal(result[3].length, 300)
}

test('memory that a callback takes away', () => {
  let input
  const take = () => structuredClone(input.buffer, { transfer: [input.buffer] })
  const callbacks = [
    take,
    (_, readAt) => [take(), readAt(3)],
    () => [take(), unpack(new Uint8Array(message.subarray(6)), 41)],
  ]
  for (const callback of callbacks) {
    onRead = callback
    for (let i = 0; i < 5; i++) {
      input = new Uint8Array(message)
      check(input)
      assert.deepEqual(unpack(pack({ fine: ['text', 1] })), { fine: ['text', 1] })
    }
  }
  onRead = () => 0
  input = new Uint8Array(message)
  assert.equal(unpackMultiple(input).length, 1)
  const twice = new Uint8Array(Buffer.concat([message, message]))
  input = twice
  assert.throws(
    () => unpackMultiple(twice, take),
    (error) => error instanceof Error,
  )
})

test('memory that a callback shrinks or fills', { skip: !canResize }, () => {
  const make = () => {
    const buffer = new ArrayBuffer(message.length, { maxByteLength: message.length })
    new Uint8Array(buffer).set(message)
    return new Uint8Array(buffer)
  }
  let input
  for (const length of [0, 10, 100, message.length - 1]) {
    onRead = () => input.buffer.resize(length)
    input = make()
    assert.throws(
      () => unpack(input),
      (error) => error instanceof Error,
    )
  }
  onRead = () => input.fill(0xc1)
  input = make()
  check(input)
})

test('binary around a callback, of Buffers', () => {
  const around = Buffer.concat([
    fromHex('93'),
    pack(Buffer.alloc(300, 1)),
    fromHex('d53d0000'),
    pack(Buffer.alloc(300, 2)),
  ])
  const other = pack([Buffer.alloc(200, 7), Buffer.alloc(200, 8)])
  const inMemory = (options) => {
    const buffer = new ArrayBuffer(around.length + 8, options)
    const source = Buffer.from(buffer, 8)
    around.copy(source)
    return source
  }
  const read = (source, callback) => {
    onRead = callback
    return unpack(source)
  }

  // Another message, with views of its own.
  const source = inMemory()
  const [first, [inner, innermost], last] = read(source, () => unpack(other))
  for (const [view, byte, length, buffer] of [
    [first, 1, 300, source.buffer],
    [inner, 7, 200, other.buffer],
    [innermost, 8, 200, other.buffer],
    [last, 2, 300, source.buffer],
  ]) {
    assert.ok(Buffer.isBuffer(view))
    assert.ok(view.equals(Buffer.alloc(length, byte)))
    assert.equal(view.buffer, buffer)
  }

  const taken = inMemory()
  const take = () => structuredClone(taken.buffer, { transfer: [taken.buffer] })
  assert.throws(() => read(taken, take), /detached|shorter/)
  assertSame(read(inMemory(), () => 1)[2], Buffer.alloc(300, 2))

  if (canResize) {
    const shrunk = inMemory({ maxByteLength: 1000 })
    assert.throws(() => read(shrunk, () => shrunk.buffer.resize(400)), /shorter|bounds|Invalid/)
  }

  // Whatever the Buffer says of itself.
  const odd = inMemory()
  Object.defineProperties(odd, { buffer: { value: new ArrayBuffer(4) }, byteOffset: { value: 0 } })
  assert.ok(read(odd, () => 1)[2].equals(Buffer.alloc(300, 2)))
  class Own extends Buffer {}
  const own = Object.setPrototypeOf(inMemory(), Own.prototype)
  assert.ok(read(own, () => 1)[2].equals(Buffer.alloc(300, 2)))
})

test('unpackMultiple says where it was', () => {
  const packr = new Packr({ useRecords: false })
  const good = packr.pack(['a'])
  const source = Buffer.concat([good, good, fromHex('d46301')])
  assert.throws(
    () => unpackMultiple(source),
    (error) => {
      assert.equal(error.lastPosition, 2 * good.length)
      assert.deepEqual(error.values, [['a'], ['a']])
      return true
    },
  )
  assert.throws(
    () => unpackMultiple(source, () => {}),
    (error) => {
      assert.equal(error.lastPosition, 2 * good.length)
      assert.ok(Object.hasOwn(error, 'values') && error.values === undefined)
      return true
    },
  )
  const thrown = Object.assign(new Error('mine'), { code: 5 })
  const at = (end) => (_, start) => {
    if (start === end) throw thrown
  }
  assert.throws(
    () => unpackMultiple(source, at(good.length)),
    (error) => error === thrown && error.lastPosition === good.length,
  )
  const seen = []
  unpackMultiple(source, (...given) => {
    seen.push(given)
    return seen.length < 2
  })
  assert.deepEqual(seen, [
    [['a'], 0, good.length],
    [['a'], good.length, 2 * good.length],
  ])
})
