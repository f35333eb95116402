'use strict'

// Owns the printing of tables of engines, in the form of msgpack-lite's benchmark, and of what they come to.

const { cpus } = require('node:os')
const { fastestOther, rate } = require('./measure')

const COLUMNS = [9, 6, 9, 8]

function printTable(rows) {
  const width = Math.max(...rows.map(({ label }) => label.length))
  const line = (label, ...cells) =>
    console.log([label.padEnd(width), ...cells.map((cell, at) => cell.padStart(COLUMNS[at]))].join(' | '))
  line('operation', 'op', 'ms', 'op/s', 'size')
  line('-'.repeat(width), '-------:', '----:', '-------:', '------:')
  for (const row of rows) {
    if (row.fault) console.log(`${row.label.padEnd(width)} | ${row.fault}`)
    else
      line(row.label, ...[row.count, row.milliseconds, rate(row), row.size].map((number) => number.toFixed()))
  }
}

/** How much faster the best of Ferropack's engines is than the best of the others, by direction. */
function printGains(rows) {
  for (const direction of ['pack', 'unpack']) {
    const measured = rows.filter((row) => row.direction === direction && !row.fault)
    const ours = measured.filter(({ engine }) => engine.startsWith('ferropack'))
    const other = fastestOther(measured)
    if (other === null) continue
    for (const row of ours) {
      const twin = measured.find(({ engine }) => engine === row.twin) ?? null
      const against = [twin, measured.find(({ engine }) => engine === 'JSON') ?? null, other]
      const distinct = against.filter((rival, at) => rival !== null && against.indexOf(rival) === at)
      const times = distinct.map((rival) => `${(rate(row) / rate(rival)).toFixed(2)} times ${rival.engine}`)
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

/** What the figures are of: `versions` are pairs of a package and its version. */
function printMachine(versions) {
  const [cpu] = cpus()
  console.log(`Node.js ${process.versions.node}, V8 ${process.versions.v8}`)
  console.log(`${cpu ? cpu.model.trim() : 'unknown CPU'}, ${process.platform} ${process.arch}`)
  const known = versions.filter(([, version]) => version !== null)
  console.log(wrapped(known.map(([name, version]) => `${name} ${version}`)))
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

module.exports = { printTable, printGains, printLines, printMachine }
