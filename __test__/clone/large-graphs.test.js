'use strict'

// Graphs of very many objects that refer to each other: what comes back is what the engine's own structured clone
// makes of them, with the same identities.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr } = require('../helpers/ferropack')
const { full } = require('../helpers/mode')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const NODES = 100_000
const PACKRS = {
  references: () => new Packr({ structuredClone: true }),
  'shared structures': () => new Packr({ structuredClone: true, structures: [] }),
  'no records': () => new Packr({ structuredClone: true, useRecords: false }),
  'by the tape': () => new Packr({ structuredClone: true, heap: false }),
}

/** Fails unless two lists of nodes have the same numbers and refer to the same places. */
function assertSameGraph(nodes, expected) {
  assert.equal(nodes.length, expected.length)
  const places = new Map(nodes.map((node, i) => [node, i]))
  assert.equal(places.size, nodes.length)
  const expectedPlaces = new Map(expected.map((node, i) => [node, i]))
  for (let i = 0; i < nodes.length; i++) {
    assert.equal(nodes[i].id, expected[i].id)
    for (const name of ['next', 'other'])
      assert.equal(places.get(nodes[i][name]), expectedPlaces.get(expected[i][name]))
    assert.deepEqual(
      nodes[i].links.map((node) => places.get(node)),
      expected[i].links.map((node) => expectedPlaces.get(node)),
    )
  }
}

/** A flat list of nodes that refer to any of each other. */
function randomGraph(random, count) {
  const nodes = Array.from({ length: count }, (_, id) => ({ id, next: null, other: null, links: [] }))
  for (const node of nodes) {
    node.next = random.pick(nodes)
    node.other = random.chance(0.5) ? node : random.pick(nodes)
    for (let i = random.below(3); i > 0; i--) node.links.push(random.pick(nodes))
  }
  return nodes
}

/** As the nodes are met in the order of the list, none is met deeper than the list. */
function flatGraph(random, count) {
  const nodes = randomGraph(random, count)
  for (const [i, node] of nodes.entries()) {
    node.next = nodes[random.below(i + 1)]
    node.other = nodes[random.below(i + 1)]
    node.links = node.links.map(() => nodes[random.below(i + 1)])
  }
  return nodes
}

for (const [name, make] of Object.entries(PACKRS)) {
  test(`${name}: ${NODES} objects in a list`, (t) => {
    const seed = chosenSeed()
    t.diagnostic(`FERROPACK_SEED=${seed}`)
    const nodes = flatGraph(randomFrom(seed), NODES)
    const packr = make()
    assertSameGraph(packr.unpack(packr.pack(nodes)), structuredClone(nodes))
  })

  test(`${name}: small graphs of any depth`, (t) => {
    const seed = chosenSeed()
    t.diagnostic(`FERROPACK_SEED=${seed}`)
    const random = randomFrom(seed)
    const packr = make()
    for (let i = 0; i < (full ? 500 : 50); i++) {
      const nodes = randomGraph(random, 1 + random.below(60))
      assertSameGraph(packr.unpack(packr.pack(nodes)), nodes)
    }
  })

  test(`${name}: a graph that is deeper than the stack is refused, and nothing else`, () => {
    const packr = make()
    let deep = {}
    for (let i = 0; i < NODES; i++) deep = { deep }
    const loop = { deep }
    loop.self = loop
    assert.throws(() => packr.pack(loop), RangeError)
    const shared = { x: 1 }
    assertSame(packr.unpack(packr.pack([shared, shared])), [shared, shared])
  })
}

test('objects of every collection', () => {
  const packr = new Packr({ structuredClone: true })
  const items = Array.from({ length: 5000 }, (_, i) => ({ i }))
  const value = {
    map: new Map(items.map((item) => [item, item])),
    set: new Set(items),
    list: items,
    rows: items.map((item) => [item, item.i]),
  }
  value.set.add(value)
  value.map.set(value, value.map)
  const result = packr.unpack(packr.pack(value))
  assertSame(result, structuredClone(value))
})

test('a list of one object', () => {
  const packr = new Packr({ structuredClone: true })
  const list = new Array(300_000).fill({ a: 1 })
  const bytes = packr.pack(list)
  assert.equal(bytes.length, 5 + 6 + 7 + 6 * (list.length - 1))
  const result = packr.unpack(bytes)
  assert.ok(result.every((item) => item === result[0]))
})
