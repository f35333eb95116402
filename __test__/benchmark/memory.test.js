'use strict'

// The benchmark of memory: that what it counts is what was allocated, and its rows.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')
const { root } = require('../helpers/entry')

function node(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout
}

/** What is counted of a loop that allocates so much. */
function countedOf(allocation) {
  const script = `
    const { allocatedBy } = require(${JSON.stringify(join(root, 'benchmark', 'memory-one.js'))})
    let sink
    const loop = (count) => { for (let i = 0; i < count; i++) sink = ${allocation} }
    console.log(allocatedBy(loop, 1))`
  const semiSpace = ['--max-semi-space-size=256', '--min-semi-space-size=256']
  return Number(node('--expose-gc', ...semiSpace, '-e', script))
}

for (const [label, allocation, low, high] of [
  // 8 bytes an element, and headers.
  ['arrays of the heap', 'new Array(1000).fill(i)', 8000, 8400],
  ['memory outside of it', 'new ArrayBuffer(100000)', 100000, 100400],
  ['parts of shared memory', 'Buffer.allocUnsafe(1000)', 1000, 1400],
  ['nothing', 'i', 0, 16],
]) {
  test(`what is counted: ${label}`, () => {
    const counted = countedOf(allocation)
    assert.ok(counted >= low && counted <= high, `${counted} bytes`)
  })
}

test('the peak is that of the process alone', () => {
  const script = join(root, 'benchmark', 'memory-one.js')
  const orders = { data: 'clinical', engine: 'JSON', direction: 'pack', what: 'peak', milliseconds: 50 }
  // More than the measured process takes.
  const mine = Buffer.alloc(200_000_000, 1)
  const { peak, fault } = JSON.parse(node(script, JSON.stringify(orders)))
  assert.equal(fault, undefined)
  assert.ok(peak > 0 && peak < mine.length, `${peak} bytes`)
})

test('rows as lines of JSON', () => {
  const script = join(root, 'benchmark', 'memory.js')
  const rows = node(script, '--quick', '--json', 'clinical', 'JSON').trim().split('\n').map(JSON.parse)
  assert.deepEqual(
    rows.map(({ table, data, engine, direction }) => [table, data, engine, direction]),
    [
      ['memory', 'clinical', 'JSON', 'pack'],
      ['memory', 'clinical', 'JSON', 'unpack'],
    ],
  )
  for (const { opPerSecond, allocated, peak } of rows) {
    assert.ok(opPerSecond > 0 && allocated > 1000 && peak >= 0)
  }
})
