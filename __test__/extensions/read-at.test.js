'use strict'

// `readAt`: an extension reads values elsewhere in its message, under what holds where the extension stands.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const msgpackr = require('msgpackr')
const { unpack, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { registerWithBoth } = require('../helpers/register-reader')
const { assertSame } = require('../helpers/same')

// The payload is a list of positions, a byte each.
registerWithBoth({ type: 41, unpack: (data, readAt) => Array.from(data, (position) => readAt(position)) })

const both = (hex, options = {}) => {
  const ours = new Unpackr({ ...options }).unpack(fromHex(hex))
  assertSame(ours, new msgpackr.Unpackr({ ...options }).unpack(fromHex(hex)), hex)
  return ours
}

test('values before, behind and inside the payload', () => {
  assertSame(both('93a3616263d5290109a568656c6c6f'), ['abc', ['abc', 'hello'], 'hello'])
  assertSame(both('92d529050591a161'), [[['a'], ['a']], ['a']])
  assertSame(both('92c70329040505c0'), [[4, 5, 5], null])
  const map = both('82a161d5290707a16202', { useRecords: false })
  assertSame(map, { a: ['b', 'b'], b: 2 })
})

test('records that were defined before it, as they were then', () => {
  const bytes = fromHex('94 d4724091a16101 d5290c0c 4002 d4724091a16203')
  const result = new Unpackr({}).unpack(bytes)
  assertSame(result, [{ a: 1 }, [{ a: 2 }, { a: 2 }], { a: 2 }, { b: 3 }])
})

test('records of two definitions of one id', () => {
  // The same bytes are read under each definition.
  const hex = '95 d4724091a16101 d529 1b1b d4724091a16202 d529 1b1b 4005'
  const position = fromHex(hex).length - 2
  const bytes = fromHex(hex.replaceAll('1b1b', position.toString(16).padStart(2, '0').repeat(2)))
  for (const read of [
    () => new Unpackr({}).unpack(bytes),
    () => new Unpackr({}).unpackMultiple(bytes)[0],
    () => new Unpackr({ structures: [] }).unpack(bytes),
  ]) {
    assertSame(read(), [{ a: 1 }, [{ a: 5 }, { a: 5 }], { b: 2 }, [{ b: 5 }, { b: 5 }], { b: 5 }])
  }
})

test('shared structures and those that are loaded', () => {
  const bytes = '92d529 05 05 4007'
  assertSame(new Unpackr({ structures: [['k']] }).unpack(fromHex(bytes)), [[{ k: 7 }, { k: 7 }], { k: 7 }])
  const loading = new Unpackr({ getStructures: () => [['k']] })
  assertSame(loading.unpack(fromHex(bytes)), [[{ k: 7 }, { k: 7 }], { k: 7 }])
})

test('references mean the same object', () => {
  const hex = '93 d66900000001 9105 d529 0d0d d67000000001'
  const [target, read, pointer] = new Unpackr({}).unpack(fromHex(hex))
  assert.equal(pointer, target)
  assert.equal(read[0], target)
  assert.equal(read[1], target)
  // A list of keys that has an id.
  const keys = '93 d47240 d66900000001 91a161 01 d529 1212 d47240 d67000000001 02'
  assertSame(new Unpackr({}).unpack(fromHex(keys)), [{ a: 1 }, [{ a: 2 }, { a: 2 }], { a: 2 }])
})

test('bundled strings come from where the extension stands', () => {
  const values = 'c102d5290c0cc103'
  const hex = `93d662${(4 + values.length / 2).toString(16).padStart(8, '0')}${values}a0a6616263646566`
  const bytes = fromHex(hex.replace('0c0c', '0d0d'))
  const result = unpack(bytes)
  assert.equal(result[0], 'ab')
  assert.deepEqual(result[1], ['cde', 'cde'])
  assert.equal(result[2], 'cde')
})

test('where nothing can be read', () => {
  for (const position of ['ff', '04'])
    assert.throws(() => unpack(fromHex(`d529${position}${position}`)), { incomplete: true })
  const positions = [-1, NaN, Infinity, undefined, 'x', 2 ** 40]
  for (const position of positions) {
    registerWithBoth({ type: 42, unpack: (_, readAt) => readAt(position) })
    assert.throws(() => unpack(fromHex('d52a0000')), { incomplete: true }, String(position))
  }
  assert.deepEqual(unpack(fromHex('9101')), [1])
})

test('not when the extension has been read', () => {
  let kept
  registerWithBoth({
    type: 43,
    unpack(_, readAt) {
      kept = readAt
      return 'read'
    },
  })
  assert.equal(unpack(fromHex('d52b0000')), 'read')
  assert.throws(() => kept(0), /readAt can not be called/)
})

test('endless reading ends in an error', () => {
  registerWithBoth({ type: 44, unpack: (_, readAt) => readAt(0) })
  assert.throws(() => unpack(fromHex('d52c0000')), RangeError)
  assert.deepEqual(unpack(fromHex('9101')), [1])
})

test('a callback may unpack and read on', () => {
  registerWithBoth({
    type: 45,
    unpack(data, readAt) {
      const inner = new Unpackr({}).unpack(fromHex('92 d4724091a17801 4002'))
      return [inner, readAt(data[0]), unpack(fromHex('a5696e6e6572')), readAt(data[1])]
    },
  })
  const bytes = '94 d4724091a16101 d52d 0d0d 4002 a46c617374'
  const position = '0c'
  const result = new Unpackr({}).unpack(fromHex(bytes.replace('0d0d', position.repeat(2))))
  assertSame(result, [{ a: 1 }, [[{ x: 1 }, { x: 2 }], { a: 2 }, 'inner', { a: 2 }], { a: 2 }, 'last'])
})
