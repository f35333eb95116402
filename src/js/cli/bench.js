'use strict'
// The command `ferropack bench`: the table of the benchmark for a user's own file, with the packages that resolve
// from the user's folder.

const { parseArgs } = require('node:util')
const { isAmount } = require('../../../benchmark/command.js')
const { extensions, readDataFile, isDataFile } = require('../../../benchmark/data-file.js')
const { requireFrom } = require('../../../benchmark/peers.js')
const { runTable } = require('../../../benchmark/table-run.js')
const { codecs } = require('../../../benchmark/codecs.js')

const help = `Usage: ferropack bench FILE [seconds] [word ...] [options]

  FILE       messages: one in a file of JSON, one a line of .ndjson, and all
             values of a .msgpack file
  seconds    time given to each row (default 1)
  word       only rows whose name contains one of the words
  --json     print lines of JSON
  --help     this text

An op is one message; size is that of all messages, in bytes. Packages that
are installed where you are get rows of their own.`

function run(given) {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  })
  const [file, ...others] = positionals
  if (file === undefined) throw new Error(`bench takes a file (${extensions.join(', ')})\n\n${help}`)
  if (!isDataFile(file)) throw new Error(`${file} is none of ${extensions.join(', ')}`)
  const rows = runTable(readDataFile(file), {
    json: values.json,
    seconds: Number(others.find(isAmount) ?? 1),
    words: others.filter((word) => !isAmount(word)),
    peers: requireFrom(process.cwd()),
  })
  if (!values.json) printMissing(rows)
}

/** How to get the rows whose packages are not here: all at once, as npm removes what it was not told to save. */
function printMissing(rows) {
  const missing = new Set(rows.filter((row) => row.isMissing).map((row) => row.engine))
  const names = new Set(codecs.filter(({ name }) => missing.has(name)).map(({ peer }) => peer))
  if (names.size === 0) return
  console.log(`\nNot installed here; for their rows: npm install --no-save ${[...names].join(' ')}`)
}

module.exports = { help, run }
