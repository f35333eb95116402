'use strict'

// Owns the command that draws a record: which record it is, and the files that the charts become.

const { mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { basename, join } = require('node:path')
const { parseArgs } = require('node:util')
const { commonOptions, runCommand } = require('./command')
const { drawBars } = require('./chart/bars')
const { charts } = require('./chart/charts')
const { themes } = require('./chart/theme')

const RECORDS = join(__dirname, 'record')
const RECORD_NAME = /^(\d{4}-\d{2}-\d{2})-node(\d+)\.json$/

const help = `Usage: npm run bench:chart -- [options]

  --record=FILE  the record to draw (default the newest of benchmark/record;
                 of several of one day, that of the highest Node.js version)
  --out=FOLDER   where the SVG files go (default benchmark/record)
  -v             print the version
  --help         this text

Draws ${charts.map(({ name }) => name).join(', ')}, each for light and dark pages.`

/** By the names alone: the times of files say nothing in a fresh clone. */
function newestRecord() {
  const found = readdirSync(RECORDS).flatMap((name) => {
    const match = RECORD_NAME.exec(name)
    return match ? [{ name, date: match[1], major: Number(match[2]) }] : []
  })
  if (!found.length) throw new Error('There is no record yet: npm run bench:record writes one')
  found.sort((one, other) =>
    one.date === other.date ? one.major - other.major : one.date < other.date ? -1 : 1,
  )
  return join(RECORDS, found[found.length - 1].name)
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether rows and what is said of all of them can be drawn; figures that are missing are drawn as that. */
function isRecord(record) {
  const isText = (value) => typeof value === 'string'
  return (
    [record?.node, record?.cpu, record?.date].every(isText) &&
    Array.isArray(record.rows) &&
    record.rows.every((row) => [row?.table, row?.engine, row?.direction].every(isText))
  )
}

function readRecord(file) {
  const record = parsed(readFileSync(file, 'utf8'))
  if (!isRecord(record)) throw new Error(`${basename(file)} is not a record, or is damaged`)
  return record
}

function readArguments() {
  return parseArgs({ options: { record: { type: 'string' }, out: { type: 'string' }, ...commonOptions } })
    .values
}

function run(values) {
  const file = values.record || newestRecord()
  const record = readRecord(file)
  const out = values.out || RECORDS
  mkdirSync(out, { recursive: true })
  console.log(`of ${basename(file)}:`)
  let drawn = 0
  for (const { name, make } of charts) {
    const chart = make(record)
    if (!chart) {
      console.error(`${name}: the record has no rows for it`)
      continue
    }
    for (const theme of Object.keys(themes)) {
      const picture = `${name}-${theme}.svg`
      writeFileSync(join(out, picture), drawBars(chart, theme))
      console.log(`  ${picture}`)
      drawn++
    }
  }
  if (!drawn) process.exitCode = 1
}

runCommand({ help, readArguments, run })
