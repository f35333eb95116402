'use strict'

// Small values that are read together where the stack ends: to read them one by one needs less of it, and then they
// are what they are when read from the start.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { decodeIter, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')

/** A list in a list, and so on, in which the stack ends. */
const LEVELS = 300
const deep = JSON.parse('['.repeat(LEVELS) + ']'.repeat(LEVELS))
const expected = [0x40, 0x40, 0x41, 0x40, [1], { a: 5 }, 0x41, { b: 8 }, { a: 6 }, { b: 9 }, deep]
const bytes = Buffer.concat([
  fromHex('40404140 9101 d4724091a161 05 41 d4724191a162 08 4006 4109'),
  Buffer.alloc(LEVELS - 1, 0x91),
  fromHex('90'),
])

/** Where a regular expression is compiled, engines say it in another way. */
const isStackEnd = (error) => error instanceof RangeError || error.message.endsWith('Stack overflow')

/** Calls `attempt` near the end of the stack, at every depth until it has been `done` a few times. */
function nearTheEnd(attempt) {
  const counts = { done: 0, failed: 0 }
  const descend = () => {
    try {
      descend()
    } catch (error) {
      if (!isStackEnd(error)) throw error
    }
    if (counts.done === 10) return
    const values = []
    try {
      for (const value of attempt()) values.push(value)
      counts.done++
    } catch (error) {
      if (!isStackEnd(error)) throw error
      counts.failed++
      // Those before the failure may have been read.
      assert.deepEqual(values, expected.slice(0, values.length))
      return
    }
    assert.deepEqual(values, expected)
  }
  descend()
  return counts
}

for (const [name, unpackr] of [
  ['that keeps definitions', new Unpackr({ structures: [] })],
  ['that does not', new Unpackr()],
]) {
  test(`an unpackr ${name}`, () => {
    const counts = nearTheEnd(() => {
      unpackr.clearSharedData()
      return decodeIter([bytes], { unpackr })
    })
    assert.ok(counts.failed > 0)
    assert.equal(counts.done, 10)
  })
}
