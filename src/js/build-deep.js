'use strict'
// The builder for deeply nested messages: the same values as the recursive one makes, with a stack of
// its own, so that depth is bounded by the scanner and not by the engine's call stack.

const { slot, kind } = require('./tape.js')
const extensions = require('./extensions.js')

const { OBJECT, ARRAY, RARE } = kind

/** A container whose values are being built; each kind says what a finished value is to it. */
class Frame {
  constructor(at, left) {
    /** Position of the next value, and how many are still to come. */
    this.at = at
    this.left = left
  }

  take() {
    const p = this.at
    this.at += 2
    this.left--
    return p
  }
}

class ArrayFrame extends Frame {
  constructor(p, length) {
    super(p, length)
    this.result = []
  }

  add(value) {
    this.result.push(value)
  }
}

class ObjectFrame extends Frame {
  constructor(p, keys, define) {
    super(p, keys.length)
    this.keys = keys
    this.define = define
    this.result = {}
  }

  add(value) {
    this.define(this.result, this.keys[this.keys.length - this.left - 1], value)
  }
}

class PairsFrame extends Frame {
  constructor(p, count, keyAt, define) {
    super(p, count)
    this.keyAt = keyAt
    this.define = define
    this.key = undefined
    this.result = {}
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
    super(p, count * 2)
    this.key = NO_KEY
    this.result = new Map()
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

class ExtensionFrame extends Frame {
  constructor(p, type) {
    super(p, 1)
    this.type = type
    this.result = undefined
  }

  add(value) {
    this.result = extensions.fromValue(this.type, value)
  }
}

/**
 * A function that builds the value whose slot is at a position. `builder` holds the tape and the
 * recursive builder's functions, which serve all that is no container.
 */
function deepBuilder({ tape, value, keyAt, define, keysOf, keysOfRecord }) {
  /** The container whose slot is at `p`, or null if that is none. */
  function open(p) {
    const high = tape.words[p + 1]
    const part = high & 0xffff
    const inner = tape.words[p]
    switch (high >> 16) {
      case ARRAY:
        return new ArrayFrame(inner + 2, tape.words[inner] >>> 0)
      case OBJECT:
        return new ObjectFrame(inner, keysOf(part), define)
      case RARE:
        if (part === slot.RARE_OBJECT)
          return new PairsFrame(inner + 2, tape.words[inner] >>> 0, keyAt, define)
        if (part === slot.RARE_MAP) return new MapFrame(inner + 2, tape.words[inner] >>> 0)
        if (part === slot.RARE_RECORD)
          return new ObjectFrame(inner + 2, keysOfRecord(tape.words[inner]), define)
        if (part === slot.RARE_EXT_VALUE) return new ExtensionFrame(inner + 2, tape.words[inner])
        return null
      default:
        return null
    }
  }

  return function buildDeep(root) {
    const stack = []
    let p = root
    for (;;) {
      let frame = open(p)
      let built
      if (frame === null) {
        built = value(p)
        frame = stack.pop()
        if (frame === undefined) return built
        frame.add(built)
      }
      while (frame.left === 0) {
        built = frame.result
        frame = stack.pop()
        if (frame === undefined) return built
        frame.add(built)
      }
      p = frame.take()
      stack.push(frame)
    }
  }
}

module.exports = { deepBuilder }
