'use strict'

// Schemas that the benchmarks infer, and the libraries that get theirs from these.

const assert = require('node:assert/strict')
const { join } = require('node:path')
const { test } = require('node:test')
const { root } = require('../helpers/entry')

const benchmark = (name) => require(join(root, 'benchmark', name))
const { inferSchema } = benchmark('schema/infer.js')
const { alternatives } = benchmark('alternatives.js')
const { prepare } = benchmark('operations.js')
const { requirePeer } = benchmark('peers.js')

/** A place as text: kind, `?` for null, `{name: kind}` with `-` where a property may be missing. */
function shown(place) {
  const suffix = place.isNullable ? '?' : ''
  if (place.kind === 'array') return `[${shown(place.items)}]${suffix}`
  if (place.kind !== 'object') return place.kind + suffix
  const properties = [...place.properties].map(([name, property]) => {
    return `${name}${place.isRequired(name) ? '' : '-'}: ${shown(property.place)}`
  })
  return `{${properties.join(', ')}}${suffix}`
}

for (const [expected, ...messages] of [
  ['integer', 1, 2],
  ['number', 1, 2.5],
  ['number', -0],
  ['number', 2 ** 60],
  ['string?', 'a', null],
  ['null?', null, undefined],
  ['mixed', 1, 'a'],
  ['boolean', true],
  ['date', new Date(0)],
  ['binary', Buffer.from('a')],
  ['other', 1n],
  ['other', new Map()],
  ['[null]', []],
  ['[integer?]', [1, null], []],
  ['[[number]]', [[1], [2.5]]],
  ['{a: integer, b-: string?}', { a: 1 }, { a: 2, b: 'x' }, { a: 3, b: null }],
  ['{a: {b: [{c-: boolean, d-: null?}]}}', { a: { b: [{ c: true }, { d: null }] } }],
]) {
  test(`inferred: ${expected}`, () => assert.equal(shown(inferSchema(messages)), expected))
}

test('the range of numbers', () => {
  const { min, max } = inferSchema([3, -7, 2.5])
  assert.deepEqual([min, max], [-7, 3])
})

/** What each library carries of these messages, or why it does not. */
const CASES = [
  { messages: [{ a: 1, b: 'x', c: [1.5, -2], d: { e: true } }], fails: {} },
  {
    messages: [
      { a: 1, b: null },
      { a: -70000, b: 'ü' },
      { a: 2 ** 40, b: '' },
    ],
    fails: { schemapack: 'schemapack has no type for values that may be null at message.b' },
  },
  {
    messages: [{ a: [] }, { a: [{ b: 0 }, { c: false }] }],
    fails: { schemapack: 'schemapack has no type for objects without b at message.a[]' },
  },
  { messages: [[1, 2, 3]], fails: {} },
  { messages: [2 ** 31, -1], fails: {} },
  {
    messages: [[[1], [2]]],
    fails: { protobufjs: 'protobufjs has no type for arrays of arrays at message[]' },
  },
  {
    messages: [{ a: 1 }, { a: 'x' }],
    fails: {
      protobufjs: 'protobufjs has no type for integer or string at message.a',
      schemapack: 'schemapack has no type for integer or string at message.a',
    },
  },
  {
    messages: [{ a: [1, null] }],
    fails: {
      protobufjs: 'protobufjs has no type for arrays with nulls at message.a',
      schemapack: 'schemapack has no type for values that may be null at message.a[]',
    },
  },
]

for (const { messages, fails } of CASES) {
  for (const codec of alternatives) {
    test(`${codec.name}: ${JSON.stringify(messages)}`, (t) => {
      for (const direction of ['pack', 'unpack']) {
        const { fault, isMissing } = prepare(codec, direction, messages, requirePeer)
        if (isMissing) {
          t.skip(fault)
          return
        }
        assert.equal(fault, fails[codec.name] ?? null, direction)
      }
    })
  }
}
