'use strict'
// Properties of the objects that are read: which one a key of any kind names, and how it is made. Also texts
// of other values, made with care: converted as usual, arrays that hold each other could take forever.

const objectPrototype = Object.prototype

/**
 * The name that a key stands for; throws where it stands for none. `charge` is told how long the text is
 * that is made for it, `arrays` says that an array may be a key.
 */
function propertyKey(key, charge, arrays) {
  switch (typeof key) {
    case 'string':
      return key
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(key)
    case 'bigint':
      return charged(String(key), charge)
    default:
      if (key === null) return 'null'
      if (arrays && Array.isArray(key)) return arrayKey(key, charge)
      throw notAKey(key)
  }
}

function notAKey(key) {
  return new Error(
    `Invalid property type for record: ${typeof key}. A MessagePack map with non-string keys can be ` +
      'decoded as a Map with mapsAsObjects: false',
  )
}

function charged(text, charge) {
  charge(text.length)
  return text
}

/** The text of an array of texts and numbers, in which arrays of the same count as their elements. */
function arrayKey(key, charge) {
  const parts = []
  const add = (element) => {
    switch (typeof element) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'bigint':
        charge(1)
        parts.push(charged(String(element), charge))
        return
      default:
        throw notAKey(key)
    }
  }
  for (const element of key) {
    if (Array.isArray(element)) {
      charge(1)
      for (const inner of element) add(inner)
    } else {
      add(element)
    }
  }
  return parts.join(',')
}

/** A value as text, where a text is wanted; undefined stays what it is. */
function textOf(value, charge) {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null) return charged(String(value), charge)
  if (!Array.isArray(value)) return Object.prototype.toString.call(value)
  const parts = value.map((element) => {
    charge(1)
    return element === null || element === undefined ? '' : textOf(element, charge)
  })
  return parts.join(',')
}

/**
 * Makes an own property of a plain object, whatever Object.prototype has under that key. Asking that and not the
 * object itself is faster where the object has many keys already.
 */
function define(target, key, element) {
  if (key in objectPrototype) {
    Object.defineProperty(target, key, {
      __proto__: null,
      value: element,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  } else {
    target[key] = element
  }
}

/** Keys of Object.prototype by length and first character, as far as that tells them from most others. */
const PLACES = 1 << 8
/** Where nothing is known of it. */
const EVERY_PLACE = new Uint8Array(PLACES).fill(1)

function placeOf(key) {
  return (key.length * 31 + key.charCodeAt(0)) & (PLACES - 1)
}

/**
 * Which keys Object.prototype may have now: a byte for each place. Asking that itself for each key takes a fifth of
 * the time of a wide object.
 */
function inheritedPlaces() {
  const places = new Uint8Array(PLACES)
  for (const name of Object.getOwnPropertyNames(objectPrototype)) places[placeOf(name)] = 1
  return places
}

/** The same as `define`, where Object.prototype has been like that since `places` were made. */
function defineAmong(places, target, key, element) {
  if (places[placeOf(key)] === 0) target[key] = element
  else define(target, key, element)
}

module.exports = { propertyKey, textOf, define, defineAmong, inheritedPlaces, EVERY_PLACE }
