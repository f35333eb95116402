'use strict'
// The records that an unpackr knows: which key list each record id stands for, from the shared
// structures, from what was received, and from what its own packr has sent.
//
// Rust looks ids up in one table, which holds the records of the unpackr that reads. Nothing native
// belongs to an instance: each keeps a copy of its table here, and the key lists of which it was made.

const { recordShape, recordSlots } = require('./binding.js')
const { control } = require('./pack-tape.js')
const { control: word, records: record } = require('./tape.js')
const { atNextTurn } = require('./next-turn.js')
const { recordShapes, addShape } = require('./shapes.js')
const { embedded } = require('./user-code.js')

/** Where an instance has its records. An owner that has null there reads no records at all. */
const RECORDS = Symbol('records')

const table = new Uint32Array(recordSlots())
/** The records that are in the table. */
let current = null
/** How often a table was made anew. Only a scan sees that there are not too many key lists. */
let renewals = 0

/**
 * What has not ended: a call of unpackMultiple, and the loading of structures. Each with the ones around
 * it, as a chain of `outer`.
 */
const open = { calls: null, loading: null }

/** Both are still set at the event loop's turn where the engine was told to stop in their midst. */
const checkLater = atNextTurn(() => {
  open.calls = null
  open.loading = null
})

function isAmong(chain, records) {
  for (let each = chain; each !== null; each = each.outer) {
    if (each.records === records) return true
  }
  return false
}

class Records {
  constructor() {
    /** `structures` of the instance when it was last looked at: the value, and if it is an array its list. */
    this.structures = undefined
    this.list = null
    this.length = 0
    this.last = undefined
    /** By slot: definitions that were received and are kept, and those that were sent. */
    this.received = null
    this.sent = null
    /** The table, and of which generation its numbers are. */
    this.words = new Uint32Array(0)
    this.used = 0
    this.wide = false
    this.generation = 0
    /** Whether all of the table is to be made again, and otherwise slots that are. */
    this.stale = false
    this.changed = new Set()
  }

  /** Takes note of what has become of the instance's structures. */
  follow(structures) {
    const list = Array.isArray(structures) ? structures : null
    const length = list === null ? 0 : list.length
    const grown = list !== null && list === this.list && length > this.length
    if (grown && (this.length === 0 || list[this.length - 1] === this.last)) {
      const end = Math.min(length, record.SLOTS)
      for (let slot = this.length; slot < end; slot++) this.changed.add(slot)
    } else {
      this.stale = true
    }
    this.structures = structures
    this.list = list
    this.length = length
    this.last = length === 0 ? undefined : list[length - 1]
  }

  /** Whether `structures`, still the same value, looks as it did. */
  isAsSeen() {
    const { list, length } = this
    return list === null || (list.length === length && (length === 0 || list[length - 1] === this.last))
  }

  /** Makes the table agree with the lists. */
  renew() {
    renewals++
    if (this.stale || this.generation !== control[word.GENERATION]) {
      this.words.fill(0)
      this.used = 0
      this.wide = false
      this.generation = control[word.GENERATION]
      for (const slot of this.slots()) this.lookUp(slot)
    } else {
      for (const slot of this.changed) this.lookUp(slot)
    }
    this.stale = false
    this.changed.clear()
    if (current === this) current = null
  }

  /** All slots that may have a record. */
  slots() {
    const listed = Array.from({ length: Math.min(this.length, record.SLOTS) }, (_, slot) => slot)
    return new Set([...listed, ...(this.received?.keys() ?? []), ...(this.sent?.keys() ?? [])])
  }

  lookUp(slot) {
    const received = this.received?.get(slot)
    const listed = this.list?.[slot]
    const sent = this.sent?.get(slot)
    if (received !== undefined) this.set(slot, numberOf(received.keys), received.twoByte)
    else if (Array.isArray(listed)) this.set(slot, numberOf(listed), slot >= record.ONE_BYTE_SLOTS)
    else if (sent !== undefined) this.set(slot, numberOf(sent.keys), sent.twoByte)
    else if (slot < this.used) this.words[slot] = 0
  }

