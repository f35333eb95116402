'use strict'

// Owns the printing of tables of engines, in the form of msgpack-lite's benchmark, and of what they come to.

const { cpus } = require('node:os')
const { version } = require('../package.json')
const { rate } = require('./measure')

const WIDTHS = { op: 9, ms: 6, 'op/s': 9, size: 8 }

const figuresOf = (row) => ({ op: row.count, ms: row.milliseconds, 'op/s': rate(row), size: row.size })

/** A table with these columns behind that of the operations, which has a title. */
function printTable(rows, { title = 'operation', columns = Object.keys(WIDTHS) } = {}) {
  const width = Math.max(title.length, ...rows.map(({ label }) => label.length))
  const line = (label, cells) =>
    console.log(
      [label.padEnd(width), ...cells.map((cell, at) => cell.padStart(WIDTHS[columns[at]]))].join(' | '),
    )
  line(title, columns)
  line(
    '-'.repeat(width),
    columns.map((name) => `${'-'.repeat(name.length + 3)}:`),
  )
  for (const row of rows) {
    if (row.fault) console.log(`${row.label.padEnd(width)} | ${row.fault}`)
    else {
      const figures = figuresOf(row)
      line(
        row.label,
        columns.map((name) => figures[name].toFixed()),
      )
    }
  }
}

/** How many times as fast each engine of Ferropack is as its twin, JSON and the fastest of the others. */
function printGains(rows) {
  for (const direction of ['pack', 'unpack']) {
    const measured = rows.filter((row) => row.direction === direction && !row.fault)
    const ours = measured.filter(({ engine }) => engine.startsWith('ferropack'))
    const others = measured.filter((row) => !ours.includes(row))
    if (others.length === 0) continue
    const fastest = others.reduce((best, row) => (rate(row) > rate(best) ? row : best))
    const find = (name) => others.find(({ engine }) => engine === name)
    for (const row of ours) {
      const rivals = new Set([find(row.twin), find('JSON'), fastest].filter(Boolean))
      const times = [...rivals].map(
        (rival) => `${(rate(row) / rate(rival)).toFixed(2)} times ${rival.engine}`,
      )
      console.log(`${direction}: ${row.engine} does ${times.join(', ')}`)
    }
  }
}

/** The rows as lines of JSON, which records are made of. */
function printLines(table, data, rows) {
  for (const row of rows) {
    const { label, engine, direction, fault } = row
    const figures = fault
      ? { fault }
      : {
          op: row.count,
          ms: Math.round(row.milliseconds),
          opPerSecond: Math.round(rate(row)),
          size: row.size,
        }
    console.log(JSON.stringify({ table, data, engine, operation: label, direction, ...figures }))
  }
}

/** What is measured, and on what: `versions` are pairs of a package and its version. */
function printHeading(title, versions) {
  const [cpu] = cpus()
  console.log(`\n${title}\n${'='.repeat(title.length)}\n`)
  console.log(`Node.js ${process.versions.node}, V8 ${process.versions.v8}`)
  console.log(`${cpu ? cpu.model.trim() : 'unknown CPU'}, ${process.platform} ${process.arch}`)
  const known = [['ferropack', version], ...versions.filter(([, found]) => found !== null)]
  console.log(wrapped(known.map(([name, found]) => `${name} ${found}`)))
}

/** A list in lines of at most 100 columns. */
function wrapped(parts) {
  const lines = ['']
  for (const [index, part] of parts.entries()) {
    const text = index < parts.length - 1 ? `${part}, ` : part
    if ((lines.at(-1) + text).length > 100) lines.push('')
    lines[lines.length - 1] += text
  }
  return lines.map((line) => line.trimEnd()).join('\n')
}

module.exports = { printTable, printGains, printLines, printHeading }
