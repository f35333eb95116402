'use strict'

// Binary values: every kind of byte view is written as the bytes it spans, and read as a view of the input.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { binaryHeader } = require('../helpers/reference-encoder')
const { assertRoundTrip } = require('../helpers/round-trip')
const { assertSame } = require('../helpers/same')

const CLASSES = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
]
const LENGTHS = [0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 254, 255, 256, 257, 65_534, 65_535, 65_536, 65_537, 200_000]

const filled = (length) => Buffer.from(Array.from({ length }, (_, i) => (i * 7 + 1) & 255))

test('lengths around every header boundary', () => {
  for (const length of LENGTHS) {
    const bytes = filled(length)
    assertRoundTrip(bytes, `${length} bytes`)
    assertRoundTrip({ before: 1, bytes, after: ['x', bytes] }, `${length} bytes, nested`)
  }
})

test('every kind of view is the bytes it spans', () => {
  const memory = filled(64)
  const { buffer, byteOffset } = memory
  for (const Class of CLASSES) {
    const width = Class.BYTES_PER_ELEMENT ?? 1
    for (const [start, bytes] of [
      [0, 64],
      [8, 16],
      [width === 1 ? 3 : width, 8 * Math.ceil(width / 8)],
      [56, 0],
    ]) {
      const from = Math.ceil((byteOffset + start) / 8) * 8 - byteOffset
      const at = width === 1 ? start : from
      if (at + bytes > 64) continue
      const view = new Class(buffer, byteOffset + at, bytes / width)
      const expected = Buffer.concat([binaryHeader(bytes), memory.subarray(at, at + bytes)])
      assert.equal(toHex(pack(view)), toHex(expected), `${Class.name} ${at} ${bytes}`)
      assertSame(unpack(pack({ view, after: 1 })), {
        view: Buffer.from(memory.subarray(at, at + bytes)),
        after: 1,
      })
    }
  }
})

test('an ArrayBuffer is its bytes', () => {
  for (const length of LENGTHS) {
    const { buffer } = new Uint8Array(filled(length))
    assert.ok(pack(buffer).equals(pack(filled(length))), String(length))
  }
})

test('a view of shared memory', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(12), 4, 5)
  shared.set([1, 2, 3, 4, 5])
  assert.equal(toHex(pack(shared)), 'c4050102030405')
  assert.equal(toHex(pack(new SharedArrayBuffer(4))), 'de0000')
})

test('small views that the engine keeps inside the object', () => {
  for (let length = 0; length <= 80; length++) {
    const view = new Uint8Array(length).fill(length)
    assert.equal(toHex(pack([view])), `91c4${length.toString(16).padStart(2, '0')}${toHex(view)}`)
    assert.equal(
      toHex(pack(new Float64Array(length % 12).fill(1.5))),
      toHex(pack(Buffer.from(new Float64Array(length % 12).fill(1.5).buffer))),
    )
  }
})

test('resizable and length-tracking memory', {
  skip: typeof ArrayBuffer.prototype.resize !== 'function',
}, () => {
  const buffer = new ArrayBuffer(4, { maxByteLength: 100 })
  const tracking = new Uint8Array(buffer)
  tracking.set([1, 2, 3, 4])
  assert.equal(toHex(pack([tracking, buffer])), '92c40401020304c40401020304')
  buffer.resize(2)
  assert.equal(toHex(pack([tracking, buffer])), '92c4020102c4020102')
  buffer.resize(6)
  assert.equal(toHex(pack([tracking, new Uint8Array(buffer, 1, 3)])), '92c406010200000000c403020000')
})

test('a view that lost its memory does no harm', () => {
  const view = new Uint8Array(40_000)
  structuredClone(view.buffer, { transfer: [view.buffer] })
  let bytes
  try {
    bytes = pack([view])
  } catch (error) {
    assert.ok(error instanceof TypeError)
  }
  if (bytes) assertSame(unpack(bytes), [Buffer.alloc(0)])
  assertSame(unpack(pack(['next'])), ['next'])
})

test('subclasses are bytes, and toJSON of a view is not called', () => {
  class Digest extends Uint8Array {
    toJSON() {
      return 'never'
    }
  }
  class Floats extends Float32Array {}
  assert.equal(toHex(pack([new Digest([1, 2, 255]), new Floats([1.5])])), '92c4030102ffc4040000c03f')
  assert.equal(toHex(pack(Object.assign(Buffer.from([1]), { toJSON: () => 'never', extra: 1 }))), 'c40101')
  class Memory extends ArrayBuffer {}
  assert.equal(toHex(pack(new Memory(2))), 'c4020000')
})

test('the bytes are copied when packed', () => {
  const source = Buffer.from([1, 2, 3])
  const packed = pack(source)
  source.fill(0)
  assert.equal(toHex(packed), 'c403010203')
})

test('other instances write the same', () => {
  const packr = new Packr({ useRecords: false, variableMapSize: true })
  assert.equal(
    toHex(packr.pack([new Uint16Array([1, 2]), new DataView(new ArrayBuffer(1))])),
    '92c40401000200c40100',
  )
})

test('binary is what it was when it was met, whatever user code does to it later', () => {
  for (const bytes of [
    new Uint8Array([1, 2, 3]),
    new Uint8Array(1000).fill(7),
    new Float32Array([1, 2, 3, 4]),
  ]) {
    const expected = toHex(pack({ bytes, after: 1 }))
    const value = {
      bytes,
      get after() {
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
        return 1
      },
    }
    assert.equal(toHex(pack(value)), expected)
    assert.throws(() => pack([bytes]), TypeError)
  }
  const scratch = Buffer.alloc(1)
  class Part {
    constructor(byte) {
      this.byte = byte
    }
    toJSON() {
      scratch[0] = this.byte
      return scratch
    }
  }
  assert.equal(toHex(pack([new Part(1), new Part(2)])), '92c40101c40102')
})

test('accessors on Array.prototype do not get between binary values', () => {
  const first = new Uint8Array(1000).fill(1)
  const second = new Uint8Array(10).fill(2)
  const polluting = {
    get next() {
      Object.defineProperty(Array.prototype, '1', { configurable: true, get: () => first, set() {} })
      return second
    },
  }
  try {
    const { next } = unpack(pack([first, polluting]))[1]
    assert.deepEqual([...next], [...second])
  } finally {
    delete Array.prototype[1]
  }
})
