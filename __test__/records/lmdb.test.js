'use strict'

// This package as the encoder of lmdb, in place of msgpackr: stores of either are read by both, also while both write.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { after, test } = require('node:test')
const { promisify } = require('node:util')
const { environment } = require('../helpers/child')

const SCRIPT = join(__dirname, '..', 'helpers', 'lmdb-store.js')
// A run as a part of another suite may ask for fewer.
const RECORDS = process.env.FERROPACK_VALUES ? 1_000 : 10_000
/** lmdb leaves the limit as it is. */
const MAX_SHARED = 32

const folder = mkdtempSync(join(tmpdir(), 'ferropack-lmdb-'))
after(() => rmSync(folder, { recursive: true }))

async function run(action, library, store, first, count) {
  const args = [SCRIPT, action, library, join(folder, store), String(first), String(count)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment({}) })
  return JSON.parse(stdout)
}

function reasonToSkip() {
  try {
    require('lmdb')
    return false
  } catch (error) {
    return `lmdb cannot be loaded here: ${error.message}`
  }
}

const skip = reasonToSkip()
const all = { read: RECORDS, structures: MAX_SHARED }

test('a store is written, opened again and read', { skip }, async () => {
  assert.deepEqual(await run('write', 'ferropack', 'own', 0, RECORDS), { structures: MAX_SHARED })
  assert.deepEqual(await run('read', 'ferropack', 'own', 0, RECORDS), all)
  assert.deepEqual(await run('read', 'msgpackr', 'own', 0, RECORDS), all)
})

test('a store of msgpackr is read and written on', { skip }, async () => {
  // The first few shapes only, so that the other one adds to the structures.
  await run('write', 'msgpackr', 'theirs', 0, 20)
  assert.equal((await run('read', 'ferropack', 'theirs', 0, 20)).read, 20)
  await run('write', 'ferropack', 'theirs', 20, RECORDS - 20)
  assert.deepEqual(await run('read', 'msgpackr', 'theirs', 0, RECORDS), all)
  assert.deepEqual(await run('read', 'ferropack', 'theirs', 0, RECORDS), all)
})

test('both write to one store at the same time', { skip }, async () => {
  const half = RECORDS / 2
  await Promise.all([
    run('write', 'ferropack', 'both', 0, half),
    run('write', 'msgpackr', 'both', half, half),
    run('write', 'ferropack', 'both', RECORDS, half),
  ])
  const count = RECORDS + half
  for (const library of ['ferropack', 'msgpackr'])
    assert.equal((await run('read', library, 'both', 0, count)).read, count)
})

test('a store is cleared with its structures', { skip }, async () => {
  await run('write', 'msgpackr', 'cleared', 0, 200)
  // Their order is another one now.
  await run('clear', 'ferropack', 'cleared', 15, 200)
  for (const library of ['ferropack', 'msgpackr'])
    assert.equal((await run('read', library, 'cleared', 15, 200)).read, 200)
})

test('binary data is kept from the memory of lmdb', { skip }, async () => {
  assert.deepEqual(await run('binary', 'ferropack', 'binary', 0, 100), { read: 100 })
})