  set(slot, number, twoByte) {
    if (slot >= record.SLOTS) return
    if (slot >= this.words.length) {
      const larger = new Uint32Array(Math.min(Math.max(16, 2 * (slot + 1)), record.SLOTS))
      larger.set(this.words)
      this.words = larger
    }
    this.words[slot] = twoByte ? (number + 1) | record.TWO_BYTE : number + 1
    this.used = Math.max(this.used, slot + 1)
    if (twoByte) this.wide = true
  }

  /** Brings the table to where Rust looks. */
  show() {
    const before = control[word.RECORD_SLOTS]
    for (let slot = 0; slot < this.used; slot++) table[slot] = this.words[slot]
    if (before > this.used) table.fill(0, this.used, before)
    control[word.RECORD_SLOTS] = this.used
  }

  /** Keeps the definition that the table has in `slot`; `keysOf` knows the keys of a number. */
  receive(slot, keysOf) {
    const number = (table[slot] & ~record.TWO_BYTE) - 1
    const twoByte = table[slot] >= record.TWO_BYTE
    this.received ??= new Map()
    this.received.set(slot, { keys: keysOf(number), twoByte })
    this.set(slot, number, twoByte)
  }

  /** Replaces what was received. */
  setReceived(received) {
    this.received = received
    this.stale = true
  }
}

/** The number of a key list. */
function numberOf(keys) {
  const parts = [arrayHeader(keys.length), ...Array.from(keys, encodedKey)]
  control[word.SHAPE] = keys.length
  recordShape(Buffer.concat(parts))
  const number = control[word.SHAPE]
  if (recordShapes[number] === undefined) addShape(recordShapes, number, Array.from(keys, String))
  return number
}

function arrayHeader(length) {
  if (length < 16) return Buffer.from([0x90 | length])
  if (length < 0x10000) return Buffer.from([0xdc, length >> 8, length & 0xff])
  return Buffer.from([0xdd, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff])
}

/** A key as a message would define it; one that no message can, for its lone surrogates, as binary. */
function encodedKey(key) {
  const text = String(key)
  const bytes = Buffer.from(text)
  if (bytes.includes('\ufffd') && bytes.toString() !== text) {
    const units = Buffer.from(text, 'utf16le')
    return Buffer.concat([lengthHeader(0xc4, units.length), units])
  }
  const header = bytes.length < 32 ? Buffer.from([0xa0 | bytes.length]) : lengthHeader(0xd9, bytes.length)
  return Buffer.concat([header, bytes])
}

/** The header of a string or binary, whose form with a length of one byte is `lead`. */
function lengthHeader(lead, length) {
  if (length < 0x100) return Buffer.from([lead, length])
  if (length < 0x10000) return Buffer.from([lead + 1, length >> 8, length & 0xff])
  return Buffer.from([lead + 2, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff])
}

/** Readies `instance` to read records. */
function initRecords(instance) {
  Object.defineProperty(instance, RECORDS, { value: new Records() })
}

/** Whether the record table may have to be looked at for a message of `owner`; most have nothing there. */
function needsRecords(owner, call) {
  return (
    call !== null ||
    owner.structures !== undefined ||
    owner.getStructures !== undefined ||
    control[word.RECORD_SLOTS] !== 0 ||
    open.calls !== null
  )
}

/**
 * Readies the record table for a message, and returns the mode to scan it in. `nested` says that the
 * message is read while another one of the same owner is; `call` is the call of unpackMultiple that it
 * is part of, or null.
 */
function prepareRecords(owner, nested, call) {
  const records = owner[RECORDS]
  if (records === null) return record.OFF
  const { structures } = owner
  if (structures !== records.structures || !records.isAsSeen()) records.follow(structures)
  let mode = 0
  if (call !== null) {
    // The callback may have read another message meanwhile.
    if (call.received !== records.received) records.setReceived(call.received)
    mode = record.KEPT
  } else if (!nested) {
    if (records.list === null || !owner.trusted) {
      if (records.received !== null) records.setReceived(null)
    } else if (!isAmong(open.loading, records)) {
      mode = record.KEPT
    }
  }
  if (typeof owner.getStructures === 'function' && !isAmong(open.loading, records)) mode |= record.ASKED
  if (
    records.stale ||
    records.changed.size !== 0 ||
    (records.used !== 0 && records.generation !== control[word.GENERATION])
  ) {
    records.renew()
  }
  if (current !== records) {
    if ((records.used | control[word.RECORD_SLOTS]) !== 0) records.show()
    current = records
  }
  return records.wide ? mode | record.WIDE : mode
}

