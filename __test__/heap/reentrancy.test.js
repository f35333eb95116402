'use strict'

// pack called by code that runs while a message is on its way, and at the end of the stack.

const assert = require('node:assert/strict')
const { join } = require('node:path')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')
const { pack, unpack, packCounts } = require('../helpers/ferropack')
const { assertSame } = require('../helpers/same')
const { withoutHeap, makePair, comparePair } = require('../helpers/walkers')

const skip = withoutHeap

const INNER = { list: [1, 2.5, 'text'], map: new Map([['a', { b: 1 }]]), wide: '\u4f60'.repeat(50) }
const LARGE = Array.from({ length: 3000 }, (_, i) => ({ id: i, text: `text ${i}`, half: i / 2 }))

for (const inner of [INNER, LARGE]) {
  const size = inner === LARGE ? 'large' : 'small'

  test(`a getter that packs, ${size}`, { skip }, () => {
    const pair = makePair()
    const expected = pair.tape.pack(inner)
    const value = (run) => ({
      before: ['x', 1.5],
      get middle() {
        return run(inner)
      },
      after: { text: 'y' },
    })
    for (const run of [pack, pair.heap.pack, pair.tape.pack]) {
      for (let i = 0; i < 5; i++) {
        const { bytes } = comparePair(pair, [value(run), value(run)], 'outer')
        assert.ok(unpack(bytes)[1].middle.equals(expected))
      }
    }
  })

  test(`toJSON that packs, ${size}`, { skip }, () => {
    const pair = makePair()
    class Sealed {
      toJSON() {
        return { sealed: pair.heap.pack(inner), again: pair.heap.pack({ sealed: 1 }) }
      }
    }
    const { bytes } = comparePair(pair, { a: [new Sealed()], b: new Sealed() }, 'outer')
    assertSame(unpack(unpack(bytes).b.sealed), unpack(pair.tape.pack(inner)))
  })

  test(`a proxy that packs, ${size}`, { skip }, () => {
    const pair = makePair()
    const proxy = new Proxy(
      { a: 1, b: 2 },
      { get: (_, key) => (key === 'a' ? pair.heap.pack(inner).length : 5) },
    )
    comparePair(pair, [proxy, { after: 1 }], 'outer')
  })
}

test('getters within getters', { skip }, () => {
  const pair = makePair()
  const nest = (depth) => ({
    depth,
    get inner() {
      const plain = pair.heap.pack({ depth, text: 'x'.repeat(depth) })
      return depth === 0 ? plain : [plain, pair.heap.pack(nest(depth - 1))]
    },
  })
  for (let i = 0; i < 3; i++) comparePair(pair, nest(30), 'outer')
  assert.ok(packCounts(pair.heap).heap > 0)
})

test('a getter that changes what is packed', { skip }, () => {
  const make = () => {
    const value = {
      list: [1, 2, 3],
      text: 'x',
      get change() {
        value.list.push({ added: 1.5 })
        value.later = 'new key'
        delete value.text
        return value.list.length
      },
      end: { a: 1 },
    }
    return value
  }
  const pair = makePair()
  for (let i = 0; i < 5; i++) assert.ok(pair.heap.pack([make(), 1]).equals(pair.tape.pack([make(), 1])))
})

// Functions of the language that a program replaced by others which pack. Whoever calls them, bytes stay the same.
const REPLACED = [
  [Array.prototype, 'map'],
  [Array.prototype, 'push'],
  [Array.prototype, 'concat'],
  [Array.prototype, 'includes'],
  [Array.prototype, 'forEach'],
  [Array.prototype, Symbol.iterator],
  [Map.prototype, 'get'],
  [Map.prototype, 'set'],
  [Map.prototype, 'entries'],
  [Map.prototype, Symbol.iterator],
  [Set.prototype, 'values'],
  [Set.prototype, Symbol.iterator],
  [Date.prototype, 'getTime'],
  [Date.prototype, 'valueOf'],
  [Date.prototype, 'toJSON'],
  [String.prototype, 'valueOf'],
  [Number.prototype, 'valueOf'],
  [Object, 'keys'],
  [Object, 'getPrototypeOf'],
  [Object.prototype, 'hasOwnProperty'],
  [Object.prototype, 'valueOf'],
  [Function.prototype, 'call'],
  [Buffer, 'allocUnsafeSlow'],
  [Buffer.prototype, 'subarray'],
  [Object.getPrototypeOf(Uint8Array.prototype), 'subarray'],
  [Object.getPrototypeOf(Uint8Array.prototype), 'set'],
]

