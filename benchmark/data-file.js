'use strict'

// Owns the reading of a file of a user's own as messages.

const { readFileSync } = require('node:fs')
const { basename, extname } = require('node:path')

const readers = {
  '.json': (bytes) => [JSON.parse(textOf(bytes))],
  '.ndjson': (bytes) => valuesOfLines(textOf(bytes)),
  '.msgpack': (bytes) => (bytes.length === 0 ? [] : require('..').unpackMultiple(bytes)),
}

/** Names of files that are data end like this. */
const extensions = Object.keys(readers)

/** Some editors put a byte order mark before a text. */
function textOf(bytes) {
  return bytes.toString().replace(/^\ufeff/, '')
}

function valuesOfLines(text) {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line)]
    } catch (error) {
      throw new Error(`line ${index + 1}: ${error.message}`)
    }
  })
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
