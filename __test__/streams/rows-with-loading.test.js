'use strict'

// Small values that are read together, where one of them needs a structure that has to be loaded, or refers to what the
// unpackr's table does not have any more.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, UnpackrStream, decodeIter } = require('../helpers/ferropack')

const COUNT = 2000
const lists = [['a'], ['b']]
const copy = () => lists.map((keys) => [...keys])

/** Records of the first structure, with `odd` in the place `at`. */
function bytesWith(at, odd) {
  return Buffer.from(Array.from({ length: COUNT }, (_, i) => (i === at ? odd : [0x40, i & 31])).flat())
}

function expected(at, value) {
  return Array.from({ length: COUNT }, (_, i) => (i === at ? value : { a: i & 31 }))
}

async function streamed(unpackr, chunk) {
  const values = []
  const stream = new UnpackrStream({ unpackr })
  stream.end(chunk)
  for await (const value of stream) values.push(value)
  return values
}

for (const at of [0, 3, 127, 128, 129, 200, 700, 1999]) {
  test(`a structure that is loaded for value ${at}`, async () => {
    const lazy = () => new Unpackr({ structures: [['a']], getStructures: copy })
    const bytes = bytesWith(at, [0x41, 5])
    assert.deepEqual([...decodeIter([bytes], { unpackr: lazy() })], expected(at, { b: 5 }))
    assert.deepEqual(await streamed(lazy(), bytes), expected(at, { b: 5 }))
  })

  test(`an integer in the place of a record id as value ${at}`, async () => {
    const lazy = () => new Unpackr({ structures: [['a']], getStructures: () => [['a']] })
    const bytes = bytesWith(at, [0x50])
    assert.deepEqual([...decodeIter([bytes], { unpackr: lazy() })], expected(at, 0x50))
    assert.deepEqual(await streamed(lazy(), bytes), expected(at, 0x50))
  })

  test(`getStructures reads streams for value ${at}`, async () => {
    const inner = bytesWith(-1, [])
    const getStructures = () => {
      assert.equal([...decodeIter([inner], { structures: [['a']] })].length, COUNT)
      return copy()
    }
    const lazy = new Unpackr({ structures: [['a']], getStructures })
    assert.deepEqual(await streamed(lazy, bytesWith(at, [0x41, 5])), expected(at, { b: 5 }))
  })
}

test('arrays among which a structure is loaded are not spread', async () => {
  const unpackr = new Unpackr({ structures: [['a']], getStructures: copy })
  const bytes = Buffer.concat(
    Array.from({ length: 600 }, (_, i) => Buffer.from(i === 200 ? [0x41, 5] : [0x92, 1, 2])),
  )
  const values = Array.from({ length: 600 }, (_, i) => (i === 200 ? { b: 5 } : [1, 2]))
  assert.deepEqual(await streamed(unpackr, bytes), values)
})

test('a packr with a store writes, and a stream loads what it has not seen', async () => {
  const stored = []
  const packr = new Packr({
    getStructures: () => stored.map((keys) => [...keys]),
    saveStructures: (structures) => {
      stored.splice(0, stored.length, ...structures.map((keys) => [...keys]))
    },
  })
  const values = Array.from({ length: COUNT }, (_, i) => (i % 500 === 1 ? { [`key ${i}`]: i } : [i & 63, 2]))
  const bytes = Buffer.concat(values.map((value) => Buffer.from(packr.pack(value))))
  const later = stored.splice(1)
  const unpackr = new Unpackr({ getStructures: () => stored.map((keys) => [...keys]) })
  assert.deepEqual(unpackr.unpack(packr.pack(values[1])), values[1])
  stored.push(...later)
  assert.deepEqual(await streamed(unpackr, bytes), values)
})
