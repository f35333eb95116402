'use strict'

// encodeIter and decodeIter: kinds of sources, laziness, errors, and what happens when one stops early.

const test = require('node:test')
const assert = require('node:assert/strict')
const { encodeIter, decodeIter, Packr, Unpackr, pack } = require('../helpers/ferropack')
const { toHex, fromHex } = require('../helpers/hex')

async function* later(items) {
  for (const item of items) {
    await null
    yield item
  }
}

async function all(source) {
  const items = []
  for await (const item of source) items.push(item)
  return items
}

/** An iterable that tells how far it was read and whether it was closed. */
function watched(items) {
  const state = { read: 0, closed: false }
  function* iterate() {
    try {
      for (const item of items) {
        state.read++
        yield item
      }
    } finally {
      state.closed = true
    }
  }
  return { state, sync: iterate(), async: later(iterate()) }
}

test('values become Buffers, of sync sources at once and of async ones later', async () => {
  const hexes = ['d4724091a16101', 'd4724091a16102', 'c0', 'd40000']
  const values = [{ a: 1 }, { a: 2 }, null, undefined]
  assert.deepEqual([...encodeIter(values)].map(toHex), hexes)
  assert.deepEqual([...encodeIter(new Set(values))].map(toHex), hexes)
  for (const source of [later(values), Promise.resolve(values), Promise.resolve(later(values))]) {
    assert.deepEqual((await all(encodeIter(source))).map(toHex), hexes)
  }
  assert.deepEqual([...encodeIter([{ a: 1 }, { a: 2 }], { sequential: true })].map(toHex), [
    'd4724091a16101',
    '4002',
  ])
  assert.deepEqual([...encodeIter([{ a: 1 }], { packr: new Packr({ useRecords: false }) })].map(toHex), [
    'de0001a16101',
  ])
})

test('chunks become values', async () => {
  const chunks = ['d47240', '91a161', '01', '4002c0', 'd40000'].map(fromHex)
  const values = [{ a: 1 }, { a: 2 }, null, undefined]
  assert.deepEqual([...decodeIter(chunks)], values)
  for (const source of [later(chunks), Promise.resolve(chunks), Promise.resolve(later(chunks))]) {
    assert.deepEqual(await all(decodeIter(source)), values)
  }
  assert.deepEqual([...decodeIter([fromHex('81a16101')], { useRecords: false })], [{ a: 1 }])
  assert.deepEqual(
    [...decodeIter([fromHex('4001')], { unpackr: new Unpackr({ structures: [['x']] }) })],
    [{ x: 1 }],
  )
  assert.deepEqual([...decodeIter([])], [])
})

test('sources are read as far as is asked for, and closed', async () => {
  for (const [iterate, items] of [
    [encodeIter, [1, 2, 3]],
    [decodeIter, [fromHex('01'), fromHex('02'), fromHex('03')]],
  ]) {
    const { state, sync } = watched(items)
    const iterator = iterate(sync)
    assert.equal(state.read, 0)
    iterator.next()
    assert.deepEqual(state, { read: 1, closed: false })
    assert.deepEqual(iterator.return('done'), { value: 'done', done: true })
    assert.deepEqual(state, { read: 1, closed: true })
    const other = watched(items)
    const thrown = iterate(other.sync)
    thrown.next()
    assert.throws(() => thrown.throw(new Error('mine')), /mine/)
    assert.equal(other.state.closed, true)
    const slow = watched(items)
    for await (const item of iterate(slow.async)) {
      assert.ok(item !== undefined)
      break
    }
    assert.equal(slow.state.closed, true)
  }
})

test('errors come after the values before, and close the source', async () => {
  const cut = [fromHex('01a3'), fromHex('61')]
  const broken = [fromHex('0102d5503030'), fromHex('03')]
  for (const [chunks, before, message] of [
    [cut, [1], 'Unexpected end of MessagePack data'],
    [broken, [1, 2], 'Unknown extension type 80'],
    [['text'], [], 'Source must be a Uint8Array or Buffer but was a string'],
    [pack([1]), [], 'Source must be a Uint8Array or Buffer but was a number'],
    [[fromHex('92'), 'text'], [], 'Chunk must be a Uint8Array or Buffer'],
  ]) {
    const sync = watched(chunks)
    const slow = watched(chunks)
    const values = []
    assert.throws(
      () => {
        for (const value of decodeIter(sync.sync)) values.push(value)
      },
      { message },
    )
    await assert.rejects(
      async () => {
        for await (const value of decodeIter(slow.async)) values.push(value)
      },
      { message },
    )
    assert.deepEqual(values, [...before, ...before])
    assert.ok(sync.state.closed && slow.state.closed)
  }
  assert.throws(() => [...decodeIter(cut)], { incomplete: true })
  assert.throws(() => [...decodeIter([fromHex('93'), fromHex('00')], { maxIncompleteBufferSize: 1 })], {
    message: 'Maximum incomplete buffer size exceeded',
  })
  assert.throws(() => [...encodeIter([Symbol('x')])], /symbol/)
  await assert.rejects(all(encodeIter(later([Symbol('x')]))), /symbol/)
  await assert.rejects(all(encodeIter(Promise.reject(new Error('mine')))), /mine/)
})

test('what is no source is refused', async () => {
  const notObjects = ['text', 5, null, undefined, Symbol('x'), () => 1]
  const encoding = 'first argument must be an Iterable, Async Iterable, or a Promise for an Async Iterable'
  const decoding =
    'first argument must be an Iterable, Async Iterable, Iterator, Async Iterator, or a promise'
  for (const source of notObjects) {
    assert.throws(() => encodeIter(source), { message: encoding })
    assert.throws(() => decodeIter(source), { message: decoding })
    await assert.rejects(all(encodeIter(Promise.resolve(source))), { message: encoding })
    await assert.rejects(all(decodeIter(Promise.resolve(source))), { message: decoding })
  }
  assert.throws(() => encodeIter({}), {
    message: 'first argument must be an Iterable, Async Iterable, Iterator, Async Iterator, or a Promise',
  })
  assert.throws(() => decodeIter({}), { message: decoding })
  await assert.rejects(all(decodeIter(Promise.resolve({}))), { message: decoding })
  assert.throws(() => decodeIter([], { unpackr: {} }), TypeError)
  assert.throws(() => encodeIter([], { packr: {} }), TypeError)
})

test('several at once do not meet', () => {
  const first = decodeIter(['d4724091a16101', '40', '02'].map(fromHex))
  const second = decodeIter(['d4724091a16205', '40', '06'].map(fromHex))
  assert.deepEqual([first.next().value, second.next().value], [{ a: 1 }, { b: 5 }])
  assert.deepEqual([first.next().value, second.next().value], [{ a: 2 }, { b: 6 }])
  const unpackr = new Unpackr({ structures: [] })
  const shared = ['d4724091a16101', '40', '02']
  const third = decodeIter(shared.map(fromHex), { unpackr })
  third.next()
  unpackr.unpackMultiple(fromHex('d4724091a17a01'))
  assert.deepEqual(third.next().value, { a: 2 })
})
