'use strict'
// Records under which an extension reads another value of its message: those that were defined before it. The
// table that Rust looks ids up in has them no more when values are built, so they are put there for a while.

const { recordSlots } = require('./binding.js')
const { control } = require('./pack-tape.js')
const { control: word, records: record } = require('./tape.js')

const table = new Uint32Array(recordSlots())

/**
 * What became of each slot of the table in the course of a message, of the log that Rust has left on the tape
 * at word `p`: for each slot the word that was there first, and those that came with their numbers.
 */
function readLog(words, p, length) {
  const slots = new Map()
  for (let i = 0; i < length; i++, p += 4) {
    const number = words[p] >>> 0
    if (!slots.has(number)) slots.set(number, { before: words[p + 2] >>> 0, numbers: [], words: [] })
    const history = slots.get(number)
    history.numbers.push(i)
    history.words.push(words[p + 1] >>> 0)
  }
  return slots
}

/** The word of a slot after the first `count` definitions of the message. */
function wordAfter({ before, numbers, words }, count) {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle] < count) low = middle + 1
    else high = middle
  }
  return low === 0 ? before : words[low - 1]
}

/** Runs `scan` with the table as it was after the first `count` definitions in `log`. */
function withDefinitions(log, count, scan) {
  if (log === null) return scan()
  const used = control[word.RECORD_SLOTS]
  const saved = []
  for (const [number, history] of log) {
    saved.push([number, table[number]])
    const entry = wordAfter(history, count)
    table[number] = entry
    if (entry === 0) continue
    control[word.RECORD_SLOTS] = Math.max(control[word.RECORD_SLOTS], number + 1)
    if (entry >= record.TWO_BYTE) control[word.RECORD_MODE] |= record.WIDE
  }
  try {
    return scan()
  } finally {
    for (const [number, entry] of saved) table[number] = entry
    control[word.RECORD_SLOTS] = used
  }
}

module.exports = { readLog, withDefinitions }
