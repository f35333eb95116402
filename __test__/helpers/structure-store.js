'use strict'

// Where packrs keep their structures between runs, as JSON: in memory or in a file. Spread into the options of a
// packr, a store follows the protocol for several writers, and hands out copies only.

const { existsSync, readFileSync, writeFileSync } = require('node:fs')

function storeOver(read, write) {
  return {
    getStructures: read,
    saveStructures(structures, isCompatible) {
      if (!isCompatible(read())) return false
      write(structures)
    },
  }
}

/** `stored` stays readable as a property of the packr: the JSON of the structures. */
function memoryStore(structures) {
  const stored = { json: JSON.stringify(structures ?? null) }
  const write = (lists) => {
    stored.json = JSON.stringify(lists)
  }
  return { stored, ...storeOver(() => JSON.parse(stored.json), write) }
}

function fileStore(path) {
  const read = () => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined)
  return storeOver(read, (lists) => writeFileSync(path, JSON.stringify(lists)))
}

module.exports = { memoryStore, fileStore }
