'use strict'

// Evaluates a package's CommonJS modules anew in a realm of their own, as test runners do: core modules and addons are
// those of the process.

const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, extname } = require('node:path')
const vm = require('node:vm')

/** What module `entry` exports in a new realm, and that realm's global object. */
function loadInNewRealm(entry) {
  // As in a runner that emulates a browser, most of Node's globals are missing.
  const realm = vm.createContext({ Buffer, process })
  const global = vm.runInContext('globalThis', realm)
  const cache = new Map()
  const load = (file) => {
    if (cache.has(file)) return cache.get(file).exports
    const require = createRequire(file)
    const module = { exports: {} }
    cache.set(file, module)
    const inner = (id) => {
      const found = require.resolve(id)
      return extname(found) === '.js' ? load(found) : require(id)
    }
    inner.resolve = require.resolve
    const parameters = ['module', 'exports', 'require', '__filename', '__dirname']
    const options = { filename: file, parsingContext: realm }
    const body = vm.compileFunction(readFileSync(file, 'utf8'), parameters, options)
    body(module, module.exports, inner, file, dirname(file))
    return module.exports
  }
  return { library: load(entry), global }
}

module.exports = { loadInNewRealm }
