'use strict'

// Packs a value in every way that plain MessagePack offers and compares the bytes with those of the reference
// encoder, then unpacks them. For values that come back as something else, `expected` says as what.

const assert = require('node:assert/strict')
const library = require('./ferropack')
const reference = require('./reference-encoder')
const { assertSame } = require('./same')

const plain = new library.Packr({ useRecords: false })
const varied = new library.Packr({ useRecords: false, variableMapSize: true })

function assertBytes(actual, expected, message) {
  if (expected.equals(actual)) return
  const at = expected.findIndex((byte, i) => byte !== actual[i])
  const from = Math.max(0, (at < 0 ? expected.length : at) - 8)
  const near = (bytes) => Buffer.from(bytes.subarray(from, from + 40)).toString('hex')
  assert.fail(
    `${message}: byte ${at} of ${actual.length}/${expected.length}: ${near(actual)} is not ${near(expected)}`,
  )
}

function assertRoundTrip(value, message = 'value', { like = value, expected = value } = {}) {
  const bytes = reference.encode(like)
  assertBytes(library.pack(value), bytes, `${message}, module`)
  assertBytes(plain.pack(value), bytes, `${message}, plain packr`)
  assertBytes(
    varied.pack(value),
    reference.encode(like, { variableMapSize: true }),
    `${message}, variableMapSize`,
  )
  assertSame(library.unpack(bytes), expected, message, { copies: true })
  assertSame(plain.unpack(bytes), expected, message, { copies: true })
}

module.exports = { assertRoundTrip, assertBytes }
