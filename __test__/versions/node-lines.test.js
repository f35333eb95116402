'use strict'

// The suites on every supported Node line. A line's binary comes from npm, once, and stays in target/node/.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { existsSync, readdirSync } = require('node:fs')
const { join } = require('node:path')
const { test } = require('node:test')
const { environment } = require('../helpers/child')
const { entry, root } = require('../helpers/entry')
const { full } = require('../helpers/mode')

const suites = join(root, '__test__')

const LINES = [18, 20, 22, 24, 26]
/** Suites that a quick run has on its own line only. */
const LONG = [
  'memory',
  'large-graphs',
  'linear',
  'random-operations',
  'learned-shapes',
  'decode-hostile',
  'keys',
].map((name) => `${name}.test.js`)
const QUICK = [
  'msgpack/vectors.test.js',
  'msgpack/differential.test.js',
  'heap/tier.test.js',
  'heap/kinds.test.js',
  'heap/property.test.js',
  ...['extensions', 'clone', 'buffers', 'bundle', 'streams', 'records']
    .flatMap(suitesIn)
    .filter((file) => !LONG.some((name) => file.endsWith(name))),
]
const PLATFORM = 'linux-x64'
const elsewhere =
  `${process.platform}-${process.arch}` !== PLATFORM && `there are binaries for ${PLATFORM} only`

function suitesIn(folder) {
  return readdirSync(join(suites, folder))
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => join(folder, file))
}

function everySuite() {
  const folders = readdirSync(suites, { withFileTypes: true }).filter(
    (item) => item.isDirectory() && item.name !== 'versions',
  )
  return folders.flatMap(({ name }) => suitesIn(name))
}

function run(command, args, extra) {
  const env = environment({ ...(full ? {} : { FERROPACK_VALUES: '250' }), ...extra })
  return spawnSync(command, args, { cwd: root, encoding: 'utf8', env, maxBuffer: 1 << 28 })
}

// Returns the binary, or why there is none.
function install(line) {
  const folder = join(root, 'target', 'node', String(line))
  const name = `node-${PLATFORM}`
  const binary = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(binary)) return { binary }
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
  const { status, stderr, error } = run('npm', ['install', '--prefix', folder, ...flags, `${name}@${line}`])
  if (status === 0 && existsSync(binary)) return { binary }
  return { reason: `Node ${line} could not be installed: ${error?.message ?? stderr.trim().split('\n')[0]}` }
}

for (const line of LINES) {
  test(`Node ${line}`, { skip: elsewhere }, (t) => {
    const { binary, reason } = install(line)
    if (reason) return t.skip(reason)
    assert.match(run(binary, ['--version']).stdout, new RegExp(`^v${line}\\.`))

    const loaded = run(binary, ['-p', `JSON.stringify(require(${JSON.stringify(entry)}).acceleration)`])
    assert.equal(loaded.status, 0, loaded.stderr)
    t.diagnostic(`Node ${line}: ${loaded.stdout.trim()}`)
    assert.equal(JSON.parse(loaded.stdout).tier, 'heap', loaded.stdout)

    const files = (full ? everySuite() : QUICK).map((file) => join(suites, file))
    for (const tier of full ? ['heap', 'tape'] : ['heap']) {
      const extra = tier === 'tape' ? { FERROPACK_HEAP: '0' } : {}
      const { status, stdout } = run(binary, ['--test', '--test-reporter=tap', ...files], extra)
      // Each with the start of its report, which says what was wrong.
      const failures = stdout.match(/^\s*not ok.*(?:\n.*){0,16}/gm) ?? []
      assert.equal(status, 0, [tier, ...failures].join('\n'))
      assert.ok(Number(/^# tests (\d+)/m.exec(stdout)?.[1]) > 0)
    }
  })
}
