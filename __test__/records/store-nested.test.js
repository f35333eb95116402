'use strict'

// pack called while the same instance packs, with a store: the inner message refers to nothing that is not stored
// yet, and what it defined is stored together with what the outer message adds.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { StructureStore } = require('../helpers/counting-store')
const { assertSame } = require('../helpers/same')

/** Objects that are written as the bytes that `run` makes of their content. */
function packedBy(run) {
  return class Packed {
    constructor(content) {
      this.content = content
    }
    toJSON() {
      return run(this.content)
    }
  }
}

function make(extra, structures) {
  const store = new StructureStore(structures)
  const packr = new Packr(store.options(extra))
  const Packed = packedBy((content) => packr.pack(content))
  return { store, packr, Packed }
}

test('shapes of the inner message are saved with those of the outer one', () => {
  const { store, packr, Packed } = make()
  const value = () => [{ a: 1 }, new Packed({ a: 2, b: { z: 3 } }), { a: 4 }, { z: 1 }]
  assert.equal(toHex(packr.pack(value())), '944001c410d4726092a161a16202d4726191a17a0340044101')
  assert.deepEqual(store.structures, [['a'], ['z'], ['a', 'b']])
  assert.equal(store.saves, 1)
  for (let i = 0; i < 3; i++) assert.equal(toHex(packr.pack(value())), '944001c4044202410340044101')
  assert.equal(store.saves, 1)
  const reader = new Unpackr(store.options())
  const outer = reader.unpack(fromHex('944001c410d4726092a161a16202d4726191a17a0340044101'))
  assertSame(outer[3], { z: 1 })
  assertSame(reader.unpack(outer[1]), { a: 2, b: { z: 3 } })
  assertSame(reader.unpack(fromHex('42024103')), { a: 2, b: { z: 3 } })
})

test('only the inner message has new shapes', () => {
  const { store, packr, Packed } = make()
  const bytes = packr.pack(['outer', new Packed({ a: 1 }), new Packed([{ a: 2 }, { a: 3 }])])
  const [, first, second] = new Unpackr().unpack(bytes)
  assertSame([new Unpackr().unpack(first), new Unpackr().unpack(second)], [{ a: 1 }, [{ a: 2 }, { a: 3 }]])
  assert.deepEqual(store.structures, [['a']])
  assert.equal(store.saves, 1)
  assert.equal(toHex(packr.pack(new Packed({ a: 4 }))), 'c4024004')
})

test('the inner message refers to what was stored before', () => {
  const { store, packr, Packed } = make({}, [['s'], ['t']])
  const bytes = packr.pack([new Packed({ t: { s: 1 } }), { n: 1 }, new Packed([{ t: 1 }, { n: 2 }])])
  const reader = new Unpackr({ getStructures: () => [['s'], ['t']] })
  const [first, , second] = new Unpackr({ getStructures: () => [['s'], ['t'], ['n']] }).unpack(bytes)
  assert.equal(toHex(first), '414001')
  assertSame(reader.unpack(second), [{ t: 1 }, { n: 2 }])
  assert.deepEqual(store.structures, [['s'], ['t'], ['n']])
})

test('every inner message can be read as soon as it is made', () => {
  const store = new StructureStore()
  const packr = new Packr(store.options())
  const Packed = packedBy((content) => {
    const bytes = packr.pack(content)
    assertSame(new Unpackr(store.options()).unpack(bytes), content)
    return bytes
  })
  for (let i = 0; i < 10; i++) {
    const value = [
      { [`o${i}`]: 1 },
      new Packed({ [`i${i}`]: { [`o${i}`]: 2 } }),
      new Packed([{ [`i${i - 1}`]: 3 }]),
    ]
    packr.pack(value)
  }
  assert.equal(store.saves, 10)
  assert.equal(new Set(store.structures.map(String)).size, store.structures.length)
})

test('inner messages within inner messages', () => {
  const { store, packr } = make()
  class Nested {
    constructor(depth) {
      this.depth = depth
    }
    toJSON() {
      if (this.depth === 0) return 'core'
      return packr.pack({ [`k${this.depth}`]: new Nested(this.depth - 1), common: { x: this.depth } })
    }
  }
  for (let i = 0; i < 3; i++) {
    let bytes = packr.pack({ root: new Nested(8) })
    const reader = new Unpackr(store.options())
    for (let depth = 8; depth > 0; depth--) {
      const content = reader.unpack(bytes)
      const inner = depth === 8 ? content.root : content[`k${depth + 1}`]
      const value = reader.unpack(inner)
      assertSame(value.common, { x: depth })
      bytes = inner
    }
    assert.equal(store.saves, 1)
  }
  assert.equal(store.structures.length, 10)
})

