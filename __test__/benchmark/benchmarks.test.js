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

function ratios(...args) {
  const script = join(root, 'benchmark', 'ratio.js')
  const run = spawnSync(process.execPath, [script, ...args, '--rounds=1', '--ms=1', '--json'], {
    encoding: 'utf8',
  })
  assert.equal(run.status, 0, run.stdout + run.stderr)
  const lines = run.stdout.trim().split('\n').map(JSON.parse)
  return { lowest: lines.pop().lowest, rows: lines }
}

test('ratios are measured, of both tiers', () => {
  const { lowest, rows } = ratios('tiny')
  assert.deepEqual(Object.keys(lowest), [
    'plain: ferropack',
    'plain: ferropack tape',
    'structures: ferropack structures',
    'structures: ferropack structures tape',
  ])
  assert.deepEqual(
    rows.map(({ comparison, direction, engine }) => `${comparison} ${direction} ${engine}`),
    [
      'plain pack ferropack',
      'plain pack ferropack tape',
      'plain pack msgpackr',
      'plain pack JSON',
      'plain pack cbor-x',
      'plain unpack ferropack',
      'plain unpack msgpackr',
      'plain unpack JSON',
      'plain unpack cbor-x',
      'structures pack ferropack structures',
      'structures pack ferropack structures tape',
      'structures pack msgpackr structures',
      'structures pack JSON',
      'structures pack cbor-x structures',
      'structures unpack ferropack structures',
      'structures unpack msgpackr structures',
      'structures unpack JSON',
      'structures unpack cbor-x structures',
    ],
  )
  // A package that did not install costs its rows alone.
  for (const row of rows.filter(({ fault }) => !fault?.endsWith('is not installed'))) {
    const { table, data, engine, ns, spread, vsMsgpackr, vsJson, node } = row
    assert.deepEqual([table, data, node], ['ratio', 'tiny', process.versions.node])
    assert.ok(ns > 0 && spread >= 0)
    if (engine.startsWith('msgpackr')) assert.equal(vsMsgpackr, 1)
    if (engine === 'JSON') assert.equal(vsJson, 1)
  }
})

test('what one might pick instead is measured on request', () => {
  const { rows } = ratios('tiny', '--alternatives')
  const engines = [
    'ferropack',
    'ferropack structures',
    'msgpackr',
    'JSON',
    'v8.serialize',
    'bson',
    'fast-json-stringify',
    'protobufjs',
    'schemapack',
    'avsc',
  ]
  assert.deepEqual(
    rows.map(({ engine }) => engine),
    [...engines, ...engines],
  )
})

test('streams are measured', () => {
  const { lowest, rows } = ratios('streams', 'fluentd')
  assert.deepEqual(Object.keys(lowest), ['streams: ferropack'])
  assert.deepEqual(
    rows.map(({ data, comparison, direction, engine }) => [data, comparison, direction, engine].join(' ')),
    [
      'fluentd streams pack ferropack',
      'fluentd streams pack msgpackr',
      'fluentd streams unpack ferropack',
      'fluentd streams unpack msgpackr',
    ],
  )
})

test('the limits are compared in fresh processes', () => {
  const script = join(root, 'benchmark', 'limits.js')
  const run = (...args) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  const { status, stdout, stderr } = run('1', 'first 10 messages', '400 nested', '--json')
  assert.equal(status, 0, stderr)
  const rows = stdout.trim().split('\n').map(JSON.parse)
  assert.deepEqual(
    rows.map(({ data }) => data),
    ['first 10 messages (clinical)', '400 nested arrays, 1000 times', '400 nested maps, 1000 times'],
  )
  for (const { ferropack, msgpackr, vsMsgpackr } of rows)
    assert.ok(ferropack > 0 && msgpackr > 0 && vsMsgpackr > 0)
  assert.equal(run('nothing').status, 2)
})
