'use strict'

// Owns the command for the table of msgpack-lite's benchmark on the data sets of this folder, and the check of
// all rows on all of them.

const { resolve } = require('node:path')
const { parseArgs } = require('node:util')
const { commonOptions, isAmount, runCommand } = require('./command')
const { extensions, isDataFile, readDataFile } = require('./data-file')
const datasets = require('./datasets')
const { recheck } = require('./operations')
const { prepareRows, runTable } = require('./table-run')
const { loopOver } = require('./timing')

const help = `Usage: npm run bench -- [seconds] [word ...] [file] [options]

  seconds       time given to each row (default 5)
  word          only rows whose name contains one of the words
  file          measure on the content of this file (${extensions.join(', ')})
  -v            print the version
  --data=NAME   measure on a named data set (default clinical):
                ${datasets.names.join(' ')}
  --quick       0.3 seconds a row
  --json        print lines of JSON
  --smoke       check the results of every row on every data set, or on the
                one given, and measure nothing; exits 1 if Ferropack is wrong
  --help        this text

An op is one message; size is that of all messages, in bytes.`

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      quick: { type: 'boolean' },
      smoke: { type: 'boolean' },
      json: { type: 'boolean' },
      ...commonOptions,
    },
  })
  const files = positionals.filter(isDataFile)
  if (files.length > 1) throw new RangeError('There can be one file only')
  if (files.length > 0 && values.data) throw new RangeError('There can be a file or --data, not both')
  return {
    ...values,
    seconds: Number(positionals.find(isAmount) || (values.quick ? 0.3 : 5)),
    // npm runs scripts in the package's folder, wherever it was called.
    file: files.length > 0 ? resolve(process.env.INIT_CWD ?? '', files[0]) : undefined,
    words: positionals.filter((word) => !isAmount(word) && !isDataFile(word)),
  }
}

// Null where neither was asked for.
function chosenData({ file, data }) {
  if (file) return readDataFile(file)
  return data ? datasets.load(data) : null
}

// True when all of Ferropack's rows are right.
function smoke({ name, messages }, words) {
  const rows = prepareRows(messages, words)
  for (const row of rows) {
    if (row.fault) continue
    loopOver(row)(messages.length)
    row.fault = recheck(row)
  }
  const faulty = rows.filter((row) => row.fault)
  console.log(`${name}: ${rows.length - faulty.length} of ${rows.length} right`)
  for (const { label, fault } of faulty) console.log(`  ${label} | ${fault}`)
  return !faulty.some(({ engine }) => engine.startsWith('ferropack'))
}

function run(chosen) {
  const data = chosenData(chosen)
  if (chosen.smoke) {
    const all = data ? [data] : datasets.names.map(datasets.load)
    const right = all.map((set) => smoke(set, chosen.words))
    process.exitCode = right.every(Boolean) ? 0 : 1
    return
  }
  runTable(data ?? datasets.load('clinical'), chosen)
}

runCommand({ help, readArguments, run })
