'use strict'

// A process that packs or reads with one store of structures, a file that other processes share:
// `node store-writer.js pack LIBRARY STORE SEED COUNT` prints COUNT messages of random values as lines of hex;
// `node store-writer.js unpack LIBRARY STORE` reads such lines from standard input and prints the values, packed
// again without structures, likewise.

const { readFileSync } = require('node:fs')
const { entry } = require('./entry')
const { fromHex, toHex } = require('./hex')
const { randomFrom } = require('./seed')
const { ShapedValues, randomKeyLists } = require('./shaped-value')
const { fileStore } = require('./structure-store')

const MAX_SHARED = 48
/** All processes have the lists of keys of this seed. */
const LISTS_SEED = 20
const LISTS = 60

/** The random values of one process. */
function valuesOf(seed, count) {
  // Without binary data: msgpackr's class of it is another one behind a place where it loaded structures.
  const values = new ShapedValues(randomFrom(seed), randomKeyLists(randomFrom(LISTS_SEED), LISTS), {
    binary: false,
  })
  return Array.from({ length: count }, () => values.make())
}

function main([action, library, store, seed, count]) {
  const { Packr } = require(library === 'ferropack' ? entry : library)
  const packr = new Packr({ ...fileStore(store), maxSharedStructures: MAX_SHARED })
  const plain = new Packr({ useRecords: false, mapsAsObjects: false })
  const lines =
    action === 'pack'
      ? valuesOf(Number(seed), Number(count)).map((value) => packr.pack(value))
      : readFileSync(0, 'utf8')
          .split('\n')
          .map((line) => plain.pack(packr.unpack(fromHex(line))))
  process.stdout.write(lines.map(toHex).join('\n'))
}

if (require.main === module) main(process.argv.slice(2))

module.exports = { valuesOf, MAX_SHARED }
