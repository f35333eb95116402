'use strict'

// Which module the suites test: this package, or the one that MODULE_UNDER_TEST names (a package or a path).
// Child processes and workers load the same one through this path.

const { join } = require('node:path')

const root = join(__dirname, '..', '..')
const chosen = process.env.MODULE_UNDER_TEST

module.exports = {
  root,
  entry: chosen ? require.resolve(chosen, { paths: [root] }) : join(root, 'index.js'),
}
