'use strict'
// Long keys of objects that are too wide for a shape: V8 hashes and copies a new text before it can be a property,
// which took three quarters of the time of an object with 2,048 keys of 500 characters each. One that was a key at
// the same place before is one already, and comparing texts is several times as fast.

/** Shorter keys are not worth it. */
const LONG_KEY = 32
/** Keys that are kept, and their characters in all. */
const MAX_KEYS = 1 << 12
const MAX_CHARACTERS = 1 << 21

/** Keys by their place in the object. All places are there: a new one could meet what others made of arrays. */
const keys = new Array(MAX_KEYS).fill('')
let characters = 0

/** The same text as `key`, which is the one at place `index`; the one that was there before, if it is that. */
function recurringKey(key, index) {
  if (index >= MAX_KEYS) return key
  const known = keys[index]
  if (known === key) return known
  characters += key.length - known.length
  keys[index] = key
  if (characters > MAX_CHARACTERS) forget()
  return key
}

function forget() {
  for (let i = 0; i < MAX_KEYS; i++) keys[i] = ''
  characters = 0
}

module.exports = { LONG_KEY, recurringKey }
