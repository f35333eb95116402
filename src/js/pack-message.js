'use strict'
// Packs messages by way of the tape: the walk, the decisions that need to know all of it, and the hand-over of the
// finished tape to Rust.

const { encode: encodeTape } = require('./binding.js')
const { rootNode } = require('./key-lists.js')
const packTape = require('./pack-tape.js')
const { resolveRecords } = require('./record-headers.js')
const { control: word, pack: tag, TAG_BITS } = require('./tape.js')
const { MISTAKEN, isNumericKey, walk } = require('./walk.js')
const { state, headers, listedKeys, begin, restore, startOver } = require('./walk-state.js')

const { control, tape } = packTape

/** Thrown where objects that were taken for records are maps, and have keys that become numbers. */
const NUMERIC_MAPS = new Error('an object that is no record has numeric keys')

/** Thrown where a callback has replaced the structures while ids of theirs were given. */
const DISTURBED = new Error('the structures were replaced while a message was packed')
/** Times that a message is begun again because of it. */
const MAX_DISTURBANCES = 10

/** Hands the message over to Rust, which leaves so many bytes of the chunk free before it. */
function encode(bits, chunk, reserve) {
  if (!packTape.isInStep())
    throw new RangeError('The message could not be packed for lack of stack or memory')
  control[word.TEXTS] = state.textCount
  control[word.OPTIONS] = bits
  control[word.TAPE_START] = state.start
  control[word.TAPE_END] = state.at
  control[word.SIDE_START] = state.sideStart
  control[word.TEXT_LENGTH] = state.textLength
  control[word.BINARY] = state.binaryStart
  control[word.CHUNK_START] = chunk.at + reserve
  encodeTape(state.text, chunk.memory, state.texts)
}

/** Which maps have their keys or values changed: those with these keys, or none. */
function rewritingTest() {
  if (!state.asPairs) return null
  return state.hasSkipValues ? () => true : (keys) => keys.some(isNumericKey)
}

/** Finishes a message that was walked. */
function finish(bits, chunk, reserve, store) {
  if (state.structures === null) {
    state.references?.resolve(tape.words, [])
    encode(bits, chunk, reserve)
    return
  }
  const outer = state.structures.begin(store.depth > 1, store.before)
  try {
    const repeated = state.references === null ? null : []
    if (
      !resolveRecords(
        state.structures,
        tape.words,
        headers,
        state.headerStart,
        state.headerCount,
        listedKeys,
        rewritingTest(),
        repeated,
      )
    ) {
      throw NUMERIC_MAPS
    }
    if (state.structures.isDisturbed()) throw DISTURBED
    state.references?.resolve(tape.words, repeated)
    encode(bits, chunk, reserve)
    state.structures.succeed(outer, state.at)
  } catch (error) {
    state.structures.fail(outer)
    throw error
  }
}

/**
 * Packs `value` under the options of `owner`, of which `bits` are Rust's part. The control block says
 * how long the result is and whether it lies in `chunk.memory`, `reserve` bytes behind `chunk.at`, which are
 * looked at when the walk is over; otherwise it is to be taken before the next message.
 *
 * With `ownStructures` objects become records of these; `store` is where they come from.
 */
function packMessage(owner, bits, value, chunk, reserve, ownStructures = null, store = null) {
  const outer = begin(owner, ownStructures)
  try {
    for (let again = 0; !tryToPack(bits, value, chunk, reserve, store); again++) {
      if (again > MAX_DISTURBANCES) throw DISTURBED
      startOver()
    }
  } finally {
    restore(outer)
  }
}

/** Packs the message if it is what it was taken for; otherwise it is to be walked again. */
function tryToPack(bits, value, chunk, reserve, store) {
  try {
    // Only a message that is a string itself is told from one whose value becomes a string: it is not bundled.
    if (state.packr.bundleStrings && typeof value !== 'string') {
      tape.words[state.at++] = (1 << TAG_BITS) | tag.PARTS
    }
    walk(value, rootNode())
    finish(bits, chunk, reserve, store)
    return true
  } catch (error) {
    if (error === MISTAKEN && !state.careful) state.careful = true
    else if (error !== NUMERIC_MAPS && error !== DISTURBED) throw error
    return false
  }
}

module.exports = { packMessage }
