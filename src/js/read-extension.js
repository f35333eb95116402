'use strict'
// Extensions with a payload. A user's reader may ask for a value elsewhere in the message, which is then
// scanned and built under what holds at the extension: records, ids, bundled strings.

const { scan } = require('./binding.js')
const { control } = require('./pack-tape.js')
const { control: word, records: record } = require('./tape.js')
const { needsRecords, prepareRecords, loadStructures } = require('./read-structures.js')
const { readers } = require('./extensions.js')
const { noteOwnError } = require('./user-code.js')
const { withDefinitions } = require('./definition-log.js')
const { viewBytes } = require('./input-bytes.js')

/** Units of work that reading a value elsewhere takes at least. */
const READ_WORK = 8

/**
 * A function that gives the value of the extension whose slots are at a word of the tape. `builder` holds
 * the tape, what the message that is read consists of (`around`), and how it waits for another one.
 */
function extensionReader({ tape, around, suspend, begin, buildInside, synchronise, resume }) {
  return function extension(p) {
    const { words } = tape
    const start = words[p] >>> 0
    const length = words[p + 1] >>> 0
    const reader = readers[words[p + 2]]
    const isShort = words[p + 3] !== 0
    const message = around()
    const payload = reader.needsPayload(isShort) ? viewBytes(message.source, start, length) : undefined
    if (!reader.takesMore || isShort) return reader.fromPayload(payload, isShort)
    const definitions = words[p + 4]
    const context = words[p + 5]
    // Of this message; its notes may get another one's later.
    const { log } = message.notes
    let isOpen = true
    const readAt = (position) => {
      if (!isOpen) throw new Error('readAt can not be called when the extension has been read')
      try {
        return readInside(message, log, definitions, context, position)
      } catch (error) {
        throw noteOwnError(error)
      }
    }
    try {
      return reader.fromPayload(payload, isShort, readAt)
    } finally {
      isOpen = false
    }
  }

  function readInside(message, log, definitions, context, position) {
    const outer = suspend()
    begin()
    try {
      const first = scanInside(message, log, definitions, context, position, outer.free)
      // However often values are read again, it stays in proportion to the message.
      message.notes.charge(READ_WORK + control[word.SLOT_START] - outer.free)
      if (control[word.NEWS] !== 0) synchronise()
      return buildInside(outer, message, first)
    } finally {
      resume(outer)
    }
  }

  function scanInside({ owner, bits, source, end }, log, definitions, context, position, base) {
    const start = position >= 0 && position < end ? Math.floor(position) : end
    for (let mayAsk = true; ; mayAsk = false) {
      const mode = needsRecords(owner, null) ? prepareRecords(owner, true, null) : 0
      control[word.RECORD_MODE] = mayAsk ? mode : mode & ~record.ASKED
      control[word.OPTIONS] = bits
      control[word.INPUT_START] = start
      control[word.INPUT_END] = end
      control[word.SLOT_START] = base
      control[word.CONTEXT] = context
      const first = withDefinitions(log, definitions, () => scan(source))
      if (control[word.RECORD_UNKNOWN] === 0) return first
      synchronise()
      loadStructures(owner)
    }
  }
}

module.exports = { extensionReader }
