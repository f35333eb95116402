'use strict'
// Containers whose values are being built. Each is there before its values, so that these can refer to it;
// each kind says what a finished value is to it.

const { completeError, makeError, sizeOf } = require('./errors.js')

class Frame {
  constructor(at, left, result) {
    /** Position of the next value, and how many are still to come. */
    this.at = at
    this.left = left
    /** What is being filled, as far as it is there. */
    this.result = result
    /** What is done with the result, last to first: readers that take it, targets that it is. Or null. */
    this.steps = null
  }

  take() {
    const p = this.at
    this.at += 2
    this.left--
    return p
  }

  finish() {
    return this.result
  }
}

class ArrayFrame extends Frame {
  constructor(p, length, isFrozen) {
    super(p, length, [])
    this.isFrozen = isFrozen
  }

  add(value) {
    this.result.push(value)
  }

  finish() {
    return this.isFrozen ? Object.freeze(this.result) : this.result
  }
}

class ObjectFrame extends Frame {
  constructor(p, keys, define, isFrozen) {
    super(p, keys.length, {})
    this.keys = keys
    this.define = define
    this.isFrozen = isFrozen
  }

  add(value) {
    this.define(this.result, this.keys[this.keys.length - this.left - 1], value)
  }

  finish() {
    return this.isFrozen ? Object.freeze(this.result) : this.result
  }
}

/** An object without a shape. Its keys are values, too, of which some have to be built to be names. */
class PairsFrame extends Frame {
  constructor(p, count, keyAt, define) {
    super(p, count, {})
    this.keyAt = keyAt
    this.define = define
    this.key = undefined
  }

  take() {
    this.key = this.keyAt(super.take())
    this.left++
    return super.take()
  }

  add(value) {
    this.define(this.result, this.key, value)
  }
}

const NO_KEY = Symbol('no key')

class MapFrame extends Frame {
  constructor(p, count) {
    super(p, count * 2, new Map())
    this.key = NO_KEY
  }

  add(value) {
    if (this.key === NO_KEY) {
      this.key = value
    } else {
      this.result.set(this.key, value)
      this.key = NO_KEY
    }
  }
}

/** The one value is what the set holds. */
class SetFrame extends Frame {
  constructor(p, charge) {
    super(p, 1, new Set())
    this.charge = charge
  }

  add(elements) {
    this.charge(sizeOf(elements))
    if (elements === undefined || elements === null) return
    for (const element of elements) this.result.add(element)
  }
}

/** The values are the error's parts. Name and message come first, as without them there is no error. */
class ErrorFrame extends Frame {
  constructor(p, length, charge, begin) {
    super(p, length, undefined)
    this.length = length
    this.charge = charge
    this.begin = begin
    this.name = undefined
  }

  add(part) {
    const index = this.length - this.left - 1
    if (index === 0) {
      this.name = part
    } else if (index === 1) {
      this.result = makeError(this.name, part, this.charge)
      this.begin(this)
    } else {
      completeError(this.result, index, part, this.charge)
    }
  }
}

/** A value that is no container. */
class ValueFrame extends Frame {
  constructor(p) {
    super(p, 1, undefined)
  }

  add(value) {
    this.result = value
  }
}

module.exports = { ArrayFrame, ObjectFrame, PairsFrame, MapFrame, SetFrame, ErrorFrame, ValueFrame }
