'use strict'

// Processes that forbid making code from text.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')

const SCRIPT = `
  const assert = require('node:assert/strict')
  assert.throws(() => new Function('return 1'), EvalError)
  const library = require(process.env.FERROPACK_ENTRY)
  const packr = new library.Packr({ useRecords: false, variableMapSize: true })
  const maps = new library.Packr({ useRecords: false, mapsAsObjects: false })
  const list = Array.from({ length: 80 }, (_, i) => ({ id: i, 'odd-name': [{ id: -i - 1, n: i / 2, text: 'text ' + i }], wide: '\\u4f60' }))
  list.push(JSON.parse('{"__proto__":1,"constructor":2}'))
  let rounds = 0
  for (let i = 0; i < 60; i++) {
    for (const codec of [library, packr]) {
      assert.equal(JSON.stringify(codec.unpack(codec.pack(list))), JSON.stringify(list))
      rounds++
    }
    assert.equal(maps.unpack(maps.pack(list))[5].get('id'), 5)
  }
  assert.throws(() => library.unpack(Buffer.from([0xa3])), { incomplete: true })
  console.log(rounds)
`

test('round trips work there too', () => {
  assert.equal(runScript(SCRIPT, { flags: ['--disallow-code-generation-from-strings'] }), '120\n')
})
