'use strict'
// Long keys of objects that are too wide for a shape: V8 hashes and copies a new text before it can be a property,
// which took three quarters of the time of an object with 2,048 keys of 500 characters each. One that was a key at
// the same place before is one already, and comparing texts is several times as fast.

/** Shorter keys are not worth it. */
const LONG_KEY = 32
/** Keys that are kept, and their characters in all. */
const MAX_KEYS = 1 << 12
const MAX_CHARACTERS = 1 << 21

/** Keys by their place in the object. */
const keys = []
let characters = 0

/** The same text as `key`, which is the one at place `index`; the one that was there before, if it is that. */
function recurringKey(key, index) {
  if (index < keys.length) {
    const known = keys[index]
    if (known === key) return known
    characters += key.length - known.length
    keys[index] = key
    if (characters > MAX_CHARACTERS) forget()
  } else if (index < MAX_KEYS) {
    // Without holes: keys before it may have been short.
    while (keys.length < index) keys.push('')
    keys.push(key)
    characters += key.length
    if (characters > MAX_CHARACTERS) forget()
  }
  return key
}

function forget() {
  keys.length = 0
  characters = 0
}

module.exports = { LONG_KEY, recurringKey }
