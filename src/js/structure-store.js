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
    this.isLoading = false
    /** How many structures there were before the outermost message. */
    this.before = 0
    /** Whether structures that could not be taken back are not saved yet. */
    this.mustSave = false
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
    if (this.mustBeAlone()) this.structures.known.hide()
  }

  leave() {
    this.depth--
    if (this.depth > 0 && this.mustBeAlone()) this.structures.known.hide()
  }

  /**
   * Whether a message within another one may not refer to all that is known: in a sequence it must define all its
   * records, with a store it has those that are stored. That is the tape walker's business.
   */
  mustBeAlone() {
    return this.structures.isSequential || Boolean(this.packr.saveStructures)
  }

  /** Readies the heap walker for a message, if it may pack one. */
  ready() {
    const isInner = this.depth > 0
    if (this.mustLoad || (isInner && (this.mustBeAlone() || this.structures.isOpen()))) return false
    this.prepare(isInner)
    this.structures.known.show()
    return true
  }

  /** Readies the structures for a message, which may be one within another. */
  prepare(isInner) {
    const { packr, structures } = this
    if (structures.isOpen() && !isInner) this.recover()
    if (this.mustLoad && !this.isLoading) this.load()
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
    if (!isInner) {
      this.before = length
      structures.added = 0
    }
  }

  load() {
    const { packr } = this
    // They may have been loaded to read a message.
    if (packr.structures === this.array && packr.getStructures) {
      this.isLoading = true
      try {
        loadStructures(packr)
      } finally {
        this.isLoading = false
      }
    }
    this.mustLoad = false
  }

  /** Cleans up after a message that could not even end as one that failed. */
  recover() {
    this.structures.abandon()
    this.takeBack()
  }

  /** What a message has added to the structures is not saved: it is taken back. */
  rollBack() {
    this.structures.takeBack()
    this.takeBack()
  }

  takeBack() {
    const { packr, structures } = this
    if (!packr.saveStructures) return
    structures.waiting = []
    if (structures.added === 0) return
    const { firstAdded, added } = structures
    structures.added = 0
    this.mustLoad = Boolean(packr.getStructures)
    structures.known.hide()
    if (packr.structures.length !== firstAdded + added) {
      // Others have added to the array what they may have sent already.
      this.mustSave = true
      return
    }
    // The store may hold the very array, if it is not the user's own.
    if (this.isGiven) shareStateOf(packr.structures).truncate(firstAdded)
    else packr.structures = packr.structures.slice(0, firstAdded)
    // `prepare` must not take the shorter array for one that was loaded.
    this.array = packr.structures
    this.stored = Math.min(this.stored, firstAdded)
  }

  /**
   * Saves what a message has added to the structures. Returns false if others have changed the store, so that the
   * message must be packed again.
   */
  save() {
    const { packr, structures } = this
    if (this.depth > 1 || !packr.saveStructures) return true
    // Those of messages that `saveStructures` packs are saved next.
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      this.addWaiting()
      if (structures.added === 0 && !this.mustSave) return true
      structures.added = 0
      this.mustSave = false
      if (!this.propose()) return false
    }
    throw refusal()
  }

  /** Asks for the structures to be saved. False if they were not. */
  propose() {
    const { packr, structures, before } = this
    const { length } = packr.structures
    let newer = null
    const isCompatible = (existing) => {
      if (this.isStored(existing)) return true
      newer = copyOf(existing)
      return false
    }
    let saved = false
    try {
      saved = packr.saveStructures(packr.structures, isCompatible) !== false
    } finally {
      if (!saved) {
        structures.added = length - before
        structures.firstAdded = before
      }
    }
    if (saved) {
      this.stored = length
      this.before = length
      return true
    }
    this.rollBack()
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
