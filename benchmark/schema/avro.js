'use strict'

// Owns avsc with a schema that is made of the messages themselves.

/**
 * The schema with numbers that are not whole as doubles: what avsc infers are floats of 32 bits, which change them.
 */
function withDoubles(schema) {
  if (schema === 'float') return 'double'
  if (Array.isArray(schema)) return schema.map(withDoubles)
  if (schema === null || typeof schema !== 'object') return schema
  const changed = { ...schema, type: withDoubles(schema.type) }
  if (schema.items !== undefined) changed.items = withDoubles(schema.items)
  if (schema.values !== undefined) changed.values = withDoubles(schema.values)
  if (schema.fields !== undefined) changed.fields = schema.fields.map(withDoubles)
  return changed
}

/** A codec of the type of these messages, which `peers` loads avsc for. */
function avroCodec(messages, peers) {
  const { Type } = peers('avsc')
  // Several messages have one type, as elements of an array do.
  const inferred = messages.length === 1 ? Type.forValue(messages[0]) : Type.forValue(messages).itemsType
  const type = Type.forSchema(withDoubles(inferred.schema({ exportAttrs: true })))
  return { pack: (value) => type.toBuffer(value), unpack: (buffer) => type.fromBuffer(buffer) }
}

module.exports = { avroCodec }
