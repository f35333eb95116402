'use strict'

// Owns the command for the tables of notepack's benchmark: how often a second each library encodes and decodes
// values of four sizes.

const { parseArgs } = require('node:util')
const { commonOptions, chosenBy, isAmount, runCommand } = require('./command')
const { named } = require('./codecs')
const values = require('./datasets/notepack')
const { measure, rate } = require('./measure')
const { prepare } = require('./operations')
const { versionsOf } = require('./peers')
const { printHeading, printLines } = require('./table')

/** The rows, by the names that the published table has for them. */
const ROWS = {
  notepack: 'notepack.io',
  'msgpack-js': 'msgpack-js',
  Ferropack: 'ferropack',
  'Ferropack records': 'ferropack structures',
  msgpackr: 'msgpackr',
  'msgpackr records': 'msgpackr structures',
  'msgpack-lite': 'msgpack-lite',
  '@msgpack/msgpack': '@msgpack/msgpack',
}
const SIZES = Object.keys(values)
const DIRECTIONS = { pack: 'Encoding', unpack: 'Decoding' }

const help = `Usage: npm run bench:notepack -- [seconds] [word ...] [options]

  seconds    time given to each cell (default 2)
  word       only rows whose name contains one of the words
  -v         print the version
  --quick    0.1 seconds a cell
  --json     print lines of JSON
  --help     this text`

function readArguments() {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      ...commonOptions,
    },
  })
  return {
    ...options,
    seconds: Number(positionals.find(isAmount) || (options.quick ? 0.1 : 2)),
    words: positionals.filter((word) => !isAmount(word)),
  }
}

function cellText({ fault, ...cell }) {
  return fault ? '-' : `${Math.round(rate(cell)).toLocaleString('en')} ops/sec`
}

/** Prints one table, and why cells are empty. */
function printCells(title, rows) {
  const table = [['', ...SIZES], ...rows.map(([name, cells]) => [name, ...cells.map(cellText)])]
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)))
  const rule = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+`
  console.log(`${title}:\n\n${rule}`)
  for (const line of table) {
    console.log(`| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |\n${rule}`)
  }
  for (const [name, cells] of rows) {
    cells.forEach(({ fault }, at) => {
      if (fault) console.log(`${name}, ${SIZES[at]}: ${fault}`)
    })
  }
  console.log()
}

/** All cells of a size are measured by turns. */
function measureAll(names, seconds) {
  const cells = new Map()
  for (const size of SIZES) {
    const value = values[size]()
    const all = Object.keys(DIRECTIONS).flatMap((direction) =>
      names.map((name) => ({ name, ...prepare(named(ROWS[name]), direction, [value]) })),
    )
    measure(all, seconds)
    for (const cell of all) cells.set(`${cell.direction} ${cell.name} ${size}`, cell)
  }
  return (direction, name, size) => cells.get(`${direction} ${name} ${size}`)
}

function run(chosen) {
  const names = chosenBy(chosen.words, Object.keys(ROWS), (name) => name)
  const cellOf = measureAll(names, chosen.seconds)
  if (chosen.json) {
    for (const size of SIZES) {
      const rows = Object.keys(DIRECTIONS).flatMap((direction) =>
        names.map((name) => ({ ...cellOf(direction, name, size), label: name })),
      )
      printLines('notepack', size, rows)
    }
    return
  }
  const peers = names.map((name) => named(ROWS[name]).peer).filter((peer) => peer !== undefined)
  printHeading("The tables of notepack's benchmark", versionsOf(peers))
  console.log()
  for (const [direction, title] of Object.entries(DIRECTIONS)) {
    printCells(
      title,
      names.map((name) => [name, SIZES.map((size) => cellOf(direction, name, size))]),
    )
  }
}

runCommand({ help, readArguments, run })
