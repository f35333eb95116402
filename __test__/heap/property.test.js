'use strict'

// Random values and changes to them: both walkers must write the same bytes, with records the same structures too, and
// also while V8 collects and moves objects as often as its flags can make it.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const { join } = require('node:path')
const { describe, test } = require('node:test')
const { environment } = require('../helpers/child')
const { full } = require('../helpers/mode')
const { chosenSeed } = require('../helpers/seed')
const { withoutHeap } = require('../helpers/walkers')

const SCRIPT = join(__dirname, '..', 'helpers', 'compare-walkers.js')
const IN_FULL = 100_000
/** Least share of values that the heap walker packs itself. Functions of the user are called for the rest. */
const LEAST_SHARES = { plain: 0.6, records: 0.1, asking: 0, referring: 0.2 }
/** Node's exit status for a flag that it does not know. */
const BAD_OPTION = 9

/** Flags, and how many values a quick run compares under them. */
const FLAG_SETS = [
  [[], 5500],
  [['--max-semi-space-size=1'], 3500],
  [['--stress-compaction'], 500],
  [['--stress-scavenge=50', '--stress-marking=50'], 500],
]

function runCompared(flags, seed, count) {
  return new Promise((resolve) => {
    const args = [...flags, SCRIPT, String(seed), String(count)]
    execFile(
      process.execPath,
      args,
      { env: environment({}), maxBuffer: 1 << 28 },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : (error.signal ?? error.code), stdout, stderr })
      },
    )
  })
}

describe('random values', { skip: withoutHeap, concurrency: 2 }, () => {
  for (const [flags, inQuick] of FLAG_SETS) {
    test(flags.join(' ') || 'no flags', { skip: withoutHeap }, async (t) => {
      const seed = chosenSeed()
      const count = full ? IN_FULL : inQuick
      const label = `FERROPACK_SEED=${seed}, ${flags.join(' ')}`
      t.diagnostic(label)
      const { status, stdout, stderr } = await runCompared(flags, seed, count)
      if (status === BAD_OPTION && /bad option/.test(stderr)) return t.skip(stderr.trim())
      assert.equal(status, 0, `${label}\n${stderr}`)
      let all = 0
      for (const [kind, { compared, heap, handedOver }] of Object.entries(JSON.parse(stdout))) {
        const counts = `${kind}: ${compared} compared, ${heap} packed by the heap walker, ${handedOver} handed over`
        t.diagnostic(counts)
        assert.ok(heap >= compared * LEAST_SHARES[kind], `${label}, ${counts}\n${stderr}`)
        assert.ok(heap + handedOver <= compared, `${label}, ${counts}`)
        all += compared
      }
      assert.equal(all, count, label)
    })
  }
})
