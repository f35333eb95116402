'use strict'

// Memory goes back after large messages and does not creep up under small ones.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')
const { environment, runScript } = require('../helpers/child')
const { root } = require('../helpers/entry')
const { full } = require('../helpers/mode')

const MEGABYTES = full ? 100 : 10

const PRELUDE = `
  const { pack, unpack } = require(process.env.FERROPACK_ENTRY)
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20))
  const used = async () => {
    for (let i = 0; i < 5; i++) { gc(); await settle() }
    const { heapUsed, external, rss } = process.memoryUsage()
    return { js: heapUsed + external, rss }
  }
  const small = () => { for (let i = 0; i < 2000; i++) unpack(pack({ i, text: 'text ' + i, list: [i / 2] })) }
`

const LARGE = `${PRELUDE}
  const makers = {
    rows: (bytes) => Array.from({ length: bytes / 60 }, (_, i) => ({ id: i, name: 'the name of row ' + i, value: i / 3 })),
    text: (bytes) => ['x'.repeat(bytes)],
    'wide text': (bytes) => ['\\u4f60'.repeat(bytes / 3)],
    binary: (bytes) => [Buffer.alloc(bytes)],
    numbers: (bytes) => Array.from({ length: bytes / 9 }, (_, i) => i + 0.5),
  }
  // V8 grows its own heap for values of this size once; that is not what is looked for.
  const { serialize, deserialize } = require('node:v8')
  const warmUp = (make) => { for (let i = 0; i < 3; i++) deserialize(serialize(make(${MEGABYTES} * 1e6))) }
  const roundTrip = async (make) => {
    const bytes = pack(make(${MEGABYTES} * 1e6))
    if (unpack(bytes).length < 1) throw new Error('empty')
    return bytes.length
  }
  ;(async () => {
    const results = []
    small()
    for (const [name, make] of Object.entries(makers)) {
      warmUp(make)
      const before = await used()
      const kept = { js: [], rss: [] }
      let length
      for (let i = 0; i < 3; i++) {
        length = await roundTrip(make)
        small()
        const after = await used()
        for (const kind of ['js', 'rss']) kept[kind].push(after[kind] - before[kind])
      }
      // What is kept for good shows every time; what the allocator has yet to give back does not.
      results.push({ name, length, js: Math.min(...kept.js), rss: Math.min(...kept.rss) })
    }
    console.log(JSON.stringify(results))
  })()
`

const SMALL = `${PRELUDE}
  ;(async () => {
    for (let i = 0; i < 30; i++) small()
    const before = await used()
    for (let i = 0; i < ${full ? 300 : 60}; i++) small()
    const after = await used()
    console.log(JSON.stringify({ js: after.js - before.js, rss: after.rss - before.rss }))
  })()
`

test(`memory returns after a message of ${MEGABYTES} MB`, () => {
  const results = JSON.parse(runScript(LARGE, { flags: ['--expose-gc'] }))
  assert.equal(results.length, 5)
  for (const { name, length, js, rss } of results) {
    assert.ok(length > MEGABYTES * 0.7e6, `${name}: ${length} bytes`)
    assert.ok(js < 4e6, `${name}: JavaScript keeps ${js} bytes more`)
    assert.ok(rss < 40e6 + MEGABYTES * 0.4e6, `${name}: the process keeps ${rss} bytes more`)
  }
})

test('memory stays level under many small messages', () => {
  const { js, rss } = JSON.parse(runScript(SMALL, { flags: ['--expose-gc'] }))
  assert.ok(js < 2e6, `JavaScript keeps ${js} bytes more`)
  assert.ok(rss < 40e6, `the process keeps ${rss} bytes more`)
})

test('memory of a message that could not be packed goes back', () => {
  const held = runScript(`
    const { memoryReport } = require(${JSON.stringify(join(root, 'src', 'js', 'binding.js'))})
    const { pack } = require(process.env.FERROPACK_ENTRY)
    const text = '\\u00e9'.repeat(${MEGABYTES} * 1e6)
    try {
      pack([Buffer.alloc(${MEGABYTES} * 1e6), text, Symbol('no message')])
    } catch {}
    setTimeout(() => {
      const { packOutput, packText, packBinary } = memoryReport()
      console.log(packOutput + packText + packBinary)
    }, 50)
  `)
  assert.ok(Number(held) < 2e6, `${held.trim()} bytes are held`)
})

test('no memory for a message is an error, and the instance goes on', {
  skip: process.platform !== 'linux' && 'limits are set by a shell of Linux',
}, () => {
  const script = `
    const { Packr } = require(process.env.FERROPACK_ENTRY)
    const packr = new Packr({ useRecords: false })
    const value = Array(40).fill('\\u00e9'.repeat(2 ** 26))
    let error
    try { packr.pack(value) } catch (caught) { error = caught }
    console.log(error?.name, error?.message, packr.pack({ a: 1 }).length)
  `
  // More than Node.js itself takes, and less than this message does.
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -v 4000000; exec "$0" -e "$1"', process.execPath, script],
    { encoding: 'utf8', env: environment({}) },
  )
  assert.equal(status, 0, stderr)
  assert.equal(stdout, 'RangeError Array buffer allocation failed 6\n')
})
