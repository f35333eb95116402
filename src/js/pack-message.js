'use strict'
// Packs messages by way of the tape: the walk, the decisions that need to know all of it, and the hand-over of the
// finished tape to Rust.

const { encode: encodeTape } = require('./binding.js')
const { rootNode } = require('./key-lists.js')
const packTape = require('./pack-tape.js')
const { resolveRecords } = require('./record-headers.js')
const { chunk, result } = require('./results.js')
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

/**
 * Hands the message over to Rust, which leaves so many bytes of the chunk free before it. The result is taken at
 * once: what comes after may run user code that packs, in a hook or a patched method.
 */
function encode(bits, reserve) {
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
  return result(reserve)
}

/** Which maps have their keys or values changed: those with these keys, or none. */
function rewritingTest() {
  if (!state.asPairs) return null
  return state.hasSkipValues ? () => true : (keys) => keys.some(isNumericKey)
}

/** Finishes a message that was walked. Returns its bytes. */
function finish(bits, reserve, store) {
  if (state.structures === null) {
    state.references?.resolve(tape.words, [])
    return encode(bits, reserve)
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
    const bytes = encode(bits, reserve)
    state.structures.succeed(outer, state.at)
    return bytes
  } catch (error) {
    state.structures.fail(outer)
    throw error
  }
}

/**
 * Packs `value` under the options of `owner`, of which `bits` are Rust's part, behind `reserve` bytes of zero.
 * Where in the chunk is looked at when the walk is over.
 *
 * With `ownStructures` objects become records of these; `store` is where they come from.
 */
function packMessage(owner, bits, value, reserve, ownStructures = null, store = null) {
  const outer = begin(owner, ownStructures)
  try {
    for (let again = 0; again <= MAX_DISTURBANCES; again++) {
      const bytes = tryToPack(bits, value, reserve, store)
      if (bytes !== null) return bytes
      startOver()
    }
    throw DISTURBED
  } finally {
    restore(outer)
  }
}

/** Packs the message if it is what it was taken for. Returns null where it is to be walked again. */
function tryToPack(bits, value, reserve, store) {
  try {
    // Only a message that is a string itself is told from one whose value becomes a string: it is not bundled.
    if (state.packr.bundleStrings && typeof value !== 'string') {
      tape.words[state.at++] = (1 << TAG_BITS) | tag.PARTS
    }
    walk(value, rootNode())
    return finish(bits, reserve, store)
  } catch (error) {
    if (error === MISTAKEN && !state.careful) state.careful = true
    else if (error !== NUMERIC_MAPS && error !== DISTURBED) throw error
    return null
  }
}

module.exports = { packMessage }
