'use strict'

// Owns the command that records the benchmarks: which there are, and the file that their rows go to.

const { existsSync, mkdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { commonOptions, runCommand } = require('./command')
const { nameOf, recordOf, runScript, textOf } = require('./recording')

/** By the table that their rows are of. `quick` is what makes the script take little time. */
const BENCHMARKS = [
  { table: 'msgpack-lite', script: 'run.js', quick: ['--quick'] },
  { table: 'stream', script: 'stream.js', quick: ['--ops=50000'] },
  { table: 'notepack', script: 'notepack.js', quick: ['--quick'] },
  { table: 'ratio', script: 'ratio.js', quick: ['--quick'] },
  { table: 'memory', script: 'memory.js', quick: ['--quick'] },
]

const tables = BENCHMARKS.map(({ table }) => table)

const help = `Usage: npm run bench:record -- [options]

  --quick              short runs, for a first look
  --only=TABLE,TABLE   not all, but some of ${tables.join(', ')}
  --node=PATH          measure on this Node.js binary
  --out=FOLDER         where the record goes (default benchmark/record)
  -v                   print the version
  --help               this text

Writes <date>-node<major>.json, in place of an older one of that name. Exits 1
if a benchmark did not end well; the rows of the others are recorded.`

function readArguments() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      only: { type: 'string' },
      node: { type: 'string' },
      out: { type: 'string' },
      ...commonOptions,
    },
  })
  const wanted = values.only === undefined ? tables : values.only.split(',')
  const unknown = wanted.find((table) => !tables.includes(table))
  if (unknown !== undefined)
    throw new RangeError(`There is no table "${unknown}"; there are: ${tables.join(', ')}`)
  const node = values.node || process.execPath
  if (!existsSync(node)) throw new RangeError(`There is no file "${node}"`)
  return {
    ...values,
    node,
    out: values.out || join(__dirname, 'record'),
    benchmarks: BENCHMARKS.filter(({ table }) => wanted.includes(table)),
  }
}

async function runAll({ benchmarks, node, quick }, keep) {
  const rows = []
  for (const [index, benchmark] of benchmarks.entries()) {
    const { table } = benchmark
    console.error(`${table} (${index + 1} of ${benchmarks.length})`)
    const started = Date.now()
    const found = await runScript({
      node,
      script: join(__dirname, benchmark.script),
      args: quick ? benchmark.quick : [],
    })
    const seconds = Math.round((Date.now() - started) / 1000)
    console.error(`${table}: ${found.rows.length} rows in ${seconds} s`)
    if (found.problem) {
      console.error(`${table}: ${found.problem}`)
      process.exitCode = 1
    }
    rows.push(...found.rows)
    if (rows.length > 0) keep(rows)
  }
  if (rows.length === 0) throw new Error('No benchmark gave a row: nothing is recorded')
}

async function run(chosen) {
  // The day on which it began, by universal time: records of several machines lie side by side.
  const date = new Date().toISOString().slice(0, 10)
  // Before anything is measured, so that a mistake shows at once.
  const described = recordOf([], { ...chosen, date })
  const name = nameOf(described)
  mkdirSync(chosen.out, { recursive: true })
  let count = 0
  // After each table, as all of them take a quarter of an hour.
  await runAll(chosen, (rows) => {
    writeFileSync(join(chosen.out, name), textOf({ ...described, rows }))
    count = rows.length
  })
  console.log(`${name}: ${count} rows`)
}

runCommand({ help, readArguments, run })
