'use strict'

// What unpack accepts as input, and how results relate to it.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const vm = require('node:vm')
const { pack, unpack, unpackMultiple, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const LIST = fromHex('93 01 02 a178')

test('Buffer, Uint8Array, Uint8ClampedArray and ArrayBuffer', () => {
  const exact = new Uint8Array(LIST)
  for (const source of [LIST, exact, new Uint8ClampedArray(LIST), exact.buffer]) {
    assertSame(unpack(source), [1, 2, 'x'])
    assertSame(unpackMultiple(source), [[1, 2, 'x']])
  }
})

test('a subclass of Uint8Array', () => {
  class Bytes extends Uint8Array {}
  assertSame(unpack(new Bytes(LIST)), [1, 2, 'x'])
})

test('input of another realm', () => {
  const context = vm.createContext({})
  const bytes = vm.runInContext('new Uint8Array([0x93, 1, 2, 0xa1, 0x78])', context)
  assertSame(unpack(bytes), [1, 2, 'x'])
  assertSame(unpack(bytes.buffer), [1, 2, 'x'])
  assertSame(unpackMultiple(vm.runInContext('new Uint8Array([1, 2])', context)), [1, 2])
  assertSame(unpackMultiple(vm.runInContext('new Uint8Array([1, 2]).buffer', context)), [1, 2])
})

test('a Uint8Array over shared memory', () => {
  const message = pack({
    text: 'shared text '.repeat(20),
    wide: '\u4f60\u597d',
    n: [1, -1, 1.5],
    b: 2n ** 60n,
  })
  const shared = new Uint8Array(new SharedArrayBuffer(message.length + 3), 3)
  shared.set(message)
  assertSame(unpack(shared), unpack(message))
})

test('the view decides, not the memory under it', () => {
  const value = {
    float: 1.5,
    date: new Date(1700000000123),
    big: 2n ** 60n,
    text: 'text '.repeat(20),
    wide: '\u00e9'.repeat(50),
    numbers: [70000, -70000, 300],
  }
  const packed = pack(value)
  for (const offset of [0, 1, 2, 3, 4, 5, 6, 7, 8, 13]) {
    const memory = new Uint8Array(packed.length + offset + 9).fill(0xff)
    memory.set(packed, offset)
    const views = [
      new Uint8Array(memory.buffer, offset, packed.length),
      Buffer.from(memory.buffer, offset, packed.length),
      Buffer.from(memory).subarray(offset, offset + packed.length),
    ]
    for (const view of views) assertSame(unpack(view), value, `offset ${offset}`)
  }
})

test('anything else is named in the error', () => {
  class Parcel {}
  const refused = [
    ['text', 'string'],
    [5, 'number'],
    [true, 'boolean'],
    [{}, 'Object'],
    [[1, 2], 'Array'],
    [new Parcel(), 'Parcel'],
    [new SharedArrayBuffer(4), 'SharedArrayBuffer'],
    [() => 1, 'function'],
  ]
  for (const [source, name] of refused) {
    const message = `Source must be a Uint8Array or Buffer but was a ${name}`
    assert.throws(() => unpack(source), { name: 'Error', message })
    assert.equal(unpack(fromHex('05')), 5)
  }
  for (const nothing of [null, undefined]) {
    assert.throws(() => unpack(nothing), TypeError)
    assert.throws(() => unpackMultiple(nothing), TypeError)
  }
})

test('a DataView has no bytes to read', () => {
  const view = new DataView(new Uint8Array([1]).buffer)
  assert.throws(() => unpack(view), { message: 'Unexpected end of MessagePack data' })
})

test('the source is left as it was', () => {
  const source = new Uint8Array(LIST)
  Object.preventExtensions(source)
  assertSame(unpack(source), [1, 2, 'x'])
  const plain = new Uint8Array(LIST)
  unpack(plain)
  assert.deepEqual(Object.keys(plain), ['0', '1', '2', '3', '4'])
  assert.deepEqual(
    Reflect.ownKeys(plain).filter((key) => Number.isNaN(Number(key))),
    [],
  )
})

test('binary values are views of the input, of its class', () => {
  const message = fromHex('92 c4020102 c50003030405')
  const memory = new Uint8Array(message.length + 6)
  memory.set(message, 5)
  const array = memory.subarray(5, 5 + message.length)
  const buffer = Buffer.from(memory.buffer, 5, message.length)
  for (const [source, prototype] of [
    [array, Uint8Array.prototype],
    [buffer, Buffer.prototype],
  ]) {
    const [first, second] = unpack(source)
    for (const view of [first, second]) {
      assert.equal(Object.getPrototypeOf(view), prototype)
      assert.equal(view.buffer, memory.buffer)
    }
    assert.deepEqual([first.byteOffset, first.length], [8, 2])
    assert.deepEqual([second.byteOffset, second.length], [13, 3])
    assert.deepEqual([...first, ...second], [1, 2, 3, 4, 5])
    memory[8] = 99
    assert.equal(first[0], 99)
    memory[8] = 1
  }
})

test('an ArrayBuffer counts as Buffer, and its binary values alias it', () => {
  const memory = new Uint8Array(fromHex('c403010203')).buffer
  const view = unpack(memory)
  assert.ok(Buffer.isBuffer(view))
  assert.equal(view.buffer, memory)
  assert.deepEqual([view.byteOffset, view.length], [2, 3])
})

test('empty binary values', () => {
  assertSame(unpack(fromHex('c400')), Buffer.alloc(0))
  assertSame(unpack(new Uint8Array([0x91, 0xc4, 0])), [new Uint8Array(0)])
})

test('strings and numbers do not alias the input', () => {
  const message = Buffer.from(
    pack({ text: 'a long enough text to be sliced', list: [1.5, 'short'], wide: '\u00e9\u00e9' }),
  )
  const value = unpack(message)
  message.fill(0)
  assertSame(value, { text: 'a long enough text to be sliced', list: [1.5, 'short'], wide: '\u00e9\u00e9' })
})

test('the same memory can be filled and read again', () => {
  const memory = Buffer.alloc(64)
  const unpackr = new Unpackr({ useRecords: false })
  for (let i = 0; i < 100; i++) {
    const message = pack({ i, text: `message ${i}` })
    memory.set(message)
    assertSame(unpackr.unpack(memory, { end: message.length }), { i, text: `message ${i}` })
  }
})
