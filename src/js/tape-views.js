'use strict'
// The tape that Rust fills, as typed arrays.

const { unpackSlots } = require('./binding.js')

/**
 * The tape. Its views change when it moves; until then V8 takes them for constants, which it does only
 * with fields that have not been assigned since the object was made.
 */
const tape = viewsOf(unpackSlots())

function viewsOf(memory) {
  return {
    words: new Int32Array(memory),
    doubles: new Float64Array(memory),
    int64: new BigInt64Array(memory),
    uint64: new BigUint64Array(memory),
  }
}

/** The tape has moved. */
function adoptTape() {
  Object.assign(tape, viewsOf(unpackSlots()))
}

module.exports = { tape, adoptTape }
