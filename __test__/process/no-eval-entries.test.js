'use strict'

// The entries that make no code from text, in processes that would allow it.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')

/** Counts the functions that are made from text, from here on. */
const COUNT = `
  const assert = require('node:assert/strict')
  const { join, dirname } = require('node:path')
  let made = 0
  const count = () => { made++ }
  globalThis.Function = new Proxy(Function, {
    construct(...args) { count(); return Reflect.construct(...args) },
    apply(...args) { count(); return Reflect.apply(...args) },
  })
  globalThis.eval = () => count()
  const main = () => require(process.env.FERROPACK_ENTRY)
  const entry = (name) => require(join(dirname(process.env.FERROPACK_ENTRY), 'src/js/entries', name + '.js'))
  const rows = (key) => Array.from({ length: 100 }, (_, i) => ({ [key]: i, text: 'row ' + i, list: [{ half: i / 2 }] }))
  /** Reads maps and records of one shape until they would be read by a function of their own. */
  function readOften({ unpack, Unpackr }, { pack, Packr }, key) {
    const value = rows(key)
    const unpackr = new Unpackr()
    const messages = [[unpack, pack(value)], [(bytes) => unpackr.unpack(bytes), new Packr().pack(value)]]
    for (const [read, bytes] of messages) for (let i = 0; i < 20; i++) assert.deepEqual(read(bytes), value)
  }
`

const skip = process.env.MODULE_UNDER_TEST !== undefined

test('the main entry makes functions, so that the count counts', { skip }, () => {
  assert.ok(Number(runScript(`${COUNT} readOften(main(), main(), 'a'); console.log(made)`)) > 0)
})

for (const name of ['index-no-eval', 'unpack-no-eval']) {
  test(`${name} makes none, nor does the main entry beside it`, { skip }, () => {
    const script = `${COUNT}
      const library = entry('${name}')
      readOften(library, main(), 'a')
      readOften(main(), main(), 'b')
      console.log(made)`
    assert.equal(runScript(script), '0\n')
  })

  test(`after ${name} is loaded, no more are made`, { skip }, () => {
    const script = `${COUNT}
      readOften(main(), main(), 'a')
      const before = made
      const library = entry('${name}')
      for (const key of ['a', 'b', 'c']) readOften(library, main(), key)
      console.log(before > 0, made - before)`
    assert.equal(runScript(script), 'true 0\n')
  })
}

test('it holds for the thread alone', { skip }, () => {
  const script = `
    const { Worker } = require('node:worker_threads')
    const source = ${JSON.stringify(`${COUNT} readOften(main(), main(), 'a'); require('node:worker_threads').parentPort.postMessage(made)`)}
    require(require('node:path').join(require('node:path').dirname(process.env.FERROPACK_ENTRY), 'src/js/entries/index-no-eval.js'))
    new Worker(source, { eval: true }).once('message', (made) => console.log(made > 0))`
  assert.equal(runScript(script), 'true\n')
})
