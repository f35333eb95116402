'use strict'

// Extensions whose functions pack and unpack: messages within messages are whole, and so is the one around them.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { addExtension, pack, unpack, Packr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')
const { memoryStore } = require('../helpers/structure-store')

/** The packr that a Sealed is packed by; it also reads it. */
let inner = { pack, unpack }

class Sealed {
  constructor(content) {
    this.content = content
  }
}
addExtension({
  Class: Sealed,
  type: 71,
  pack: ({ content }) => inner.pack(content),
  unpack: (data) => new Sealed(inner.unpack(Buffer.from(data))),
})

class Shown {
  constructor(content) {
    this.content = content
  }
}
addExtension({
  Class: Shown,
  type: 72,
  write: ({ content }) => ({ hex: toHex(inner.pack(content)) }),
  read: ({ hex }) => new Shown(inner.unpack(fromHex(hex))),
})

const PACKRS = {
  module: () => ({ pack, unpack }),
  records: () => new Packr(),
  'shared structures': () => new Packr({ structures: [] }),
  'stored structures': () => new Packr({ ...memoryStore() }),
  'no records': () => new Packr({ useRecords: false }),
  'small maps': () => new Packr({ useRecords: false, variableMapSize: true }),
  references: () => new Packr({ structuredClone: true }),
  'bundled strings': () => new Packr({ bundleStrings: true }),
  'references, bundled strings': () => new Packr({ structuredClone: true, bundleStrings: true }),
}

const makeValue = () => ({
  before: 'text before',
  sealed: new Sealed({ before: 'inner text', list: [1.5, { before: 1 }], date: new Date(5) }),
  rows: [
    { a: 1, b: 'b' },
    { a: 2, b: new Sealed(new Sealed({ a: 1 })) },
    { a: 3, b: new Shown({ a: 1, b: 'deep' }) },
  ],
  after: 'text after',
})

for (const [outerName, makeOuter] of Object.entries(PACKRS)) {
  test(`${outerName}: by the same packr`, () => {
    const packr = makeOuter()
    inner = packr
    for (let i = 0; i < 4; i++) {
      const bytes = packr.pack(makeValue())
      assertSame(packr.unpack(bytes), makeValue(), `round ${i}`)
    }
  })

  for (const [innerName, makeInner] of Object.entries(PACKRS)) {
    test(`${outerName}: by another packr, ${innerName}`, () => {
      const packr = makeOuter()
      inner = makeInner()
      for (let i = 0; i < 3; i++) {
        const bytes = packr.pack([makeValue(), { i }])
        assertSame(packr.unpack(bytes), [makeValue(), { i }], `round ${i}`)
      }
    })
  }
}

test('a message within is what it is alone', () => {
  inner = { pack, unpack }
  const content = { a: [1, 'text', { b: 2 }] }
  const alone = pack(content)
  const expected = Buffer.concat([fromHex('92c7'), Buffer.from([alone.length, 71]), alone, fromHex('05')])
  assert.equal(toHex(pack([new Sealed(content), 5])), toHex(expected))
  assert.equal(toHex(new Packr({ structuredClone: true }).pack([new Sealed(content), 5])), toHex(expected))
})

test('references within have numbers of their own', () => {
  const packr = new Packr({ structuredClone: true })
  inner = packr
  const shared = { x: 1 }
  const value = [shared, new Sealed([shared, shared]), shared]
  const within = '92d66900000001d4724091a17801d67000000001'
  assert.equal(toHex(packr.pack(value)), `93d66900000001d4724091a17801c71447${within}d67000000001`)
})

test('messages within that are larger than the one around them', () => {
  for (const [name, make] of Object.entries(PACKRS)) {
    const packr = make()
    inner = make()
    const content = { text: 'x'.repeat(100_000), numbers: Array.from({ length: 5000 }, (_, i) => i / 3) }
    const value = [new Sealed(content), 'between', new Sealed({ text: 'y'.repeat(2000), numbers: [] })]
    assertSame(packr.unpack(packr.pack(value)), value, name)
  }
})

test('nested fifty deep', () => {
  for (const [name, make] of Object.entries(PACKRS)) {
    const packr = make()
    inner = packr
    let value = 'innermost'
    for (let i = 0; i < 50; i++) value = i % 5 === 0 ? new Shown({ value }) : new Sealed({ i, value })
    assertSame(packr.unpack(packr.pack(value)), value, name)
  }
})

test('messages within that fail', () => {
  class Trying {}
  addExtension({
    Class: Trying,
    type: 73,
    write() {
      assert.throws(() => inner.pack({ some: 'text', no: Symbol('s') }), { message: 'Unknown type: symbol' })
      assert.throws(() => this.pack([{ other: 1, no: Symbol('s') }]), { message: 'Unknown type: symbol' })
      assert.throws(() => inner.unpack(fromHex('a3')), { incomplete: true })
      return { tried: true }
    },
    read: ({ tried }) => tried,
  })
  for (const [name, make] of Object.entries(PACKRS)) {
    if (name === 'module') continue
    const packr = make()
    inner = make()
    for (let i = 0; i < 3; i++)
      assertSame(
        packr.unpack(packr.pack([new Trying(), { a: 1 }, new Trying()])),
        [true, { a: 1 }, true],
        name,
      )
  }
})

test('an extension that registers another one', () => {
  class Second {}
  class First {}
  addExtension({
    Class: First,
    type: 74,
    write() {
      addExtension({ Class: Second, type: 75, write: () => 'second' })
      return 'first'
    },
  })
  assert.equal(
    toHex(pack([new Second(), new First(), new Second()])),
    '93de0000d44a00a56669727374d44b00a67365636f6e64',
  )
})
