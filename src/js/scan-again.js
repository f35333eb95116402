'use strict'
// Scans a message again when it turned out that the record table is not what the message needs: its
// numbers are old, or it lacks a structure that may be loaded.

const { scan } = require('./binding.js')
const { control } = require('./pack-tape.js')
const { control: word, records: record } = require('./tape.js')
const { loadStructures, prepareRecords } = require('./read-structures.js')

/**
 * Scans `message` until it is on the tape, and returns what the scan does. `message` has the parameters
 * of `read` and what follows from them; its input is replaced where user code may have changed it.
 * `synchronise` takes over what a scan has changed.
 */
function scanAgain(message, synchronise) {
  const { owner, bits, start, end, base, nested, call } = message
  let mayAsk = true
  for (;;) {
    const lacks = control[word.RECORD_UNKNOWN] > 0
    synchronise()
    // Nothing is loaded again by a message for which that brought nothing new.
    if (lacks) mayAsk = load(message)
    const mode = prepareRecords(owner, nested, call)
    control[word.OPTIONS] = bits
    control[word.INPUT_START] = start
    control[word.INPUT_END] = end
    control[word.SLOT_START] = base
    control[word.RECORD_MODE] = mayAsk ? mode : mode & ~record.ASKED
    const first = scan(message.input)
    if (control[word.RECORD_UNKNOWN] === 0) return first
  }
}

/** Loads structures, and returns whether there are new ones. */
function load(message) {
  const { owner, input } = message
  const before = owner.structures
  const copy = Uint8Array.prototype.slice.call(input)
  const loaded = loadStructures(owner)
  // What user code may have done to the input, such as to read the structures into it, does not matter.
  if (Buffer.compare(copy, input) !== 0) message.input = copy
  return loaded !== before
}

module.exports = { scanAgain }
