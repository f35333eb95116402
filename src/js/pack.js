'use strict'
// Packr: packs values, by the heap walker where it can, else by the tape walker.

// Taken out of the addon's object, where V8 would look them up for each call.
const { packHeap, heapNames } = require('./binding.js')
const { acceleration } = require('./acceleration.js')
const { roots } = require('./heap-roots.js')
const { control } = require('./pack-tape.js')
const { control: word } = require('./tape.js')
const { packBits, setRecordBits } = require('./options.js')
const {
  chunk,
  prepareChunk,
  lendBuffer,
  setPosition,
  releaseLater,
  result,
  wholeBuffer,
  releaseResult,
} = require('./results.js')
const { StructureStore, MAX_ATTEMPTS, refusal } = require('./structure-store.js')
const { Structures, limitsOf } = require('./structures.js')
const { Unpackr } = require('./unpack.js')
const { packMessage } = require('./pack-message.js')

const handoverNames = heapNames().handovers

/** Where a packr keeps what its walkers did. */
const WALKERS = Symbol('walkers')

/** Hand-overs in a row after which a packr skips tries, and how many it skips at most. */
const PATIENCE = 4
const MAX_SKIPPED = 64
/** Value of `skip` in a packr that never tries. */
const NEVER = -1

/** Flags of `pack`: the whole buffer as the result, the next message over this one, room before the message. */
const REUSE_BUFFER_MODE = 512
const RESET_BUFFER_MODE = 1024
const RESERVE_START_SPACE = 2048
const FLAGS = REUSE_BUFFER_MODE | RESET_BUFFER_MODE | RESERVE_START_SPACE

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

/** Packs `value` by the heap walker, unless that hands it over, behind so many bytes. */
function isPackedByHeap(walkers, bits, value, reserve) {
  prepareChunk()
  control[word.OPTIONS] = bits
  control[word.CHUNK_START] = chunk.at + reserve
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

/** Packs `value` under the options of `packr`, behind `reserve` bytes of zero. */
function packWith(packr, walkers, bits, value, reserve) {
  if (walkers.skip === 0) {
    if (isPackedByHeap(walkers, bits, value, reserve)) return result(reserve)
  } else if (walkers.skip > 0) {
    walkers.skip--
  }
  walkers.tape++
  try {
    return packMessage(packr, bits, value, reserve)
  } catch (error) {
    // What a large message has left behind.
    releaseLater()
    throw error
  }
}

/** Packs `value`, whose objects become records of these structures. */
function packRecords(store, structures, walkers, bits, value, reserve) {
  if (walkers.skip === 0 && (structures.isReady() || store.ready())) {
    if (isPackedByHeap(walkers, bits, value, reserve)) return result(reserve)
  } else if (walkers.skip > 0) {
    walkers.skip--
  }
  walkers.tape++
  return packNewRecords(store, structures, bits, value, reserve)
}

/** The same by the tape walker, which decides on new structures. */
function packNewRecords(store, structures, bits, value, reserve) {
  store.enter()
  try {
    return packAndSave(store, structures, bits, value, reserve)
  } catch (error) {
    releaseLater()
    throw error
  } finally {
    store.leave()
  }
}

/** Packs by the tape walker, until the store has the structures that the message needs. */
function packAndSave(store, structures, bits, value, reserve) {
  // Of the message around this one, if there is one.
  const { unconfirmed } = structures
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    store.prepare(store.depth > 1)
    try {
      const bytes = packMessage(store.packr, bits, value, reserve, structures, store)
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

/** How many bytes a message is to leave free before it. */
function reserveOf(flags) {
  return flags & RESERVE_START_SPACE ? flags & 0xff : 0
}

/** Gives a result the form that `flags` ask for. */
function withFlags(bytes, flags) {
  if (flags & RESET_BUFFER_MODE) releaseResult(bytes)
  return flags & REUSE_BUFFER_MODE ? wholeBuffer(bytes) : bytes
}

/** Packs values into MessagePack, and unpacks them. */
class Packr extends Unpackr {
  constructor(options) {
    super(options)
    const hasRecords = this.useRecords !== false
    const isGiven = Boolean(options?.structures)
    const limits = limitsOf(this, isGiven)
    if (hasRecords) adoptStructures(this)
    // Functions that are asked about each object or value are asked by the tape walker.
    const isAsked = typeof this.useRecords === 'function' || Boolean(this.skipValues)
    const walkers = newWalkers(this.heap !== false && !isAsked)
    Object.defineProperty(this, WALKERS, { value: walkers })
    const packBehind = hasRecords ? recordPacker(this, limits, isGiven, walkers) : mapPacker(this, walkers)
    /** End of the last result in its buffer. */
    this.offset = 0
    // An own property, so that `const { pack } = packr` works.
    this.pack = this.encode = (value, flags) => {
      const isPlain = (flags & FLAGS) === 0
      const bytes = packBehind(value, isPlain ? 0 : reserveOf(flags))
      this.offset = chunk.end
      return isPlain ? bytes : withFlags(bytes, flags)
    }
  }

  /** Place in the buffer behind the last result; the next one may be sent elsewhere by setting it. */
  get position() {
    return chunk.end
  }

  set position(position) {
    setPosition(position)
  }

  /** Has all packrs write to `buffer`, from its start on, as long as messages fit. */
  useBuffer(buffer) {
    lendBuffer(buffer)
  }
}

/** A function that packs a value behind so many bytes, with objects as records. */
function recordPacker(packr, limits, isGiven, walkers) {
  const structures = new Structures(packr, limits)
  setRecordBits(packr, structures)
  const store = new StructureStore(packr, structures, isGiven)
  return (value, reserve) => packRecords(store, structures, walkers, packBits(packr), value, reserve)
}

/** The same, with objects as maps. */
function mapPacker(packr, walkers) {
  return (value, reserve) => packWith(packr, walkers, packBits(packr), value, reserve)
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
function pack(value, flags) {
  if ((flags & FLAGS) === 0) return packWith(modulePackr, moduleWalkers, moduleBits, value, 0)
  return modulePackr.pack(value, flags)
}

/** How many messages of a packr each walker packed, and why the heap walker handed some over. */
function packCounts(packr = modulePackr) {
  const walkers = packr?.[WALKERS]
  if (walkers === undefined) throw new TypeError('packCounts takes a Packr')
  const { heap, tape, handovers } = walkers
  const reasons = handovers.map((count, number) => [handoverNames[number], count])
  return { heap, tape, handovers: Object.fromEntries(reasons.filter(([, count]) => count > 0)) }
}

module.exports = { Packr, pack, packCounts, REUSE_BUFFER_MODE, RESET_BUFFER_MODE, RESERVE_START_SPACE }
