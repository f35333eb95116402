'use strict'
// Which record each shape of objects is written as: the policy of one packr, in the order in which msgpackr
// gives ids.
//
// A slot is a record's id without its offset. Slots below `maxShared` belong to the `structures` array, whose
// records are never defined on the wire; those behind it are defined by messages, each for itself or, with
// `sequential`, for all that follow.

const keyLists = require('./key-lists.js')
const { KnownShapes } = require('./known-shapes.js')
const { shareStateOf, textOf } = require('./shared-structures.js')
const { noteSent } = require('./read-structures.js')
const { known, forms, records, FORM_BITS } = require('./tape.js')

const { AS_MAP, AS_RECORD, AS_DEFINITION } = forms

const { ONE_BYTE_SLOTS } = records
/** Slots that ids of one byte have room for. */
const MAX_ONE_BYTE_SLOTS = 64
const MAX_SHARED = 8160
const MAX_ALL = 8192
/** Key lists that are kept in `numericMaps`. */
const MAX_NUMERIC_MAPS = 4096

/** Messages that were resolved. */
let messages = 0

/** A key list as one packr knows it. */
class Structure {
  constructor(keys, text) {
    this.keys = keys
    this.text = text
    /** The slot it has now, or -1. */
    this.slot = -1
    /** Its number among the shapes, or -1. */
    this.shape = -1
    /** The message that has touched it last. */
    this.message = 0
  }
}

/** A number of slots as it was given, which ids are computed with. */
function limitOf(name, given, preset) {
  const limit = Number(given ?? preset)
  if (Number.isInteger(limit) && limit >= 0) return limit
  throw new RangeError(`${name} must be a whole number that is not negative`)
}

/** How many slots a packr has; `isGiven` says that it was given an array of structures. */
function limitsOf(packr, isGiven) {
  const { maxSharedStructures, maxOwnStructures, sequential, trusted, getStructures, saveStructures } = packr
  const isSharing = Boolean(isGiven || getStructures || saveStructures)
  const isSequence = Boolean(sequential) && trusted !== false
  const maxShared = limitOf('maxSharedStructures', maxSharedStructures, isSharing ? ONE_BYTE_SLOTS : 0)
  const ownSlots = isSharing || isSequence ? ONE_BYTE_SLOTS : MAX_ONE_BYTE_SLOTS
  const maxOwn = limitOf('maxOwnStructures', maxOwnStructures, ownSlots)
  if (maxShared > MAX_SHARED) throw new Error(`Maximum maxSharedStructure is ${MAX_SHARED}`)
  if (maxShared + maxOwn > MAX_ALL) {
    throw new Error(`Maximum maxSharedStructure + maxOwnStructure is ${MAX_ALL}`)
  }
  return { maxShared, maxOwn }
}

class Structures {
  constructor(packr, limits) {
    this.packr = packr
    this.maxShared = limits.maxShared
    this.maxOwn = limits.maxOwn
    this.end = this.maxShared + this.maxOwn
    this.twoByteIds = this.maxShared > ONE_BYTE_SLOTS || this.end > MAX_ONE_BYTE_SLOTS
    this.isSequential = Boolean(packr.sequential)
    /** The function that is asked which objects are records, if there is one. */
    this.ask = typeof packr.useRecords === 'function' ? packr.useRecords : null

    /** What belongs to the `structures` array, and may belong to other packrs as well. */
    this.shared = null
    this.array = null
    this.epoch = 0
    this.length = 0
    this.generation = keyLists.generation()

    /** Structures by shape; and by text, those that have a shape or a slot. */
    this.byShape = []
    this.byText = new Map()
    /** Structures in slots of their own, by slot and in the order in which they were defined. */
    this.owners = []
    this.queue = []
    this.nextOwn = this.maxShared
    /** The next slot for shapes that may not be shared while others still may be. */
    this.nextUnshared = this.maxShared
    /** The message that is being resolved, or 0, what it has touched, and what it defined. */
    this.message = 0
    this.touched = []
    this.defined = []
    /** What was defined by a message that was packed, but whose bytes may still be lost; else null. */
    this.unconfirmed = null
    /** How many structures this packr has shared since its outermost message began, and the first of them. */
    this.added = 0
    this.firstAdded = 0
    /** Slots from here on are not stored yet, so that a message inside another one may not refer to them. */
    this.limit = Number.POSITIVE_INFINITY
    /** Whether new structures have to wait for the outermost message, and which do. */
    this.isNested = false
    this.waiting = []
    /** How often slots got another meaning since the message that is being resolved began. */
    this.disturbances = 0

    /** Texts of key lists that are written as maps and have keys which become numbers there. */
    this.numericMaps = new Set()

    this.known = new KnownShapes(this.maxShared, this.isSequential ? this.maxShared : this.end)
  }

