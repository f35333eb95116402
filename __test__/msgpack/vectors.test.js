'use strict'

// The recorded facts of fixtures/vectors.json: exact bytes, decoded values and errors of the format.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const library = require('../helpers/ferropack')
const { all, byTopic, checkAll } = require('../helpers/vectors')

const TOTAL = 603
const WITH_EXTENSIONS = 20

const entries = all.filter(({ setup }) => !setup)

for (const [topic, some] of byTopic(entries)) test(`vectors: ${topic}`, () => checkAll(library, some))

test('all others register extensions', () => {
  assert.equal(all.length, TOTAL)
  assert.equal(entries.length, TOTAL - WITH_EXTENSIONS)
})
