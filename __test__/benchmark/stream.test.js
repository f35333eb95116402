'use strict'

// The streaming table: its rows, and that each gives what went in.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')
const { root } = require('../helpers/entry')

function stream(...args) {
  return spawnSync(process.execPath, [join(root, 'benchmark', 'stream.js'), ...args], { encoding: 'utf8' })
}

const LABELS = [
  'new (require("ferropack").PackrStream)().write(obj);',
  'new (require("ferropack").UnpackrStream)().write(buf);',
  'new PackrStream().write(obj);',
  'new UnpackrStream().write(buf);',
  'stream.write(msgpack.encode(obj));',
  'stream.write(msgpack.decode(buf));',
  'stream.write(notepack.encode(obj));',
  'stream.write(notepack.decode(buf));',
  'msgpack.Encoder().on("data",ondata).encode(obj);',
  'msgpack.createDecodeStream().write(buf);',
  'msgpack.createEncodeStream().write(obj);',
  'msgpack.Decoder().on("data",ondata).decode(buf);',
]

test('all rows of the published table, with right results', () => {
  const { status, stdout, stderr } = stream('1', '--ops=500', '--json')
  assert.equal(status, 0, stderr)
  const rows = stdout.trim().split('\n').map(JSON.parse)
  assert.deepEqual(
    rows.map(({ operation }) => operation),
    LABELS,
  )
  for (const row of rows) {
    assert.equal(row.fault, undefined, `${row.operation}: ${row.fault}`)
    assert.equal(row.op, 500)
    assert.ok(row.opPerSecond > 0)
  }
  const packed = rows.filter(({ direction }) => direction === 'pack').map(({ size }) => size)
  // A definition and 99 records of 22 bytes; and 100 maps of 30 bytes.
  assert.deepEqual(packed, [2211, 2211, 3000, 3000, 3000, 3000])
})

test('the table as text', () => {
  const { stdout } = stream('3', '--ops=100', 'unpackrstream')
  const table = stdout.split('\n').filter((line) => line.includes(' | '))
  assert.match(table[0], /^operation \(100 x 3\) +\| +op \| +ms \| +op\/s$/)
  assert.deepEqual(
    table.slice(2).map((line) => line.split('|')[0].trim()),
    [LABELS[1], LABELS[3]],
  )
})

test('mistakes', () => {
  for (const args of [['nosuchrow'], ['--ops=0'], ['--ops=150'], ['--ops=x'], ['--nosuch']]) {
    const { status, stdout } = stream(...args)
    assert.equal(status, 2, args.join(' '))
    assert.equal(stdout, '')
  }
})

test('rows that fail, or never end, give their reasons and let the others run', () => {
  const file = (name) => JSON.stringify(join(root, 'benchmark', name))
  const script = `
    const { rows } = require(${file('stream-rows.js')})
    rows[2].prepare = () => ({ start: ({ onError }) => setImmediate(onError, new Error('it broke')) })
    rows[3].prepare = () => ({ start: () => {} })
    process.argv = [process.execPath, '1', '--ops=100', '--json', 'packrstream']
    require(${file('stream.js')})`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  const faults = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).fault)
  assert.deepEqual(faults, [undefined, undefined, 'it broke', 'the stream did not end'])
})
