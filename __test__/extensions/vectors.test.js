'use strict'

// The recorded facts of fixtures/vectors.json for which extensions are registered: each for itself, and then those of
// all others once more, which do not depend on what is registered.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const library = require('../helpers/ferropack')
const { all, byTopic, checkAll } = require('../helpers/vectors')

const WITH_EXTENSIONS = 20

const entries = all.filter(({ setup }) => setup)

for (const entry of entries) test(entry.name, () => checkAll(library, [entry]))

test('every one was checked', () => assert.equal(entries.length, WITH_EXTENSIONS))

for (const [topic, some] of byTopic(all.filter(({ setup }) => !setup)))
  test(`with extensions registered: ${topic}`, () => checkAll(library, some))
