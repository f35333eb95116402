'use strict'

// Input that is different every time must not make the decoder remember more and more.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')
const { full } = require('../helpers/mode')

const ROUNDS = full ? 500_000 : 60_000
const GROWTH = 48_000_000

// Prints by how much memory grew between two equal stretches of work, the first of which warms up.
const measure = (work) => `
  const library = require(process.env.FERROPACK_ENTRY)
  const { pack, unpack } = library
  const rounds = ${ROUNDS}
  const used = () => {
    for (let i = 0; i < 4; i++) gc()
    const { heapUsed, external, rss } = process.memoryUsage()
    return { js: heapUsed + external, rss }
  }
  let next = 0
  const work = () => { for (let i = 0; i < rounds; i++) { next++; ${work} } }
  work()
  const before = used()
  work()
  const after = used()
  console.log(JSON.stringify({ js: after.js - before.js, rss: after.rss - before.rss, next }))
`

const WORK = {
  'decoding endless new key sets':
    "const n = next.toString(36).padStart(6, '0'); const bytes = Buffer.from('\\x82\\xa7a' + n + '\\x01\\xa7b' + n + '\\x02', 'latin1'); const value = unpack(bytes); if (value['a' + n] !== 1 || value['b' + n] !== 2) throw new Error('wrong')",
  'decoding endless new short strings':
    "const text = next.toString(36); if (unpack(Buffer.concat([Buffer.from([0xa0 + text.length]), Buffer.from(text)])) !== text) throw new Error('wrong')",
  'packing endless new key sets':
    "const key = 'k' + next; if (pack({ [key]: 1, ['x' + next]: 2 }).length < 10) throw new Error('wrong')",
  'packing endless new shapes in one array':
    "if (next % 100 === 0) pack(Array.from({ length: 100 }, (_, i) => ({ ['k' + (next + i)]: i, z: 1 })))",
  'different messages of one packr, each read twice':
    "const packr = (globalThis.packr ??= new library.Packr()); const n = next.toString(36); const bytes = packr.pack({ ['k' + n]: n, points: [[next, 1], [2, next / 8]], ['i' + (next % 5000)]: { [n]: 'text ' + n, at: new Date(next) } }); for (let j = 0; j < 2; j++) if (packr.unpack(bytes)['k' + n] !== n) throw new Error('wrong')",
  'different messages of a packr with shared structures':
    "const packr = (globalThis.packr ??= new library.Packr({ structures: [] })); const n = next.toString(36); const bytes = packr.pack({ [n]: n, list: [{ ['x' + n]: 1, ['y' + (next % 900)]: [n] }] }); if (packr.unpack(bytes)[n] !== n) throw new Error('wrong')",
  'failing input':
    "try { unpack(Buffer.from([0x92, 0xa1, next & 127, 0xd4, 0x63, 1])) } catch (error) { if (error.message !== 'Unknown extension 99') throw error }",
}

for (const [name, work] of Object.entries(WORK)) {
  test(`${name} keeps memory bounded`, () => {
    const { js, rss, next } = JSON.parse(runScript(measure(work), { flags: ['--expose-gc'] }))
    assert.equal(next, 2 * ROUNDS)
    assert.ok(js < GROWTH, `JavaScript memory grew by ${js}`)
    assert.ok(rss < 2 * GROWTH, `the process grew by ${rss}`)
  })
}
