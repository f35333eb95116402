'use strict'

// Which walker serves this process, how it is switched off, and the counts of what each walker packed.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')
const { acceleration, pack, packCounts, Packr } = require('../helpers/ferropack')
const { withoutHeap, makePair, handoversOf, assertAllByHeap } = require('../helpers/walkers')

const LINES = ['18', '20', '22', '24', '26']
const SWITCHES = ['FERROPACK_HEAP', 'MSGPACKR_NATIVE_ACCELERATION_DISABLED']

const unreviewed =
  `${process.platform}-${process.arch}` !== 'linux-x64' ||
  !LINES.includes(process.versions.node.split('.')[0])
const switched = SWITCHES.filter((name) => process.env[name])

const handedOver = () => ({
  get a() {
    return 1
  },
})

test('the heap walker works on this line of Node', {
  skip:
    (unreviewed &&
      `nothing is promised for Node ${process.version} on ${process.platform}-${process.arch}`) ||
    (switched.length > 0 && `${switched} is set`),
}, () => {
  assert.deepEqual({ ...acceleration }, { tier: 'heap', v8: process.versions.v8, reason: null })
})

test('acceleration has three fields and cannot be changed', () => {
  assert.deepEqual(Object.keys(acceleration).sort(), ['reason', 'tier', 'v8'])
  assert.ok(['heap', 'tape'].includes(acceleration.tier))
  assert.equal(acceleration.v8, process.versions.v8)
  assert.equal(acceleration.reason === null, acceleration.tier === 'heap')
  assert.ok(Object.isFrozen(acceleration))
})

const REPORT = `
  const { acceleration, pack, packCounts, Packr } = require(process.env.FERROPACK_ENTRY)
  const packr = new Packr({ useRecords: false })
  const hex = [pack({ a: [1, 'x', 0.5] }), packr.pack({ a: [1, 'x', 0.5] })].map((bytes) => bytes.toString('hex'))
  console.log(JSON.stringify({ acceleration, counts: [packCounts(), packCounts(packr)], hex }))
`
const HEX = 'de0001a1619301a178cb3fe0000000000000'

function report(env) {
  const clear = Object.fromEntries(SWITCHES.map((name) => [name, '']))
  const { acceleration, counts, hex } = JSON.parse(runScript(REPORT, { env: { ...clear, ...env } }))
  assert.deepEqual(hex, [HEX, HEX])
  return { acceleration, counts }
}

for (const [name, value] of [
  ['FERROPACK_HEAP', '0'],
  ['MSGPACKR_NATIVE_ACCELERATION_DISABLED', 'true'],
]) {
  test(`${name}=${value} in the environment`, { skip: withoutHeap }, () => {
    const { acceleration, counts } = report({ [name]: value })
    assert.equal(acceleration.tier, 'tape')
    assert.ok(typeof acceleration.reason === 'string' && acceleration.reason.length > 0)
    for (const each of counts) assert.deepEqual(each, { heap: 0, tape: 1, handovers: {} })
  })
}

for (const env of [{}, { FERROPACK_HEAP: '1' }, { MSGPACKR_NATIVE_ACCELERATION_DISABLED: 'false' }]) {
  test(`${JSON.stringify(env)} in the environment switches nothing off`, { skip: withoutHeap }, () => {
    const { acceleration, counts } = report(env)
    assert.equal(acceleration.tier, 'heap')
    for (const each of counts) assert.deepEqual(each, { heap: 1, tape: 0, handovers: {} })
  })
}

test('heap: false', { skip: withoutHeap }, () => {
  const { heap, tape } = makePair()
  for (let i = 0; i < 5; i++) assert.ok(tape.pack({ i }).equals(heap.pack({ i })))
  tape.pack(handedOver())
  assert.deepEqual(packCounts(tape), { heap: 0, tape: 6, handovers: {} })
  assertAllByHeap(heap, 5)
})

test('heap: true and undefined are as no option', { skip: withoutHeap }, () => {
  for (const heap of [true, undefined]) {
    const packr = new Packr({ useRecords: false, heap })
    packr.pack([1])
    assertAllByHeap(packr, 1)
  }
})

test('counts of a packr that has packed nothing', { skip: withoutHeap }, () => {
  assertAllByHeap(new Packr({ useRecords: false }), 0)
})

