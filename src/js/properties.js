'use strict'
// Properties of the objects that are read: which one a key of any kind names, and how it is made.

/** The name that a key stands for; throws where it stands for none. */
function propertyKey(key) {
  switch (typeof key) {
    case 'string':
      return key
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'undefined':
      return String(key)
    default:
      if (key === null) return 'null'
      throw new Error(
        `Invalid property type for record: ${typeof key}. A MessagePack map with non-string keys can be ` +
          'decoded as a Map with mapsAsObjects: false',
      )
  }
}

/** Makes an own property, whatever the prototype has under that key. */
function define(target, key, element) {
  if (key in target) {
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

module.exports = { propertyKey, define }
