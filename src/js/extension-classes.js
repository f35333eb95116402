'use strict'
// The extensions that programs register, of one set for all packrs: those with a class, for packing, and the
// check of each.

const { types } = require('node:util')
const { registerReader } = require('./extensions.js')
const { setExtensionPrototypes } = require('./heap-roots.js')

/** Classes and the extensions that pack their instances, the newest first. */
const classes = []

/** The prototypes that make an object an instance of one of them. */
const prototypes = []
/** Whether an object may become an instance in any other way. */
let isAny = false

const hasInstance = Function.prototype[Symbol.hasInstance]

/**
 * The prototype that the instances of a class inherit from, if nothing else can make an object one; else null. That of
 * a function that is no class can be replaced, and one with an own idea of its instances says what it likes.
 */
function prototypeOf(Class) {
  if (typeof Class !== 'function' || types.isProxy(Class) || Class[Symbol.hasInstance] !== hasInstance)
    return null
  const own = Object.getOwnPropertyDescriptor(Class, 'prototype')
  const isFixed = own !== undefined && own.writable === false
  return isFixed && typeof own.value === 'object' ? own.value : null
}

/** Has the heap walker leave the instances of a class to the other one. */
function leaveToTape(Class) {
  const prototype = prototypeOf(Class)
  if (prototype === null) isAny = true
  else prototypes.push(prototype)
  setExtensionPrototypes(prototypes, isAny)
}

/** Registers an extension for all instances, for good. */
function addExtension(extension) {
  const { Class, type, pack, write } = extension
  if (Class) {
    if (!pack && !write) throw new Error('Extension has no pack or write function')
    if (pack && !type) throw new Error('Extension has no type (numeric code to identify the extension)')
  }
  if (Class && typeof Class !== 'function' && typeof Class[Symbol.hasInstance] !== 'function') {
    throw new TypeError('The Class of an extension must be a constructor')
  }
  registerReader(extension)
  if (!Class) return
  leaveToTape(Class)
  classes.unshift({ Class, extension })
}

/** The newest extension for `value`, or undefined. */
function extensionOf(value) {
  for (let i = 0; i < classes.length; i++) if (value instanceof classes[i].Class) return classes[i].extension
  return undefined
}

module.exports = { addExtension, classes, extensionOf, prototypeOf }
