'use strict'

// The engine may stop a call in the middle, where no `finally` runs: what follows is right, and memory
// does not pile up.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')

const SCRIPT = `
  const vm = require('node:vm')
  const { pack, unpack } = require(process.env.FERROPACK_ENTRY)
  const big = Array.from({ length: 50_000 }, (_, i) => ({ i, text: 'text ' + i, list: [i / 2] }))
  const bytes = pack(big)
  Object.assign(globalThis, { pack, unpack, big, bytes })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  ;(async () => {
    let stopped = 0
    for (let i = 0; i < 12; i++) {
      try {
        vm.runInThisContext(i % 2 ? 'for (;;) pack(big)' : 'for (;;) unpack(bytes)', { timeout: 20 + i * 3 })
      } catch { stopped++ }
      const small = { i, text: ['kg', 'kg'] }
      if (JSON.stringify(unpack(pack(small))) !== JSON.stringify(small)) throw new Error('wrong')
      await turn()
      await turn()
    }
    if (!pack(big).equals(bytes)) throw new Error('wrong bytes')
    console.log(JSON.stringify({ stopped, rss: process.memoryUsage().rss }))
  })()
`

test('calls that the engine stops leave nothing wrong behind', () => {
  const { stopped, rss } = JSON.parse(runScript(SCRIPT))
  assert.equal(stopped, 12)
  assert.ok(rss < 700e6, `${rss} bytes`)
})

const BURST = `
  const { pack, unpack } = require(process.env.FERROPACK_ENTRY)
  const large = Array.from({ length: 1 << 20 }, (_, i) => (i % 2 ? i + 0.5 : 'a'))
  const bytes = pack(large)
  for (let i = 0; i < 30; i++) { pack(large); unpack(bytes) }
  console.log(JSON.stringify({ rss: process.memoryUsage().rss }))
`

test('large messages one after the other, without a turn of the event loop, do not pile up', () => {
  const { rss } = JSON.parse(runScript(BURST))
  assert.ok(rss < 600e6, `${rss} bytes`)
})
