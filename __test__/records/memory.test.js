'use strict'

// Memory of instances that come and go and of shapes that never end: JavaScript, the process, and what the addon
// says that it holds stay level.

const assert = require('node:assert/strict')
const { join } = require('node:path')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')
const { root } = require('../helpers/entry')
const { full } = require('../helpers/mode')

const BINDING = join(root, 'src', 'js', 'binding.js')
const PACKRS = full ? 100_000 : 10_000
const SHAPES = full ? 1_000_000 : 20_000

const PRELUDE = `
  const { Packr, Unpackr, unpack } = require(process.env.FERROPACK_ENTRY)
  const { memoryReport } = require(${JSON.stringify(BINDING)})
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20))
  const used = async () => {
    for (let i = 0; i < 5; i++) { gc(); await settle() }
    const { heapUsed, external, rss } = process.memoryUsage()
    return { js: heapUsed + external, rss, native: memoryReport() }
  }
  const growth = (before, after) => ({
    js: after.js - before.js,
    rss: after.rss - before.rss,
    native: Object.fromEntries(Object.keys(after.native).map((name) => [name, after.native[name] - before.native[name]])),
  })
  const measure = async (warmUp, run) => {
    await warmUp()
    const before = await used()
    await run()
    console.log(JSON.stringify(growth(before, await used())))
  }
`

function assertLevel(output) {
  const { js, rss, native } = JSON.parse(output)
  assert.ok(js < 4e6, `JavaScript keeps ${js} bytes more`)
  assert.ok(rss < 60e6, `the process keeps ${rss} bytes more`)
  // Buffers grow to the size of the largest message, and tables of shapes to their limits.
  for (const [name, more] of Object.entries(native)) assert.ok(more < 2e6, `${name} is ${more} more`)
}

const INSTANCES = {
  'records alone': '{}',
  'shared structures': '{ structures: [] }',
  'many shared structures':
    "{ structures: Array.from({ length: 40 }, (_, j) => ['given' + j]), maxSharedStructures: 100 }",
  'a store':
    "{ getStructures: () => [['stored']], saveStructures(structures) { this.saved = structures.length } }",
  'a sequence': '{ sequential: true }',
}

for (const [label, options] of Object.entries(INSTANCES)) {
  test(`${PACKRS} packrs with ${label}`, () => {
    assertLevel(
      runScript(
        `${PRELUDE}
        const round = (i) => {
          const packr = new Packr(${options})
          for (let j = 0; j < 2; j++) {
            const value = [{ common: i, text: 'text' }, { ['k' + (i % 50)]: { ['own' + i]: j } }, { common: j, text: '' }]
            const read = packr.unpack(packr.pack(value))
            if (read[1]['k' + (i % 50)]['own' + i] !== j || read[2].common !== j) throw new Error('read wrong')
          }
        }
        const rounds = (from, count) => async () => {
          for (let i = from; i < from + count; i++) {
            round(i)
            if (i % 1000 === 0) await null
          }
        }
        measure(rounds(0, 5000), rounds(5000, ${PACKRS}))`,
        { flags: ['--expose-gc'] },
      ),
    )
  })
}

test(`${PACKRS} unpackrs`, () => {
  assertLevel(
    runScript(
      `${PRELUDE}
      const bytes = new Packr().pack([{ a: 1, b: { c: 2 } }, { a: 3, b: null }])
      const shared = Buffer.from('924001024103', 'hex')
      const rounds = (count) => async () => {
        for (let i = 0; i < count; i++) {
          if (new Unpackr().unpack(bytes)[1].a !== 3) throw new Error('read wrong')
          const reader = new Unpackr(i % 2 === 0 ? { structures: [['a', 'b' + i], ['c']] } : { getStructures: () => [['a', 'b' + i], ['c']] })
          if (reader.unpack(shared)[0]['b' + i] !== 2) throw new Error('read wrong')
        }
      }
      measure(rounds(5000), rounds(${PACKRS}))`,
      { flags: ['--expose-gc'] },
    ),
  )
})

for (const [label, options] of [
  ['records alone', '{}'],
  ['one own structure', '{ maxOwnStructures: 1 }'],
  ['many own structures', '{ maxOwnStructures: 8000 }'],
  ['shared structures', '{ structures: [] }'],
  ['shapes that are refused', '{ structures: [], shouldShareStructure: () => false }'],
  ['a sequence', '{ sequential: true }'],
]) {
  test(`${SHAPES} shapes packed and read by one packr with ${label}`, () => {
    assertLevel(
      runScript(
        `${PRELUDE}
        const packr = new Packr(${options})
        let next = 0
        const rounds = (shapes) => async () => {
          for (const end = next + shapes; next < end; ) {
            const value = Array.from({ length: 10 }, () => ({ ['endless' + next]: 1, ['more' + next++]: { common: 2 } }))
            const read = packr.unpack(packr.pack(value))
            if (read[9]['more' + (next - 1)].common !== 2) throw new Error('read wrong')
          }
        }
        measure(rounds(40_000), rounds(${SHAPES}))`,
        { flags: ['--expose-gc'] },
      ),
    )
  })
}

