'use strict'
// The samples of the self-test that are built-ins with memory or slots of their own, see heap-samples.js.

const { MessageChannel } = require('node:worker_threads')

function collections() {
  const map = new Map([['deleted', 1]])
  const set = new Set(['deleted'])
  for (let i = 0; i < 20; i++) {
    map.set(`key${i}`, i)
    set.add(i + 0.5)
  }
  for (const key of ['deleted', 'key7']) map.delete(key)
  for (const key of ['deleted', 7.5]) set.delete(key)
  return [map, set]
}

/** Takes the memory of a view's buffer away. Not by `structuredClone`, which test runners may not have. */
function detach(view) {
  const { port1 } = new MessageChannel()
  port1.postMessage(null, [view.buffer])
  port1.close()
  return view
}

const detached = () => detach(new Uint8Array(80))
const detachedView = () => detach(new DataView(new ArrayBuffer(80), 8))

/** Typed arrays in the order of V8's elements kinds, which changed with version 13. */
function typedArrays(v8) {
  const old = [
    Uint8Array,
    Int8Array,
    Uint16Array,
    Int16Array,
    Uint32Array,
    Int32Array,
    Float32Array,
    Float64Array,
    Uint8ClampedArray,
    BigUint64Array,
    BigInt64Array,
  ]
  const [u8, i8, u16, i16, u32, i32, f32, f64, clamped, bigUint, bigInt] = old
  const order =
    Number.parseInt(v8, 10) < 13 ? old : [u8, i8, u16, i16, u32, i32, bigUint, bigInt, clamped, f32, f64]
  return order.map((Type) => {
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => i + 1)
    return [new Type(bytes.buffer), Type.name]
  })
}

const bytesUpTo = (length) => Uint8Array.from({ length }, (_, i) => i)

/** An instance of a class of errors that has its name from its prototype. */
function withoutMessage() {
  class Failure extends RangeError {}
  Failure.prototype.name = 'Failure'
  return new Failure()
}

/** Those that are walked: the value, and what the engine should have made of it. */
function builtIns(v8) {
  const [map, set] = collections()
  return [
    [new Date(1600000000123), 'date'],
    [new Date(7), 'date'],
    [new Date(Number.NaN), 'date'],
    [map, 'map'],
    [new Map(), 'map'],
    [set, 'set'],
    [0n, 'bigint'],
    [-1n, 'bigint'],
    [2n ** 63n, 'bigint'],
    [Object(7), 'boxed smi'],
    [Object(true), 'boxed oddball'],
    [Object('ab'), 'boxed sequential one-byte'],
    ...typedArrays(v8),
    [Uint8Array.of(1, 2, 3), 'Uint8Array'],
    [new Uint8Array(200).fill(7), 'Uint8Array'],
    [new Uint8Array(bytesUpTo(99).buffer, 5, 90), 'Uint8Array'],
    [Buffer.from('a Buffer'), 'Uint8Array'],
    [bytesUpTo(72).buffer, 'buffer of 72'],
    [new ArrayBuffer(0), 'buffer of 0'],
    [new DataView(bytesUpTo(90).buffer), 'view of 90'],
    [new DataView(bytesUpTo(99).buffer, 13, 40), 'view of 40'],
    [/a+b/dgimsuy, 'regexp'],
    [/(?:)/, 'regexp'],
    [/\//, 'regexp'],
    [new Error('message'), 'error'],
    [new TypeError('message', { cause: [1] }), 'error'],
    [withoutMessage(), 'error'],
  ]
}

/** Those that must be told apart from these. */
function refusedBuiltIns() {
  const special = [detached(), new Uint8Array(new SharedArrayBuffer(64))]
  const buffers = [[detached().buffer, 'buffer of 0, special']]
  // Node 18 has no resizable buffers.
  if ('resizable' in ArrayBuffer.prototype) {
    const resizable = new ArrayBuffer(64, { maxByteLength: 128 })
    special.push(new Uint8Array(resizable), new Uint8Array(resizable, 8, 16))
    buffers.push([resizable, 'buffer of 64, special'])
  }
  return [
    [new (class extends Date {})(0), 'date'],
    [2n ** 70n, 'bigint'],
    ...special.map((value) => [value, 'typed array, special']),
    ...buffers,
    [detachedView(), 'view, special'],
    [Object.defineProperty(/x/, 'source', { value: 'y' }), 'regexp'],
    [Object.defineProperty(new Error('error'), 'name', { get: () => 'got' }), 'error'],
    [new AggregateError([]), 'error'],
  ]
}

module.exports = { builtIns, refusedBuiltIns }
