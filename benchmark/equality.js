'use strict'

// Owns the question whether a decoded value is the one that was encoded, but for what its engine is known
// not to carry.

const { isDeepStrictEqual } = require('node:util')

const keysOf = (object) => Object.keys(object)

/** What a format has for a value, where it has no such type. */
function carried(wanted, { carriesDates, carriesUndefined }) {
  if (wanted instanceof Date && carriesDates === false) return wanted.toJSON()
  if (wanted === undefined && carriesUndefined === false) return null
  return wanted
}

function isPlain(object) {
  return Object.getPrototypeOf(object) === Object.prototype
}

function arrayDifference(actual, wanted, traits, path) {
  if (!Array.isArray(actual) || actual.length !== wanted.length) return path
  for (let i = 0; i < wanted.length; i++) {
    const found = differenceAt(actual[i], wanted[i], traits, `${path}.${i}`)
    if (found !== null) return found
  }
  return null
}

function ownValue(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Whether a property is not told from one that is absent: there as null, or not at all. */
function isCarriedAsNothing(actual, wanted, { carriesUndefined, carriesNull }) {
  const isEmpty = (value) => value === undefined || value === null
  if (!isEmpty(actual)) return false
  return wanted === null
    ? actual === undefined && carriesNull === false
    : wanted === undefined && carriesUndefined === false
}

function objectDifference(actual, wanted, traits, path) {
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) return path
  if (!traits.givesInstances && !isPlain(actual)) return path
  const isLost = (key) => isCarriedAsNothing(ownValue(actual, key), ownValue(wanted, key), traits)
  const isThere = (key) => (traits.hasDefaults ? key in actual : Object.hasOwn(actual, key))
  const expected = keysOf(wanted).filter((key) => !isLost(key))
  const given = keysOf(actual).filter((key) => !isLost(key))
  if (traits.hasDefaults) {
    // An array that was absent is there, and empty.
    const extra = given.find((key) => !Object.hasOwn(wanted, key) && actual[key].length !== 0)
    if (extra !== undefined) return `${path}.${extra}`
  } else if (expected.length !== given.length) {
    return path
  }
  for (const key of expected) {
    const inner = `${path}.${key}`
    if (!isThere(key)) return inner
    const found = differenceAt(actual[key], wanted[key], traits, inner)
    if (found !== null) return found
  }
  return null
}

/**
 * The path to the first part that differs, or null. `traits` are the engine's: `carriesDates` and
 * `carriesUndefined` are false where these become what JSON makes of them, or null; `carriesNull`, where such a property is
 * not set; `givesInstances`, where objects are of classes of its own; `hasDefaults`, where the prototype has what is not set.
 */
function differenceAt(actual, original, traits, path) {
  const wanted = carried(original, traits)
  if (wanted instanceof Uint8Array) {
    // A Buffer and a plain Uint8Array carry the same bytes.
    return actual instanceof Uint8Array && Buffer.compare(actual, wanted) === 0 ? null : path
  }
  if (Array.isArray(wanted)) return arrayDifference(actual, wanted, traits, path)
  // Instances of a class come back as their properties.
  if (wanted !== null && typeof wanted === 'object' && isOfKeys(wanted)) {
    return objectDifference(actual, wanted, traits, path)
  }
  return isDeepStrictEqual(actual, wanted) ? null : path
}

/** Whether an object is its properties, and not a built-in that holds something else. */
function isOfKeys(object) {
  return Object.prototype.toString.call(object) === '[object Object]'
}

module.exports = { differenceAt }
