'use strict'
// Finds and loads the native addon: the one built in this folder, else the package of this platform.

const { existsSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '..', '..')

function platforms() {
  const { platform, arch } = process
  // The C library is not asked for, which would cost milliseconds: the wrong one does not load.
  if (platform === 'linux') return [`linux-${arch}-gnu`, `linux-${arch}-musl`]
  if (platform === 'win32') return [`win32-${arch}-msvc`]
  return [`${platform}-${arch}`]
}

function load() {
  const local = join(root, 'ferropack.node')
  const wanted = [local, ...platforms().map((name) => `@ferropack/${name}`)]
  const failures = []
  for (const id of wanted) {
    try {
      return require(id)
    } catch (error) {
      failures.push({ id, error })
    }
  }
  const broken = failures.find(
    ({ id, error }) => error.code !== 'MODULE_NOT_FOUND' || (id === local && existsSync(local)),
  )
  const remedy = `With Rust 1.88 or later installed, run: node ${join(__dirname, 'compile.js')}`
  const reason = broken
    ? `${broken.id} was found but could not be loaded: ${broken.error.message}`
    : `no native addon for ${process.platform}-${process.arch}: looked for ${wanted.join(', ')}`
  const error = new Error(`ferropack: ${reason}. ${remedy}`, { cause: (broken ?? failures.at(-1)).error })
  error.code = broken ? 'ERR_FERROPACK_BAD_BINARY' : 'ERR_FERROPACK_NO_BINARY'
  throw error
}

module.exports = load()
