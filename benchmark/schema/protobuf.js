'use strict'

// Owns protobufjs with a schema that is made of the messages themselves.
//
// A message type stands for the objects of one place, whose properties are its fields; null is a field that is not
// set. Where values of several kinds meet, and for arrays of arrays, Protocol Buffers have no type.

const { inferSchema, notCarried } = require('./infer')

const LIBRARY = 'protobufjs'
const SCALARS = { boolean: 'bool', number: 'double', string: 'string', binary: 'bytes' }
/** The only field of messages that are no objects: a message of Protocol Buffers is one. */
const WRAPPED = 'value'

/** Makes `type` have the fields of an object's properties. Returns the type. */
function fillType(protobuf, type, place, path) {
  let id = 0
  for (const [name, property] of place.properties) {
    addField(protobuf, type, { id: ++id, name, place: property.place, path: `${path}.${name}` })
  }
  return type
}

function addField(protobuf, type, { id, name, place, path }) {
  const isRepeated = place.kind === 'array'
  if (isRepeated && place.isNullable) throw notCarried(LIBRARY, path, 'arrays that may be null')
  const element = isRepeated ? place.items : place
  if (isRepeated && element.isNullable) throw notCarried(LIBRARY, path, 'arrays with nulls')
  const typeName = typeOf(protobuf, type, element, `T${id}`, isRepeated ? `${path}[]` : path)
  // Of proto3: a field that is not set can be told from one with the value zero.
  const rule = isRepeated ? 'repeated' : 'optional'
  const options = isRepeated ? {} : { proto3_optional: true }
  type.add(new protobuf.Field(name, id, typeName, rule, undefined, options))
}

/** The name of the type of a value; message types are made within `type`. */
function typeOf(protobuf, type, place, nested, path) {
  const { kind } = place
  if (kind === 'integer') return integerType(place)
  // Never anything but null: no value will be set.
  if (kind === 'null') return 'bool'
  if (kind !== 'object') {
    if (SCALARS[kind] === undefined) throw notCarried(LIBRARY, path, describe(place))
    return SCALARS[kind]
  }
  type.add(fillType(protobuf, new protobuf.Type(nested), place, path))
  return nested
}

/** Larger ones would come back as objects of the package long; doubles carry them. */
function integerType({ min, max }) {
  if (min >= 0 && max < 2 ** 32) return 'uint32'
  return min >= -(2 ** 31) && max < 2 ** 31 ? 'sint32' : 'double'
}

function describe({ kind, kinds }) {
  return kind === 'mixed' ? [...kinds].sort().join(' or ') : kind === 'array' ? 'arrays of arrays' : kind
}

/** A codec of the type of these messages, which `peers` loads the package for. */
function protobufCodec(messages, peers) {
  const protobuf = peers('protobufjs')
  const place = inferSchema(messages)
  const root = new protobuf.Root()
  const message = new protobuf.Type('Message')
  root.add(message)
  if (place.kind === 'object' && !place.isNullable) {
    fillType(protobuf, message, place, 'message')
    return {
      pack: (value) => message.encode(value).finish(),
      unpack: (buffer) => message.decode(buffer),
    }
  }
  addField(protobuf, message, { id: 1, name: WRAPPED, place, path: 'message' })
  return {
    pack: (value) => message.encode({ [WRAPPED]: value }).finish(),
    unpack: (buffer) => message.decode(buffer)[WRAPPED],
  }
}

module.exports = { protobufCodec }
