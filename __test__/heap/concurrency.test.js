'use strict'

// Many threads that pack at once and end at any moment.

const assert = require('node:assert/strict')
const { join } = require('node:path')
const { test } = require('node:test')
const { Worker } = require('node:worker_threads')
const { runScript } = require('../helpers/child')
const { packCounts } = require('../helpers/ferropack')
const { Values } = require('../helpers/heap-values')
const { full } = require('../helpers/mode')
const { chosenSeed, randomFrom } = require('../helpers/seed')
const { withoutHeap, makePair, comparePair } = require('../helpers/walkers')

const skip = withoutHeap
const SCRIPT = join(__dirname, '..', 'helpers', 'packing-worker.js')
const WORKERS = 8
const MILLISECONDS = full ? 60_000 : 3000
const ENDLESS = 1e9

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

function start(seed, milliseconds, options = {}) {
  const worker = new Worker(SCRIPT, { workerData: { seed, milliseconds }, ...options })
  const messages = []
  const started = new Promise((resolve, reject) => {
    worker.on('message', (message) => {
      messages.push(message)
      resolve()
    })
    worker.once('error', reject)
  })
  const ended = new Promise((resolve, reject) => {
    worker.once('exit', (code) => resolve({ code, last: messages.at(-1) }))
    worker.once('error', reject)
  })
  // Whoever waits sees the error; a worker that nobody waits for any more must not end the process.
  started.catch(() => {})
  ended.catch(() => {})
  return { worker, started, ended }
}

/** What the main thread does meanwhile. */
function makePacker(seed) {
  const random = randomFrom(seed)
  const values = new Values(random)
  const pair = makePair()
  return {
    pair,
    round: () => comparePair(pair, values.make({ mixed: random.chance(0.1) }), `seed ${seed}, main`),
  }
}

test('eight workers and the main thread at once', { skip }, async (t) => {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const workers = Array.from({ length: WORKERS }, (_, i) => start(seed + i + 1, MILLISECONDS))
  const main = makePacker(seed)
  const all = Promise.all(workers.map(({ ended }) => ended))
  let over = false
  all.finally(() => (over = true)).catch(() => {})
  while (!over) {
    for (let i = 0; i < 20; i++) main.round()
    await pause(5)
  }
  for (const { code, last } of await all) {
    assert.equal(code, 0)
    assert.ok(last.compared > 0)
    assert.ok(last.heap > last.compared * 0.4, `${last.heap} of ${last.compared}`)
  }
  assert.ok(packCounts(main.pair.heap).heap > 0)
})

test('workers with a small heap and a small stack', { skip }, async () => {
  const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 48, stackSizeMb: 1 }
  const workers = [1, 2].map((i) => start(chosenSeed() + i, 400, { resourceLimits }))
  for (const { code, last } of await Promise.all(workers.map(({ ended }) => ended))) {
    assert.equal(code, 0)
    assert.ok(last.compared > 0)
  }
})

test('workers that are terminated in the middle', { skip }, async () => {
  const seed = chosenSeed()
  const random = randomFrom(seed)
  const main = makePacker(seed)
  for (let round = 0; round < (full ? 20 : 1); round++) {
    const workers = Array.from({ length: WORKERS }, (_, i) => start(seed + i, ENDLESS))
    await Promise.all(workers.map(({ started }) => started))
    for (const { worker, ended } of workers) {
      main.round()
      await pause(random.below(15))
      await worker.terminate()
      assert.equal((await ended).code, 1)
    }
  }
  for (let i = 0; i < 50; i++) main.round()
})

const LEAVING = `
  const { Worker } = require('node:worker_threads')
  const { pack } = require(process.env.FERROPACK_ENTRY)
  const rows = Array.from({ length: 20_000 }, (_, i) => ({ i, text: 'text ' + i, list: [i / 2] }))
  let started = 0
  for (let seed = 1; seed <= 4; seed++) {
    const worker = new Worker(${JSON.stringify(SCRIPT)}, { workerData: { seed, milliseconds: ${ENDLESS} } })
    worker.on('error', (error) => { throw error })
    worker.on('message', () => { if (++started === 4) leave() })
  }
  process.on('exit', () => process.stdout.write(String(pack(rows).length > 100_000)))
  function leave() {
    setTimeout(() => { pack(rows); process.exit(0) }, DELAY)
  }
`

for (const delay of full ? [0, 3, 10, 30, 100] : [0, 30]) {
  test(`process.exit after ${delay} ms while four workers pack`, { skip }, () => {
    assert.equal(runScript(LEAVING.replace('DELAY', delay)), 'true')
  })
}

test('a worker that leaves in the middle of a message', { skip }, async () => {
  const source = `
    const { pack } = require(process.env.FERROPACK_ENTRY)
    for (let i = 0; i < 50; i++) pack({ i, list: ['text ' + i] })
    pack([1, { get a() { process.exit(5) } }])
  `
  const { entry } = require('../helpers/entry')
  for (let i = 0; i < 4; i++) {
    const worker = new Worker(source, { eval: true, env: { ...process.env, FERROPACK_ENTRY: entry } })
    assert.equal(await new Promise((resolve) => worker.once('exit', resolve)), 5)
  }
  makePacker(1).round()
})

test('the memory of a result is transferred to a worker', { skip }, async () => {
  const receiver = new Worker(
    `const { parentPort } = require('node:worker_threads')
     parentPort.on('message', (bytes) => parentPort.postMessage(Buffer.from(bytes).toString('hex')))`,
    { eval: true },
  )
  const { heap, tape } = makePair()
  const valueFor = (i) => ({ i, text: 'x'.repeat(i * 3), list: [i / 2] })
  const kept = []
  for (let i = 0; i < 60; i++) {
    const actual = heap.pack(valueFor(i))
    kept.push({ actual, expected: Buffer.from(tape.pack(valueFor(i))) })
    if (i % 10 !== 9) continue
    const { expected } = kept.at(-1)
    const answer = new Promise((resolve) => receiver.once('message', resolve))
    try {
      receiver.postMessage(new Uint8Array(actual.buffer, actual.byteOffset, actual.length), [actual.buffer])
      assert.equal(await answer, expected.toString('hex'))
    } catch (error) {
      assert.equal(error.name, 'DataCloneError', error.stack)
    }
    for (const [at, { actual, expected }] of kept.entries())
      assert.ok(actual.equals(expected), `${at} after ${i}`)
    // What is packed next must not go to memory that is another thread's now.
    for (let j = 0; j < 20; j++) assert.ok(heap.pack(valueFor(j)).equals(tape.pack(valueFor(j))))
  }
  await receiver.terminate()
})

test('the memory of a large result is transferred', { skip }, async () => {
  const { heap, tape } = makePair()
  const value = { bytes: Buffer.alloc(300_000, 7), text: 'x'.repeat(100_000) }
  const expected = Buffer.from(tape.pack(value))
  for (let i = 0; i < 5; i++) {
    const result = heap.pack(value)
    const moved = structuredClone(result, { transfer: [result.buffer] })
    assert.ok(expected.equals(moved))
    assert.equal(result.length, 0)
    comparePair({ heap, tape }, value, 'after the transfer')
    comparePair({ heap, tape }, { small: i }, 'after the transfer')
  }
})
