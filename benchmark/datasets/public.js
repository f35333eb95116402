'use strict'

// Owns the data sets that others published, read from the files of the npm
// package vega-datasets.

const { readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

// The package exports its code alone, so the files are found beside it.
function read(file) {
  return JSON.parse(readFileSync(join(packageFolder(), 'data', file), 'utf8'))
}

function packageFolder() {
  try {
    return dirname(dirname(require.resolve('vega-datasets')))
  } catch {
    throw new Error('This data set is in the package vega-datasets, which is not installed: npm ci')
  }
}

function movies() {
  return [read('movies.json')]
}

function earthquakes() {
  return [read('earthquakes.json')]
}

function topology() {
  return [read('us-10m.json')]
}

module.exports = { movies, earthquakes, 'us-10m': topology }
