'use strict'

// The built-in extension types, which are read without any option.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { unpack, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const maps = new Unpackr({ useRecords: false, mapsAsObjects: false })
const inAllPlaces = (hex, value, message = hex) => {
  assertSame(unpack(fromHex(hex)), value, message)
  assertSame(unpack(fromHex(`93${hex}0190`)), [value, 1, []], message)
  assertSame(unpack(fromHex(`82a161${hex}a16202`)), { a: value, b: 2 }, message)
  assertSame(maps.unpack(fromHex(`81${hex}01`)), new Map([[value, 1]]), message)
}

test('big integers of any length', () => {
  const integers = {
    d442ff: -1n,
    d4427f: 127n,
    d54200ff: 255n,
    d642ffffff00: -256n,
    d742ffffffffffffffff: -1n,
    d7427fffffffffffffff: 2n ** 63n - 1n,
    c7034201ffff: 131071n,
    c7094201ffffffffffffffff: 2n ** 65n - 1n,
    d84200000000000000010000000000000000: 2n ** 64n,
    d842ffffffffffffffff7fffffffffffffff: -(2n ** 63n) - 1n,
    c71842000000000000000080000000000000000000000000000000: 2n ** 127n,
    c80001427f: 127n,
    c9000000024200ff: 255n,
  }
  for (const [hex, value] of Object.entries(integers)) inAllPlaces(hex, value)
  for (const bits of [500n, 4000n]) {
    const digits = (2n ** bits + 12345n).toString(16)
    const bytes = fromHex(`00${digits.length % 2 ? '0' : ''}${digits}`)
    const header = fromHex(`c8${bytes.length.toString(16).padStart(4, '0')}42`)
    assert.equal(unpack(Buffer.concat([header, bytes])), 2n ** bits + 12345n)
  }
  assert.throws(() => unpack(fromHex('c70042')), TypeError)
  assert.equal(unpack(fromHex('d442ff')), -1n)
})

test('int64AsType does not concern big integers', () => {
  const numbers = new Unpackr({ useRecords: false, int64AsType: 'number' })
  assert.equal(numbers.unpack(fromHex('d442ff')), -1n)
})

test('typed arrays, each a fresh copy', () => {
  const arrays = {
    c7037400ff02: new Int8Array([-1, 2]),
    c70374010102: new Uint8Array([1, 2]),
    c70374020102: new Uint8ClampedArray([1, 2]),
    c7037403ffff: new Int16Array([-1]),
    c705740401000200: new Uint16Array([1, 2]),
    c7057405ffffffff: new Int32Array([-1]),
    c705740601000000: new Uint32Array([1]),
    c70574070000c03f: new Float32Array([1.5]),
    c7097408000000000000f83f: new Float64Array([1.5]),
    c7097409ffffffffffffffff: new BigInt64Array([-1n]),
    c709740a0100000000000000: new BigUint64Array([1n]),
    d47401: new Uint8Array(0),
    d5740105: new Uint8Array([5]),
    c800037401ff00: new Uint8Array([255, 0]),
    c90000000374010908: new Uint8Array([9, 8]),
  }
  for (const [hex, value] of Object.entries(arrays)) {
    inAllPlaces(hex, value)
    const result = unpack(fromHex(hex))
    assert.equal(result.byteOffset, 0)
    assert.equal(result.buffer.byteLength, value.byteLength)
  }
})

test('ArrayBuffer and DataView', () => {
  const buffer = unpack(fromHex('c703741001ff'))
  assert.ok(buffer instanceof ArrayBuffer)
  assert.deepEqual([...new Uint8Array(buffer)], [1, 255])
  const view = unpack(fromHex('c703741101ff'))
  assert.ok(view instanceof DataView)
  assert.deepEqual([view.byteLength, view.getUint8(0), view.getUint8(1)], [2, 1, 255])
  assertSame(unpack(fromHex('d47410')), new ArrayBuffer(0))
})

test('a typed array does not alias the input', () => {
  const bytes = fromHex('c70374010102')
  const array = unpack(bytes)
  bytes.fill(0)
  assert.deepEqual([...array], [1, 2])
})

