'use strict'

// Every proper prefix of a message is an incomplete message, never a padded or shortened value.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, unpackMultiple, Packr, Unpackr } = require('../helpers/ferropack')
const { assertSame } = require('../helpers/same')

const rich = () => ({
  numbers: [1, -7, 300, -300, 70000, -70000, 2n ** 50n, 2n ** 63n, 1.5],
  short: 'short',
  long: 'long text '.repeat(9),
  longer: 'x'.repeat(300),
  wide: '\u4f60\u597d\u{1f600}',
  binary: Buffer.alloc(40, 1),
  large: Buffer.alloc(300, 2),
  dates: [new Date(1700000000123), new Date(1700000000000), new Date(-1)],
  deep: [{ x: null }, { y: [[], {}] }],
  map: new Map([[1, new Map([['k', true]])]]),
  list: Array.from({ length: 20 }, (_, i) => i * 50),
  nothing: undefined,
})

const maps = new Unpackr({ useRecords: false, mapsAsObjects: false })
const varied = new Packr({ useRecords: false, variableMapSize: true })

for (const [label, bytes] of [
  ['default headers', Buffer.from(pack(rich()))],
  ['variable headers', Buffer.from(varied.pack(rich()))],
]) {
  test(`${label}: every proper prefix is incomplete`, () => {
    for (let length = 0; length < bytes.length; length++) {
      const prefix = bytes.subarray(0, length)
      const exact = new Uint8Array(prefix)
      const attempts = [
        () => unpack(prefix),
        () => unpack(exact),
        () => unpack(bytes, length),
        () => unpack(bytes, { start: 0, end: length || 1 }),
        () => maps.unpack(prefix),
        () => unpackMultiple(prefix),
      ]
      for (const attempt of attempts) {
        assert.throws(attempt, (error) => {
          assert.ok(error instanceof Error)
          assert.equal(error.incomplete, true, `prefix of ${length}: ${error}`)
          assert.ok(error.missingBytes === undefined || error.missingBytes > 0)
          assert.ok(
            error.missingBytes === undefined || error.missingBytes <= bytes.length - length,
            `prefix of ${length}`,
          )
          return true
        })
      }
    }
    assert.equal(unpack(bytes).long, rich().long)
  })

  test(`${label}: every proper suffix is an error or another value, and harms nothing`, () => {
    for (let start = 1; start < bytes.length; start++) {
      try {
        unpack(bytes.subarray(start))
      } catch (error) {
        assert.ok(error instanceof Error, `from ${start}`)
      }
      assertSame(unpack(Buffer.from([0x91, 0xa1, 0x78])), ['x'])
    }
  })

  test(`${label}: bytes behind the message are an error at every length`, () => {
    for (let extra = 1; extra < 20; extra++) {
      const longer = Buffer.concat([bytes, Buffer.alloc(extra)])
      assert.throws(
        () => unpack(longer),
        (error) =>
          error.message.startsWith('Data read, but end of buffer not reached') && !('incomplete' in error),
      )
      assert.equal(unpack(longer, bytes.length).short, 'short')
    }
  })
}
