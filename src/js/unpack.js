'use strict'
// Unpackr: unpacks messages under its options.

const { types } = require('node:util')
const { adoptOptions, unpackBits } = require('./options.js')
const { read, position, isReading } = require('./build.js')
const { initRecords, beginCall, endCall, clearStructures } = require('./read-structures.js')

/** The bytes of whatever may be unpacked. */
function toBytes(source) {
  if (types.isUint8Array(source)) return source
  if (types.isArrayBuffer(source)) return Buffer.from(source)
  if (types.isUint8ClampedArray(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.length)
  }
  if (types.isTypedArray(source)) return Uint8Array.from(source, Number)
  if (types.isDataView(source)) return new Uint8Array(0)
  const kind = typeof source === 'object' ? source.constructor.name : typeof source
  if (source === undefined) throw new TypeError('Source must be a Uint8Array or Buffer but was undefined')
  throw new Error(`Source must be a Uint8Array or Buffer but was a ${kind}`)
}

/** The end of an input must fit 32 bits. */
const MAX_INPUT = 0xffffffff

function unpackWith(unpackr, bits, source, options) {
  const bytes = source instanceof Uint8Array ? source : toBytes(source)
  const { length } = bytes
  let start = 0
  let end = length
  if (options !== undefined) {
    if (typeof options === 'object') {
      // null throws here, as it does in msgpackr.
      end = Number(options.end) || length
      start = Math.trunc(Number(options.start) || 0)
    } else if (options > -1) {
      end = Number(options)
    }
    if (end > length) end = length
    if (end < 0) end = 0
    // Where there is nothing, nothing is read.
    if (!(start >= 0 && start <= end)) start = end
  }
  if (end > MAX_INPUT) throw new RangeError(`Input of ${end} bytes is too large to unpack`)
  const value = read(unpackr, bits, bytes, start, end, null)
  if (position() < end) throw new Error(`Data read, but end of buffer not reached ${preview(value)}`)
  return value
}

/** Units of text that an error shows of a value. */
const PREVIEW = 100

/** The start of a value as JSON, for an error. Each part gives a unit at least, so most are left out. */
function preview(value) {
  let parts = 0
  try {
    const text = JSON.stringify(value, (_, part) => {
      if (part === undefined || parts > PREVIEW) return undefined
      parts++
      return typeof part === 'bigint' ? `${part}n` : part
    })
    return text.slice(0, PREVIEW)
  } catch (error) {
    return `(JSON view not available ${error})`
  }
}

/** Shared memory is copied, once and not for each value, as another thread may be writing it. */
function ownBytes(bytes) {
  if (!types.isSharedArrayBuffer(bytes.buffer)) return bytes
  return Buffer.isBuffer(bytes) ? Buffer.from(bytes) : new Uint8Array(bytes)
}

/** Reads the value of `bytes` from `start`, as a part of a call of beginCall. Where it ended is `position()`. */
function readValue(unpackr, bytes, start, end, call) {
  return read(unpackr, unpackBits(unpackr), bytes, start, end, call)
}

function unpackMultipleWith(unpackr, bits, source, forEach) {
  const bytes = ownBytes(source instanceof Uint8Array ? source : toBytes(source))
  const { length } = bytes
  if (length > MAX_INPUT) throw new RangeError(`Input of ${length} bytes is too large to unpack`)
  let values
  let start = 0
  const call = beginCall(unpackr, bytes, isReading(unpackr))
  try {
    // An empty source is an incomplete value, not an empty list.
    for (let end = 0; end < length || end === 0; ) {
      start = end
      const value = read(unpackr, bits, call.input, start, length, call)
      end = position()
      if (forEach) {
        if (forEach(value, start, end) === false) return undefined
      } else if (values === undefined) {
        values = [value]
      } else {
        values.push(value)
      }
    }
    return values
  } catch (error) {
    if (error !== null && typeof error === 'object') {
      error.lastPosition = start
      error.values = values
    }
    throw error
  } finally {
    endCall(call)
  }
}

/** Gives an instance the array of structures that its options ask for without giving it. */
function adoptStructures(instance) {
  if (instance.sequential && instance.trusted !== false) instance.trusted = true
  const { structures, sequential, useRecords, getStructures } = instance
  if (!structures && ((sequential && useRecords !== false) || getStructures)) instance.structures = []
  initRecords(instance)
}

/** Unpacks MessagePack under the options it was made with. */
class Unpackr {
  /** The package structon asks for this; the hooks that it would set are not called here. */
  static SUPPORTS_STRUCT_HOOKS = false

  constructor(options) {
    adoptOptions(this, options)
    adoptStructures(this)
  }

  /** Detached from its instance, this has the module's options. */
  unpack(source, options) {
    return this instanceof Unpackr
      ? unpackWith(this, unpackBits(this), source, options)
      : unpack(source, options)
  }

  decode(source, options) {
    return this.unpack(source, options)
  }

  unpackMultiple(source, forEach) {
    return this instanceof Unpackr
      ? unpackMultipleWith(this, unpackBits(this), source, forEach)
      : unpackMultiple(source, forEach)
  }

  /** Forgets the shared structures, and what was defined by messages. */
  clearSharedData() {
    clearStructures(this)
  }
}

const moduleUnpackr = new Unpackr({ useRecords: false })
const moduleBits = unpackBits(moduleUnpackr)

/** Unpacks one message with the module's options: maps become objects. */
function unpack(source, options) {
  return unpackWith(moduleUnpackr, moduleBits, source, options)
}

/** Unpacks all values of `source`, or hands each to `forEach`. */
function unpackMultiple(source, forEach) {
  return unpackMultipleWith(moduleUnpackr, moduleBits, source, forEach)
}

module.exports = { Unpackr, unpack, unpackMultiple, toBytes, ownBytes, readValue }
