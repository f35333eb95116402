'use strict'

// pack and unpack called by code that runs while a message is being packed.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, unpackMultiple, Packr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const packr = new Packr({ useRecords: false })
const varied = new Packr({ useRecords: false, variableMapSize: true })
const FORMS = [
  ['module', pack, unpack],
  ['instance', packr.pack, (bytes) => packr.unpack(bytes)],
  ['variableMapSize', varied.pack, (bytes) => varied.unpack(bytes)],
  ...Object.entries({
    records: {},
    'shared structures': { structures: [] },
    references: { structuredClone: true },
    'references without records': { structuredClone: true, useRecords: false },
    'bundled strings': { bundleStrings: true },
    'references and bundled strings': { structuredClone: true, bundleStrings: true },
  }).map(([label, options]) => {
    const instance = new Packr(options)
    return [label, instance.pack, (bytes) => instance.unpack(bytes)]
  }),
]

for (const [label, run, read] of FORMS) {
  test(`${label}: a getter that packs and unpacks`, () => {
    const value = () => ({
      a: 1,
      get size() {
        run({ z: [1, 2, 3], text: 'inner text', q: { w: 1 } })
        return read(run({ z: [4] })).z[0]
      },
      text: 'outer text',
      d: { q: { w: 2 } },
    })
    for (let i = 0; i < 4; i++) {
      assertSame(read(run([value(), { d: 3 }])), [
        { a: 1, size: 4, text: 'outer text', d: { q: { w: 2 } } },
        { d: 3 },
      ])
    }
  })

  test(`${label}: a getter that packs something larger than the outer message`, () => {
    const inner = { text: 'inner '.repeat(20_000), numbers: Array.from({ length: 5000 }, (_, i) => i / 3) }
    let kept
    const value = {
      before: 'b'.repeat(100),
      get middle() {
        kept = run(inner)
        return kept.length
      },
      after: ['c'.repeat(100)],
    }
    const result = read(run(value))
    assertSame(result, { before: 'b'.repeat(100), middle: kept.length, after: ['c'.repeat(100)] })
    assertSame(read(kept), inner)
  })

  test(`${label}: toJSON that packs`, () => {
    class Sealed {
      constructor(content) {
        this.content = content
      }
      toJSON() {
        return { sealed: run(this.content) }
      }
    }
    const { list, end } = read(
      run({ list: [new Sealed({ a: 1 }), new Sealed([new Sealed('deep')])], end: 'end' }),
    )
    assertSame(read(list[0].sealed), { a: 1 })
    assertSame(read(read(list[1].sealed)[0].sealed), 'deep')
    assert.equal(end, 'end')
  })

  test(`${label}: nested to a depth of fifty`, () => {
    const nest = (depth) => ({
      depth,
      get inner() {
        return depth === 0 ? null : run(nest(depth - 1))
      },
      tail: 't'.repeat(depth),
    })
    let bytes = run(nest(50))
    for (let depth = 50; depth >= 0; depth--) {
      const value = read(bytes)
      assert.equal(value.depth, depth)
      assert.equal(value.tail, 't'.repeat(depth))
      bytes = value.inner
    }
    assert.equal(bytes, null)
  })

  test(`${label}: an inner call that throws is no matter to the outer one`, () => {
    const value = {
      a: 'first',
      get b() {
        assert.throws(() => run([Symbol('no')]), { message: 'Unknown type: symbol' })
        assert.throws(() => read(fromHex('a3')), { incomplete: true })
        return 2
      },
      c: [3.5],
    }
    assertSame(read(run(value)), { a: 'first', b: 2, c: [3.5] })
  })
}

test('the same instance used by itself at once', () => {
  let inner
  const bytes = packr.pack([
    1,
    {
      get x() {
        inner = packr.pack(['inner'])
        return toHex(inner)
      },
    },
    2,
  ])
  assert.equal(toHex(inner), '91a5696e6e6572')
  assertSame(packr.unpack(bytes), [1, { x: '91a5696e6e6572' }, 2])
})

test('unpacking inside a callback of unpackMultiple', () => {
  const bytes = Buffer.concat(
    [{ a: 'one' }, { a: 'two' }, { a: 'three' }].map((value) => Buffer.from(pack(value))),
  )
  const seen = []
  unpackMultiple(bytes, (value) => {
    seen.push(value.a)
    unpackMultiple(bytes, (again) => {
      seen.push(unpack(pack(again)).a)
    })
  })
  assert.deepEqual(seen, [
    'one',
    'one',
    'two',
    'three',
    'two',
    'one',
    'two',
    'three',
    'three',
    'one',
    'two',
    'three',
  ])
})

test('a source whose subarray unpacks something else', () => {
  class Nosy extends Uint8Array {
    subarray(start, end) {
      assertSame(unpack(pack(['s1', 's2', 's2', { other: 's2' }])), ['s1', 's2', 's2', { other: 's2' }])
      return super.subarray(start, end)
    }
  }
  const message = [Buffer.from([7]), 's78', 's78', { key: 's78' }]
  for (let i = 0; i < 4; i++) {
    const [bytes, ...rest] = unpack(new Nosy(pack(message)))
    assert.deepEqual([...bytes], [7])
    assertSame(rest, message.slice(1))
    const twice = new Nosy(Buffer.concat([pack(1), pack(message), pack(2)]))
    const ends = []
    unpackMultiple(twice, (_, start, end) => {
      ends.push([start, end])
      return ends.length < 10
    })
    assert.equal(ends.length, 3)
    assert.equal(ends[2][1], twice.length)
  }
})
