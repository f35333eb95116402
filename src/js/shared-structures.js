'use strict'
// What is known of a `structures` array: which key list has which slot. Packrs that were given the same array
// share it.

const states = new WeakMap()

/** One string for a key list. */
function textOf(keys) {
  let text = ''
  for (const key of keys) text += `${key.length}:${key}`
  return text
}

class ShareState {
  constructor(array) {
    this.array = array
    /** Changes when slots get another meaning. */
    this.epoch = 0
    /** Slots by the text of their keys, for as many entries as were looked at. */
    this.slots = new Map()
    this.length = 0
  }

  /** Takes in what was appended to the array, or taken away, by others. */
  update() {
    const { array } = this
    if (array.length < this.length) {
      this.epoch++
      this.slots.clear()
      this.length = 0
    }
    for (; this.length < array.length; this.length++) {
      const keys = array[this.length]
      if (!Array.isArray(keys)) continue
      this.slots.set(textOf(keys.map(String)), this.length)
    }
  }

  /** Appends a key list; the result is its slot. */
  add(keys, text) {
    const slot = this.array.length
    // A copy, as the array is its owner's.
    this.array.push(keys.slice())
    this.slots.set(text, slot)
    this.length = this.array.length
    return slot
  }

  /** Takes away what was appended behind `length` entries. */
  truncate(length) {
    if (this.array.length > length) this.array.length = length
    this.update()
  }
}

/** What is known of an array. */
function shareStateOf(array) {
  let state = states.get(array)
  if (state === undefined) {
    state = new ShareState(array)
    states.set(array, state)
  }
  return state
}

module.exports = { shareStateOf, textOf }
