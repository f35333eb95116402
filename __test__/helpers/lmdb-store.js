'use strict'

// A process that writes or reads a store of lmdb, with the encoder that lmdb comes with or with this package's:
// `node lmdb-store.js ACTION LIBRARY FOLDER FIRST COUNT`. Records are made of their numbers. Prints JSON.

const assert = require('node:assert/strict')
const Module = require('node:module')
const { entry } = require('./entry')
const { assertSame } = require('./same')

const STRUCTURES = Symbol.for('structures')
/** More than are shared. */
const SHAPES = 40
/** Every such record is larger than what lmdb copies; some with binary data too. */
const LARGE_EVERY = 499

/** Makes lmdb take this package for its encoder. */
function replaceEncoder() {
  const resolve = Module._resolveFilename
  Module._resolveFilename = function (request, ...rest) {
    return request === 'msgpackr' ? entry : resolve.call(this, request, ...rest)
  }
}

function recordOf(number) {
  const shape = number % SHAPES
  const record = { id: number, name: `record ${number}`, [`field ${shape}`]: number / 4 }
  if (shape % 3 === 0) record.place = { x: number % 100, y: -1 - number, label: `\u4f60 ${shape}` }
  if (shape % 4 === 1) record.rows = Array.from({ length: number % 7 }, (_, i) => ({ i, on: i % 2 === 0 }))
  if (shape % 5 === 2) record.since = new Date(number * 1e6 + 7)
  if (number % LARGE_EVERY === 0) record.text = `${number} \u00e9 `.repeat(12_000)
  return record
}

const open = (folder, options) =>
  require('lmdb').open({ path: folder, sharedStructuresKey: STRUCTURES, ...options })

const structuresOf = (db) => db.get(STRUCTURES)?.length ?? 0

const ACTIONS = {
  /** Puts records one by one, in batches, and inside transactions. */
  async write(db, first, count) {
    let last
    for (let number = first; number < first + count; number++) {
      if (number % 10 < 8) last = db.put(number, recordOf(number))
      else if (number % 10 === 8) db.transactionSync(() => db.put(number, recordOf(number)))
      else await db.put(number, recordOf(number))
    }
    await last
    return { structures: structuresOf(db) }
  },

  /** Compares all records, each read alone and again as one of a range. */
  async read(db, first, count) {
    const numbers = Array.from({ length: count }, (_, i) => first + i)
    for (const number of numbers) assertSame(db.get(number), recordOf(number), `record ${number}`)
    const range = [...db.getRange({ start: first, end: first + count })]
    assert.deepEqual(
      range.map(({ key }) => key),
      numbers,
    )
    for (const { key, value } of range) assertSame(value, recordOf(key), `record ${key} of the range`)
    const many = await db.getMany(numbers.slice(0, 100))
    assertSame(many, numbers.slice(0, 100).map(recordOf), 'many records')
    return { read: range.length, structures: structuresOf(db) }
  },

  /** Starts anew in the store, structures included. */
  async clear(db, first, count) {
    db.get(first)
    db.clearSync()
    assert.equal(structuresOf(db), 0)
    return ACTIONS.write(db, first, count)
  },

  /** What is read must not lie in memory that lmdb uses for the next value. */
  async binary(db, first, count) {
    const bytesOf = (number) => Buffer.alloc(1 + (number % 3000), number)
    for (let number = first; number < first + count; number++)
      await db.put(number, { number, bytes: bytesOf(number) })
    const values = Array.from({ length: count }, (_, i) => db.get(first + i))
    for (const { number, bytes } of values) assert.ok(bytesOf(number).equals(bytes), `bytes of ${number}`)
    return { read: values.length }
  },
}

async function main([action, library, folder, first, count]) {
  if (library === 'ferropack') replaceEncoder()
  const db = open(folder)
  const { Packr } = require(entry)
  assert.equal(db.encoder instanceof Packr, library === 'ferropack')
  const result = await ACTIONS[action](db, Number(first), Number(count))
  await db.close()
  console.log(JSON.stringify(result))
}

main(process.argv.slice(2))
