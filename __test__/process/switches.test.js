'use strict'

// Environment variables that switch the heap tier off: the other tier then does all the work, with the same results.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')
const { environment, runScript } = require('../helpers/child')
const { root } = require('../helpers/entry')
const { acceleration } = require('../helpers/ferropack')
const { full } = require('../helpers/mode')

const REPORT = `
  const { acceleration, isNativeAccelerationEnabled, pack, unpack } = require(process.env.FERROPACK_ENTRY)
  const hex = pack({ a: [1, 'x', 0.5] }).toString('hex')
  console.log(JSON.stringify({ ...acceleration, isNativeAccelerationEnabled, hex, back: unpack(pack({ a: [1] })) }))
`
const HEX = 'de0001a1619301a178cb3fe0000000000000'
const QUICK = ['msgpack/vectors.test.js', 'msgpack/differential.test.js']
const SUITES = [
  'msgpack/objects.test.js',
  'msgpack/keys.test.js',
  'msgpack/classes.test.js',
  'msgpack/arrays.test.js',
]

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

// Where the heap tier works, it serves the other suites; here they meet the tier behind it.
test('the suites pass on the tape tier', {
  skip: acceleration?.tier !== 'heap' && 'all suites ran on it',
}, () => {
  const files = [...QUICK, ...(full ? SUITES : [])].map((file) => join(root, '__test__', file))
  const run = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...files], {
    cwd: root,
    encoding: 'utf8',
    env: environment({ FERROPACK_HEAP: '0', FERROPACK_VALUES: full ? '' : '500' }),
    maxBuffer: 1 << 28,
  })
  assert.equal(run.status, 0, run.stdout)
  assert.match(run.stdout, /^# tests [1-9]/m)
})
