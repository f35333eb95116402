'use strict'

// Owns the measuring of one comparison on one data set in a process of its own,
// so that no engine is slowed down by what another made V8 learn. Takes its
// orders as JSON in the first argument and prints its findings as JSON.

const { comparisons, named } = require('./codecs')
const datasets = require('./datasets')
const { prepare, recheck } = require('./operations')
const { loopOver, shuffled, summarize, time, warmUp } = require('./timing')

// A sample has several operations, however long one takes, so that each bears
// its share of garbage collection.
const fewest = 3

function measure(operations, { rounds, ms }) {
  for (const operation of operations) {
    operation.loop = loopOver(operation)
    operation.count = Math.max(fewest, warmUp(operation.loop, ms * 12, ms))
    operation.samples = []
  }
  for (let round = 0; round < rounds; round++) {
    for (const { loop, count, samples } of shuffled(operations)) {
      samples.push((time(loop, count) / count) * 1e6)
    }
  }
}

// How many times the time of `ours` the time of `theirs` is. The two samples of
// a round lie close together in time, so their ratio holds even when the
// machine is slowed down for a part of the rounds.
function ratio(ours, theirs) {
  if (ours.fault || theirs.fault) return null
  return summarize(theirs.samples.map((time, round) => time / ours.samples[round])).median
}

const described = ({ fault, samples }) => (fault ? { fault } : summarize(samples))

const orders = JSON.parse(process.argv[2])
const { ours, theirs } = comparisons.find(({ name }) => name === orders.comparison)
const { messages } = datasets.load(orders.data)
const operations = ['pack', 'unpack'].flatMap((direction) =>
  [ours, theirs, 'JSON'].map((engine) => prepare(named(engine), direction, messages)),
)
measure(
  operations.filter(({ fault }) => !fault),
  orders,
)
for (const operation of operations) operation.fault = recheck(operation)
const found = ['pack', 'unpack'].map((direction) => {
  const [own, twin, json] = operations.filter((operation) => operation.direction === direction)
  return {
    data: orders.data,
    comparison: orders.comparison,
    direction,
    node: process.versions.node,
    v8: process.versions.v8,
    vsMsgpackr: ratio(own, twin),
    vsJson: ratio(own, json),
    ferropack: described(own),
    msgpackr: described(twin),
    JSON: described(json),
  }
})
console.log(JSON.stringify(found))
