'use strict'

// Ids of values mean something to the end of the chunk in which they came, together with what was held before it:
// however many values lie between, and whether they name a value or the keys of a record.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { decodeIter, Packr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { halves, pieces } = require('../helpers/streams')

const DEFINED = fromHex('d66900000001 92a161a162')
const REFERRED = fromHex('d67000000001')
/** A record of the keys that have the id. */
const RECORD = fromHex('d47240 d67000000001 0506')

const message = (between) => Buffer.concat([DEFINED, Buffer.alloc(between, 1), RECORD, REFERRED])

for (const between of [0, 1, 127, 128, 129, 300, 1000]) {
  test(`${between} values between`, () => {
    const bytes = message(between)
    const expected = [['a', 'b'], ...Array(between).fill(1), { a: 5, b: 6 }, ['a', 'b']]
    const cuts = halves(bytes).slice(0, DEFINED.length)
    for (const chunks of cuts) {
      const values = [...decodeIter(chunks)]
      assert.deepEqual(values, expected)
      assert.equal(values.at(-1), values[0])
    }
  })
}

test('what is held and the chunk that completes it are one piece', () => {
  const first = fromHex('93 0102')
  const rest = Buffer.concat([fromHex('03'), message(200)])
  const values = [...decodeIter([first, rest.subarray(0, 5), rest.subarray(5)])]
  assert.deepEqual(values[0], [1, 2, 3])
  assert.deepEqual(values.slice(-2), [{ a: 5, b: 6 }, ['a', 'b']])
  // Behind the end of a chunk an id means nothing, or something else.
  const again = Buffer.concat([fromHex('d66900000001 91a17a'), REFERRED])
  assert.deepEqual([...decodeIter([message(3), again])].slice(-2), [['z'], ['z']])
  assert.throws(() => [...decodeIter([message(3), REFERRED])], /There is no value with the id 1/)
})

test('what a chunk may ask for grows with it, not with what was held before it', () => {
  const sets = Array.from({ length: 8000 }, (_, i) => new Set([i % 100, 'a', 'b', 'c']))
  const bytes = Buffer.concat(sets.map((set) => Buffer.from(new Packr({ moreTypes: true }).pack(set))))
  for (const cut of [1, 3, 5, 100]) {
    assert.deepEqual([...decodeIter([bytes.subarray(0, cut), bytes.subarray(cut)])], sets)
  }
  assert.deepEqual([...decodeIter(pieces(bytes, () => 700))], sets)
})
