'use strict'

// The recorded facts of fixtures/vectors.json: exact bytes, decoded values and errors of the format.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const library = require('../helpers/ferropack')
const { all, byTopic, check } = require('../helpers/vectors')

const TOTAL = 603
const COVERED = 480

const topics = byTopic()
let checked = 0

for (const [topic, entries] of topics) {
  test(`vectors: ${topic}`, () => {
    const failures = []
    for (const entry of entries) {
      checked++
      try {
        check(library, entry)
      } catch (error) {
        failures.push(`${entry.name} ${JSON.stringify(entry.options)}: ${error.message}`)
      }
    }
    assert.equal(failures.length, 0, `${failures.length} of ${entries.length}\n${failures.join('\n')}`)
  })
}

test('every vector that applies was checked', () => {
  assert.equal(all.length, TOTAL)
  assert.equal(checked, COVERED)
})
