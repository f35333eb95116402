'use strict'

// Owns the schema of messages as they are: what kinds of values stand where, which properties are always there.
// Libraries that need a schema get theirs made of this one.

const { types } = require('node:util')

/**
 * What may stand at one place. `kinds` are of: null, boolean, integer, number, string, binary, date, array, object,
 * and `other` for what no schema has a type for.
 */
class Place {
  constructor() {
    this.kinds = new Set()
    /** Range of the numbers. */
    this.min = Number.POSITIVE_INFINITY
    this.max = Number.NEGATIVE_INFINITY
    /** Properties by name, in the order in which they were met, and how many objects there were. */
    this.properties = new Map()
    this.objects = 0
    /** What the arrays hold, and their lengths. */
    this.items = null
    this.lengths = new Set()
  }

  add(value) {
    const kind = kindOf(value)
    this.kinds.add(kind)
    if (kind === 'integer' || kind === 'number') {
      this.min = Math.min(this.min, value)
      this.max = Math.max(this.max, value)
    } else if (kind === 'array') {
      this.lengths.add(value.length)
      this.items ??= new Place()
      for (const element of value) this.items.add(element)
    } else if (kind === 'object') {
      this.objects++
      for (const key of Object.keys(value)) {
        let property = this.properties.get(key)
        if (property === undefined) {
          property = { count: 0, place: new Place() }
          this.properties.set(key, property)
        }
        property.count++
        property.place.add(value[key])
      }
    }
    return this
  }

  /** Whether null stands here, too. */
  get isNullable() {
    return this.kinds.has('null')
  }

  /** Whether all objects here have the property. */
  isRequired(name) {
    return this.properties.get(name).count === this.objects
  }

  /**
   * The one kind of value beside null, `null` where there is nothing else, or `mixed`. Integers among numbers
   * are numbers.
   */
  get kind() {
    const kinds = new Set(this.kinds)
    kinds.delete('null')
    if (kinds.has('number')) kinds.delete('integer')
    if (kinds.size === 0) return 'null'
    return kinds.size === 1 ? [...kinds][0] : 'mixed'
  }
}

function kindOf(value) {
  if (value === null || value === undefined) return 'null'
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return typeof value
    case 'number':
      // Minus zero is no integer where integers have no sign for it.
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'integer' : 'number'
    case 'object':
      if (Array.isArray(value)) return 'array'
      if (types.isDate(value)) return 'date'
      if (types.isUint8Array(value)) return 'binary'
      return types.isMap(value) || types.isSet(value) ? 'other' : 'object'
    default:
      return 'other'
  }
}

/** The schema of all messages. */
function inferSchema(messages) {
  const place = new Place()
  for (const message of messages) place.add(message)
  return place
}

/** An error that says why a library cannot carry what stands at a path. */
function notCarried(library, path, what) {
  return new Error(`${library} has no type for ${what} at ${path}`)
}

module.exports = { inferSchema, notCarried }
