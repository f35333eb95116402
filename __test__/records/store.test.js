'use strict'

// One store of structures for several writers, of this package and of msgpackr, in one process and in several: all
// messages stay readable to both, and bytes and structures are those of writers that all are msgpackr's.

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { after, test } = require('node:test')
const msgpackr = require('msgpackr')
const ferropack = require('../helpers/ferropack')
const { environment } = require('../helpers/child')
const { toHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { chosenSeed, randomFrom } = require('../helpers/seed')
const { valuesOf, MAX_SHARED } = require('../helpers/store-writer')
const { memoryStore } = require('../helpers/structure-store')

const SCRIPT = join(__dirname, '..', 'helpers', 'store-writer.js')
const folder = mkdtempSync(join(tmpdir(), 'ferropack-store-'))
after(() => rmSync(folder, { recursive: true }))

/** Turns of the writers, and messages of each. */
const TURNS = full ? 12 : 4
const MESSAGES = full ? 200 : 50
/** Values of the writers in one process. */
const INTERLEAVED = Number(process.env.FERROPACK_VALUES) || (full ? 4000 : 400)

function runWriter(args, input = '') {
  return execFileSync(process.execPath, [SCRIPT, ...args.map(String)], {
    input,
    encoding: 'utf8',
    env: environment({}),
    maxBuffer: 1 << 28,
  })
}

/** Packs with writers in turn, a process each. Returns all messages as lines of hex. */
function packInTurns(store, seed, libraryOf) {
  const turns = []
  for (let turn = 0; turn < TURNS; turn++)
    turns.push(runWriter(['pack', libraryOf(turn), store, seed + turn, MESSAGES]))
  return turns.join('\n')
}

test('a process for each writer', (t) => {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const stores = ['theirs', 'both'].map((name) => join(folder, `${name}.json`))
  const expected = packInTurns(stores[0], seed, () => 'msgpackr')
  const packed = packInTurns(stores[1], seed, (turn) => (turn % 2 === 0 ? 'ferropack' : 'msgpackr'))
  assert.equal(packed, expected, 'the messages')
  const structures = JSON.parse(readFileSync(stores[1], 'utf8'))
  assert.deepEqual(structures, JSON.parse(readFileSync(stores[0], 'utf8')), 'the structures')
  assert.equal(structures.length, MAX_SHARED)

  const read = runWriter(['unpack', 'msgpackr', stores[0]], expected)
  assert.equal(runWriter(['unpack', 'ferropack', stores[1]], packed), read, 'what is read')
  const plain = new msgpackr.Packr({ useRecords: false, mapsAsObjects: false })
  const values = Array.from({ length: TURNS }, (_, turn) => valuesOf(seed + turn, MESSAGES)).flat()
  // Sets, errors and the like are read as arrays, which pack to the same bytes.
  assert.equal(read, values.map((value) => toHex(plain.pack(value))).join('\n'), 'what was packed')
})

test('writers that do not know of each other', (t) => {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const values = valuesOf(seed, INTERLEAVED)

  function packWith(libraries) {
    const random = randomFrom(seed)
    const store = memoryStore()
    const options = { ...store, maxSharedStructures: MAX_SHARED, maxOwnStructures: 8 }
    const packrs = libraries.map(({ Packr }) => new Packr({ ...options }))
    const messages = values.map((value) => {
      const packr = random.pick(packrs)
      const bytes = toHex(packr.pack(value))
      // A reader gets to know what the others have added.
      if (random.chance(0.1)) random.pick(packrs).unpack(Buffer.from(bytes, 'hex'))
      return bytes
    })
    return { messages, structures: JSON.parse(store.stored.json) }
  }

  const expected = packWith([msgpackr, msgpackr, msgpackr])
  for (const libraries of [
    [ferropack, msgpackr, ferropack],
    [ferropack, ferropack, ferropack],
  ]) {
    assert.deepEqual(packWith(libraries), expected)
  }
  assert.ok(expected.structures.length > 10)
})
