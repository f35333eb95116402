'use strict'

// Packrs that differ only in whether they may use the heap walker, and comparisons of what they make of a value.

const assert = require('node:assert/strict')
const library = require('./ferropack')
const { assertBytes } = require('./round-trip')

const { Packr, acceleration } = library

/** For node:test's `skip`: why there is nothing to compare in this process, or false. */
const withoutHeap = acceleration?.tier !== 'heap' && `the heap walker is off: ${acceleration?.reason}`

/** `options`, or a function that makes them for one packr. */
function makePair(options) {
  const make = typeof options === 'function' ? options : () => options
  return {
    heap: new Packr({ useRecords: false, ...make() }),
    tape: new Packr({ useRecords: false, ...make(), heap: false }),
  }
}

/** What a packr will go by in its next message, and what it has saved in a store of option-sets. */
const stateOf = ({ structures, stored }) => JSON.stringify({ structures, stored })

function outcomeOf(packr, value) {
  try {
    return { bytes: packr.pack(value) }
  } catch (error) {
    return { error }
  }
}

/** Fails unless two outcomes are the same bytes, or errors of one class with one message. */
function assertSameOutcome(actual, expected, message) {
  if (expected.error === undefined) {
    if (actual.error !== undefined) throw new Error(`${message}: it was thrown`, { cause: actual.error })
    return assertBytes(actual.bytes, expected.bytes, message)
  }
  assert.ok(actual.error !== undefined, `${message}: nothing was thrown, not ${expected.error}`)
  assert.equal(actual.error?.constructor, expected.error?.constructor, `${message}: class of the error`)
  assert.equal(actual.error?.message, expected.error?.message, `${message}: message of the error`)
}

/**
 * Packs with the heap walker first: the other one flattens strings and moves bytes off the heap. Each packs once, as
 * what a packr writes may depend on what it wrote before.
 */
function comparePair({ heap, tape }, value, message) {
  const actual = outcomeOf(heap, value)
  assertSameOutcome(actual, outcomeOf(tape, value), message)
  assert.equal(stateOf(heap), stateOf(tape), `${message}: structures`)
  return actual
}

const handoversOf = (packr) =>
  Object.values(library.packCounts(packr).handovers).reduce((sum, count) => sum + count, 0)

/** Fails unless the heap walker packed exactly `messages` messages and handed none over. */
function assertAllByHeap(packr, messages, message) {
  assert.deepEqual(library.packCounts(packr), { heap: messages, tape: 0, handovers: {} }, message)
}

module.exports = {
  withoutHeap,
  makePair,
  outcomeOf,
  assertSameOutcome,
  comparePair,
  handoversOf,
  assertAllByHeap,
}
