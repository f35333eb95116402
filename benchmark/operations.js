'use strict'

// Owns the operations that are measured, packing and unpacking by one engine,
// and the checking of their results before and after.

const { isDeepStrictEqual } = require('node:util')
const { named } = require('./codecs')

// What decoding gives back: plain objects, and Dates where they are carried.
function expected(value, carriesDates) {
  if (value instanceof Date) return carriesDates ? value : value.toJSON()
  if (Array.isArray(value)) {
    return value.map((element) => expected(element, carriesDates))
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expected(inner, carriesDates)]))
}

// The path to the first part that differs: a diff of the whole would be endless.
function differenceAt(actual, wanted, path) {
  const inner =
    actual !== null && wanted !== null && typeof actual === 'object' && typeof wanted === 'object'
      ? Object.keys(wanted).find((key) => !isDeepStrictEqual(actual[key], wanted[key]))
      : undefined
  if (inner === undefined) return path
  return differenceAt(actual[inner], wanted[inner], `${path}.${inner}`)
}

function requireEqual(actual, wanted, index) {
  if (isDeepStrictEqual(actual, wanted)) return
  const path = differenceAt(actual, wanted, `message ${index}`)
  throw new Error(`the decoded value differs at ${path}`)
}

function requireSameBytes(actual, wanted, fault) {
  if (Buffer.compare(actual, wanted) !== 0) throw new Error(fault)
}

// Copies, so that each input has memory of its own, whatever its engine did.
function packAll(pack, messages) {
  return messages.map((message) => Buffer.from(pack(message)))
}

// The twin's bytes as wanted output and as input. Where the twin is missing,
// the engine is checked by what it reads back of its own.
function twinBytes(codec, messages) {
  if (!codec.twin) return null
  try {
    return packAll(named(codec.twin).load().pack, messages)
  } catch {
    return null
  }
}

function packOperation(codec, engine, messages, wanted) {
  const twin = twinBytes(codec, messages)
  const held = messages.map((message) => engine.pack(message))
  const copies = held.map((bytes) => Buffer.from(bytes))

  // Ends with unpacking for every engine alike: one that has unpacked less than
  // another by the time it is measured was seen to be several percent slower.
  function check() {
    messages.forEach((message, index) => {
      const overwritten = `the result of message ${index} was overwritten`
      requireSameBytes(held[index], copies[index], overwritten)
      const bytes = engine.pack(message)
      const differs = `message ${index} is not packed as by ${codec.twin}`
      if (twin) requireSameBytes(bytes, twin[index], differs)
      requireEqual(engine.unpack(bytes), wanted[index], index)
    })
  }

  return { operate: engine.pack, inputs: messages, check }
}

// Packs even where the twin's bytes are the input: an engine with structures
// gets to know those of the messages by that.
function unpackOperation(codec, engine, messages, wanted) {
  const own = packAll(engine.pack, messages)
  const inputs = twinBytes(codec, messages) || own

  function check() {
    inputs.forEach((input, index) => {
      const value = engine.unpack(input)
      requireEqual(value, wanted[index], index)
      if (value === Object(value) && value === engine.unpack(input)) {
        throw new Error(`message ${index} is unpacked to the same object twice`)
      }
    })
  }

  return { operate: engine.unpack, inputs, check }
}

const makers = { pack: packOperation, unpack: unpackOperation }

function firstLine(error) {
  return String(error?.message || error).split('\n')[0]
}

// Why the results are wrong now, or null.
function faultOf(check) {
  try {
    check()
    return null
  } catch (error) {
    return firstLine(error)
  }
}

// An operation that cannot run or gives a wrong result has a `fault` that says
// why, and is not to be measured.
function prepare(codec, direction, messages) {
  const operation = {
    engine: codec.name,
    direction,
    label: codec.usage[direction],
  }
  try {
    const wanted = messages.map((message) => expected(message, codec.carriesDates))
    Object.assign(operation, makers[direction](codec, codec.load(), messages, wanted))
    return { ...operation, fault: faultOf(operation.check) }
  } catch (error) {
    return { ...operation, fault: firstLine(error) }
  }
}

function recheck(operation) {
  return operation.fault || faultOf(operation.check)
}

module.exports = { prepare, recheck }
