'use strict'

// Extensions that users register, as they are read.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { C1, unpack, unpackMultiple, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { registerReader, registerWithBoth } = require('../helpers/register-reader')
const { assertSame } = require('../helpers/same')
const msgpackr = require('msgpackr')

/** What both give, or that both throw. */
function same(hex, message) {
  let expected
  try {
    expected = msgpackr.unpack(fromHex(hex))
  } catch (error) {
    assert.throws(() => unpack(fromHex(hex)), { name: error.name }, `${hex} ${message ?? ''}`)
    return
  }
  assertSame(unpack(fromHex(hex)), expected, hex)
}

test('unpack is given the payload, whatever the header', () => {
  registerWithBoth({ type: 1, unpack: (data) => ['data', ...data] })
  for (const hex of [
    'd401ff',
    'd5010102',
    'd60101020304',
    'd7010102030405060708',
    `d801${'05'.repeat(16)}`,
    'c70001',
    'c70301070809',
    'c8000201aabb',
    'c90000000101ee',
  ]) {
    same(hex)
    same(`92${hex}a3656e64`)
    same(`82a161${hex}a16205`)
  }
  for (const cut of ['d401', 'd50101', 'c7050101', 'c80002', 'd4']) {
    assert.throws(() => unpack(fromHex(cut)), { incomplete: true }, cut)
  }
})

test('the payload is a view of the input and of its class', () => {
  const seen = []
  registerReader({ type: 2, unpack: (data) => seen.push(data) })
  const buffer = fromHex('d5020102')
  unpack(buffer)
  new Unpackr({ copyBuffers: true }).unpack(buffer)
  const plain = new Uint8Array(buffer)
  unpack(plain)
  unpack(plain.buffer)
  assert.ok(Buffer.isBuffer(seen[0]) && seen[0].buffer === buffer.buffer)
  assert.ok(Buffer.isBuffer(seen[1]) && seen[1].buffer === buffer.buffer)
  assert.equal(seen[2].constructor, Uint8Array)
  assert.equal(seen[2].buffer, plain.buffer)
  assert.ok(Buffer.isBuffer(seen[3]))
  for (const data of seen) assert.deepEqual([...data], [1, 2])
})

test('read takes the value behind the one-byte form, and no other', () => {
  const extension = {
    type: 3,
    read(value) {
      assert.equal(this, extension)
      return { read: value }
    },
  }
  registerWithBoth(extension)
  for (const hex of [
    'd40300a161',
    'd4030093010203',
    'd40300d40300c0',
    '92d4030081a16101c3',
    '81a161d4030005',
  ])
    same(hex)
  assert.throws(() => unpack(fromHex('d5030000')), TypeError)
  assert.throws(() => unpack(fromHex('c70003')), TypeError)
  assert.throws(() => unpack(fromHex('d40300')), { incomplete: true })
  // As a key it may be anything.
  registerWithBoth({ type: 4, read: (value) => `key of ${value}` })
  same('81d404000501')
  same('81d404009101c0')
})

test('unpack wins over read, and its one-byte form has no second argument', () => {
  const seen = []
  registerReader({
    type: 5,
    unpack(...given) {
      seen.push([this, given.length, typeof given[1]])
      return given[0].length
    },
    read: () => assert.fail('read'),
  })
  assertSame(unpack(fromHex('93d40501d505000107')), [1, 2, 7])
  assert.deepEqual(
    seen.map(([, ...rest]) => rest),
    [
      [1, 'undefined'],
      [2, 'function'],
    ],
  )
  assert.equal(seen[0][0], undefined)
})

test('a function with noBuffer is given nothing in the one-byte form', () => {
  const counts = []
  const read = (...given) => counts.push(given.length)
  registerReader({ type: 6, unpack: Object.assign(read, { noBuffer: true }) })
  unpack(fromHex('92d40601d5060000'))
  assert.deepEqual(counts, [0, 2])
})

test('what has neither, and what has no type', () => {
  registerReader({ type: 7, write: (value) => value })
  assert.throws(() => unpack(fromHex('d40701')), TypeError)
  registerReader({ unpack: () => 1 })
  registerReader({ type: NaN, unpack: () => 1 })
  registerReader({ type: null, unpack: () => 1 })
  assert.equal(unpack(fromHex('d40000')), undefined)
})

test('the last registration counts, and the low 8 bits of the type', () => {
  registerReader({ type: 8, unpack: () => 'first' })
  registerReader({ type: 8, read: () => 'second' })
  assert.equal(unpack(fromHex('d4080001')), 'second')
  registerReader({ type: 8, unpack: () => 'third' })
  assert.equal(unpack(fromHex('d40800')), 'third')
  registerReader({ type: -2, unpack: () => 'negative' })
  assert.equal(unpack(fromHex('d4fe00')), 'negative')
  registerReader({ type: 256 + 9, unpack: () => 'large' })
  assert.equal(unpack(fromHex('d40900')), 'large')
  registerReader({ type: 200, unpack: () => 't200' })
  assert.equal(unpack(fromHex('d4c801')), 't200')
})

test('a record is defined by its own two forms, whatever is registered', () => {
  registerReader({ type: 0x72, unpack: (data) => data.length })
  const unpackr = new Unpackr({})
  assertSame(unpackr.unpack(fromHex('d4724091a16101')), { a: 1 })
  assertSame(unpackr.unpack(fromHex('d572600091a16101')), { a: 1 })
  assertSame(unpackr.unpack(fromHex('92d67201020304c70072')), [4, 0])
})

test('functions may throw anything and return anything', () => {
  const thrown = [new Error('mine'), 'text', null, undefined, 5, { incomplete: true }]
  let next
  registerReader({
    type: 10,
    unpack() {
      throw next
    },
  })
  registerReader({ type: 11, read: () => next })
  const unpackr = new Unpackr({})
  for (next of thrown) {
    try {
      unpackr.unpack(fromHex('92d40a0001'))
      assert.fail('nothing was thrown')
    } catch (error) {
      assert.equal(error, next)
    }
    assert.equal(unpackr.unpack(fromHex('91d40b0001'))[0], next)
  }
  for (next of [C1, Symbol.iterator, () => 1, new Proxy({}, {}), 1n]) {
    assert.equal(unpack(fromHex('82a161d40b0001a16202')).a, next)
  }
  next = new Error('with values')
  assert.throws(
    () => unpackMultiple(fromHex('0102d40a00')),
    (error) => {
      assert.deepEqual([error, error.lastPosition, error.values], [next, 2, [1, 2]])
      return true
    },
  )
})

test('a message goes on with what was registered when it began', () => {
  const calls = []
  registerReader({
    type: 12,
    unpack() {
      registerReader({ type: 12, read: (value) => calls.push(value) })
      registerReader({ type: 13, unpack: () => calls.push('new') })
      return 'old'
    },
  })
  assertSame(unpack(fromHex('93d40c00d40c0005')), ['old', 'old', 5])
  assert.equal(unpack(fromHex('d40c0005')), 1)
  assert.equal(unpack(fromHex('d40d00')), 2)
})

test('errors about types that nothing is registered for', () => {
  assert.throws(() => unpack(fromHex('d46301')), { message: 'Unknown extension 99' })
  assert.throws(() => unpack(fromHex('d5630102')), { message: 'Unknown extension type 99' })
  assert.throws(() => unpack(fromHex('c70363010203')), { message: 'Unknown extension type 99' })
})