  /** Whether the heap walker has the table of this packr, and nothing has changed since. */
  isReady() {
    return this.known.isInTable() && !this.isOpen() && this.isCurrent()
  }

  /** Whether nothing has changed from outside since the last message. */
  isCurrent() {
    const { shared } = this
    return (
      shared !== null &&
      this.packr.structures === this.array &&
      this.array.length === this.length &&
      shared.epoch === this.epoch &&
      keyLists.generation() === this.generation
    )
  }

  /** Takes in what has changed: the array, its content, or the meaning of shapes. */
  update() {
    const array = this.packr.structures
    const shared = shareStateOf(Array.isArray(array) ? array : this.useNewArray())
    shared.update()
    if (shared !== this.shared || shared.epoch !== this.epoch) {
      this.disturbances++
      this.shared = shared
      this.array = shared.array
      this.epoch = shared.epoch
      this.forgetAll()
    }
    if (keyLists.generation() !== this.generation) {
      this.generation = keyLists.generation()
      this.byShape = []
      this.known.forget()
      for (const structure of this.byText.values()) {
        structure.shape = -1
        if (structure.slot < 0) this.byText.delete(structure.text)
      }
    }
    this.length = shared.array.length
  }

  useNewArray() {
    this.packr.structures = []
    return this.packr.structures
  }

  forgetAll() {
    for (const structure of this.byText.values()) structure.slot = -1
    this.byShape = []
    this.byText.clear()
    this.owners = []
    this.queue = []
    this.nextOwn = this.maxShared
    this.nextUnshared = this.maxShared
    this.numericMaps.clear()
    this.known.forget()
  }

  /** Whether the message being resolved may not refer to all that is known. */
  get isAlone() {
    return this.isNested && (this.isSequential || Boolean(this.packr.saveStructures))
  }

  /** Whether a message has not been ended: an error, such as a stack overflow, came in between. */
  isOpen() {
    return this.message !== 0 || this.unconfirmed !== null
  }

  /** Gives such a message up. All that is in slots of its own is defined again. */
  abandon() {
    this.message = 0
    this.unconfirmed = null
    this.touched = []
    this.defined = []
    this.waiting = []
    this.forgetAll()
  }

  /** The bytes of the message that was packed last are lost: what it defined is defined again. */
  takeBack() {
    if (this.unconfirmed === null) return
    for (const structure of this.unconfirmed) if (structure.slot >= 0) this.forget(structure, structure.slot)
    this.unconfirmed = null
  }

  /** The structure of objects of a shape. */
  ofShape(shape) {
    let structure = this.byShape[shape]
    if (structure === undefined) {
      structure = this.ofKeys(keyLists.keysOfShape(shape))
      structure.shape = shape
      this.byShape[shape] = structure
    }
    return structure
  }

  /** The structure of objects with these keys. */
  ofKeys(keys) {
    const text = textOf(keys)
    let structure = this.byText.get(text)
    if (structure === undefined) {
      structure = new Structure(keys, text)
      this.byText.set(text, structure)
    }
    return structure
  }

