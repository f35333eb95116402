'use strict'
// Finds and loads the native addon: the one built in this folder, else the package of this platform.
//
// The addon's state belongs to one copy of these modules. Test runners evaluate modules anew for each file, in a realm
// of its own, but share the addon: a copy that is not the first initialises the addon for itself.

const { existsSync } = require('node:fs')
const { join } = require('node:path')

const { inThisRealm, isClass } = require('./realm-errors.js')

const root = join(__dirname, '..', '..')

function platforms() {
  const { platform, arch } = process
  // The C library is not asked for, which would cost milliseconds: the wrong one does not load.
  if (platform === 'linux') return [`linux-${arch}-gnu`, `linux-${arch}-musl`]
  if (platform === 'win32') return [`win32-${arch}-msvc`]
  return [`${platform}-${arch}`]
}

/** Which C library a Linux process has, in words. */
function libc() {
  if (process.platform !== 'linux') return ''
  const version = process.report?.getReport?.().header?.glibcVersionRuntime
  return version === undefined ? ' without glibc (musl)' : ` with glibc ${version}`
}

/** The error for an addon that is not there, or that is there but does not load. */
function refusal(local, failures) {
  const broken = failures.find(
    ({ id, error }) => error.code !== 'MODULE_NOT_FOUND' || (id === local && existsSync(local)),
  )
  const where = `${process.platform}-${process.arch}${libc()}, Node.js ${process.version}`
  const looked = failures.map(({ id }) => id).join(', ')
  const reason = broken
    ? `${broken.id} was found but could not be loaded on ${where}: ${broken.error.message}`
    : `no native addon for ${where}: looked for ${looked}`
  const remedy = `Install again without leaving out optional dependencies, or with Rust 1.88 or later run: node "${join(__dirname, 'compile.js')}"`
  const error = new Error(`ferropack: ${reason}. ${remedy}`, { cause: (broken ?? failures.at(-1)).error })
  error.code = broken ? 'ERR_FERROPACK_BAD_BINARY' : 'ERR_FERROPACK_NO_BINARY'
  return error
}

/** Says that an addon's exports belong to a copy of these modules. */
const TAKEN = Symbol.for('ferropack.taken')
/** Keeps an addon's state as long as any function of it. */
const EXPORTS = Symbol('exports')

/** The exports of the addon, of which no other copy has the state. */
function ownExports(id) {
  let exports = require(id)
  if (exports[TAKEN]) {
    const module = { exports: {} }
    process.dlopen(module, require.resolve(id))
    exports = module.exports
  }
  exports[TAKEN] = true
  // Not the classes, which are never let go of.
  for (const name of Object.keys(exports)) if (!isClass(name)) exports[name][EXPORTS] = exports
  return exports
}

function load() {
  const local = join(root, 'ferropack.node')
  const failures = []
  for (const id of [local, ...platforms().map((name) => `@ferropack/${name}`)]) {
    try {
      return inThisRealm(ownExports(id))
    } catch (error) {
      failures.push({ id, error })
    }
  }
  throw refusal(local, failures)
}

module.exports = load()
