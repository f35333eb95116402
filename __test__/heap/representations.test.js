'use strict'

// The samples of the other suites are in V8 what their names say: V8 is asked to describe them.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')
const { environment } = require('../helpers/child')

const TEXT = 'a text of more than forty letters, for all representations'

// V8 writes to the standard output by itself, so what JavaScript writes there could come too late.
const SCRIPT = `
  const { samples, makers, largeMakers, special, large, shows } = require(process.argv[1])
  const table = { ...samples, ...special, ...large }
  const made = { ...makers, ...largeMakers }
  for (const name of Object.keys(shows)) {
    const value = name in made ? made[name](${JSON.stringify(TEXT)}) : table[name]()
    ;%DebugPrint('sample: ' + name);
    %DebugPrint(value);
  }
  ;%DebugPrint('sample: end')
`

for (const name of ['native-arrays', 'native-objects', 'native-strings', 'native-classes']) {
  test(name, () => {
    const path = join(__dirname, '..', 'helpers', name)
    const { shows } = require(path)
    const flags = ['--allow-natives-syntax', '-e', SCRIPT, path]
    const run = spawnSync(process.execPath, flags, {
      encoding: 'utf8',
      env: environment({}),
      maxBuffer: 1 << 28,
    })
    assert.equal(run.status, 0, run.stderr)
    const parts = run.stdout.split('sample: ').slice(1)
    assert.equal(parts.length, Object.keys(shows).length + 1)
    for (const [i, [sample, pattern]] of Object.entries(shows).entries()) {
      assert.ok(parts[i].startsWith(sample), parts[i].slice(0, 100))
      // The first description is that of the name.
      assert.match(parts[i].slice(parts[i].indexOf('DebugPrint')), pattern, sample)
    }
  })
}
