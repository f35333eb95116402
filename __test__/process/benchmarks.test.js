'use strict'

// Every benchmark runs once: its results are checked, nothing is timed.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')
const { root } = require('../helpers/entry')

test('every row of every data set is right', () => {
  const run = spawnSync(process.execPath, [join(root, 'benchmark', 'run.js'), '--smoke'], {
    encoding: 'utf8',
  })
  assert.equal(run.status, 0, run.stdout + run.stderr)
  assert.match(run.stdout, /clinical/)
})

test('ratios are measured', () => {
  const args = [join(root, 'benchmark', 'ratio.js'), 'tiny', '--rounds=1', '--ms=1', '--json']
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(run.status, 0, run.stdout + run.stderr)
  const comparisons = ['plain', 'structures', 'tape']
  const lines = run.stdout.trim().split('\n').map(JSON.parse)
  const { lowest } = lines.pop()
  assert.deepEqual(Object.keys(lowest), comparisons)
  assert.deepEqual(
    lines.map(({ data, comparison, direction }) => [data, comparison, direction]),
    [
      ['tiny', 'plain', 'pack'],
      ['tiny', 'plain', 'unpack'],
      ['tiny', 'structures', 'pack'],
      ['tiny', 'structures', 'unpack'],
      ['tiny', 'tape', 'pack'],
    ],
  )
})

test('streams are measured', () => {
  const args = [join(root, 'benchmark', 'ratio.js'), 'streams', 'fluentd', '--rounds=1', '--ms=1', '--json']
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(run.status, 0, run.stdout + run.stderr)
  const lines = run.stdout.trim().split('\n').map(JSON.parse)
  assert.deepEqual(Object.keys(lines.pop().lowest), ['streams'])
  assert.deepEqual(
    lines.map(({ data, comparison, direction }) => [data, comparison, direction]),
    [
      ['fluentd', 'streams', 'pack'],
      ['fluentd', 'streams', 'unpack'],
    ],
  )
})
