'use strict'

// A script that uses the module ends by itself, with status 0, and prints nothing of its own.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pathToFileURL } = require('node:url')
const { runScript } = require('../helpers/child')
const { entry } = require('../helpers/entry')

const USE = `
  for (let i = 0; i < 200; i++) packr.unpack(packr.pack({ i, text: 'some text', map: new Map([[1, 2]]), list: [i / 3] }))
  process.stdout.write('done')
`

test('a script that requires the module', () => {
  assert.equal(
    runScript(
      `const { Packr } = require(process.env.FERROPACK_ENTRY); const packr = new Packr({ useRecords: false }); ${USE}`,
    ),
    'done',
  )
})

test('an ES module that imports it', () => {
  const source = `import { Packr } from ${JSON.stringify(pathToFileURL(entry).href)}; const packr = new Packr({ useRecords: false }); ${USE}`
  assert.equal(runScript(source, { flags: ['--input-type=module'] }), 'done')
})

test('a script that only loads it', () => {
  assert.equal(runScript('require(process.env.FERROPACK_ENTRY)'), '')
})

test('a script that leaves in the middle of a message', () => {
  assert.equal(
    runScript(
      'const { pack } = require(process.env.FERROPACK_ENTRY); pack([1, { get a() { process.exit(0) } }]); console.log("not reached")',
    ),
    '',
  )
})

test('a script that uses it while the process exits', () => {
  const source = `
    const { pack, unpack } = require(process.env.FERROPACK_ENTRY)
    pack({ warm: 1 })
    process.on('exit', () => process.stdout.write(unpack(pack({ text: 'at exit' })).text))
  `
  assert.equal(runScript(source), 'at exit')
})
