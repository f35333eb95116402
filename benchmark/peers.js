'use strict'

// Owns where packages come from that Ferropack is compared with: this checkout's, or another folder's.

const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')

/** A `require` for what resolves in `folder` or above it. */
function requireFrom(folder) {
  return createRequire(join(folder, 'package.json'))
}

/** What has to be installed for the benchmarks alone lies in a folder of its own. */
const requirePeer = requireFrom(join(__dirname, 'peers'))

/** The version of a package that resolves there, or null. */
function versionOf(name, resolver = requirePeer) {
  let folder
  try {
    folder = dirname(resolver.resolve(name))
  } catch {
    return null
  }
  // Up from the entry: not all packages export their package.json.
  for (;;) {
    const found = packageAt(folder)
    if (found?.name === name) return found.version ?? null
    const parent = dirname(folder)
    if (parent === folder) return null
    folder = parent
  }
}

function packageAt(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return null
  }
}

/** Addons that packages load by themselves, where these are installed. */
const nativeHelpers = { msgpackr: 'msgpackr-extract', 'cbor-x': 'cbor-extract' }

/** Pairs of a package and its version, of these packages and of the addons they load; null for what is missing. */
function versionsOf(names, resolver) {
  const all = names.flatMap((name) => (nativeHelpers[name] ? [name, nativeHelpers[name]] : [name]))
  return [...new Set(all)].map((name) => [name, versionOf(name, resolver)])
}

module.exports = { requireFrom, requirePeer, versionsOf }
