'use strict'

// Owns fast-json-stringify with a JSON Schema that is made of the messages themselves.

const { inferSchema } = require('./infer')

const TYPES = { boolean: 'boolean', integer: 'integer', number: 'number', string: 'string' }

/** A value of several kinds has no schema: it is written as JSON.stringify writes it. */
function schemaOf(place) {
  const { kind, isNullable } = place
  if (kind === 'object') {
    const properties = [...place.properties].map(([name, property]) => [name, schemaOf(property.place)])
    const required = [...place.properties.keys()].filter((name) => place.isRequired(name))
    return { type: 'object', properties: Object.fromEntries(properties), required, nullable: isNullable }
  }
  if (kind === 'array') return { type: 'array', items: schemaOf(place.items), nullable: isNullable }
  if (kind === 'date') return { type: 'string', format: 'date-time', nullable: isNullable }
  return TYPES[kind] === undefined ? {} : { type: TYPES[kind], nullable: isNullable }
}

/** A codec of the schema of these messages, which `peers` loads the package for. */
function fastJsonCodec(messages, peers) {
  // Its README has this for Node.js 25 and later, whose JSON.stringify its own code does not beat.
  const isNative = Number(process.versions.node.split('.')[0]) >= 25
  const options = isNative ? { objectMechanism: 'native' } : {}
  const stringify = peers('fast-json-stringify')(schemaOf(inferSchema(messages)), options)
  return { pack: (value) => Buffer.from(stringify(value)), unpack: (buffer) => JSON.parse(buffer) }
}

module.exports = { fastJsonCodec }