test('typed arrays that can not be', () => {
  for (const code of [11, 12, 15, 18, 255]) {
    const hex = `c70374${code.toString(16).padStart(2, '0')}0102`
    assert.throws(() => unpack(fromHex(hex)), {
      name: 'Error',
      message: `Could not find typed array for code ${code}`,
    })
  }
  for (const hex of ['c7027403ff', 'c70474080102 03', 'c7037405ffff']) {
    assert.throws(() => unpack(fromHex(hex)), { name: 'RangeError' }, hex)
  }
  assertSame(unpack(fromHex('9101')), [1])
})

test('sets', () => {
  inAllPlaces('d47300920102', new Set([1, 2]))
  inAllPlaces('d4730090', new Set())
  inAllPlaces('d473ff9201a161', new Set([1, 'a']))
  inAllPlaces('d47300a3616261', new Set(['a', 'b']))
  inAllPlaces('d4730093010102', new Set([1, 2]))
  inAllPlaces('d4730092d473009101 90', new Set([new Set([1]), []]))
  assertSame(maps.unpack(fromHex('d4730081a16101')), new Set([['a', 1]]))
  for (const hex of ['d4730005', 'd4730080', 'd47300c3'])
    assert.throws(() => unpack(fromHex(hex)), TypeError, hex)
  assertSame(unpack(fromHex('d47300c0')), new Set())
})

test('regular expressions', () => {
  inAllPlaces('d4780092a161a167', /a/g)
  inAllPlaces('d4780092a3612b62a26769', /a+b/gi)
  inAllPlaces('d4780092a5285b2f5d29a0', /([/])/)
  assert.throws(() => unpack(fromHex('d4780092a161a17a')), { name: 'SyntaxError' })
  assert.throws(() => unpack(fromHex('d4780092a128a0')), { name: 'SyntaxError' })
  assertSame(unpack(fromHex('9101')), [1])
})

const errorBytes = (name, message, rest = 'd40000') => {
  const part = (text) => `d9${text.length.toString(16).padStart(2, '0')}${Buffer.from(text).toString('hex')}`
  return `d4650093${part(name)}${part(message)}${rest}`
}

test('errors of the built-in classes', () => {
  for (const Class of [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) {
    const error = unpack(fromHex(errorBytes(Class.name, 'the message')))
    assert.equal(Object.getPrototypeOf(error), Class.prototype)
    assert.equal(error.message, 'the message')
    assert.ok(Object.hasOwn(error, 'cause'))
    assert.equal(error.cause, undefined)
    assert.ok(!Object.hasOwn(error, 'name'))
    assertSame(unpack(fromHex(errorBytes(Class.name, 'm', '81a16101'))).cause, { a: 1 })
  }
})

test('errors of any other name', () => {
  for (const name of [
    'Foo',
    'MyError',
    'AbortError',
    '',
    'valueOf',
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'Array',
    'Function',
  ]) {
    const error = unpack(fromHex(errorBytes(name, 'm')))
    assert.equal(Object.getPrototypeOf(error), Error.prototype, name)
    assert.equal(error.name, name)
    assert.equal(error.message, 'm')
    assert.deepEqual(Object.getOwnPropertyDescriptor(error, 'name'), {
      value: name,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  }
})

test('aggregate errors', () => {
  const error = unpack(
    fromHex(
      'd4650094ae4167677265676174654572726f72a3616767d4000092d4650093aa52616e67654572726f72a178d4000001',
    ),
  )
  assert.ok(error instanceof AggregateError)
  assert.equal(error.message, 'agg')
  assert.equal(error.errors.length, 2)
  assert.ok(error.errors[0] instanceof RangeError)
  assert.equal(error.errors[1], 1)
  const old = unpack(fromHex('d4650093ae4167677265676174654572726f72a3616767d40000'))
  assert.ok(old instanceof AggregateError)
  assert.deepEqual(old.errors, [])
})

test('an error as the cause of another', () => {
  const inner = errorBytes('RangeError', 'inner')
  const error = unpack(fromHex(errorBytes('TypeError', 'outer', inner)))
  assert.ok(error.cause instanceof RangeError)
  assert.equal(error.cause.message, 'inner')
})

test('built-in extensions that are cut', () => {
  for (const hex of [
    'd473',
    'd47300',
    'd4730092',
    'd4730092a1',
    'd46500',
    'd4650093a3',
    'd47800',
    'd4780092a161',
    'c70374',
    'c7037401',
    'c705740401',
    'd542',
    'd742ff',
  ]) {
    assert.throws(() => unpack(fromHex(hex)), { incomplete: true }, hex)
  }
})
