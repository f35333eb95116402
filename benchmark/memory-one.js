'use strict'

// Owns the measuring of one engine's memory in a process of its own, in one direction. Takes its orders as JSON in
// the first argument and prints its findings as JSON.
//
// Bytes allocated are told by what the heap and the memory outside of it (ArrayBuffers, external strings) have grown
// by while nothing was collected: the process for that has a young generation that the operations do not fill. The
// peak is told by a process with Node.js's own settings, above what data and engine have taken when they are loaded.

const { readFileSync } = require('node:fs')
const datasets = require('./datasets')
const { named } = require('./codecs')
const { differenceAt } = require('./equality')
const { prepare, recheck } = require('./operations')
const { requirePeer } = require('./peers')
const { loopOver, time, warmUp } = require('./timing')

const WARM_UP_MILLISECONDS = 300
/** Parts in which allocations are counted, and how many of them at least have to be undisturbed. */
const PARTS = 24
const MIN_PARTS = 6
/** Bytes that a part allocates at least, and operations that it has at most. */
const PART_BYTES = 1 << 20
const MAX_COUNT = 1 << 14

function used() {
  const { heapUsed, external } = process.memoryUsage()
  return { heap: heapUsed, external }
}

function sumOf({ heap, external }) {
  return heap + external
}

/** Twice, as the first leaves ArrayBuffers to a thread, of which the second waits for the end. */
function collect() {
  gc()
  gc()
}

/**
 * How many operations allocate so much that it can be told; buffers that many results share come now and then.
 * All messages have the same part in it.
 */
function countFor(loop, messages) {
  for (let count = messages; ; count *= 2) {
    collect()
    const before = sumOf(used())
    loop(count)
    if (sumOf(used()) - before >= PART_BYTES || count * 2 > MAX_COUNT) return count
  }
}

/**
 * Bytes that an operation allocates, on average over `messages`. Parts do not count in which something was given
 * back, nor the ones before and behind them: heap and ArrayBuffers are not collected at once.
 */
function allocatedBy(loop, messages) {
  warmUp(loop, WARM_UP_MILLISECONDS, 1)
  const count = countFor(loop, messages)
  collect()
  // What the collection has taken from optimised code is made anew.
  loop(count)
  const marks = [used()]
  for (let part = 0; part < PARTS; part++) {
    loop(count)
    marks.push(used())
  }
  // Index 0 is of no part, and undefined behind the last one.
  const hasShrunk = marks.map(
    ({ heap, external }, at) => at > 0 && (heap < marks[at - 1].heap || external < marks[at - 1].external),
  )
  const grown = []
  for (let at = 1; at <= PARTS; at++) {
    if (hasShrunk[at - 1] || hasShrunk[at] || hasShrunk[at + 1]) continue
    grown.push((sumOf(marks[at]) - sumOf(marks[at - 1])) / count)
  }
  if (grown.length < MIN_PARTS) throw new Error('memory was collected while it was measured')
  return grown.reduce((sum, bytes) => sum + bytes, 0) / grown.length
}

function measureAllocated(codec, direction, messages) {
  const operation = prepare(codec, direction, messages)
  if (operation.fault) throw new Error(operation.fault)
  const allocated = allocatedBy(loopOver(operation), operation.inputs.length)
  const fault = recheck(operation)
  if (fault) throw new Error(fault)
  return { allocated }
}

/**
 * The most memory that this process has had, in bytes. What `resourceUsage` tells is on Linux also that of the
 * process that has started this one.
 */
function highWaterMark() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  return Number(kibibytes) * 1024
}

/** Throws unless the engine still gives what it should. */
function requireRight(codec, { pack, unpack }, direction, inputs, messages) {
  inputs.forEach((input, index) => {
    const value = unpack(direction === 'pack' ? pack(input) : input)
    const path = differenceAt(value, messages[index], codec, `message ${index}`)
    if (path !== null) throw new Error(`the decoded value differs at ${path}`)
  })
}

/**
 * Checks come last, as what they take would hide what the operations take; those before are the business of the
 * process that counts allocations.
 */
function measurePeak(codec, direction, messages, milliseconds) {
  const engine = codec.load(requirePeer, messages)
  const loaded = highWaterMark()
  const isPacked = direction === 'pack'
  const inputs = isPacked ? messages : messages.map((message) => Buffer.from(engine.pack(message)))
  const loop = loopOver({ operate: engine[direction], inputs })
  const batch = warmUp(loop, WARM_UP_MILLISECONDS, 5)
  let count = 0
  let taken = 0
  while (taken < milliseconds) {
    taken += time(loop, batch)
    count += batch
  }
  const peak = highWaterMark() - loaded
  requireRight(codec, engine, direction, inputs, messages)
  return { count, milliseconds: taken, peak }
}

function find({ data, engine, direction, what, milliseconds }) {
  const codec = named(engine)
  const finding = { data, engine, direction, operation: codec.usage[direction] }
  const { messages } = datasets.load(data)
  try {
    const figures =
      what === 'allocated'
        ? measureAllocated(codec, direction, messages)
        : measurePeak(codec, direction, messages, milliseconds)
    return { ...finding, ...figures }
  } catch (error) {
    return { ...finding, fault: String(error?.message || error).split('\n')[0] }
  }
}

module.exports = { allocatedBy }

if (require.main === module) console.log(JSON.stringify(find(JSON.parse(process.argv[2]))))
