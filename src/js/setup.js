'use strict'
// Installs and builds what a checkout lacks, so that `npm start` and `npm test` work in a fresh clone.

const { spawnSync } = require('node:child_process')
const { existsSync, readdirSync, statSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '..', '..')
const addon = join(root, 'ferropack.node')

function run(command, args) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

function modified(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0
}

/** Time of the newest file that goes into the addon. */
function newestSource(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((newest, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'js' ? newest : Math.max(newest, newestSource(path))
    return Math.max(newest, modified(path))
  }, 0)
}

const lock = modified(join(root, 'package-lock.json'))
if (modified(join(root, 'node_modules', '.package-lock.json')) < lock) {
  // `prepare` would build; that is decided below.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
}

const sources = ['Cargo.toml', 'Cargo.lock', 'build.rs'].map((file) => modified(join(root, file)))
if (modified(addon) < Math.max(newestSource(join(root, 'src')), ...sources)) {
  run(process.execPath, [join(__dirname, 'compile.js')])
}