  /**
   * Starts to resolve the records of a message, in the order in which their objects begin. `leave` takes the
   * result. `limit` is how many structures are stored, which counts inside another message.
   */
  begin(isNested, limit) {
    const outer = this.message !== 0 || (isNested && this.isSequential) ? this.suspend() : null
    this.isNested = isNested
    this.limit = isNested && this.packr.saveStructures ? limit : Number.POSITIVE_INFINITY
    this.message = ++messages
    if (!this.isCurrent()) this.update()
    this.known.show()
    if (this.numericMaps.size > MAX_NUMERIC_MAPS) this.numericMaps.clear()
    this.disturbances = 0
    return outer
  }

  /**
   * Sets what is defined aside for a message that is packed within another one. That must be readable by itself:
   * of another message that is being resolved, or of a sequence, its reader may have seen nothing.
   */
  suspend() {
    const { touched, defined, isNested, message, queue, owners, nextOwn } = this
    const slots = queue.map((structure) => structure.slot)
    for (const structure of queue) {
      structure.slot = -1
    }
    this.touched = []
    this.defined = []
    this.queue = []
    if (!this.isSequential) {
      this.owners = []
      this.nextOwn = this.maxShared
    }
    const { disturbances, limit } = this
    return { touched, defined, isNested, message, queue, owners, nextOwn, slots, disturbances, limit }
  }

  /** Whether slots may have another meaning now than when they were given. */
  isDisturbed() {
    return this.disturbances > 0 || !this.isCurrent()
  }

  /** What an object of this structure is written as: its form, and above that its slot. */
  formOf(structure) {
    if (structure.message !== this.message) {
      structure.message = this.message
      this.touched.push(structure)
    }
    if (this.hasSlot(structure) || this.findShared(structure)) {
      return (structure.slot << FORM_BITS) | AS_RECORD
    }
    const { array } = this.shared
    if (array.length < this.maxShared) {
      const mayShare = this.mayShare(structure)
      // The function that was asked may have packed something like it, or filled the array.
      if (this.findShared(structure)) return (structure.slot << FORM_BITS) | AS_RECORD
      if (mayShare && array.length < this.maxShared) {
        this.addShared(structure)
        return (structure.slot << FORM_BITS) | AS_RECORD
      }
      if (mayShare) return this.defineNext(structure)
      const slot = this.nextUnshared < this.end ? this.nextUnshared : this.maxShared
      this.nextUnshared = slot + 1
      return this.define(structure, slot)
    }
    return this.defineNext(structure)
  }

  defineNext(structure) {
    const slot = this.nextOwn < this.end ? this.nextOwn : this.maxShared
    this.nextOwn = slot + 1
    return this.define(structure, slot)
  }

  /** Whether a structure has a slot that this message may refer to. */
  hasSlot({ slot }) {
    return slot >= 0 && (slot < this.limit || slot >= this.maxShared)
  }

  findShared(structure) {
    const slot = this.shared.slots.get(structure.text)
    if (slot === undefined || slot >= this.maxShared || slot >= this.limit) return false
    structure.slot = slot
    return true
  }

  addShared(structure) {
    structure.slot = this.addToShared(structure.keys, structure.text)
  }

  addToShared(keys, text) {
    const slot = this.shared.add(keys, text)
    this.length = this.shared.array.length
    if (this.added++ === 0) this.firstAdded = slot
    return slot
  }

  /** Shares a key list after the message in which it was met, if it still can be. */
  share(keys) {
    const text = textOf(keys)
    const { array, slots } = this.shared
    if (array.length >= this.maxShared || slots.has(text) || !this.isAllowed(keys)) return
    this.addToShared(keys, text)
  }

  mayShare(structure) {
    if (this.isNested && this.packr.saveStructures) {
      this.waiting.push(structure.keys)
      return false
    }
    return this.isAllowed(structure.keys)
  }

  isAllowed(keys) {
    const { packr } = this
    if (!packr.shouldShareStructure) return true
    const isAllowed = Boolean(packr.shouldShareStructure(keys.slice()))
    // It may have packed with another packr, whose table then took the place of this one's.
    this.known.show()
    return isAllowed
  }

