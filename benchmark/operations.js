'use strict'

// Owns the operations that are measured, packing and unpacking by one engine,
// and the checking of their results before and after.

const { named } = require('./codecs')
const { differenceAt } = require('./equality')
const { requirePeer } = require('./peers')

function requireEqual(actual, wanted, traits, index) {
  const path = differenceAt(actual, wanted, traits, `message ${index}`)
  if (path !== null) throw new Error(`the decoded value differs at ${path}`)
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
function twinBytes(codec, messages, peers) {
  if (!codec.twin) return null
  try {
    return packAll(named(codec.twin).load(peers, messages).pack, messages)
  } catch {
    return null
  }
}

function lengthOf(buffers) {
  return buffers.reduce((sum, { length }) => sum + length, 0)
}

function packOperation(codec, engine, messages, peers) {
  const twin = twinBytes(codec, messages, peers)
  const copies = []
  const held = messages.map((message) => {
    const bytes = engine.pack(message)
    // At once, before the next one could be written over it.
    copies.push(Buffer.from(bytes))
    return bytes
  })

  // Ends with unpacking for every engine alike: one that has unpacked less than
  // another by the time it is measured was seen to be several percent slower.
  function check() {
    messages.forEach((message, index) => {
      const overwritten = `the result of message ${index} was overwritten`
      requireSameBytes(held[index], copies[index], overwritten)
      const bytes = engine.pack(message)
      const differs = `message ${index} is not packed as by ${codec.twin}`
      if (twin) requireSameBytes(bytes, twin[index], differs)
      requireEqual(readBack(engine, bytes), message, codec, index)
    })
  }

  return { operate: engine.pack, inputs: messages, size: lengthOf(copies), check }
}

function readBack(engine, bytes) {
  try {
    return engine.unpack(bytes)
  } catch (error) {
    throw new Error(`it cannot read what it wrote: ${firstLine(error)}`)
  }
}

// Packs even where the twin's bytes are the input: an engine with structures
// gets to know those of the messages by that.
function unpackOperation(codec, engine, messages, peers) {
  const own = engine.pack ? packAll(engine.pack, messages) : null
  const inputs = twinBytes(codec, messages, peers) || own
  if (inputs === null) throw new Error(`needs ${codec.twin}, whose bytes it reads`)

  function check() {
    inputs.forEach((input, index) => {
      const value = engine.unpack(input)
      requireEqual(value, messages[index], codec, index)
      if (value === Object(value) && value === engine.unpack(input)) {
        throw new Error(`message ${index} is unpacked to the same object twice`)
      }
    })
  }

  return { operate: engine.unpack, inputs, size: lengthOf(inputs), check }
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

// Whether an engine's package is not there, as opposed to not working.
function isMissing(error, codec) {
  return error?.code === 'MODULE_NOT_FOUND' && String(error.message).includes(`'${codec.peer}'`)
}

/**
 * The operation of an engine, with the packages that `peers` loads. One that cannot run or gives a wrong result
 * has a `fault` that says why, and is not to be measured; `isMissing` says that its package is not there.
 */
function prepare(codec, direction, messages, peers = requirePeer) {
  const operation = { engine: codec.name, twin: codec.twin, direction, label: codec.usage[direction] }
  try {
    const engine = codec.load(peers, messages)
    Object.assign(operation, makers[direction](codec, engine, messages, peers))
    return { ...operation, fault: faultOf(operation.check) }
  } catch (error) {
    if (!isMissing(error, codec)) return { ...operation, fault: firstLine(error) }
    return { ...operation, fault: `${codec.peer} is not installed`, isMissing: true }
  }
}

function recheck(operation) {
  return operation.fault || faultOf(operation.check)
}

module.exports = { prepare, recheck }
