'use strict'
// What is noted while a message is read that few messages need: the values that others refer to, and how
// much work the message may still ask for beyond its own length.

/** Units of text and elements of collections for each byte of the input that may be made from it. */
const WORK_PER_BYTE = 8
const FREE_WORK = 1 << 10

/** A value that has an id. */
class Target {
  constructor(notes) {
    this.notes = notes
    this.value = undefined
    this.isKnown = false
    this.isUsed = false
  }

  /** From here on references give this value, which is still to be filled. */
  begin(value) {
    if (this.isKnown) return
    this.value = value
    this.isKnown = true
  }

  /** What a reference gives; before anything is known of the value, an object that will get its contents. */
  refer() {
    this.begin({})
    this.isUsed = true
    return this.value
  }

  /** Takes the finished value, and returns what stands for it. */
  complete(result) {
    const { value } = this
    if (this.isUsed && value !== result) {
      copyContents(value, result, this.notes)
      return value
    }
    this.value = result
    this.isKnown = true
    return result
  }
}

/** Makes `target` hold what `result` does. `notes` are charged for it. */
function copyContents(target, result, notes) {
  if (typeof result === 'object' && result !== null) {
    const keys = Reflect.ownKeys(result)
    notes.charge(keys.length)
    for (const key of keys) {
      const property = Object.getOwnPropertyDescriptor(result, key)
      if (!property?.enumerable) continue
      // Not assigned, which could set a prototype.
      const value = result[key]
      Object.defineProperty(target, key, {
        __proto__: null,
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      })
    }
  }
  if (target instanceof Map && result instanceof Map) {
    notes.charge(result.size)
    for (const [key, value] of result) target.set(key, value)
  } else if (target instanceof Set && result instanceof Set) {
    notes.charge(result.size)
    for (const value of result) target.add(value)
  }
}

class Notes {
  constructor(inputLength) {
    this.targets = new Map()
    this.work = FREE_WORK
    this.allow(inputLength)
    /** Definitions of records under which extensions may have to read, or null. */
    this.log = null
  }

  /** So many bytes of input have come. */
  allow(inputLength) {
    this.work += inputLength * WORK_PER_BYTE
  }

  /** Goes back to when `work` was left: what was read since then is read again. */
  revert(work) {
    this.work = work
    this.log = null
  }

  /** The value with this id is next. */
  target(id) {
    const target = new Target(this)
    this.targets.set(id, target)
    return target
  }

  refer(id) {
    const target = this.targets.get(id)
    if (target === undefined) throw new TypeError(`There is no value with the id ${id} to refer to`)
    return target.refer()
  }

  /**
   * Pays for work that does not grow with the length of the message: by references to one large value a short
   * message could otherwise ask for any amount.
   */
  charge(work) {
    this.work -= work
    if (this.work < 0) throw new RangeError('MessagePack data repeats values too often to be unpacked')
  }
}

module.exports = { Notes }
