'use strict'

// Owns the measuring of one engine's memory in a process of its own, in one direction. Takes its orders as JSON in
// the first argument and prints its findings as JSON.
//
// Bytes allocated are told by what the heap and the memory outside of it (ArrayBuffers, external strings) have grown
// by while nothing was collected: the process for that has a young generation that the operations do not fill. The
// peak is told by a process with Node.js's own settings.

const datasets = require('./datasets')
const { named } = require('./codecs')
const { prepare, recheck } = require('./operations')
const { loopOver, time, warmUp } = require('./timing')

const WARM_UP_MILLISECONDS = 300
/** Parts in which allocations are counted. One in which there was a collection is left out. */
const PARTS = 24
/** Bytes that a part allocates at least, and operations that it has at most. */
const PART_BYTES = 1 << 20
const MAX_COUNT = 1 << 14

function used() {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** How many operations allocate so much that it can be told; buffers that many results share come now and then. */
function countFor(loop) {
  for (let count = 1; ; count *= 2) {
    gc()
    const before = used()
    loop(count)
    if (used() - before >= PART_BYTES || count >= MAX_COUNT) return count
  }
}

/** Bytes that an operation allocates: the mean of the parts in which memory has only grown. */
function allocatedBy(loop) {
  warmUp(loop, WARM_UP_MILLISECONDS, 1)
  const count = countFor(loop)
  gc()
  const grown = []
  let last = used()
  for (let part = 0; part < PARTS; part++) {
    loop(count)
    const now = used()
    if (now >= last) grown.push((now - last) / count)
    last = now
  }
  if (grown.length < PARTS / 2) throw new Error('memory was collected while it was measured')
  return grown.reduce((sum, bytes) => sum + bytes, 0) / grown.length
}

function measurePeak(loop, milliseconds) {
  const batch = warmUp(loop, WARM_UP_MILLISECONDS, 5)
  let count = 0
  let taken = 0
  while (taken < milliseconds) {
    taken += time(loop, batch)
    count += batch
  }
  return { count, milliseconds: taken }
}

function find({ data, engine, direction, what, milliseconds }) {
  const { messages } = datasets.load(data)
  const operation = prepare(named(engine), direction, messages)
  const finding = { data, engine, direction, operation: operation.label }
  if (operation.fault) return { ...finding, fault: operation.fault }
  const loop = loopOver(operation)
  // The checks before have packed and unpacked everything once.
  const loaded = process.resourceUsage().maxRSS
  if (what === 'allocated') {
    try {
      finding.allocated = allocatedBy(loop)
    } catch (error) {
      return { ...finding, fault: error.message }
    }
  } else {
    Object.assign(finding, measurePeak(loop, milliseconds))
    finding.peak = (process.resourceUsage().maxRSS - loaded) * 1024
  }
  const fault = recheck(operation)
  return fault ? { ...finding, fault } : finding
}

module.exports = { allocatedBy }

if (require.main === module) console.log(JSON.stringify(find(JSON.parse(process.argv[2]))))
