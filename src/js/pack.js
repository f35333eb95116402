'use strict'
// Packr: packs values, by the heap walker where it can, else by the tape walker.

// Taken out of the addon's object, where V8 would look them up for each call.
const { packHeap, heapNames } = require('./binding.js')
const { acceleration } = require('./acceleration.js')
const { roots } = require('./heap-roots.js')
const { control } = require('./pack-tape.js')
const { control: word } = require('./tape.js')
const { packBits, setRecordBits } = require('./options.js')
const { chunk, prepareChunk, releaseLater, result } = require('./results.js')
const { StructureStore, MAX_ATTEMPTS, refusal } = require('./structure-store.js')
const { Structures, limitsOf } = require('./structures.js')
const { Unpackr } = require('./unpack.js')
const { packMessage } = require('./walk.js')

const handoverNames = heapNames().handovers

/** Where a packr keeps what its walkers did. */
const WALKERS = Symbol('walkers')

/** Hand-overs in a row after which a packr skips tries, and how many it skips at most. */
const PATIENCE = 4
const MAX_SKIPPED = 64
/** Value of `skip` in a packr that never tries. */
const NEVER = -1

function newWalkers(useHeap) {
  return {
    /** Messages for which the heap walker is not tried. */
    skip: useHeap && acceleration.tier === 'heap' ? 0 : NEVER,
    /** Hand-overs since the heap walker last packed a message. */
    misses: 0,
    heap: 0,
    tape: 0,
    handovers: new Array(handoverNames.length).fill(0),
  }
}

/** Takes note that the heap walker handed a message over. */
function countHandover(walkers, number) {
  walkers.handovers[number]++
  walkers.misses++
  const past = walkers.misses - PATIENCE
  if (past >= 0) walkers.skip = Math.min(2 ** Math.min(past, 6), MAX_SKIPPED)
}

/** Packs `value` by the heap walker, unless that hands it over. */
function isPackedByHeap(walkers, bits, value) {
  prepareChunk()
  control[word.OPTIONS] = bits
  control[word.CHUNK_START] = chunk.at
  packHeap(value, roots)
  const handover = control[word.HANDOVER]
  if (handover === 0) {
    walkers.misses = 0
    walkers.heap++
    return true
  }
  countHandover(walkers, handover - 1)
  return false
}

/** Packs `value` under the options of `packr`. */
function packWith(packr, walkers, bits, value) {
  if (walkers.skip === 0) {
    if (isPackedByHeap(walkers, bits, value)) return result()
  } else if (walkers.skip > 0) {
    walkers.skip--
  }
  walkers.tape++
  try {
    packMessage(packr, bits, value, chunk)
  } catch (error) {
    // What a large message has left behind.
    releaseLater()
    throw error
  }
  return result()
}

/** Packs `value`, whose objects become records of these structures. */
function packRecords(store, structures, walkers, bits, value) {
  if (walkers.skip === 0 && (structures.isReady() || store.ready())) {
    if (isPackedByHeap(walkers, bits, value)) return result()
  } else if (walkers.skip > 0) {
    walkers.skip--
  }
  walkers.tape++
  return packNewRecords(store, structures, bits, value)
}

/** The same by the tape walker, which decides on new structures. */
function packNewRecords(store, structures, bits, value) {
  store.enter()
  try {
    return packAndSave(store, structures, bits, value)
  } catch (error) {
    releaseLater()
    throw error
  } finally {
    store.leave()
  }
}

/** Packs by the tape walker, until the store has the structures that the message needs. */
function packAndSave(store, structures, bits, value) {
  // Of the message around this one, if there is one.
  const { unconfirmed } = structures
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    store.prepare(store.depth > 1)
    try {
      packMessage(store.packr, bits, value, chunk, structures, store)
      // Taken now, as the store's functions may pack.
      const bytes = result()
      if (store.save()) {
        structures.unconfirmed = store.depth > 1 ? unconfirmed : null
        return bytes
      }
    } catch (error) {
      if (store.depth > 1) structures.unconfirmed = unconfirmed
      else store.rollBack()
      throw error
    }
  }
  throw refusal()
}

/** Packs values into MessagePack, and unpacks them. */
class Packr extends Unpackr {
  constructor(options) {
    super(options)
    const hasRecords = this.useRecords !== false
    const isGiven = Boolean(options?.structures)
    const limits = limitsOf(this, isGiven)
    if (hasRecords) adoptStructures(this)
    // A function that is asked about each object is asked by the tape walker.
    const walkers = newWalkers(this.heap !== false && typeof this.useRecords !== 'function')
    Object.defineProperty(this, WALKERS, { value: walkers })
    if (hasRecords) {
      const structures = new Structures(this, limits)
      setRecordBits(this, structures)
      const store = new StructureStore(this, structures, isGiven)
      // An own property, so that `const { pack } = packr` works.
      this.pack = this.encode = (value) => packRecords(store, structures, walkers, packBits(this), value)
    } else {
      this.pack = this.encode = (value) => packWith(this, walkers, packBits(this), value)
    }
  }
}

/** Gives an instance the `structures` array that its records are kept in. */
function adoptStructures(packr) {
  const { structures } = packr
  if (!Array.isArray(structures)) packr.structures = []
  else if (Object.isFrozen(structures)) packr.structures = structures.slice()
}

const modulePackr = new Packr({ useRecords: false })
const moduleWalkers = modulePackr[WALKERS]
const moduleBits = packBits(modulePackr)

/** Packs `value` with the module's options: no records, maps read as objects. */
function pack(value) {
  return packWith(modulePackr, moduleWalkers, moduleBits, value)
}

/** How many messages of a packr each walker packed, and why the heap walker handed some over. */
function packCounts(packr = modulePackr) {
  const walkers = packr?.[WALKERS]
  if (walkers === undefined) throw new TypeError('packCounts takes a Packr')
  const { heap, tape, handovers } = walkers
  const reasons = handovers.map((count, number) => [handoverNames[number], count])
  return { heap, tape, handovers: Object.fromEntries(reasons.filter(([, count]) => count > 0)) }
}

module.exports = { Packr, pack, packCounts }
