'use strict'

// A store of structures in a file that several processes use: JSON text behind a lock that is a folder.

const { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)

/** Options of an instance that takes its structures from the file in `folder` and adds to it. */
function fileStore(folder, extra) {
  const path = join(folder, 'structures.json')
  const lock = join(folder, 'lock')

  const stored = () => {
    try {
      return JSON.parse(readFileSync(path, 'utf8'))
    } catch (error) {
      if (error.code === 'ENOENT') return null
      throw error
    }
  }

  const acquire = () => {
    for (;;) {
      try {
        return mkdirSync(lock)
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
        pause()
      }
    }
  }

  return {
    getStructures: stored,
    saveStructures(structures, isCompatible) {
      acquire()
      try {
        if (!isCompatible(stored())) return false
        // Whoever reads without the lock sees the old text or the new one.
        const next = `${path}.${process.pid}`
        writeFileSync(next, JSON.stringify(structures))
        renameSync(next, path)
        return true
      } finally {
        rmdirSync(lock)
      }
    },
    ...extra,
  }
}

module.exports = { fileStore }
