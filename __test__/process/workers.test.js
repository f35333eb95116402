'use strict'

// Worker threads: each loads the module, all work at once, and any may end at any time.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Worker } = require('node:worker_threads')
const { pack, unpack } = require('../helpers/ferropack')
const { entry } = require('../helpers/entry')
const { assertSame } = require('../helpers/same')

function start(source, options = {}) {
  return new Worker(`const library = require(${JSON.stringify(entry)}); ${source}`, {
    eval: true,
    ...options,
  })
}

function messageOf(worker) {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`exit ${code} without a message`)))
  })
}

const exitOf = (worker) => new Promise((resolve) => worker.once('exit', resolve))

const BUSY = `
  const { parentPort, workerData } = require('node:worker_threads')
  const packr = new library.Packr({ useRecords: false })
  for (let i = 0; i < 2000; i++) {
    const value = { i, who: workerData, list: ['text '.repeat(i % 40), { i, half: i / 2 }], wide: '\\u4f60'.repeat(i % 9) }
    for (const codec of [library, packr]) {
      if (JSON.stringify(codec.unpack(codec.pack(value))) !== JSON.stringify(value)) throw new Error('wrong in worker')
    }
  }
  parentPort.postMessage(new Uint8Array(library.pack({ done: workerData })))
`

test('several workers and the main thread at once', async () => {
  const workers = [0, 1, 2, 3].map((workerData) => start(BUSY, { workerData }))
  const messages = Promise.all(workers.map(messageOf))
  for (let i = 0; i < 500; i++) {
    const value = { i, text: 'main text '.repeat(10), list: [i / 4] }
    assertSame(unpack(pack(value)), value)
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.deepEqual(
    (await messages).map((bytes) => unpack(bytes).done),
    [0, 1, 2, 3],
  )
})

test('workers started one after the other', async () => {
  for (let i = 0; i < 8; i++) {
    const worker = start(BUSY.replace('2000', '20'), { workerData: i })
    const exit = exitOf(worker)
    assert.equal(unpack(await messageOf(worker)).done, i)
    assert.equal(await exit, 0)
  }
  assertSame(unpack(pack({ still: 'works' })), { still: 'works' })
})

test('workers that are ended in the middle of their work', async () => {
  const endless = `
    const { parentPort } = require('node:worker_threads')
    parentPort.postMessage('started')
    for (let i = 0; ; i++) library.unpack(library.pack({ i, list: Array.from({ length: 100 }, (_, n) => 'item ' + n) }))
  `
  for (let i = 0; i < 5; i++) {
    const worker = start(endless)
    assert.equal(await messageOf(worker), 'started')
    await worker.terminate()
    assertSame(unpack(pack([i])), [i])
  }
})

test('results cross to the main thread intact', async () => {
  const worker = start(`
    const { parentPort } = require('node:worker_threads')
    const results = Array.from({ length: 50 }, (_, i) => library.pack({ i, text: 't'.repeat(i) }))
    const large = library.pack(Buffer.alloc(100_000, 9))
    parentPort.postMessage({ results, large }, [large.buffer])
  `)
  const { results, large } = await messageOf(worker)
  results.forEach((bytes, i) => {
    assertSame(unpack(bytes), { i, text: 't'.repeat(i) })
  })
  assert.ok(unpack(large).every((byte) => byte === 9))
})

test('deep nesting on the small stack of a worker', async () => {
  const worker = start(
    `
    const { parentPort } = require('node:worker_threads')
    let array = null
    let object = null
    for (let i = 0; i < 100_000; i++) { array = [array]; object = { o: object } }
    const names = []
    const attempt = (action) => { try { action(); names.push('none') } catch (error) { names.push(error.name) } }
    attempt(() => library.pack(array))
    attempt(() => library.pack(object))
    attempt(() => library.unpack(Buffer.concat([Buffer.alloc(200_000, 0x91), Buffer.from([0xc0])])))
    attempt(() => library.unpack(Buffer.from('81a161'.repeat(100_000) + 'c0', 'hex')))
    names.push(JSON.stringify(library.unpack(library.pack({ fine: [1] }))))
    parentPort.postMessage(names)
  `,
    { resourceLimits: { stackSizeMb: 1 } },
  )
  assert.deepEqual(await messageOf(worker), [
    'RangeError',
    'RangeError',
    'RangeError',
    'RangeError',
    '{"fine":[1]}',
  ])
})
