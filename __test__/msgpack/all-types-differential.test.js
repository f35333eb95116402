'use strict'

// Random values of every kind, instances of registered classes among them, by every option, as msgpackr packs and
// unpacks them.

const { test } = require('node:test')
const msgpackr = require('msgpackr')
const { compareMany } = require('../helpers/compare-with-msgpackr')
const ferropack = require('../helpers/ferropack')
const { full } = require('../helpers/mode')
const { optionChoices, randomOptions } = require('../helpers/option-choices')
const { registerWith } = require('../helpers/registered-classes')

// A run as a part of another suite may ask for fewer values.
const VALUES = Number(process.env.FERROPACK_VALUES) || (full ? 50_000 : 4000)
const RANDOM_SHARE = 0.3

registerWith(ferropack, msgpackr)

const names = Object.keys(optionChoices)
for (const name of names) {
  test(name, (t) => {
    const count = Math.ceil((VALUES * (1 - RANDOM_SHARE)) / names.length)
    compareMany(t, count, () => optionChoices[name], { extensions: true })
  })
}

test('options at random', (t) => {
  compareMany(t, Math.ceil(VALUES * RANDOM_SHARE), randomOptions, { extensions: true })
})
