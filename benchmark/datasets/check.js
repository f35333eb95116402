'use strict'

// Owns the check that the data sets are what README.md says: prints the table
// of their contents, and exits 1 if the README has a line that differs.
// Run it after a change, and on each Node.js version: the last column is a hash.

const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { names, load } = require('.')
const { count } = require('./counts')

const columns = [
  'objects',
  'arrays',
  'keys',
  'key names',
  'strings',
  'not ASCII',
  'numbers',
  'fractions',
  'booleans',
  'nulls',
  'dates',
]

function row(name) {
  const { messages } = load(name)
  const texts = messages.map((message) => JSON.stringify(message))
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const hash = createHash('sha256').update(texts.join('\n')).digest('hex')
  const counts = count(messages)
  const cells = columns.map((column) => counts[column])
  return [name, messages.length, bytes, ...cells, hash.slice(0, 12)]
}

const heads = ['data set', 'messages', 'JSON bytes', ...columns, 'SHA-256']
const lines = [heads, heads.map(() => '---'), ...names.map(row)].map((cells) => `| ${cells.join(' | ')} |`)
console.log(lines.join('\n'))

// The formatter pads the cells of the README.
function unpadded(line) {
  return line.replace(/ +/g, ' ').replace(/-+/g, '-')
}

const readme = readFileSync(join(__dirname, 'README.md'), 'utf8').split('\n').map(unpadded)
const missing = lines.filter((line) => !readme.includes(unpadded(line)))
if (missing.length) {
  console.error(`\nREADME.md differs in:\n${missing.join('\n')}`)
  process.exitCode = 1
}
