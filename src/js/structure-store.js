'use strict'
// The store that a packr's structures come from and go to: `getStructures` and `saveStructures`.

const { atNextTurn } = require('./next-turn.js')
const { loadStructures } = require('./read-structures.js')
const { shareStateOf } = require('./shared-structures.js')

/** Times that a message is packed at most while others keep changing the store. */
const MAX_ATTEMPTS = 100

/** Stores whose packr was entered twice. At the event loop's turn no message is being packed. */
const entered = new Set()

/** The depth is still there where the engine was told to stop in mid-message. */
const checkLater = atNextTurn(() => {
  for (const store of entered) store.depth = 0
  entered.clear()
})

class StructureStore {
  constructor(packr, structures, isGiven) {
    this.packr = packr
    this.structures = structures
    this.isGiven = isGiven
    /** Messages in messages of this packr that are being packed. */
    this.depth = 0
    /** Whether the structures must be loaded before a message is packed. */
    this.mustLoad = !isGiven && Boolean(packr.getStructures)
    /** The array that `stored` is about, and how many of its entries the store has. */
    this.array = packr.structures
    this.stored = packr.structures.length
  }

  /** Enters a message; `leave` must follow. */
  enter() {
    if (this.depth > 0) {
      entered.add(this)
      checkLater()
    }
    this.depth++
    this.keepFromHeap()
  }

  leave() {
    this.depth--
    if (this.depth > 0) this.keepFromHeap()
  }

  /** A message within one of a sequence must define all its records, which is the tape walker's business. */
  keepFromHeap() {
    if (this.structures.isSequential) this.structures.known.hide()
  }

  /** Readies the heap walker for a message, if it may pack one. */
  ready() {
    if (this.mustLoad || (this.depth > 0 && this.structures.isSequential)) return false
    this.prepare()
    this.structures.known.show()
    return true
  }

  /** Readies the structures for a message, and returns how many there are. */
  prepare() {
    const { packr, structures } = this
    if (this.mustLoad) {
      this.mustLoad = false
      // They may have been loaded to read a message.
      if (packr.structures === this.array && packr.getStructures) loadStructures(packr)
    }
    if (!structures.isCurrent()) structures.update()
    if (packr.structures !== this.array) {
      // Loaded meanwhile, here or to read a message.
      this.array = packr.structures
      this.stored = packr.structures.length
    }
    const { length } = packr.structures
    if (length > structures.maxShared) {
      throw new Error(
        'Shared structures is larger than maximum shared structures, try increasing maxSharedStructures to ' +
          length,
      )
    }
    return length
  }

  /** What a message has added to `length` structures is not saved: it is taken back. */
  rollBack(length) {
    const { packr, structures } = this
    if (this.depth > 1 || !packr.saveStructures) return
    structures.waiting = []
    if (packr.structures.length > length) {
      // The store may hold the very array, if it is not the user's own.
      if (this.isGiven) shareStateOf(packr.structures).truncate(length)
      else packr.structures = packr.structures.slice(0, length)
      this.mustLoad = Boolean(packr.getStructures)
      // `prepare` must not take the shorter array for one that was loaded.
      this.array = packr.structures
      this.stored = length
      structures.known.hide()
    }
  }

  /**
   * Saves what a message has added to `length` structures. Returns false if others have changed the store, so
   * that the message must be packed again.
   */
  save(length) {
    const { packr } = this
    if (this.depth > 1) return true
    if (!packr.saveStructures) return true
    this.addWaiting()
    if (packr.structures.length === length) return true
    let newer = null
    const isCompatible = (existing) => {
      if (this.isStored(existing)) return true
      newer = copyOf(existing)
      return false
    }
    let saved
    try {
      saved = packr.saveStructures(packr.structures, isCompatible) !== false
    } catch (error) {
      this.rollBack(length)
      throw error
    }
    if (saved) {
      this.stored = packr.structures.length
      return true
    }
    this.rollBack(length)
    if (newer !== null) {
      packr.structures = newer
      this.mustLoad = false
    }
    return false
  }

  /** Whether a store that has `existing` has what this packr knows of it. */
  isStored(existing) {
    if (existing === null || existing === undefined || existing === this.packr.structures) return true
    if (!Array.isArray(existing)) throw new TypeError('isCompatible takes an array, null or undefined')
    return existing.length === this.stored
  }

  /** Structures that were new in messages inside this one. */
  addWaiting() {
    const { structures } = this
    const { waiting } = structures
    if (waiting.length === 0) return
    structures.waiting = []
    for (const keys of waiting) structures.share(keys)
  }
}

/** A copy of structures, of which the array and its lists are their owner's. */
function copyOf(structures) {
  return Array.from(structures, (keys) => (Array.isArray(keys) ? keys.slice() : keys))
}

/** What is thrown where the store never takes the structures. */
function refusal() {
  return new Error(
    `saveStructures returned false ${MAX_ATTEMPTS} times in a row: the structures were not saved`,
  )
}

module.exports = { StructureStore, MAX_ATTEMPTS, refusal }
