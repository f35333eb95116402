'use strict'
// The builder's arrays: of numbers, of arrays of numbers, and of anything else.

const { slot, kind } = require('./tape.js')

const { OBJECT } = kind
const INT_TUPLES = slot.ARRAY_TUPLES | slot.ARRAY_INTS

/** Arrays this long are grown instead of allocated, which would make them sparse. */
const MAX_PREALLOCATED = 1 << 24

/**
 * A function that makes the array of a kind whose length slot is at word `p`. `value` makes any value, and `shapeOf` gives
 * what is known of objects by the number of their keys.
 */
function arrayBuilder({ tape, value, shapeOf }) {
  function array(kind, p) {
    const { words } = tape
    const length = words[p] >>> 0
    // Also of a number, which has no kind of its own there.
    if (length === 1) return [value(p + 2)]
    if (length > MAX_PREALLOCATED) return longArray(length, p)
    if (kind >= slot.ARRAY_TUPLES) return tuples(kind, length, p)
    let at = p + 2
    if (kind === slot.ARRAY_INTS) {
      if (length === 2) return [words[at], words[at + 2]]
      const result = new Array(length)
      for (let i = 0; i < length; i++, at += 2) result[i] = words[at]
      return result
    }
    if (kind === slot.ARRAY_DOUBLES) {
      const { doubles } = tape
      at >>= 1
      if (length === 2) return [doubles[at], doubles[at + 1]]
      const result = new Array(length)
      for (let i = 0; i < length; i++) result[i] = doubles[at + i]
      return result
    }
    switch (length) {
      case 0:
        return []
      case 2:
        return [value(at), value(at + 2)]
      case 3:
        return [value(at), value(at + 2), value(at + 4)]
      default:
        return elements(length, at)
    }
  }

  /** An array of so many values; often they are objects with the same keys. */
  function elements(length, at) {
    const { words } = tape
    const result = new Array(length)
    const head = words[at + 1]
    const shape = head >> 16 === OBJECT ? shapeOf(head & 0xffff) : undefined
    if (shape !== undefined && shape.make !== null) {
      // The shape's maker may be another one after an object.
      for (let i = 0; i < length; i++, at += 2)
        result[i] = words[at + 1] === head ? shape.make(words[at]) : value(at)
    } else {
      for (let i = 0; i < length; i++, at += 2) result[i] = value(at)
    }
    return result
  }

  /** An array of arrays of two or three numbers each. */
  function tuples(kind, length, p) {
    const { words, doubles } = tape
    const isPairs = words[p + 1] === 2
    const result = new Array(length)
    let at = p + 2
    if (kind === INT_TUPLES) {
      if (isPairs) {
        for (let i = 0; i < length; i++, at += 4) result[i] = [words[at], words[at + 2]]
      } else {
        for (let i = 0; i < length; i++, at += 6) result[i] = [words[at], words[at + 2], words[at + 4]]
      }
      return result
    }
    at >>= 1
    if (isPairs) {
      for (let i = 0; i < length; i++, at += 2) result[i] = [doubles[at], doubles[at + 1]]
    } else {
      for (let i = 0; i < length; i++, at += 3) result[i] = [doubles[at], doubles[at + 1], doubles[at + 2]]
    }
    return result
  }

  function longArray(length, p) {
    const result = []
    for (let i = 0; i < length; i++) result.push(value(p + 2 + 2 * i))
    return result
  }

  return array
}

module.exports = { arrayBuilder }
