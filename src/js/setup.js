'use strict'
// Installs and builds what a checkout lacks, so that `npm start` and `npm test` work in a fresh clone.

const { spawnSync } = require('node:child_process')
const { existsSync, readdirSync, statSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '..', '..')
const addon = join(root, 'ferropack.node')

/** Whether the command succeeded. */
function run(command, args, folder) {
  const { status } = spawnSync(command, args, {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  return status === 0
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

/** Installs what a lock file names, unless that was done. */
function install(folder) {
  const installed = modified(join(folder, 'node_modules', '.package-lock.json'))
  if (installed >= modified(join(folder, 'package-lock.json'))) return true
  // Scripts would build this package, which is decided below; no other has one that it needs.
  return run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
}

if (!install(root)) process.exit(1)
if (!install(join(root, 'benchmark', 'peers'))) console.warn('Some rows of the benchmarks will be missing.')

const sources = ['Cargo.toml', 'Cargo.lock', 'build.rs'].map((file) => modified(join(root, file)))
if (modified(addon) < Math.max(newestSource(join(root, 'src')), ...sources)) {
  if (!run(process.execPath, [join(__dirname, 'compile.js')], root)) process.exit(1)
}