/** How often `prepareRecords` had to look key lists up. */
function renewalsSoFar() {
  return renewals
}

/** Keeps the definitions in `slots` that `owner` has received, in `call` if that is not null. */
function receiveRecords(owner, slots, keysOf, call) {
  const records = owner[RECORDS]
  for (const slot of slots) {
    call?.replaced?.push([slot, records.received?.get(slot)])
    records.receive(slot, keysOf)
  }
  if (call !== null) call.received = records.received
}

/** Takes back what `call` has received since its `replaced` was made an empty list. */
function takeBack({ records, replaced }) {
  for (const [slot, before] of replaced.reverse()) {
    if (before === undefined) records.received?.delete(slot)
    else records.received.set(slot, before)
  }
  records.stale = true
}

/** How many calls of unpackMultiple there were. */
let calls = 0

/** Begins a call of unpackMultiple; `nested` as above. What it reads from is the result's `input`. */
function beginCall(owner, input, nested) {
  const records = owner[RECORDS]
  const inside = nested || isAmong(open.calls, records) || isAmong(open.loading, records)
  if (!inside && records.received !== null && !Array.isArray(owner.structures)) records.setReceived(null)
  const { received } = records
  const own = received === null ? null : new Map(received)
  // First, as the stack may end in it.
  checkLater()
  const number = ++calls
  const { calls: outer } = open
  const notes = null
  // What definitions have replaced, if they may have to be taken back.
  const replaced = null
  open.calls = { number, records, input, notes, replaced, outer, inside, before: received, received: own }
  return open.calls
}

/** Ends it. What a call inside another one was given is not kept. */
function endCall(call) {
  open.calls = call.outer
  const { records } = call
  const kept = call.inside ? call.before : call.received
  if (records.received !== kept) records.setReceived(kept)
}

/** Asks for the structures of `instance` and adds those that are new, in a new array; returns the array. */
function loadStructures(instance) {
  checkLater()
  let loaded
  open.loading = { records: instance[RECORDS], outer: open.loading }
  try {
    loaded = embedded(() => instance.getStructures())
  } finally {
    open.loading = open.loading?.outer ?? null
  }
  if (loaded !== null && loaded !== undefined && !Array.isArray(loaded)) {
    throw new TypeError('getStructures must return an array, null or undefined, and no promise')
  }
  const known = Array.isArray(instance.structures) ? instance.structures : []
  const lists = Array.isArray(loaded) ? loaded : []
  if (
    known !== instance.structures ||
    lists.length > known.length ||
    lists.some((keys, slot) => Array.isArray(keys) && !Array.isArray(known[slot]))
  ) {
    instance.structures = Array.from({ length: Math.max(known.length, lists.length) }, (_, slot) => {
      if (Array.isArray(known[slot])) return known[slot]
      return Array.isArray(lists[slot]) ? lists[slot].slice() : null
    })
  }
  return instance.structures
}

/** Takes note that `instance` has sent a definition. It can then read what refers to it. */
function noteSent(instance, slot, keys, twoByte) {
  const records = instance[RECORDS]
  records.sent ??= new Map()
  records.sent.set(slot, { keys, twoByte })
  records.changed.add(slot)
}

/** Forgets structures and definitions; an array of structures is replaced by an empty one. */
function clearStructures(instance) {
  if (!instance.structures) return
  instance.structures = []
  const records = instance[RECORDS]
  records.sent = null
  records.setReceived(null)
}

module.exports = {
  RECORDS,
  table,
  initRecords,
  needsRecords,
  prepareRecords,
  renewalsSoFar,
  receiveRecords,
  takeBack,
  beginCall,
  endCall,
  loadStructures,
  noteSent,
  clearStructures,
}
