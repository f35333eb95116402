'use strict'

// Nothing of a message is kept alive when it was packed or unpacked, whether that worked or not, and memory does not
// grow with the number of messages.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')

const FLAGS = ['--expose-gc']

/** Runs a script that collects whatever can be collected with `collected()`. */
function run(source) {
  const prelude = `
    const { Packr, packCounts } = require(process.env.FERROPACK_ENTRY)
    const later = () => new Promise((resolve) => setImmediate(resolve))
    async function isCollected(references) {
      for (let i = 0; i < 20 && references.some((reference) => reference.deref() !== undefined); i++) {
        await later()
        gc()
      }
      return references.every((reference) => reference.deref() === undefined)
    }
    async function heapUsed() {
      for (let i = 0; i < 4; i++) { await later(); gc() }
      return process.memoryUsage().heapUsed
    }
    const kinds = [{}, { useRecords: false }, { structures: [] }, { bundleStrings: true }, { heap: false }]
    const packrs = kinds.map((options) => new Packr({ structuredClone: true, ...options }))
    function graph() {
      const value = { id: 1, list: [], map: new Map(), date: new Date(), bytes: Buffer.alloc(100) }
      value.self = value
      value.list.push(value, value.date, value.date, value.bytes, value.bytes)
      value.map.set('map', value)
      return value
    }
    ;(async () => { ${source} })().catch((error) => { console.error(error); process.exitCode = 1 })
  `
  return runScript(prelude, { flags: FLAGS })
}

test('objects of messages that were packed', () => {
  const output = run(`
    const references = []
    // Locals of an asynchronous function may outlive their blocks.
    const act = () => { for (const packr of packrs) for (let i = 0; i < 50; i++) {
      const value = graph()
      packr.pack(value)
      references.push(new WeakRef(value), new WeakRef(value.list), new WeakRef(value.date), new WeakRef(value.bytes))
    } }
    act()
    console.log(await isCollected(references))
  `)
  assert.equal(output, 'true\n')
})

test('objects of messages that could not be packed', () => {
  const output = run(`
    const references = []
    // Locals of an asynchronous function may outlive their blocks.
    const act = () => { for (const packr of packrs) for (let i = 0; i < 50; i++) {
      const value = graph()
      value.list.push(Symbol('no'))
      try { packr.pack(value) } catch {}
      references.push(new WeakRef(value), new WeakRef(value.list), new WeakRef(value.date))
    } }
    act()
    console.log(await isCollected(references))
  `)
  assert.equal(output, 'true\n')
})

test('objects of messages that were unpacked, or could not be', () => {
  const output = run(`
    const references = []
    const act = () => { for (const packr of packrs) {
      const bytes = Buffer.from(packr.pack([graph(), 1]))
      for (let i = 0; i < 50; i++) {
        const [value] = packr.unpack(bytes)
        references.push(new WeakRef(value), new WeakRef(value.list), new WeakRef(value.map))
        try { packr.unpack(bytes.subarray(0, bytes.length - 1)) } catch {}
      }
    } }
    act()
    console.log(await isCollected(references))
  `)
  assert.equal(output, 'true\n')
})

test('memory after many messages', () => {
  const output = run(`
    const round = (count) => {
      for (const packr of packrs) for (let i = 0; i < count; i++) {
        const value = graph()
        packr.unpack(packr.pack(value))
      }
    }
    round(500)
    const before = await heapUsed()
    round(4000)
    const after = await heapUsed()
    console.log(Math.max(0, after - before) < 2_000_000 ? 'steady' : after - before)
  `)
  assert.equal(output, 'steady\n')
})

test('memory after a message of very many objects', () => {
  const output = run(`
    const before = await heapUsed()
    const act = () => { for (const packr of packrs) {
      const items = Array.from({ length: 200_000 }, (_, i) => ({ i }))
      packr.pack([items, items, ...items.slice(0, 1000)])
    } }
    act()
    for (const packr of packrs) packr.pack([1])
    const after = await heapUsed()
    console.log(after - before < 4_000_000 ? 'given back' : after - before)
  `)
  assert.equal(output, 'given back\n')
})
