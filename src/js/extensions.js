'use strict'
// Readers of extensions: those of the types that are known without being registered, and those that users
// register.
//
// A reader has a number, which is what the tape names: a message goes on with the readers that it began with
// when a callback registers others.

const process = require('node:process')
const binding = require('./binding.js')
const { reader: takes } = require('./tape.js')
const { errorOf, sizeOf } = require('./errors.js')
const { textOf } = require('./properties.js')
const { embedded } = require('./user-code.js')

const UNDEFINED = 0x00
const BIG_INTEGER = 0x42
const BUNDLE = 0x62
const ERROR = 0x65
const TARGET = 0x69
const POINTER = 0x70
const RECORD = 0x72
const SET = 0x73
const TYPED_ARRAY = 0x74
const REGEXP = 0x78
const TIMESTAMP = 0xff

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

/** All readers, by number. */
const readers = []
/** The types that have any. */
const hasReader = new Set()

function addReader(type, kind, reader) {
  // What has no reader is refused by the scanner, at its place in the message.
  binding.setExtensionReader(type, kind, readers.length)
  readers.push(reader)
  hasReader.add(type)
}

/** Big-endian two's complement of any length from 1. */
function bigInteger(payload) {
  const { buffer, byteOffset, length } = payload
  // Without digits this is BigInt(undefined), a TypeError.
  const digits = length === 0 ? undefined : `0x${Buffer.from(buffer, byteOffset, length).toString('hex')}`
  return BigInt.asIntN(length * 8, BigInt(digits))
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

function regExp(parts, charge) {
  const source = parts[0]
  const flags = parts[1]
  // It is compiled again wherever it is referred to as a source.
  if (source instanceof RegExp) charge(source.source.length)
  return new RegExp(source instanceof RegExp ? source : textOf(source, charge), textOf(flags, charge))
}

/** Reader of the one value that follows. */
class ValueReader {
  constructor(fromValue) {
    this.fromValue = fromValue
  }
}

/** Reader of a payload. */
class PayloadReader {
  constructor(fromPayload) {
    this.fromPayload = fromPayload
  }

  /** Whether it wants to be given the payload of this form. */
  needsPayload() {
    return true
  }
}

/** The error's parts and the set's elements may refer to it, so the builder fills these two itself. */
const errorReader = new ValueReader(errorOf)
const setReader = new ValueReader((elements, charge) => {
  charge(sizeOf(elements))
  return new Set(elements)
})

addReader(UNDEFINED, takes.UNDEFINED, null)
addReader(TIMESTAMP, takes.TIMESTAMP, null)
addReader(TARGET, takes.TARGET, null)
addReader(POINTER, takes.POINTER, null)
addReader(BUNDLE, takes.BUNDLE, null)
addReader(BIG_INTEGER, takes.PAYLOAD, new PayloadReader(bigInteger))
addReader(TYPED_ARRAY, takes.PAYLOAD, new PayloadReader(typedArray))
addReader(ERROR, takes.VALUE, errorReader)
addReader(SET, takes.VALUE, setReader)
addReader(REGEXP, takes.VALUE, new ValueReader(regExp))

/** An `unpack` that a user gave. */
class UserPayloadReader {
  constructor(unpack) {
    this.unpack = unpack
    this.takesMore = true
  }

  needsPayload(isShort) {
    return !(isShort && this.unpack.noBuffer)
  }

  /** Called without a receiver. The one-byte form has no `readAt`. */
  fromPayload(payload, isShort, readAt) {
    const { unpack } = this
    return embedded(() => {
      if (payload === undefined) return unpack()
      return isShort ? unpack(payload) : unpack(payload, readAt)
    })
  }
}

/** What instances of these are does not lie in their properties. */
const EXOTIC = new Set(
  [
    Array,
    Map,
    Set,
    WeakMap,
    WeakSet,
    Date,
    RegExp,
    Error,
    Promise,
    Function,
    ArrayBuffer,
    SharedArrayBuffer,
    DataView,
    Object.getPrototypeOf(Uint8Array),
  ].map(({ prototype }) => prototype),
)

function isOrdinary(prototype) {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at)) if (EXOTIC.has(at)) return false
  return true
}

/** An extension with a `read`, which is for the one-byte form. */
class UserValueReader {
  constructor(extension, type) {
    this.extension = extension
    this.type = type
  }

  fromValue(value) {
    return embedded(() => this.extension.read(value))
  }

  /**
   * What references within the value give, which gets the contents of what is read; undefined if that may be the
   * value itself.
   */
  standIn(isFrozen) {
    const { Class } = this.extension
    if (typeof Class === 'function' && typeof Class.prototype === 'object' && isOrdinary(Class.prototype))
      return Object.create(Class.prototype)
    return isFrozen ? {} : undefined
  }

  needsPayload() {
    return true
  }

  fromPayload() {
    throw new TypeError(`Extension ${this.type} has no unpack function`)
  }
}

/** Codes outside the range for users that have a meaning, and whether there was a warning. */
const reserved = new Map(
  [UNDEFINED, ERROR, TARGET, POINTER, RECORD, SET, TYPED_ARRAY, REGEXP, TIMESTAMP].map((code) => [
    code,
    false,
  ]),
)

function warnOnce(type, code) {
  if (reserved.get(code) !== false) return
  reserved.set(code, true)
  process.emitWarning(
    `Extension type ${type} has the code 0x${code.toString(16)} of a built-in type, which it replaces when ` +
      'messages are unpacked; use a type from 1 to 100',
    { code: 'FERROPACK_EXTENSION_TYPE' },
  )
}

/** Registers how values of `extension` are read, if it has a type. Of the type the low 8 bits count. */
function registerReader(extension) {
  const type = Number(extension.type)
  if (extension.type === null || !Number.isFinite(type)) return
  const code = type & 0xff
  if (extension.unpack) {
    addReader(code, takes.PAYLOAD_AND_MORE, new UserPayloadReader(extension.unpack))
  } else if (extension.read) {
    addReader(code, takes.VALUE_OF_SHORT, new UserValueReader(extension, type))
  } else {
    // What it only packs has no reader; one that there is stays.
    if (!hasReader.has(code)) addReader(code, takes.PAYLOAD, new UserValueReader(extension, type))
    return
  }
  warnOnce(type, code)
}

module.exports = { readers, errorReader, setReader, registerReader }