  define(structure, slot) {
    if (this.maxOwn <= 0) return AS_MAP
    const before = this.owners[slot]
    if (before !== undefined) this.forget(before, slot)
    if (this.queue.length >= this.maxOwn) this.forget(this.queue[0], this.queue[0].slot)
    structure.slot = slot
    this.owners[slot] = structure
    this.byText.set(structure.text, structure)
    this.queue.push(structure)
    this.defined.push(structure)
    return (slot << FORM_BITS) | AS_DEFINITION
  }

  /** A structure gives its own slot up. */
  forget(structure, slot) {
    if (this.owners[slot] === structure) this.owners[slot] = undefined
    const place = this.queue.indexOf(structure)
    if (place >= 0) this.queue.splice(place, 1)
    structure.slot = -1
    this.forgetText(structure)
    if (this.isSequential && structure.shape >= 0) this.known.delete(structure.shape)
  }

  /** A structure without a slot is found by its shape, if it has one. Another may have its keys meanwhile. */
  forgetText(structure) {
    const { shape, text } = structure
    if (shape < 0 && this.byText.get(text) === structure) this.byText.delete(text)
  }

  /** Ends a message that was packed. Words of the tape from `free` on may be used. */
  succeed(outer, free) {
    // Once these are all that may still be shared, a shape keeps its form in every message.
    const isSettled = this.shared.array.length >= this.maxShared
    for (const structure of this.touched) {
      const isOwn = structure.slot < 0 || structure.slot >= this.maxShared
      if (isOwn && !this.isSequential) {
        if (isSettled && structure.shape >= 0) {
          this.known.set(structure.shape, this.maxOwn > 0 ? known.OWN : known.MAP)
        }
      } else if (structure.slot >= 0 && !(isOwn && this.isNested)) {
        if (structure.shape < 0) this.giveShape(structure, free)
        if (structure.shape >= 0) this.known.set(structure.shape, known.SLOT + structure.slot)
      }
    }
    if (this.isSequential && !this.isNested) {
      for (const { slot, keys } of this.defined) {
        if (slot >= 0) noteSent(this.packr, slot, keys, this.twoByteIds && slot >= ONE_BYTE_SLOTS)
      }
    }
    const { defined } = this
    this.leave(outer, this.isNested)
    if (outer === null) this.unconfirmed = defined
  }

  giveShape(structure, free) {
    structure.shape = keyLists.shapeOf(structure.keys, free)
    if (structure.shape >= 0) this.byShape[structure.shape] = structure
  }

  /** Ends a message that was not packed: what it defined was never sent. */
  fail(outer) {
    this.leave(outer, true)
  }

  leave(outer, isForgotten) {
    if (!this.isSequential) {
      for (const structure of this.touched) if (structure.slot >= this.maxShared) structure.slot = -1
      if (this.queue.length > 0) {
        this.owners = []
        this.queue = []
      }
      this.nextOwn = this.maxShared
    } else if (isForgotten) {
      // What a message inside another one defines may be read before or after what surrounds it.
      for (const structure of this.defined) if (structure.slot >= 0) this.forget(structure, structure.slot)
    }
    for (const structure of this.touched) if (structure.slot < 0) this.forgetText(structure)
    if (outer === null) {
      // To empty an array costs more than a new one.
      if (this.touched.length > 0) this.touched = []
      this.defined = []
      this.message = 0
    } else {
      this.resume(outer)
    }
  }

  /** Goes on with what was set aside. */
  resume({ touched, defined, isNested, message, queue, owners, nextOwn, slots, disturbances, limit }) {
    this.limit = limit
    this.disturbances += disturbances
    this.touched = touched
    this.defined = defined
    this.isNested = isNested
    this.message = message
    if (!this.isSequential) {
      this.owners = owners
      this.nextOwn = nextOwn
    }
    this.queue = queue.filter((structure, index) => this.owners[slots[index]] === structure)
    queue.forEach((structure, index) => {
      if (this.owners[slots[index]] === structure) structure.slot = slots[index]
    })
  }
}

module.exports = { Structures, limitsOf }
