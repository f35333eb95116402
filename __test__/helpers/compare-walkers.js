'use strict'

// Compares what the two walkers make of random values, byte for byte, in a process of its own:
// `node [flags] compare-walkers.js SEED COUNT` prints `{"compared", "heap", "handedOver"}`: how many values were
// compared, how many of these the heap walker packed itself, and how many it handed over.

const { inspect } = require('node:util')
const { acceleration, packCounts } = require('./ferropack')
const { Values } = require('./heap-values')
const { optionSets } = require('./option-sets')
const { randomFrom } = require('./seed')
const { makePair, outcomeOf, assertSameOutcome } = require('./walkers')
const { assertBytes } = require('./round-trip')

/** Half of the values are packed without options. */
const OPTIONS = [...optionSets, ...optionSets.map(() => ({}))]

/** Share of values of which a part is handed over. */
const MIXED = 0.15
/** Changes to a value before the next one is made. */
const CHANGES = 4
/** Values after which shapes are given up, and packrs. */
const RENEWED_AFTER = 400
/** Results that are looked at again later. */
const KEPT = 60

const counted = (packr) => {
  const { heap, handovers } = packCounts(packr)
  return { heap, handedOver: Object.values(handovers).reduce((sum, count) => sum + count, 0) }
}

function compare(pair, value, message) {
  const before = counted(pair.heap)
  // The other walker flattens strings and moves bytes, so the heap walker is asked before and after it.
  const first = outcomeOf(pair.heap, value)
  const after = counted(pair.heap)
  const expected = outcomeOf(pair.tape, value)
  assertSameOutcome(first, expected, message)
  assertSameOutcome(outcomeOf(pair.heap, value), expected, `${message}, packed again`)
  return {
    bytes: first.bytes,
    heap: after.heap - before.heap,
    handedOver: after.handedOver - before.handedOver,
  }
}

/** Results share memory with their neighbours, none of which may write to it. */
function checkKept(kept) {
  for (const { bytes, copy } of kept) assertBytes(bytes, copy, 'an earlier result')
  kept.length = 0
}

function run(seed, count) {
  const random = randomFrom(seed)
  const values = new Values(random)
  const pairs = OPTIONS.map((options) => makePair(options))
  const kept = []
  const totals = { compared: 0, heap: 0, handedOver: 0 }
  let value
  for (let i = 0; i < count; i++) {
    if (i % RENEWED_AFTER === 0) {
      values.renewShapes()
      const renewed = random.below(pairs.length)
      pairs[renewed] = makePair(OPTIONS[renewed])
    }
    if (i % (CHANGES + 1) === 0) value = values.make({ mixed: random.chance(MIXED) })
    else values.change()

    const chosen = random.below(pairs.length)
    const message = `seed ${seed}, value ${i}, ${JSON.stringify(OPTIONS[chosen])}`
    try {
      const { bytes, heap, handedOver } = compare(pairs[chosen], value, message)
      if (bytes) kept.push({ bytes, copy: Buffer.from(bytes) })
      if (kept.length === KEPT) checkKept(kept)
      totals.heap += heap
      totals.handedOver += handedOver
    } catch (error) {
      console.error(`${message}: ${inspect(value, { depth: 5, maxStringLength: 200, maxArrayLength: 20 })}`)
      throw error
    }
    totals.compared++
  }
  checkKept(kept)
  return totals
}

if (acceleration.reason !== null) console.error(`no heap walker: ${acceleration.reason}`)
const [seed, count] = process.argv.slice(2).map(Number)
console.log(JSON.stringify(run(seed, count)))