test(`${SHAPES} shapes read by one unpackr and by the module`, () => {
  assertLevel(
    runScript(
      `${PRELUDE}
      const reader = new Unpackr()
      const sequence = new Unpackr({ sequential: true })
      let next = 0
      const rounds = (shapes) => async () => {
        for (const end = next + shapes; next < end; next++) {
          const key = Buffer.from('endless' + next)
          const bytes = Buffer.concat([Buffer.from([0xd5, 0x72, 0x60 + (next % 32), next & 0xff, 0x91, 0xa0 + key.length]), key, Buffer.from([5])])
          if (unpack(bytes)['endless' + next] !== 5 || reader.unpack(bytes)['endless' + next] !== 5) throw new Error('read wrong')
          if (sequence.unpack(bytes)['endless' + next] !== 5) throw new Error('read wrong')
        }
      }
      measure(rounds(40_000), rounds(${SHAPES}))`,
      { flags: ['--expose-gc'] },
    ),
  )
})

test('messages that fail keep nothing', () => {
  assertLevel(
    runScript(
      `${PRELUDE}
      const packrs = [new Packr(), new Packr({ structures: [] }), new Packr({ saveStructures() {} }), new Packr({ sequential: true })]
      let next = 0
      const rounds = (count) => async () => {
        for (let i = 0; i < count; i++) {
          for (const packr of packrs) {
            try {
              packr.pack([{ ['failing' + next++]: { common: 1 } }, Symbol('none')])
              throw new TypeError('packed')
            } catch (error) {
              if (error instanceof TypeError) throw error
            }
            try {
              packr.unpack(Buffer.concat([Buffer.from('92d4725091a8', 'hex'), Buffer.from('x' + String(next).padStart(7, '0')), Buffer.from([1])]))
              throw new TypeError('read')
            } catch (error) {
              if (error instanceof TypeError) throw error
            }
          }
        }
      }
      measure(rounds(3000), rounds(${SHAPES / 10}))`,
      { flags: ['--expose-gc'] },
    ),
  )
})

test('instances that are alive hold what they need and no more', () => {
  const output = runScript(
    `${PRELUDE}
    const kept = []
    const make = (i) => {
      const packr = new Packr({ structures: [] })
      for (let j = 0; j < 5; j++) packr.unpack(packr.pack([{ ['alive' + i]: j, common: { x: 1 } }]))
      return packr
    }
    ;(async () => {
      for (let i = 0; i < 500; i++) make(i)
      const before = await used()
      for (let i = 0; i < 5000; i++) kept.push(make(i))
      const during = await used()
      kept.length = 0
      const after = await used()
      console.log(JSON.stringify({ held: growth(before, during).js / 5000, left: growth(before, after) }))
    })()`,
    { flags: ['--expose-gc'] },
  )
  const { held, left } = JSON.parse(output)
  assert.ok(held < 8_000, `${held} bytes for each instance`)
  // The process keeps pages that were in use at the peak.
  assertLevel(JSON.stringify({ ...left, rss: 0 }))
})

for (const options of ['{}', '{ structures: [] }', '{ sequential: true }']) {
  test(`a large message leaves nothing behind with ${options}`, () => {
    assertLevel(
      runScript(
        `${PRELUDE}
        const large = () => {
          const packr = new Packr(${options})
          packr.pack(Array.from({ length: 400_000 }, (_, i) => ({ i })))
          packr.pack(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => ['9' + i + 'x', i])))
        }
        measure(() => new Packr(${options}).pack([{ a: 1 }]), large)`,
        { flags: ['--expose-gc'] },
      ).replace(/"rss":-?\d+/, '"rss":0'),
    )
  })
}

for (const options of [
  'sequential: true, maxOwnStructures: 0',
  'coercibleKeyAsNumber: true, maxOwnStructures: 0',
]) {
  test(`key lists that are data leave nothing behind with ${options}`, () => {
    assertLevel(
      runScript(
        `${PRELUDE}
        const packr = new Packr({ ${options} })
        let next = 0
        const run = (count) => () => {
          for (let i = 0; i < count; i++, next++) packr.pack({ ['9' + next]: 1, ['8' + next + 'x']: 2 })
        }
        measure(run(6000), run(${SHAPES}))`,
        { flags: ['--expose-gc'] },
      ),
    )
  })
}
