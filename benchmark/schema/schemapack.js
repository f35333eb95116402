'use strict'

// Owns schemapack with a schema that is made of the messages themselves. It has no null, and objects always have all
// their properties.

const { inferSchema, notCarried } = require('./infer')

const LIBRARY = 'schemapack'
const SCALARS = { boolean: 'boolean', number: 'float64', string: 'string', binary: 'buffer' }

function schemaOf(place, path) {
  if (place.isNullable) throw notCarried(LIBRARY, path, 'values that may be null')
  const { kind } = place
  if (kind === 'integer') return integerType(place)
  if (kind === 'array') {
    if (place.items.kinds.size === 0) throw notCarried(LIBRARY, path, 'arrays that are always empty')
    return [schemaOf(place.items, `${path}[]`)]
  }
  if (kind === 'object') {
    return Object.fromEntries(
      [...place.properties].map(([name, property]) => {
        if (!place.isRequired(name)) throw notCarried(LIBRARY, path, `objects without ${name}`)
        return [name, schemaOf(property.place, `${path}.${name}`)]
      }),
    )
  }
  if (SCALARS[kind] === undefined) throw notCarried(LIBRARY, path, [...place.kinds].sort().join(' or '))
  return SCALARS[kind]
}

/** Its integers of variable length end at 30 bits. */
function integerType({ min, max }) {
  if (min >= 0 && max < 2 ** 30) return 'varuint'
  return min >= -(2 ** 29) && max < 2 ** 29 ? 'varint' : 'float64'
}

/** A codec of the schema of these messages, which `peers` loads the package for. */
function schemapackCodec(messages, peers) {
  const schema = peers('schemapack').build(schemaOf(inferSchema(messages), 'message'))
  return { pack: (value) => schema.encode(value), unpack: (buffer) => schema.decode(buffer) }
}

module.exports = { schemapackCodec }