test('replaced functions of the language that pack', { skip }, () => {
  const pair = makePair()
  const values = [
    {
      a: [1, 'two'],
      map: new Map([[1, { x: 1 }]]),
      set: new Set(['s']),
      date: new Date(5),
      bytes: Buffer.from('b'),
    },
    [new Number(1), new String('hi'), new Uint16Array(3), 5n],
    LARGE,
    {
      get a() {
        return [1, 2].map((i) => i * 2)
      },
    },
  ]
  const before = values.map((value) => Buffer.from(pair.tape.pack(value)))
  for (const [owner, name] of REPLACED) {
    const original = owner[name]
    const descriptor = Object.getOwnPropertyDescriptor(owner, name)
    let within = false
    const replacement = function replacement(...args) {
      if (!within) {
        within = true
        try {
          pack({ inner: 1, text: 'inner' })
        } finally {
          within = false
        }
      }
      return Reflect.apply(original, this, args)
    }
    Object.defineProperty(owner, name, { ...descriptor, value: replacement })
    let results
    try {
      results = [0, 1].map(() => [
        pair.heap.pack(values[0]),
        pair.heap.pack(values[1]),
        pair.heap.pack(values[2]),
        pair.heap.pack(values[3]),
      ])
    } finally {
      Object.defineProperty(owner, name, descriptor)
    }
    for (const round of results) {
      for (const [i, bytes] of round.entries())
        assert.ok(bytes.equals(before[i]), `${String(name)}, value ${i}`)
    }
  }
})

// Run in a process of its own, on the main thread or in a worker, as what is feared is a crash.
const END_OF_STACK = `
  const { makePair } = require(${JSON.stringify(join(__dirname, '..', 'helpers', 'walkers'))})
  const strings = require(${JSON.stringify(join(__dirname, '..', 'helpers', 'native-strings'))})
  const nest = (levels, wrap) => { let value = null; for (let i = 0; i < levels; i++) value = wrap(value); return value }
  class Own { a = 1; list = [1.5] }
  const makers = {
    scalar: () => 5,
    object: () => ({ a: 1, list: [1.5, 'text'], own: new Own(), map: new Map([[1, new Set([2])]]) }),
    arrays: () => nest(90, (inner) => [inner]),
    objects: () => nest(90, (inner) => ({ inner })),
    maps: () => nest(90, (inner) => new Map([[1, inner]])),
    deep: () => nest(400, (inner) => [inner]),
    text: () => strings.special['a chain of 3,000 joins from the right'](),
    bytes: () => Buffer.alloc(200, 1),
    getter: () => ({ get a() { return 1 } }),
  }
  const pair = makePair()
  const counts = {}
  for (const [name, make] of Object.entries(makers)) {
    const value = make()
    const expected = pair.tape.pack(make())
    let right = 0
    let refused = 0
    const attempt = () => {
      try {
        if (pair.heap.pack(value).equals(expected)) right++
        else throw new Error('wrong bytes of ' + name)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        refused++
      }
    }
    const sink = (levels, a, b, c) => {
      let reached = levels
      try {
        reached = sink(levels + 1, a, b, c)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
      }
      if (reached - levels < 300) attempt()
      return reached
    }
    for (let round = 0; round < 3; round++) sink(0, 1, 2, 3)
    if (!pair.heap.pack(value).equals(expected)) throw new Error('wrong bytes of ' + name + ' afterwards')
    counts[name] = { right, refused }
  }
`

function assertEndOfStack(counts) {
  for (const [name, { right, refused }] of Object.entries(counts)) {
    const fits = name !== 'deep'
    assert.ok(right > 0 === fits && right + refused > 300, `${name}: ${right} right, ${refused} refused`)
  }
  assert.ok(Object.values(counts).some(({ refused }) => refused > 0))
}

test('at the end of the stack of the main thread', { skip }, () => {
  assertEndOfStack(JSON.parse(runScript(`${END_OF_STACK}; console.log(JSON.stringify(counts))`)))
})

for (const stackSizeMb of [undefined, 1]) {
  test(`at the end of the stack of a worker, ${stackSizeMb ?? 'usual'} MB`, { skip }, () => {
    const source = `
      const { Worker } = require('node:worker_threads')
      const source = ${JSON.stringify(`${END_OF_STACK}; require('node:worker_threads').parentPort.postMessage(counts)`)}
      const worker = new Worker(source, { eval: true, resourceLimits: { stackSizeMb: ${stackSizeMb ?? 4} } })
      worker.on('error', (error) => { throw error })
      worker.on('message', (counts) => console.log(JSON.stringify(counts)))
    `
    assertEndOfStack(JSON.parse(runScript(source)))
  })
}
