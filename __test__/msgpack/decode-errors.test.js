'use strict'

// Errors of unpack: their message, and whether more bytes could help (`incomplete`, `missingBytes`).

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { unpack, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const END = 'Unexpected end of MessagePack data'
const unpackr = new Unpackr({ useRecords: false })

function errorOf(hex, run = unpack) {
  try {
    run(fromHex(hex))
  } catch (error) {
    assertSame(run(fromHex('92a1610c')), ['a', 12])
    return error
  }
  return assert.fail(`${hex} was read`)
}

test('input that ends where a value should begin', () => {
  for (const hex of [
    '',
    '91',
    '9201',
    '81',
    '81a161',
    'cc',
    'd9',
    'a3',
    'a36162',
    'd90561',
    'c40561',
    'd400',
    '9a',
    '8f',
  ]) {
    const error = errorOf(hex)
    assert.equal(error.name, 'Error', hex)
    assert.equal(error.message, END, hex)
    assert.equal(error.incomplete, true, hex)
    assert.ok(!Object.hasOwn(error, 'missingBytes'), hex)
  }
})

test('a length that runs past the end tells how many bytes are missing at least', () => {
  const shortfalls = {
    da0005: 5,
    da000561: 4,
    da0005616263: 2,
    db00000005: 5,
    c50005: 5,
    c600000005: 5,
    c60000000561: 4,
    dc0001: 1,
    dcffff: 65535,
    ddffffffff: 4294967295,
    de0001: 2,
    de0002a1: 3,
    dfffffffff: 8589934590,
    c705: 6,
    c70563: 5,
    c80005: 6,
    c900000005: 6,
    d5: 3,
    d5ff00: 1,
    d6ff000000: 1,
    d7ff: 8,
    d8ff: 16,
    '81a36162': 1,
    '82a16101a56162': 3,
    '93da000461': 3,
  }
  for (const [hex, missingBytes] of Object.entries(shortfalls)) {
    for (const run of [unpack, (bytes) => unpackr.unpack(bytes)]) {
      const error = errorOf(hex, run)
      assert.equal(error.name, 'Error', hex)
      assert.equal(error.message, END, hex)
      assert.equal(error.incomplete, true, hex)
      assert.equal(error.missingBytes, missingBytes, hex)
    }
  }
})

test('a number or length that is cut', () => {
  for (const hex of [
    'ca',
    'ca000000',
    'cb',
    'cb00',
    'cd',
    'cd00',
    'ce000000',
    'cf00',
    'd0',
    'd1',
    'd100',
    'd2000000',
    'd3',
    'd300000000000000',
    'da',
    'da00',
    'db0000',
    'c5',
    'c500',
    'c6000000',
    'c800',
    'c9000000',
    'dc',
    'dc00',
    'dd000000',
    'de00',
    'df000000',
  ]) {
    const error = errorOf(hex)
    assert.ok(error instanceof RangeError, hex)
    assert.equal(error.incomplete, true, hex)
    assert.ok(!Object.hasOwn(error, 'missingBytes'), hex)
  }
})

test('a lead byte alone', () => {
  const messages = {
    c4: 'Unexpected end of buffer',
    d4: 'Unknown extension undefined',
    c7: 'Unknown extension type undefined',
  }
  for (const [hex, message] of Object.entries(messages)) {
    for (const error of [errorOf(hex), errorOf(`9201${hex}`)]) {
      assert.equal(error.message, message)
      assert.equal(error.incomplete, true)
      assert.ok(!Object.hasOwn(error, 'missingBytes'))
    }
  }
})

test('bytes left over', () => {
  const views = {
    '0102': '1',
    '81a1610102': '{"a":1}',
    d3000000000000000101: '"1n"',
    a16101: '"a"',
    92010203: '[1,2]',
    c000: 'null',
    c3c3: 'true',
  }
  for (const [hex, view] of Object.entries(views)) {
    const error = errorOf(hex)
    assert.equal(error.name, 'Error')
    assert.equal(error.message, `Data read, but end of buffer not reached ${view}`)
    assert.ok(!('incomplete' in error))
    assert.ok(!('missingBytes' in error))
  }
  for (const extra of ['00', 'c0', 'a178', 'ffff', 'a3', 'c7']) {
    const error = errorOf(`de0001a16101${extra}`)
    assert.ok(error.message.startsWith('Data read, but end of buffer not reached '), extra)
    assert.ok(!('incomplete' in error))
  }
})

test('the view of what was read is short, however large the value is', () => {
  const long = errorOf(`d9c8${'61'.repeat(200)}00`)
  assert.equal(long.message, `Data read, but end of buffer not reached "${'a'.repeat(99)}`)
  for (const hex of ['d4000000', 'c40101ff', 'd6ff0000000000', 'c100']) {
    assert.ok(errorOf(hex).message.startsWith('Data read, but end of buffer not reached '), hex)
  }
})

test('text that is no message', () => {
  for (const text of ['this is not a message', '{"a":1}', '<html></html>']) {
    assert.throws(
      () => unpack(Buffer.from(text)),
      (error) => error instanceof Error && !('incomplete' in error),
    )
  }
})

test('unknown extensions are plain errors', () => {
  const messages = {
    d46301: 'Unknown extension 99',
    d47f00: 'Unknown extension 127',
    d48001: 'Unknown extension 128',
    d45000: 'Unknown extension 80',
  }
  for (const hex of [
    'd5630102',
    'd66301020304',
    'd7630102030405060708',
    `d863${'00'.repeat(16)}`,
    'c70063',
    'c70363010203',
    'c8000263ffff',
    'c90000000163ff',
  ]) {
    messages[hex] = 'Unknown extension type 99'
  }
  for (const [hex, message] of Object.entries(messages)) {
    for (const wrapped of [hex, `82a161${hex}a16201`, `92${hex}01`]) {
      const error = errorOf(wrapped)
      assert.equal(error.name, 'Error', wrapped)
      assert.equal(error.message, message, wrapped)
      assert.ok(!('incomplete' in error), wrapped)
    }
  }
})

test('the first fault in reading order is the one reported', () => {
  assert.match(errorOf('93d46301a3').message, /^Unknown extension 99$/)
  assert.match(errorOf('819001').message, /^Invalid property type/)
  assert.equal(errorOf('9281a16101').incomplete, true)
})
