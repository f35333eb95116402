'use strict'

// Environment variables that switch the heap tier off: the other tier then does all the work, with the same results.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')

const REPORT = `
  const { acceleration, isNativeAccelerationEnabled, pack, unpack } = require(process.env.FERROPACK_ENTRY)
  const hex = pack({ a: [1, 'x', 0.5] }).toString('hex')
  console.log(JSON.stringify({ ...acceleration, isNativeAccelerationEnabled, hex, back: unpack(pack({ a: [1] })) }))
`
const HEX = 'de0001a1619301a178cb3fe0000000000000'

for (const [name, value] of [
  ['FERROPACK_HEAP', '0'],
  ['MSGPACKR_NATIVE_ACCELERATION_DISABLED', 'true'],
  ['MSGPACKR_NATIVE_ACCELERATION_DISABLED', 'TRUE'],
]) {
  test(`${name}=${value}`, () => {
    const report = JSON.parse(runScript(REPORT, { env: { [name]: value } }))
    assert.equal(report.tier, 'tape')
    assert.ok(typeof report.reason === 'string' && report.reason.length > 0)
    assert.equal(report.isNativeAccelerationEnabled, false)
    assert.equal(report.hex, HEX)
    assert.deepEqual(report.back, { a: [1] })
  })
}

test('without a switch', () => {
  const report = JSON.parse(
    runScript(REPORT, { env: { FERROPACK_HEAP: '', MSGPACKR_NATIVE_ACCELERATION_DISABLED: '' } }),
  )
  assert.equal(report.isNativeAccelerationEnabled, true)
  assert.equal(report.hex, HEX)
})
