'use strict'

// Runs the suites twice: with the walker that this process has, and with the tape walker alone. What looks at the
// sources, at types or at other Node lines does not depend on the walker and runs once; so do the benchmarks, which have
// engines of both.

const { spawnSync } = require('node:child_process')
const { readdirSync } = require('node:fs')
const { join } = require('node:path')

const ONCE = ['benchmark', 'heap', 'source', 'types', 'versions']

function testsOf(folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(__dirname, folder))
      .filter((file) => file.endsWith('.test.js'))
      .map((file) => join(__dirname, folder, file)),
  )
}

const folders = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

function run(title, files, env) {
  console.log(title)
  const { status } = spawnSync(process.execPath, ['--test', ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status !== 0) process.exitCode = 1
}

run('# as this process packs', testsOf(folders), {})
run('# by the tape walker', testsOf(folders.filter((name) => !ONCE.includes(name))), { FERROPACK_HEAP: '0' })
