'use strict'
// Errors that are read. They are made before what they are caused by, which may refer to them.

const { types } = require('node:util')
const { textOf } = require('./properties.js')

const errorTypes = new Map(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((Type) => [
    Type.name,
    Type,
  ]),
)

/** Only the built-in constructors are chosen by name; another name becomes a property. */
function makeError(name, message, charge) {
  const text = textOf(message, charge)
  // An own property from the start, as it is where the cause is given at once.
  const options = { cause: undefined }
  if (name === 'AggregateError') return new AggregateError([], text, options)
  const Type = errorTypes.get(name)
  if (Type !== undefined) return new Type(text, options)
  return Object.assign(new Error(text, options), { name })
}

/** Gives an error that was made by the above its part number `index`, from the cause on. */
function completeError(error, index, part, charge) {
  if (index === 2) {
    error.cause = part
  } else if (index === 3 && error instanceof AggregateError && part) {
    charge(sizeOf(part))
    error.errors = [...part]
  }
}

/** How many elements a collection has, as far as that can be told. */
function sizeOf(collection) {
  if (Array.isArray(collection) || typeof collection === 'string') return collection.length
  if (types.isTypedArray(collection)) return collection.length
  return collection instanceof Set || collection instanceof Map ? collection.size : 0
}

/** The error of an array of name, message, cause and errors. */
function errorOf(parts, charge) {
  const error = makeError(parts[0], parts[1], charge)
  completeError(error, 2, parts[2], charge)
  completeError(error, 3, parts[3], charge)
  return error
}

module.exports = { makeError, completeError, errorOf, sizeOf }
