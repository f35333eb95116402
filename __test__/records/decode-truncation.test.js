'use strict'

// Every proper prefix of a message with records is an incomplete message, and the reader goes on afterwards.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, unpack, unpackMultiple } = require('../helpers/ferropack')
const { assertSame } = require('../helpers/same')

const LISTS = [
  ['a', 'b'],
  ['long key', 'é'],
]

const value = () => [
  { a: 1, b: { 'long key': 'x'.repeat(40), é: [1.5, -7, 300, 70000, null] } },
  { a: { a: 100, b: [] }, b: 'text' },
  { c: { d: { c: [{ a: { b: 'wide \u4f60\u597d' }, b: 2n ** 60n }] } } },
  Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`field ${i}`, i * 7])),
  { c: Buffer.alloc(10, 1) },
  { 'long key': new Date(1700000000123), é: undefined },
]

const many = () => Array.from({ length: 70 }, (_, i) => ({ [`shape ${i % 68}`]: i, b: { x: i } }))

const MESSAGES = {
  definitions: [{}, value()],
  'definitions that replace others': [{ maxOwnStructures: 1 }, value()],
  'two-byte definitions': [{ maxOwnStructures: 80 }, many()],
  'one record': [{}, value()[0]],
  'references to shared structures': [
    { structures: LISTS.map((keys) => [...keys]), maxSharedStructures: 2 },
    value(),
  ],
  'references to shared structures, two-byte': [
    {
      structures: [...LISTS, ...Array.from({ length: 60 }, (_, i) => [`shape ${i}`, 'b'])],
      maxSharedStructures: 62,
    },
    many(),
  ],
}

function readersFor({ structures }) {
  const given = structures && JSON.stringify(structures)
  if (given) {
    const options = () => ({ structures: JSON.parse(given), mapsAsObjects: true })
    return [
      new Unpackr(options()),
      new Packr(options()),
      new Unpackr({ getStructures: () => JSON.parse(given) }),
    ]
  }
  return [
    { unpack, unpackMultiple },
    new Unpackr(),
    new Packr({ structures: [] }),
    new Unpackr({ sequential: true }),
  ]
}

function assertIncomplete(run, missing, message) {
  assert.throws(run, (error) => {
    assert.ok(error instanceof Error)
    assert.equal(error.incomplete, true, `${message}: ${error}`)
    const { missingBytes } = error
    assert.ok(missingBytes === undefined || (missingBytes > 0 && missingBytes <= missing), message)
    return true
  })
}

for (const [label, [options, content]] of Object.entries(MESSAGES)) {
  const bytes = Buffer.from(new Packr(options).pack(content))

  test(`${label}: every proper prefix is incomplete`, () => {
    for (const [r, reader] of readersFor(options).entries()) {
      for (let length = 0; length < bytes.length; length++) {
        const message = `reader ${r}, prefix of ${length} of ${bytes.length}`
        const missing = bytes.length - length
        assertIncomplete(() => reader.unpack(bytes.subarray(0, length)), missing, message)
        assertIncomplete(() => reader.unpack(new Uint8Array(bytes.subarray(0, length))), missing, message)
        assertIncomplete(() => reader.unpack(bytes, length), missing, message)
        assertIncomplete(() => reader.unpackMultiple(bytes.subarray(0, length)), missing, message)
      }
      for (let i = 0; i < 3; i++) assertSame(reader.unpack(bytes), content, label, { copies: true })
    }
  })

  test(`${label}: what follows a message that was cut is read as ever`, () => {
    for (const reader of readersFor(options)) {
      for (let length = 1; length < bytes.length; length += 5) {
        assert.throws(() => reader.unpack(bytes.subarray(0, length)), { incomplete: true })
        assertSame(reader.unpack(bytes), content, `prefix of ${length}`, { copies: true })
      }
    }
  })

  test(`${label}: bytes behind the message are an error`, () => {
    for (const reader of readersFor(options)) {
      for (let extra = 1; extra < 12; extra++) {
        assert.throws(
          () => reader.unpack(Buffer.concat([bytes, Buffer.alloc(extra)])),
          (error) =>
            error.message.startsWith('Data read, but end of buffer not reached') && !('incomplete' in error),
        )
        assertSame(reader.unpack(bytes), content, `${extra} more`, { copies: true })
      }
    }
  })
}

test('several messages, the last of which is cut', () => {
  const packr = new Packr({ sequential: true })
  const values = Array.from({ length: 6 }, (_, i) => [{ [`k${i}`]: i }, { k0: { [`k${i >> 1}`]: 'text' } }])
  const messages = values.map((one) => Buffer.from(packr.pack(one)))
  const whole = Buffer.concat(messages.slice(0, 5))
  const last = messages[5]
  const reader = new Unpackr({ structures: [] })
  for (let length = 1; length < last.length; length++) {
    assert.throws(
      () => reader.unpackMultiple(Buffer.concat([whole, last.subarray(0, length)])),
      (error) => {
        assertSame(error.values, values.slice(0, 5))
        assert.equal(error.lastPosition, whole.length)
        assert.equal(error.incomplete, true)
        return true
      },
    )
  }
  assertSame(reader.unpackMultiple(Buffer.concat([whole, last])), values)
})
