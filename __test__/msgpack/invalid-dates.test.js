'use strict'

// Dates that are none, and what `onInvalidDate` writes in their place; dates without milliseconds.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const invalid = () => new Date(NaN)
const packrOf = (onInvalidDate, options) => new Packr({ onInvalidDate, ...options })

test('without the option', () => {
  for (const packr of [
    { pack },
    new Packr(),
    new Packr({ useTimestamp32: true }),
    new Packr({ structures: [] }),
  ])
    assert.equal(
      toHex(packr.pack([invalid(), new Date(8.64e15 + 1), new Date('nope')])),
      '93d4ffffd4ffffd4ffff',
    )
  assertSame(unpack(fromHex('d4ffff')), invalid())
  for (const none of [undefined, null, 0, '']) assert.equal(toHex(packrOf(none).pack(invalid())), 'd4ffff')
})

test('what is written in place', () => {
  const written = [
    [null, 'c0'],
    [undefined, 'd40000'],
    ['no date', 'a76e6f2064617465'],
    [0, '00'],
    [1.5, 'cb3ff8000000000000'],
    [['bad'], '91a3626164'],
    [{ bad: ['date'] }, 'd4724091a362616491a464617465'],
    [new Date(0), 'd6ff00000000'],
    [Buffer.from([1]), 'c40101'],
    [() => {}, 'd40000'],
  ]
  for (const [result, hex] of written) {
    assert.equal(toHex(packrOf(() => result).pack(invalid())), hex)
    assert.equal(toHex(packrOf(() => result).pack([1, invalid(), 'end'])), `9301${hex}a3656e64`)
  }
})

test('in every place', () => {
  const packr = packrOf(() => 'none', { moreTypes: true })
  const value = {
    a: invalid(),
    list: [invalid()],
    map: new Map([['k', invalid()]]),
    set: new Set([invalid()]),
    error: new Error('e', { cause: invalid() }),
  }
  const result = packr.unpack(packr.pack(value))
  assertSame(result, {
    a: 'none',
    list: ['none'],
    map: new Map([['k', 'none']]),
    set: new Set(['none']),
    error: new Error('e', { cause: 'none' }),
  })
  assert.equal(toHex(packr.pack(new Map([[invalid(), 1]]))), '81a46e6f6e6501')
})

test('valid dates are not asked about', () => {
  const packr = packrOf(() => assert.fail('asked'))
  for (const time of [0, 1, -1, 8.64e15, -8.64e15])
    assertSame(packr.unpack(packr.pack([new Date(time)])), [new Date(time)])
})

test('how it is called', () => {
  const calls = []
  function onInvalidDate(...args) {
    calls.push([this, args])
    return null
  }
  const packrs = [
    new Packr({ onInvalidDate }),
    new Packr({ onInvalidDate, useRecords: false }),
    new Packr({ onInvalidDate, structures: [], structuredClone: true }),
  ]
  for (const packr of packrs) {
    packr.pack([invalid(), { a: invalid() }])
    assert.deepEqual(
      calls.map(([receiver, args]) => [receiver === packr, args.length]),
      [
        [true, 0],
        [true, 0],
      ],
    )
    calls.length = 0
  }
})

test('what it throws', () => {
  const mine = new TypeError('invalid date')
  const packr = packrOf(() => {
    throw mine
  })
  const earlier = packr.pack({ ok: 1 })
  for (const value of [invalid(), [1, invalid()], { a: { b: invalid() } }]) {
    assert.throws(
      () => packr.pack(value),
      (error) => error === mine,
    )
    assertSame(packr.unpack(packr.pack({ ok: 1 })), { ok: 1 })
  }
  assertSame(packr.unpack(earlier), { ok: 1 })
  assert.throws(() => packrOf(5).pack(invalid()), TypeError)
  assert.throws(() => packrOf(() => Symbol('no')).pack(invalid()), { message: 'Unknown type: symbol' })
})

test('another invalid date is asked about again', () => {
  let left = 5
  const packr = packrOf(() => (--left > 0 ? invalid() : 'at last'))
  assert.equal(packr.unpack(packr.pack([invalid()]))[0], 'at last')
  const endless = packrOf(() => invalid())
  assert.throws(() => endless.pack([invalid()]), RangeError)
  assertSame(endless.unpack(endless.pack([1])), [1])
})

test('what packs when it is called', () => {
  const packr = packrOf(() => toHex(packr.pack({ inner: [1, new Date(0)] })))
  const hex = toHex(new Packr().pack({ inner: [1, new Date(0)] }))
  assertSame(packr.unpack(packr.pack([{ a: 1 }, invalid(), { a: 2 }])), [{ a: 1 }, hex, { a: 2 }])
})

test('it is looked at when a value is packed', () => {
  const packr = new Packr({ useRecords: false })
  assert.equal(toHex(packr.pack(invalid())), 'd4ffff')
  packr.onInvalidDate = () => 1
  assert.equal(toHex(packr.pack(invalid())), '01')
  packr.onInvalidDate = () => 2
  assert.equal(toHex(packr.pack(invalid())), '02')
  packr.onInvalidDate = undefined
  assert.equal(toHex(packr.pack(invalid())), 'd4ffff')
})

test('subclasses, toJSON and references', () => {
  class Stamp extends Date {}
  class Text extends Date {
    toJSON() {
      return 'by toJSON'
    }
  }
  const packr = packrOf(() => 'none')
  assert.equal(packr.unpack(packr.pack([new Stamp(NaN)]))[0], 'none')
  assert.equal(packr.unpack(packr.pack([new Text(NaN)]))[0], 'by toJSON')
  const date = invalid()
  assert.equal(
    toHex(packrOf(() => 'none', { structuredClone: true }).pack([date, date])),
    '92d66900000001a46e6f6e65d67000000001',
  )
})

test('dates without milliseconds', () => {
  const packr = new Packr({ useTimestamp32: true })
  const hexes = [
    [0, 'd6ff00000000'],
    [999, 'd6ff00000000'],
    [1500, 'd6ff00000001'],
    [1532219539733, 'd6ff5b53d093'],
    [2 ** 32 * 1000 - 1, 'd6ffffffffff'],
    [2 ** 32 * 1000, 'd7ff0000000100000000'],
    [2 ** 32 * 1000 + 1, 'd7ff003d090100000000'],
    [-1, 'c70cff3b8b87c0ffffffffffffffff'],
    [8.64e15, 'c70cff00000000000007dba8218000'],
  ]
  for (const [time, hex] of hexes) {
    assert.equal(toHex(packr.pack(new Date(time))), hex)
    assert.equal(toHex(packr.pack([new Date(time)])), `91${hex}`)
  }
  packr.useTimestamp32 = false
  assert.equal(toHex(packr.pack(new Date(1500))), 'd7ff7735940000000001')
})
