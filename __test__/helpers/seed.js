'use strict'

// Repeatable randomness. FERROPACK_SEED repeats a run that failed; each suite prints the seed that it used.

function chosenSeed() {
  const given = process.env.FERROPACK_SEED
  return given === undefined ? (Math.random() * 0x1_0000_0000) >>> 0 : Number(given) >>> 0
}

// xorshift32 over a scrambled seed: small, and the same on every engine.
function randomFrom(seed) {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state
  }
  return {
    uint32: next,
    fraction: () => next() / 0x1_0000_0000,
    below: (limit) => Math.floor((next() / 0x1_0000_0000) * limit),
    chance: (probability) => next() / 0x1_0000_0000 < probability,
    pick(list) {
      return list[this.below(list.length)]
    },
    bytes(length) {
      return Buffer.from(Array.from({ length }, () => next() >>> 24))
    },
  }
}

module.exports = { chosenSeed, randomFrom }
