'use strict'

// The second argument of unpack: where the value starts and where the input ends.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { unpack, decode, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const bytes = fromHex('01 82a16102a16203 9205a178 c4020708')
const unpackr = new Unpackr({ useRecords: false })

for (const [label, run] of [
  ['unpack', unpack],
  ['decode', decode],
  ['unpackr.unpack', (...args) => unpackr.unpack(...args)],
  ['unpackr.decode', (...args) => unpackr.decode(...args)],
]) {
  test(`${label}: a number is the end of the input`, () => {
    assert.equal(run(bytes, 1), 1)
    assertSame(run(fromHex('9101ff'), 2), [1])
    assertSame(run(fromHex('9101'), 1000), [1])
    assert.throws(() => run(bytes, 0), { message: 'Unexpected end of MessagePack data', incomplete: true })
    assert.throws(() => run(fromHex('9101'), 1), { incomplete: true })
  })

  test(`${label}: minus one, NaN and undefined mean the whole input`, () => {
    for (const whole of [-1, NaN, undefined]) assertSame(run(fromHex('9101'), whole), [1])
  })

  test(`${label}: start and end`, () => {
    assertSame(run(bytes, { start: 1, end: 8 }), { a: 2, b: 3 })
    assertSame(run(bytes, { start: 8, end: 12 }), [5, 'x'])
    assertSame([...run(bytes, { start: 12 })], [7, 8])
    assert.equal(run(bytes, { end: 1 }), 1)
    assertSame(run(fromHex('ff9101'), { start: 1, end: 99 }), [1])
    assertSame(run(fromHex('9101'), {}), [1])
  })

  test(`${label}: an end of zero counts as absent`, () => {
    assertSame(run(fromHex('9101'), { start: 0, end: 0 }), [1])
    assertSame(run(fromHex('ff9101'), { start: 1, end: 0 }), [1])
  })

  test(`${label}: null is a TypeError`, () => {
    assert.throws(() => run(fromHex('9101'), null), TypeError)
    assertSame(run(fromHex('9101')), [1])
  })

  test(`${label}: an unknown option is ignored`, () => {
    assertSame(run(fromHex('9101'), { lazy: true }), [1])
  })

  test(`${label}: what lies behind the end is neither read nor counted`, () => {
    const text = fromHex('a3 616263')
    for (let end = 1; end < 4; end++) assert.throws(() => run(text, end), { incomplete: true }, String(end))
    assert.throws(() => run(fromHex('da0003 616263'), { end: 4 }), { incomplete: true, missingBytes: 2 })
    assert.throws(() => run(fromHex('cd0102'), 2), { incomplete: true })
    assert.throws(() => run(fromHex('dc0002 0102'), 4), { incomplete: true, missingBytes: 1 })
    assert.throws(() => run(fromHex('d6ff 00000001'), 5), { incomplete: true, missingBytes: 1 })
  })

  test(`${label}: bytes left before the end are an error`, () => {
    assert.throws(
      () => run(bytes, { start: 1, end: 12 }),
      (error) => {
        assert.equal(error.message, 'Data read, but end of buffer not reached {"a":2,"b":3}')
        assert.ok(!('incomplete' in error))
        return true
      },
    )
  })
}

test('mapping a list with unpack passes the index as the end', () => {
  assert.throws(() => [fromHex('01'), fromHex('02')].map(unpack), { incomplete: true })
})

test('starts at every offset', () => {
  const record = fromHex('83a161cb3ff8000000000000a162d3000000000000000ba163d90568656c6c6f')
  for (let start = 0; start < 40; start++) {
    const padded = Buffer.concat([Buffer.alloc(start, 0xc1), record, Buffer.alloc(7, 0xc1)])
    assertSame(unpack(padded, { start, end: start + record.length }), { a: 1.5, b: 11n, c: 'hello' })
  }
})
