'use strict'

// Calls from close to the end of the stack: they may fail at any step, and what follows is right.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

/** Calls `action` on each of the last `levels` levels of the stack. How often it worked and failed. */
function nearTheEnd(action, levels) {
  let deepest = 0
  const count = (level) => {
    deepest = level
    return count(level + 1) + 1
  }
  assert.throws(() => count(0), RangeError)
  const outcome = { worked: 0, failed: 0 }
  const descend = (level) => {
    if (level > deepest - levels) {
      try {
        action()
        outcome.worked++
      } catch {
        outcome.failed++
      }
    }
    return descend(level + 1) + 1
  }
  assert.throws(() => descend(0), RangeError)
  return outcome
}

const small = { k: [1, 2, 'abc', 0.5, { z: null }], q: 'hello' }
const LARGE = {
  numbers: Array.from({ length: 270_000 }, (_, i) => i + 0.5),
  strings: Array.from({ length: 270_000 }, () => ''),
  records: Array.from({ length: 20_000 }, (_, i) => ({ i, name: `n${i % 50}` })),
}

for (const [name, large] of Object.entries(LARGE)) {
  test(`packing ${name} while the stack ends`, () => {
    const expected = toHex(pack(small))
    const { worked, failed } = nearTheEnd(() => pack(large), 30)
    assert.ok(worked + failed > 0)
    assert.equal(toHex(pack(small)), expected)
    assertSame(unpack(pack(large)), large)
  })

  test(`unpacking ${name} while the stack ends`, () => {
    const bytes = pack(large)
    const { worked, failed } = nearTheEnd(() => unpack(bytes), 30)
    assert.ok(worked + failed > 0)
    assertSame(unpack(pack(small)), small)
    assertSame(unpack(bytes), large)
  })
}

test('small messages while the stack ends', () => {
  const bytes = pack(small)
  for (let i = 0; i < 5; i++) {
    nearTheEnd(() => assertSame(unpack(pack(small)), small), 200)
    assert.equal(toHex(pack(small)), toHex(bytes))
    assertSame(unpack(bytes), small)
  }
})
