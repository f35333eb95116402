'use strict'
// The extensions that programs register, of one set for all packrs: those with a class, for packing, and the
// check of each.

const { registerReader } = require('./extensions.js')

/** Extensions whose instances are packed by them, the newest first. */
const classes = []

/** Registers an extension for all instances, for good. */
function addExtension(extension) {
  const { Class, type, pack, write } = extension
  if (Class) {
    if (!pack && !write) throw new Error('Extension has no pack or write function')
    if (pack && !type) throw new Error('Extension has no type (numeric code to identify the extension)')
  }
  registerReader(extension)
  if (Class) classes.unshift(extension)
}

/** The newest extension for `value`, or undefined. */
function extensionOf(value) {
  for (let i = 0; i < classes.length; i++) if (value instanceof classes[i].Class) return classes[i]
  return undefined
}

module.exports = { addExtension, classes, extensionOf }
