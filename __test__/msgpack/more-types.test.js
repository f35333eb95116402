'use strict'

// `moreTypes`: sets, errors, expressions and binary data keep their type, in exactly these bytes.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { createContext, runInContext } = require('node:vm')
const { pack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const packrs = [new Packr({ moreTypes: true }), new Packr({ moreTypes: true, useRecords: false })]

/** Fails unless both write these bytes and read the same value from them, here and within other values. */
function assertTyped(value, hex, expected = value) {
  for (const packr of packrs) {
    assert.equal(toHex(packr.pack(value)), hex)
    assertSame(packr.unpack(packr.pack(value)), expected)
    assertSame(
      packr.unpack(packr.pack([value, { a: value }, 'end'])),
      [expected, { a: expected }, 'end'],
      hex,
      {
        copies: true,
      },
    )
  }
}

test('typed arrays', () => {
  const arrays = {
    '0102': [Int8Array, '00'],
    '01020304': [Uint8Array, '01'],
    '0102030405': [Uint8ClampedArray, '02'],
    '0100feff': [Int16Array, '03'],
    ffff0000: [Uint16Array, '04'],
    '01000000feffffff': [Int32Array, '05'],
    ffffffff00000000: [Uint32Array, '06'],
    '0000803f000000c0': [Float32Array, '07'],
    '000000000000f03f': [Float64Array, '08'],
    ffffffffffffffff: [BigInt64Array, '09'],
    ffffffffffffff7f: [BigUint64Array, '0a'],
  }
  for (const [hex, [Class, code]] of Object.entries(arrays)) {
    const bytes = Uint8Array.from(Buffer.from(hex, 'hex'))
    const length = (bytes.length + 1).toString(16).padStart(2, '0')
    assertTyped(new Class(bytes.buffer), `c7${length}74${code}${hex}`)
    assertTyped(new Class(0), `c70174${code}`)
  }
})

test('headers of every size', () => {
  const headers = {
    254: 'c7ff74',
    255: 'c8010074',
    65534: 'c8ffff74',
    65535: 'c90001000074',
    70000: 'c90001117174',
  }
  for (const [length, header] of Object.entries(headers)) {
    const bytes = new Uint8Array(Number(length)).fill(7)
    assertTyped(bytes, `${header}01${'07'.repeat(bytes.length)}`)
    assertTyped(bytes.buffer, `${header}10${'07'.repeat(bytes.length)}`)
  }
})

test('memory and views of it', () => {
  assertTyped(Uint8Array.of(1, 2, 3).buffer, 'c7047410010203')
  assertTyped(new ArrayBuffer(0), 'c7017410')
  assertTyped(new DataView(Uint8Array.of(9, 2, 3, 9).buffer, 1, 2), 'c70374110203')
  assertTyped(new Uint16Array(Uint8Array.of(9, 9, 1, 2, 9, 9).buffer, 2, 1), 'c703740401' + '02')
})

test('what is read is aligned, and nobody else has it', () => {
  for (const packr of packrs) {
    const bytes = packr.pack(['odd', new Float64Array([1.5]), new BigInt64Array([5n])])
    const [, doubles, longs] = packr.unpack(bytes)
    assert.equal(doubles.byteOffset % 8, 0)
    assert.equal(doubles.buffer.byteLength, 8)
    doubles[0] = 7
    longs[0] = 7n
    assertSame(packr.unpack(bytes), ['odd', new Float64Array([1.5]), new BigInt64Array([5n])])
  }
})

test('a Buffer stays binary data', () => {
  for (const packr of packrs) {
    assert.equal(toHex(packr.pack(Buffer.from([1, 2]))), 'c4020102')
    assert.ok(Buffer.isBuffer(packr.unpack(packr.pack(Buffer.from([1, 2])))))
  }
})

test('a subclass of a typed array has the code of its base', () => {
  class Digest extends Uint8Array {}
  class Samples extends Float32Array {}
  class Window extends DataView {}
  for (const packr of packrs) {
    assert.equal(toHex(packr.pack(Digest.of(1, 2, 255))), 'c704740101' + '02ff')
    assert.equal(toHex(packr.pack(Samples.of(1))), 'c70574070000803f')
    assert.equal(toHex(packr.pack(new Window(new ArrayBuffer(1)))), 'c702741100')
    assertSame(packr.unpack(packr.pack({ digest: Digest.of(1, 2, 255), after: 'x' })), {
      digest: Uint8Array.of(1, 2, 255),
      after: 'x',
    })
  }
})

test('sets', () => {
  assertTyped(new Set([1, 'a']), 'd473009201a161')
  assertTyped(new Set(), 'd4730090')
  assertTyped(
    new Set(Array.from({ length: 16 }, (_, i) => i)),
    'd47300dc0010000102030405060708090a0b0c0d0e0f',
  )
  assertTyped(new Set([new Set([new Set()])]), 'd4730091d4730091d4730090')
  class Tags extends Set {}
  class Listed extends Set {
    toJSON() {
      return [...this].sort()
    }
  }
  assertTyped(new Tags([1]), 'd473009101', new Set([1]))
  assertTyped(new Listed(['b', 'a']), '92a161a162', ['a', 'b'])
  assertTyped(Object.assign(new Set([1]), { toJSON: () => 'own' }), 'd473009101', new Set([1]))
})

test('a set that changes while it is packed', () => {
  const packr = packrs[1]
  const growing = new Set([
    {
      get a() {
        growing.add(5)
        return 1
      },
    },
  ])
  assertSame(packr.unpack(packr.pack([growing, 'end'])), [new Set([{ a: 1 }, 5]), 'end'])
})

test('expressions', () => {
  assertTyped(/a+b/gi, 'd4780092a3612b62a26769')
  assertTyped(/(?:)/, 'd4780092a4283f3a29a0')
  class Pattern extends RegExp {}
  assertTyped(new Pattern('a', 'u'), 'd4780092a161a175', /a/u)
  const used = /a/g
  used.lastIndex = 5
  assertTyped(used, 'd4780092a161a167', /a/g)
})

test('errors', () => {
  assertTyped(
    new Error('boom'),
    'd4650093a54572726f72a4626f6f6dd40000',
    new Error('boom', { cause: undefined }),
  )
  assertTyped(new RangeError('r', { cause: 1 }), 'd4650093aa52616e67654572726f72a17201')
  for (const Class of [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) {
    for (const packr of packrs) {
      const error = packr.unpack(packr.pack(new Class('m', { cause: { deep: [1] } })))
      assert.equal(Object.getPrototypeOf(error), Class.prototype)
      assert.equal(error.message, 'm')
      assertSame(error.cause, { deep: [1] })
    }
  }
})

test('errors of other names', () => {
  class AppError extends Error {}
  assertTyped(
    Object.assign(new Error('m'), { name: 'Custom' }),
    'd4650093a6437573746f6da16dd40000',
    Object.assign(new Error('m', { cause: undefined }), { name: 'Custom' }),
  )
  for (const packr of packrs) {
    assert.equal(toHex(packr.pack(new AppError('m'))), 'd4650093a54572726f72a16dd40000')
    assert.equal(
      toHex(packr.pack(new DOMException('m', 'AbortError'))),
      'd4650093aa41626f72744572726f72a16dd40000',
    )
    // Stack and code are not written.
    assert.equal(
      toHex(packr.pack(Object.assign(new Error('m'), { code: 'E', stack: 's' }))),
      'd4650093a54572726f72a16dd40000',
    )
  }
})

test('errors whose fields are anything', () => {
  for (const [field, hex] of Object.entries({
    name: 'd465009381a16f01a16dd40000',
    message: 'd4650093a54572726f7281a16f01d40000',
    cause: 'd4650093a54572726f72a16d81a16f01',
  })) {
    const error = new Error('m')
    Object.defineProperty(error, field, { value: new Map([['o', 1]]) })
    assert.equal(toHex(packrs[0].pack(error)), hex)
  }
})

test('several errors in one', () => {
  assertTyped(
    new AggregateError([1, 'x'], 'm', { cause: 2 }),
    'd4650094ae4167677265676174654572726f72a16d029201a178',
  )
  for (const packr of packrs) {
    const { errors, message } = packr.unpack(packr.pack(new AggregateError([new TypeError('t'), [1]], 'm')))
    assert.equal(message, 'm')
    assert.ok(errors[0] instanceof TypeError)
    assertSame(errors[1], [1])
  }
})

test('an error in an error, many deep', () => {
  let error = new Error('0')
  for (let i = 1; i < 300; i++) error = new Error(String(i), { cause: error })
  for (const packr of packrs) {
    let result = packr.unpack(packr.pack(error))
    for (let i = 299; i >= 0; i--) {
      assert.equal(result.message, String(i))
      result = result.cause
    }
  }
})

test('values of another realm', () => {
  const context = createContext({})
  const make = (source) => runInContext(source, context)
  const kinds = {
    'new Set([1])': 'd473009101',
    '/a/g': 'd4780092a161a167',
    'new RangeError("r")': 'd4650093aa52616e67654572726f72a172d40000',
    'new AggregateError([1], "m")': 'd4650094ae4167677265676174654572726f72a16dd400009101',
    'new Uint16Array([1])': 'c70374040100',
    'new Uint8Array([1])': 'c702740101',
    'new Uint8Array([1]).buffer': 'c702741001',
    'new DataView(new ArrayBuffer(1))': 'c702741100',
    'new Date(0)': 'd6ff00000000',
    'new Map([[1, 2]])': '810102',
  }
  for (const [source, hex] of Object.entries(kinds))
    for (const packr of packrs) assert.equal(toHex(packr.pack([make(source)])), `91${hex}`, source)
})

test('the option is looked at when a value is packed', () => {
  const packr = new Packr({ useRecords: false })
  assert.equal(toHex(packr.pack(new Set([1]))), '9101')
  packr.moreTypes = true
  assert.equal(toHex(packr.pack(new Set([1]))), 'd473009101')
  packr.moreTypes = false
  assert.equal(toHex(packr.pack(new Set([1]))), '9101')
  assert.equal(toHex(new Packr({ structuredClone: true }).pack(new Set([1]))), 'd473009101')
  assert.equal(toHex(new Packr({ structuredClone: true, moreTypes: false }).pack(new Set([1]))), '9101')
})

test('without the option', () => {
  assert.equal(toHex(pack(/a/g)), '92a161a167')
  assert.equal(toHex(pack(new Error('m'))), '93a54572726f72a16dd40000')
  assert.equal(toHex(pack(new AggregateError([1], 'm'))), '94ae4167677265676174654572726f72a16dd400009101')
  assert.equal(toHex(pack(new Uint16Array([1, 2]))), 'c40401000200')
  assert.equal(toHex(pack(Uint8Array.of(1, 2, 3).buffer)), 'c403010203')
  assert.equal(toHex(pack(new DataView(Uint8Array.of(9, 2).buffer, 1))), 'c40102')
})

test('memory that is gone', () => {
  for (const packr of packrs) {
    for (const make of [
      (memory) => memory,
      (memory) => new Uint8Array(memory),
      (memory) => new DataView(memory),
    ]) {
      const memory = new ArrayBuffer(8)
      const value = make(memory)
      structuredClone(memory, { transfer: [memory] })
      try {
        const bytes = packr.pack([value, 1])
        assert.equal(packr.unpack(bytes)[1], 1)
      } catch (error) {
        assert.ok(error instanceof TypeError)
      }
      assertSame(packr.unpack(packr.pack([1])), [1])
    }
  }
})