test('no more is shared than may be', () => {
  const { store, packr, Packed } = make({ maxSharedStructures: 2 })
  const value = () => [{ a: 1 }, new Packed([{ b: 1 }, { c: 1 }, { d: 1 }]), { e: 1 }]
  const outer = packr.pack(value())
  assert.ok(store.structures.length <= 2)
  for (let i = 0; i < 4; i++) {
    const [a, inner, e] = new Packr(store.options()).unpack(i === 0 ? outer : packr.pack(value()))
    assertSame([a, e], [{ a: 1 }, { e: 1 }])
    assertSame(new Packr(store.options()).unpack(inner), [{ b: 1 }, { c: 1 }, { d: 1 }])
    assert.ok(store.structures.length <= 2)
  }
})

test('shapes that are refused are not saved either', () => {
  const { store, packr, Packed } = make({ shouldShareStructure: (keys) => !keys.includes('x') })
  for (let i = 0; i < 3; i++) {
    const bytes = packr.pack([{ a: 1 }, new Packed([{ x: 1 }, { b: 2 }]), { x: 2 }])
    const [a, inner, x] = new Unpackr(store.options()).unpack(bytes)
    assertSame([a, x], [{ a: 1 }, { x: 2 }])
    assertSame(new Unpackr(store.options()).unpack(inner), [{ x: 1 }, { b: 2 }])
  }
  assert.deepEqual(store.structures, [['a'], ['b']])
  assert.equal(store.saves, 1)
})

test('an inner message that fails and is let go adds nothing', () => {
  const store = new StructureStore()
  const packr = new Packr(store.options())
  const Packed = packedBy((content) => {
    try {
      return packr.pack(content)
    } catch (error) {
      return error.message
    }
  })
  const bytes = packr.pack([
    { a: 1 },
    new Packed([{ lost: 1 }, Symbol('none')]),
    { b: 1 },
    new Packed({ kept: 1 }),
  ])
  assert.equal(store.saves, 1)
  assert.deepEqual(store.structures, [['a'], ['b'], ['kept']])
  const [a, text, b, inner] = new Unpackr(store.options()).unpack(bytes)
  assertSame([a, text, b], [{ a: 1 }, 'Unknown type: symbol', { b: 1 }])
  assertSame(new Unpackr(store.options()).unpack(inner), { kept: 1 })
})

test('an outer message that fails saves nothing of the inner ones', () => {
  const { store, packr, Packed } = make()
  for (let i = 0; i < 3; i++) {
    assert.throws(() => packr.pack([{ a: 1 }, new Packed({ b: 1 }), Symbol('none')]), /Unknown type: symbol/)
    assert.equal(store.saves, 0)
  }
  assert.equal(toHex(packr.pack({ c: 1 })), '4001')
  assert.deepEqual(store.structures, [['c']])
})

test('an outer message that is refused packs its inner ones again', () => {
  const store = new StructureStore()
  const packr = new Packr(store.checkedOptions())
  const Packed = packedBy((content) => packr.pack(content))
  packr.pack(0)
  store.text = JSON.stringify([['z']])
  const bytes = packr.pack([{ a: 1 }, new Packed([{ b: 1 }, { z: 2 }])])
  assert.deepEqual(store.structures, [['z'], ['a'], ['b']])
  const reader = new Unpackr(store.options())
  const [a, inner] = reader.unpack(bytes)
  assertSame(a, { a: 1 })
  assertSame(reader.unpack(inner), [{ b: 1 }, { z: 2 }])
})

test('two instances that pack in each other, each with its own store', () => {
  const stores = [new StructureStore(), new StructureStore()]
  const packrs = stores.map((store) => new Packr(store.options()))
  class Nested {
    constructor(depth) {
      this.depth = depth
    }
    toJSON() {
      if (this.depth === 0) return 'core'
      return packrs[this.depth % 2].pack({ [`k${this.depth}`]: new Nested(this.depth - 1) })
    }
  }
  for (let i = 0; i < 3; i++) {
    let bytes = packrs[1].pack({ root: new Nested(6) })
    bytes = new Unpackr(stores[1].options()).unpack(bytes).root
    for (let depth = 6; depth > 0; depth--) {
      bytes = new Unpackr(stores[depth % 2].options()).unpack(bytes)[`k${depth}`]
    }
    assert.equal(bytes, 'core')
  }
  assert.deepEqual(
    stores.map((store) => store.structures.map(String).sort()),
    [
      ['k2', 'k4', 'k6'],
      ['k1', 'k3', 'k5', 'root'],
    ],
  )
})

test('a getter that packs and unpacks in between', () => {
  const { store, packr } = make()
  const value = (i) => ({
    a: i,
    get size() {
      return packr.unpack(packr.pack({ z: [i], q: { w: { [`n${i}`]: 1 } } })).z[0]
    },
    d: { q: { w: 2 } },
  })
  for (let i = 0; i < 12; i++) {
    const bytes = packr.pack([value(i), { d: { q: { w: 3 } } }])
    const expected = [{ a: i, size: i, d: { q: { w: 2 } } }, { d: { q: { w: 3 } } }]
    assertSame(packr.unpack(bytes), expected)
    assertSame(new Unpackr(store.options()).unpack(bytes), expected)
  }
  assert.equal(new Set(store.structures.map(String)).size, store.structures.length)
})
