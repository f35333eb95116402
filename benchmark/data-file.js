'use strict'

// Owns the reading of a file of a user's own as messages.

const { readFileSync } = require('node:fs')
const { basename, extname } = require('node:path')

const readers = {
  '.json': (bytes) => [JSON.parse(bytes)],
  '.ndjson': (bytes) => linesOf(bytes).map((line) => JSON.parse(line)),
  '.msgpack': (bytes) => require('..').unpackMultiple(bytes) ?? [],
}

/** Names of files that are data end like this. */
const extensions = Object.keys(readers)

function linesOf(bytes) {
  return bytes
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '')
}

function isDataFile(name) {
  return extensions.includes(extname(name).toLowerCase())
}

/** The messages of a file: one of JSON, one a line, or all of MessagePack. Throws what names the file. */
function readDataFile(file) {
  let messages
  try {
    messages = readers[extname(file).toLowerCase()](readFileSync(file))
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error.message}`)
  }
  if (messages.length === 0) throw new Error(`${file} has no messages`)
  return { name: basename(file), messages }
}

module.exports = { extensions, isDataFile, readDataFile }
