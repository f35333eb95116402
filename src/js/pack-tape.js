'use strict'
// The packing tape's memory as JavaScript sees it, and the hand-over of a finished message to Rust.
//
// The views are replaced when the tape grows; whoever writes reads them from `tape` again after
// anything that may have grown it.

const binding = require('./binding.js')
const { control: word } = require('./tape.js')

const control = new Int32Array(binding.controlBlock())

/** Room that every value may use without asking: words, and entries of the side array. */
const SLACK = 64
/** Words between two checks of the tape's ends. */
const STRIDE = 1 << 15
/** A tape larger than this is given back at the event loop's next turn: words, and entries. */
const KEPT = 1 << 18

/** Calls for memory of `length` words or entries (0: the base size). */
function request(memory, length) {
  control[word.TAPE_END] = length
  return memory()
}

function viewsOfSide(memory) {
  return {
    side: new Float64Array(memory),
    sideInt64: new BigInt64Array(memory),
    sideUint64: new BigUint64Array(memory),
  }
}

// V8 takes the views for constants as long as the fields have not been assigned since the object was
// made, which makes reaching them cheap.
const tape = {
  words: new Int32Array(request(binding.packWords, 0)),
  ...viewsOfSide(request(binding.packSide, 0)),
}

/** What `nextLimit` gives at the start of the tape. */
const first = { limit: limitAt(0, 0) }

function resizeWords(length) {
  tape.words = new Int32Array(request(binding.packWords, length))
  first.limit = limitAt(0, 0)
}

function resizeSide(length) {
  Object.assign(tape, viewsOfSide(request(binding.packSide, length)))
  first.limit = limitAt(0, 0)
}

function limitAt(at, sideAt) {
  return at + Math.min(STRIDE, tape.words.length - at, tape.side.length - sideAt) - SLACK
}

/** Makes room for `more` words behind `at`. */
function reserveWords(at, more) {
  if (at + more > tape.words.length) resizeWords(Math.max(tape.words.length * 2, at + more))
}

/** Makes room for `more` side entries behind `at`. */
function reserveSide(at, more) {
  if (at + more > tape.side.length) resizeSide(Math.max(tape.side.length * 2, at + more))
}

/**
 * Makes room for at least one more value, whatever its kind. Returns the position on the tape up to
 * which values may be written before this must be asked again.
 */
function nextLimit(at, sideAt) {
  reserveWords(at, 2 * SLACK)
  reserveSide(sideAt, 2 * SLACK)
  return limitAt(at, sideAt)
}

/**
 * Whether Rust reads the memory that is written here. It does not when a call that replaced the memory
 * was left by an exception, such as a stack overflow, before its views were made.
 */
function isInStep() {
  return control[word.PACK_WORDS] === tape.words.length && control[word.PACK_SIDE] === tape.side.length
}

/** Takes new memory of the base size. Not while a message is in progress. */
function renew() {
  resizeWords(0)
  resizeSide(0)
}

/** Gives back the memory of large messages. */
function shrink() {
  if (tape.words.length > KEPT) resizeWords(0)
  if (tape.side.length > KEPT) resizeSide(0)
}

/** Whether there is memory to give back. */
function isLarge() {
  return tape.words.length > KEPT || tape.side.length > KEPT
}

module.exports = {
  control,
  tape,
  first,
  reserveWords,
  reserveSide,
  nextLimit,
  isInStep,
  renew,
  isLarge,
  shrink,
}
