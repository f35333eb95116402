'use strict'
// What kind of built-in an object is, also when it comes from another realm (a vm context, a test
// runner), where `instanceof` fails.

const { types } = require('node:util')

const { getPrototypeOf } = Object
const ObjectPrototype = Object.prototype

/** The value of MessagePack's byte 0xc1, which the specification never uses. */
class C1Type {}
const C1 = new C1Type()
C1.name = 'MessagePack 0xC1'

/** Whether the end of an object's prototype chain is another realm's. */
function isForeign(object) {
  let last = object
  for (let next = getPrototypeOf(last); next !== null; next = getPrototypeOf(last)) last = next
  return last !== ObjectPrototype && last !== object
}

const NONE = 0
const DATE = 1
const SET = 2
const ERROR = 3
const REGEXP = 4
const ARRAY_BUFFER = 5
const VIEW = 6
const MAP = 7
const UNUSED = 8

/** Kind of an object that is neither plain nor an array. */
function kindOf(object) {
  if (ArrayBuffer.isView(object)) return VIEW
  if (object instanceof Date) return DATE
  if (object instanceof Map) return MAP
  if (object instanceof Set) return SET
  if (object instanceof Error) return ERROR
  if (object instanceof RegExp) return REGEXP
  if (object instanceof ArrayBuffer) return ARRAY_BUFFER
  if (object === C1) return UNUSED
  return isForeign(object) ? foreignKindOf(object) : NONE
}

function foreignKindOf(object) {
  if (types.isDate(object)) return DATE
  if (types.isMap(object)) return MAP
  if (types.isSet(object)) return SET
  if (types.isNativeError(object)) return ERROR
  if (types.isRegExp(object)) return REGEXP
  if (types.isArrayBuffer(object)) return ARRAY_BUFFER
  return NONE
}

/** The class of each kind, as far as a subclass of it may choose its own toJSON. */
const exactTypes = [undefined, Date, Set, Error, RegExp, ArrayBuffer, undefined, Map]

/** A subclass of a built-in with a toJSON of its own is written as what that gives. */
function prefersToJSON(value, kind, Type) {
  if (kind === VIEW || kind === UNUSED || Type === exactTypes[kind]) return false
  const { toJSON } = value
  return toJSON !== undefined && toJSON !== Date.prototype.toJSON && !isForeignDateJSON(kind, value)
}

/** Dates of another realm have that realm's toJSON, which is no choice of the user's. */
function isForeignDateJSON(kind, value) {
  return kind === DATE && !(value instanceof Date) && !Object.hasOwn(value, 'toJSON')
}

module.exports = {
  prefersToJSON,
  C1,
  kindOf,
  NONE,
  DATE,
  SET,
  ERROR,
  REGEXP,
  ARRAY_BUFFER,
  VIEW,
  MAP,
  UNUSED,
}
