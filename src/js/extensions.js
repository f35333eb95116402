'use strict'
// Extension types that are known without being registered: how their payload or the value that
// follows them becomes a JavaScript value.

const binding = require('./binding.js')

const BIG_INTEGER = 0x42
const ERROR = 0x65
const SET = 0x73
const TYPED_ARRAY = 0x74
const REGEXP = 0x78

const errorTypes = new Map(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((Type) => [
    Type.name,
    Type,
  ]),
)

/** What a typed array's code stands for, in order. */
const typedArrays = [
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
]
const ARRAY_BUFFER = 16
const DATA_VIEW = 17

const fromPayloads = new Map([
  [BIG_INTEGER, bigInteger],
  [TYPED_ARRAY, typedArray],
])

// What is not registered is refused by the scanner, at its place in the message.
for (const type of fromPayloads.keys()) binding.registerExtension(type)

/** The value of an extension with a payload. */
function fromPayload(type, payload) {
  return fromPayloads.get(type)(payload)
}

/** Big-endian two's complement of any length from 1. */
function bigInteger(payload) {
  const bits = BigInt(payload.length * 8)
  let hex = ''
  for (const byte of payload) hex += byte.toString(16).padStart(2, '0')
  // Without digits this is BigInt(undefined), a TypeError.
  return BigInt.asIntN(Number(bits), BigInt(hex === '' ? undefined : `0x${hex}`))
}

/** A code byte and the memory; always a copy, so that it is aligned. */
function typedArray(payload) {
  const code = payload[0]
  const { buffer } = Uint8Array.prototype.slice.call(
    new Uint8Array(payload.buffer, payload.byteOffset, payload.length),
    1,
  )
  if (code === ARRAY_BUFFER) return buffer
  if (code === DATA_VIEW) return new DataView(buffer)
  const Type = typedArrays[code]
  if (Type === undefined) throw new Error(`Could not find typed array for code ${code}`)
  return new Type(buffer)
}

/** The value of an extension that owns the value behind it. */
function fromValue(type, value) {
  switch (type) {
    case SET:
      return new Set(value)
    case REGEXP:
      return new RegExp(value[0], value[1])
    case ERROR:
      return error(value)
    default:
      throw new Error(`Unknown extension ${type}`)
  }
}

/** Only the built-in constructors are chosen by name; another name becomes a property. */
function error([name, message, cause, errors]) {
  if (name === 'AggregateError') return new AggregateError(errors ?? [], message, { cause })
  const Type = errorTypes.get(name)
  if (Type !== undefined) return new Type(message, { cause })
  return Object.assign(new Error(message, { cause }), { name })
}

function registerReader() {}

module.exports = { fromPayload, fromValue, registerReader }
