'use strict'

// Runs a script in a Node process of its own, with the module under test named by FERROPACK_ENTRY.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { entry } = require('./entry')

// A test runner inside a test runner reports to its parent unless this variable is gone.
function environment(extra) {
  const { NODE_TEST_CONTEXT, ...own } = process.env
  return { ...own, FERROPACK_ENTRY: entry, ...extra }
}

// Returns what the script printed. It must end by itself with status 0 and nothing on standard error.
function runScript(source, { flags = [], env = {} } = {}) {
  const run = spawnSync(process.execPath, [...flags, '-e', source], {
    encoding: 'utf8',
    env: environment(env),
    timeout: 120_000,
    maxBuffer: 1 << 28,
  })
  assert.equal(run.error, undefined)
  assert.equal(run.signal, null, run.stderr)
  assert.equal(run.status, 0, run.stderr)
  assert.equal(run.stderr, '')
  return run.stdout
}

module.exports = { runScript, environment }
