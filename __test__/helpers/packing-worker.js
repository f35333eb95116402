'use strict'

// A worker thread that packs random values with both walkers for `milliseconds`, and reports how many it compared.
// It sends a first message as soon as it has packed something, so that it can be stopped in the middle.

const { parentPort, workerData } = require('node:worker_threads')
const { packCounts } = require('./ferropack')
const { Values } = require('./heap-values')
const { randomFrom } = require('./seed')
const { makePair, comparePair } = require('./walkers')

const { seed, milliseconds } = workerData
const random = randomFrom(seed)
const values = new Values(random)
const pair = makePair()
const end = performance.now() + milliseconds
let compared = 0
do {
  comparePair(pair, values.make({ mixed: random.chance(0.1) }), `seed ${seed}, value ${compared}`)
  if (compared++ === 0) parentPort.postMessage({ started: true })
} while (performance.now() < end)
parentPort.postMessage({ compared, heap: packCounts(pair.heap).heap })
