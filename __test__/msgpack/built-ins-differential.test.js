'use strict'

// Random values of every built-in kind, by every option, as msgpackr packs and unpacks them. No class is registered, so
// that the heap walker is tried.

const { test } = require('node:test')
const { compareMany } = require('../helpers/compare-with-msgpackr')
const { full } = require('../helpers/mode')
const { optionChoices, randomOptions } = require('../helpers/option-choices')

// A run as a part of another suite may ask for fewer values.
const VALUES = Number(process.env.FERROPACK_VALUES) || (full ? 50_000 : 4000)
const RANDOM_SHARE = 0.3

const names = Object.keys(optionChoices)
for (const name of names) {
  test(name, (t) => {
    const count = Math.ceil((VALUES * (1 - RANDOM_SHARE)) / names.length)
    compareMany(t, count, () => optionChoices[name], { extensions: false })
  })
}

test('options at random', (t) => {
  compareMany(t, Math.ceil(VALUES * RANDOM_SHARE), randomOptions, { extensions: false })
})