test('counts belong to one packr', { skip: withoutHeap }, () => {
  const first = new Packr({ useRecords: false })
  const second = new Packr({ useRecords: false })
  const before = packCounts()
  first.pack([1])
  first.encode([1])
  second.pack([1])
  assertAllByHeap(first, 2)
  assertAllByHeap(second, 1)
  assert.deepEqual(packCounts(), before)
})

test('counts of the module-level functions', { skip: withoutHeap }, () => {
  const before = packCounts()
  pack([1])
  pack({ a: 'x' })
  pack(handedOver())
  const after = packCounts()
  assert.equal(after.heap, before.heap + 2)
  assert.equal(after.tape, before.tape + 1)
})

test('counts are a copy', { skip: withoutHeap }, () => {
  const packr = new Packr({ useRecords: false })
  packr.pack([1])
  const counts = packCounts(packr)
  counts.heap = 99
  counts.handovers.none = 1
  packr.pack([2])
  assertAllByHeap(packr, 2)
})

test('a message that is handed over counts for the tape, with a reason', { skip: withoutHeap }, () => {
  const packr = new Packr({ useRecords: false })
  packr.pack({ a: 1 })
  packr.pack(handedOver())
  packr.pack({ a: 1 })
  const { heap, tape, handovers } = packCounts(packr)
  assert.deepEqual([heap, tape], [2, 1])
  assert.equal(Object.keys(handovers).length, 1)
  assert.deepEqual(Object.values(handovers), [1])
})

test('reasons tell kinds apart', { skip: withoutHeap }, () => {
  const packr = new Packr({ useRecords: false })
  const values = [handedOver(), new Proxy({}, {}), new AggregateError([]), 2n ** 63n, [() => 1]]
  for (const value of values) {
    packr.pack(value)
    packr.pack([1])
  }
  const { heap, tape, handovers } = packCounts(packr)
  assert.deepEqual([heap, tape], [6, 4], JSON.stringify(handovers))
  assert.equal(handoversOf(packr), 4)
  assert.ok(Object.keys(handovers).length > 1, JSON.stringify(handovers))
})

test('a message that is packed while another one is', { skip: withoutHeap }, () => {
  const packr = new Packr({ useRecords: false })
  packr.pack({
    get inner() {
      return packr.pack([1, 2])
    },
  })
  const { heap, tape } = packCounts(packr)
  assert.deepEqual([heap, tape, handoversOf(packr)], [1, 1, 1])
})

test('single hand-overs do not stop the heap walker', { skip: withoutHeap }, () => {
  const packr = new Packr({ useRecords: false })
  for (let i = 0; i < 200; i++) {
    packr.pack(handedOver())
    packr.pack({ i })
  }
  const { heap, tape } = packCounts(packr)
  assert.deepEqual([heap, tape, handoversOf(packr)], [200, 200, 200])
})

test('many hand-overs in a row stop it for a while', { skip: withoutHeap }, () => {
  const { heap: packr, tape } = makePair()
  const expected = tape.pack(handedOver())
  const MANY = 1000
  for (let i = 0; i < MANY; i++) assert.ok(packr.pack(handedOver()).equals(expected))
  const stopped = packCounts(packr)
  assert.deepEqual([stopped.heap, stopped.tape], [0, MANY])
  assert.ok(handoversOf(packr) < MANY / 2, `${handoversOf(packr)} of ${MANY} were tried`)

  const LIMIT = 100_000
  let needed = 0
  while (packCounts(packr).heap === 0 && needed < LIMIT) {
    packr.pack({ needed })
    needed++
  }
  assert.ok(needed < LIMIT, `it was not tried again within ${LIMIT} messages`)

  const before = packCounts(packr)
  for (let i = 0; i < 100; i++) assert.ok(packr.pack({ i }).equals(tape.pack({ i })))
  assert.equal(packCounts(packr).heap, before.heap + 100, 'once it worked again it is used each time')
})

test('another packr is not stopped with it', { skip: withoutHeap }, () => {
  const [first, second] = [1, 2].map(() => new Packr({ useRecords: false }))
  for (let i = 0; i < 200; i++) first.pack(handedOver())
  second.pack([1])
  assertAllByHeap(second, 1)
})

test('a process that has made objects of many kinds before', { skip: withoutHeap }, () => {
  // V8 bounds what it remembers of how object literals grow.
  const tier = runScript(`
    const kept = Array.from({ length: 3000 }, (_, i) => ({ ['user' + i]: i }))
    const { acceleration } = require(process.env.FERROPACK_ENTRY)
    console.log(acceleration.tier, kept.length)
  `)
  assert.equal(tier, 'heap 3000\n')
})
