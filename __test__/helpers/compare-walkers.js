'use strict'

// Compares what the two walkers make of random values, byte for byte, in a process of its own:
// `node [flags] compare-walkers.js SEED COUNT` prints how many values were compared, how many of these the heap
// walker packed itself, and how many it handed over: `{"plain", "records", "asking", "referring"}`, each with these
// counts for packrs without records, with them, with records for which functions of the user are called, and with
// references, where values may hold themselves.

const { inspect } = require('node:util')
const { acceleration, packCounts } = require('./ferropack')
const { Values } = require('./heap-values')
const {
  optionSets,
  referringSets,
  recordSets,
  referringRecordSets,
  askingRecordSets,
} = require('./option-sets')
const { randomFrom } = require('./seed')
const { makePair, comparePair } = require('./walkers')
const { assertBytes } = require('./round-trip')

const named = (kind, sets) => Object.entries(sets).map(([name, options]) => ({ kind, name, options }))
const unnamed = (kind, sets) => sets.map((options) => ({ kind, name: inspect(options), options }))
const PLAIN = unnamed('plain', optionSets)
const REFERRING = [...unnamed('referring', referringSets), ...named('referring', referringRecordSets)]
const RECORDS = [...named('records', recordSets), ...named('asking', askingRecordSets)]
/** Shares of values: packed without options, with those without records, and with records. */
const NO_OPTIONS = 0.3
const OPTIONS_ALONE = 0.6

/** Share of values that hold what they hold more than once, and themselves, until the next one is made. */
const CYCLIC = 0.15
/** Share of values of which a part is handed over. */
const MIXED = 0.15
/** Changes to a value before the next one is made. */
const CHANGES = 4
/** Values after which shapes are given up. */
const RENEWED_AFTER = 400
/** Values after which a pair of packrs is given up. Structures are full by then. */
const PAIR_RENEWED_AFTER = 40
/** Results that are looked at again later. */
const KEPT = 60

const counted = (packr) => {
  const { heap, handovers } = packCounts(packr)
  return { heap, handedOver: Object.values(handovers).reduce((sum, count) => sum + count, 0) }
}

function compare(pair, value, message) {
  const before = counted(pair.heap)
  const { bytes } = comparePair(pair, value, message)
  const after = counted(pair.heap)
  // The other walker has flattened strings and moved bytes.
  comparePair(pair, value, `${message}, packed again`)
  return { bytes, heap: after.heap - before.heap, handedOver: after.handedOver - before.handedOver }
}

/** Results share memory with their neighbours, none of which may write to it. */
function checkKept(kept) {
  for (const { bytes, copy } of kept) assertBytes(bytes, copy, 'an earlier result')
  kept.length = 0
}

function chooseMode(random, isCyclic) {
  if (isCyclic) return random.pick(REFERRING)
  const chosen = random.fraction()
  if (chosen < NO_OPTIONS) return PLAIN[0]
  if (chosen < OPTIONS_ALONE) return random.pick(PLAIN)
  return random.pick(random.chance(0.3) ? REFERRING : RECORDS)
}

function run(seed, count) {
  const random = randomFrom(seed)
  const values = new Values(random)
  const modes = [...PLAIN, ...RECORDS, ...REFERRING]
  const renew = (mode) => {
    mode.pair = makePair(mode.options)
  }
  modes.forEach(renew)
  const kept = []
  const totals = Object.fromEntries(
    ['plain', 'records', 'asking', 'referring'].map((kind) => [
      kind,
      { compared: 0, heap: 0, handedOver: 0 },
    ]),
  )
  let value
  let isCyclic = false
  for (let i = 0; i < count; i++) {
    if (i % RENEWED_AFTER === 0) values.renewShapes()
    if (i % PAIR_RENEWED_AFTER === 0) renew(random.pick(modes))
    if (i % (CHANGES + 1) === 0) {
      isCyclic = random.chance(CYCLIC)
      value = values.make({ mixed: random.chance(MIXED) })
    } else values.change()
    if (isCyclic) values.tie()

    const { kind, name, pair } = chooseMode(random, isCyclic)
    const message = `seed ${seed}, value ${i}, ${name}`
    try {
      const { bytes, heap, handedOver } = compare(pair, value, message)
      if (bytes) kept.push({ bytes, copy: Buffer.from(bytes) })
      if (kept.length === KEPT) checkKept(kept)
      totals[kind].heap += heap
      totals[kind].handedOver += handedOver
    } catch (error) {
      console.error(`${message}: ${inspect(value, { depth: 5, maxStringLength: 200, maxArrayLength: 20 })}`)
      throw error
    }
    totals[kind].compared++
  }
  checkKept(kept)
  return totals
}

if (acceleration.reason !== null) console.error(`no heap walker: ${acceleration.reason}`)
const [seed, count] = process.argv.slice(2).map(Number)
console.log(JSON.stringify(run(seed, count)))
