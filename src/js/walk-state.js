'use strict'
// The message that the tape walker is at: where it goes on with the tape, and what decides how values are written.
//
// One object for the module, since V8 compiles a function once for all packrs. A callback may pack while a message
// is walked: `begin` returns a copy of what was, and `restore` takes it back.

const packTape = require('./pack-tape.js')
const keyLists = require('./key-lists.js')
const { References } = require('./references.js')
const { pairOptions } = require('./options.js')
const { atNextTurn } = require('./next-turn.js')

const { first, nextLimit } = packTape

const state = {
  /** The packr whose message is on the tape. */
  packr: null,
  /** Next free word, and how far it may go before room is made. */
  at: 0,
  limit: 0,
  /** Next free entry of the side array. */
  sideAt: 0,
  /** Text since the last flush, and units of all text. */
  text: '',
  textLength: 0,
  /** Strings before `text`, and how many. Without a prototype, whose setters could get in between. */
  texts: null,
  textCount: 0,
  /** Where the binary data of this message begins, and where it goes on. */
  binaryStart: 0,
  binaryAt: 0,
  /** Whether own properties named `constructor` are looked for. */
  careful: false,
  /** The object that is to be packed as its keys, whatever it is. */
  asIs: null,
  /** Where the message began. */
  start: 0,
  sideStart: 0,
  /** Which structures the packr's records have, or null if it has maps only. */
  structures: null,
  /** Whether each object is a record, or must be asked about. */
  areRecords: false,
  areAsked: false,
  /** Whether maps are written pair by pair, as keys become numbers or values are left out. */
  asPairs: false,
  /** Whether keys become numbers, and whether values are left out. */
  coercibleKeyAsNumber: undefined,
  hasSkipValues: false,
  /** The objects that were met, where those that are met again are references; else null. */
  references: null,
  /** Number of the message, of all there were. */
  message: 0,
  /** Where in `headers` those of this message begin, and how many there are. */
  headerStart: 0,
  headerCount: 0,
}

let messages = 0
/** Where the objects that are records have their headers, in order. */
const headers = []
/** Their places are kept for messages with so many. */
const KEPT_HEADERS = 1 << 14
/** The keys of objects without a shape, by header, where they may be records. */
const listedKeys = new Map()

/** Starts a message behind what is on the tape. Returns what `restore` needs, or null. */
function begin(owner, ownStructures) {
  let outer = null
  if (state.packr === null) {
    if (!packTape.isInStep()) packTape.renew()
    keyLists.beginMessage()
    state.limit = first.limit
    state.at = 0
    state.sideAt = 0
    state.binaryAt = 0
    state.headerCount = 0
  } else {
    checkLater()
    outer = { ...state }
    state.limit = nextLimit(state.at, state.sideAt)
  }
  state.start = state.at
  state.sideStart = state.sideAt
  state.binaryStart = state.binaryAt
  state.text = ''
  state.textLength = 0
  state.texts = null
  state.textCount = 0
  state.careful = false
  state.asIs = null
  state.structures = ownStructures
  chooseRecords()
  const { coercibleKeyAsNumber, hasSkipValues } = pairOptions(owner)
  state.coercibleKeyAsNumber = coercibleKeyAsNumber
  state.hasSkipValues = hasSkipValues
  state.asPairs = Boolean(coercibleKeyAsNumber) || hasSkipValues
  state.references = owner.structuredClone ? new References() : null
  state.message = ++messages
  state.headerStart = state.headerCount
  // Last, as nothing below can fail: from here on `restore` must follow.
  state.packr = owner
  return outer
}

/** Which objects of the message are records. */
function chooseRecords() {
  state.areAsked =
    state.structures !== null && (state.structures.ask !== null || state.structures.numericMaps.size > 0)
  state.areRecords = state.structures !== null && !state.areAsked
}

/** Ends a message, whether it was packed or not, and goes back to the outer one. */
function restore(outer) {
  if (outer === null) {
    state.packr = null
    state.structures = null
    state.areRecords = false
    state.areAsked = false
    state.references = null
    state.asIs = null
    state.message = 0
    state.text = ''
    state.texts = null
    if (listedKeys.size > 0) listedKeys.clear()
    if (headers.length > KEPT_HEADERS) headers.length = 0
    if (packTape.isLarge()) shrinkLater()
    return
  }
  Object.assign(state, outer)
  state.limit = nextLimit(state.at, state.sideAt)
}

/** A packr is still set at the event loop's turn where the engine was told to stop in mid-message. */
const checkLater = atNextTurn(() => {
  if (state.packr !== null) restore(null)
})

const shrinkLater = atNextTurn(packTape.shrink)

/** Forgets what was written of a message, to walk it again with more care. */
function startOver() {
  state.at = state.start
  state.sideAt = state.sideStart
  state.binaryAt = state.binaryStart
  state.text = ''
  state.textLength = 0
  state.texts = null
  state.textCount = 0
  state.headerCount = state.headerStart
  if (state.references !== null) state.references = new References()
  chooseRecords()
  state.limit = nextLimit(state.at, state.sideAt)
}

function makeRoom() {
  flushText()
  state.limit = nextLimit(state.at, state.sideAt)
}

/** A rope can hold only so much, and joining what is long costs more than passing it on. */
function flushText() {
  if (state.text !== '') {
    setTextAside(state.text)
    state.text = ''
  }
}

function setTextAside(part) {
  if (state.texts === null) state.texts = { __proto__: null }
  state.texts[state.textCount++] = part
}

module.exports = { state, headers, listedKeys, begin, restore, startOver, makeRoom, flushText, setTextAside }
