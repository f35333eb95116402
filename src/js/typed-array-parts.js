'use strict'
// What a typed array is a view of, by the getters that all of them inherit: own properties of the same names are no
// business of ours, and no user code runs.

const uncurry = (getter) => Function.prototype.call.bind(getter)
const getterOf = (name) => {
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype)
  return uncurry(Object.getOwnPropertyDescriptor(typedArray, name).get)
}

module.exports = {
  /** The name of its class; undefined for what is no typed array. */
  tagOf: getterOf(Symbol.toStringTag),
  /** Its memory. */
  bufferOf: getterOf('buffer'),
  /** Where in that it begins, in bytes. */
  offsetOf: getterOf('byteOffset'),
}
