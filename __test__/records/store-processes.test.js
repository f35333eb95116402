'use strict'

// Several processes write with one store of structures at the same time, the reference implementation among them;
// whatever any of them wrote can be read by a process that comes later, and by the reference.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { test } = require('node:test')
const { environment } = require('../helpers/child')
const { entry, root } = require('../helpers/entry')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { fileStore } = require('../helpers/file-store')
const { full } = require('../helpers/mode')
const { recordValue } = require('../helpers/record-values')
const { assertSame } = require('../helpers/same')
const reference = require('msgpackr')

const COUNT = full ? 2000 : 250
const WRITERS = [entry, entry, require.resolve('msgpackr', { paths: [root] })]

function write(folder, module, writer, options) {
  const script = join(__dirname, '..', 'helpers', 'writing-process.js')
  const child = spawn(
    process.execPath,
    [script, module, folder, String(writer), String(COUNT), JSON.stringify(options)],
    { env: environment({}), stdio: ['ignore', 'inherit', 'pipe'] },
  )
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, errors }))
  })
}

function messagesOf(folder, writer) {
  const bytes = readFileSync(join(folder, `records${writer}`))
  const messages = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    messages.push(bytes.subarray(at + 4, end))
    at = end
  }
  return messages
}

for (const options of [{}, { maxSharedStructures: 100 }, { maxSharedStructures: 100, maxOwnStructures: 5 }]) {
  test(`three processes with one store and ${JSON.stringify(options)}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ferropack-store-'))
    try {
      const ends = await Promise.all(WRITERS.map((module, i) => write(folder, module, i, options)))
      for (const { status, errors } of ends) assert.deepEqual({ status, errors }, { status: 0, errors: '' })

      const stored = JSON.parse(readFileSync(join(folder, 'structures.json'), 'utf8'))
      assert.equal(
        new Set(stored.map((keys) => JSON.stringify(keys))).size,
        stored.length,
        'a shape is stored twice',
      )
      assert.ok(stored.length <= (options.maxSharedStructures ?? 32))
      assert.ok(stored.length > 20)

      const readers = [
        new Unpackr(fileStore(folder)),
        new Packr(fileStore(folder, options)),
        new Unpackr({ structures: stored }),
        new reference.Unpackr(fileStore(folder)),
      ]
      for (const [writer] of WRITERS.entries()) {
        const messages = messagesOf(folder, writer)
        assert.equal(messages.length, COUNT)
        for (const [i, bytes] of messages.entries()) {
          for (const [r, reader] of readers.entries()) {
            assertSame(
              reader.unpack(bytes),
              recordValue(writer, i),
              `writer ${writer}, value ${i}, reader ${r}`,
            )
          }
        }
      }

      // Once all is stored, nobody has anything to add, and all write the same.
      const packrs = [new Packr(fileStore(folder, options)), new reference.Packr(fileStore(folder, options))]
      for (let i = 0; i < COUNT; i++) {
        const [own, other] = packrs.map((packr) => packr.pack(recordValue(i % 3, i)).toString('hex'))
        assert.equal(own, other, `value ${i}`)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}
