'use strict'

// Values of every kind, packed by msgpackr under the options that streams are used with: the bytes of a
// stream, and what the reader has to be told.

const { Packr } = require('msgpackr')

const plain = [
  0,
  -1,
  300,
  1.5,
  2n ** 60n,
  'text',
  'x'.repeat(40),
  '\u4f60\u597d',
  null,
  undefined,
  true,
  [],
  [1, [2, [3, 'three']]],
  Buffer.from([1, 2, 3]),
  new Date(1_500_000_000_123),
  new Map([['k', [1]]]),
]
const objects = [
  { a: 1, b: 'two' },
  { a: 3, b: 'four' },
  { list: [{ a: 5, b: { a: 6, b: null } }], c: {} },
  { a: 7, b: 'eight' },
]
const typed = [new Set([1, 'a']), /a+b/gi, new TypeError('no'), new Uint16Array([1, 2]), new ArrayBuffer(3)]

function cyclic() {
  const object = { name: 'o' }
  object.self = object
  const shared = { x: 1 }
  return [object, [shared, shared, 'end'], { shared, again: [shared] }]
}

const texts = [
  ['hello', 'world', { name: 'hello', greeting: 'good morning' }],
  Array.from({ length: 3 }, (_, i) => ({ text: `text number ${i}`, other: '\u4f60\u597d\u4f60\u597d' })),
  'alone',
]

/** More than fit ids of one byte. */
const shapes = Array.from({ length: 40 }, (_, i) => ({ [`key${i}`]: i, common: `value ${i}` }))

function packed(values, options) {
  const packr = new Packr(options)
  return values.map((value) => Buffer.from(packr.pack(value)))
}

/** A reader that has the structures which packing has shared. */
function withStore(values, options) {
  const structures = []
  const messages = packed(values, { ...options, structures })
  return {
    messages,
    reader: () => ({ getStructures: () => structures.map((keys) => [...keys]) }),
  }
}

function withArray(values, options) {
  const structures = []
  const messages = packed(values, { ...options, structures })
  return { messages, reader: () => ({ structures: structures.map((keys) => [...keys]) }) }
}

const none = () => ({})

/** Name, messages in a row, and a function that makes the reader's options. */
const kinds = Object.entries({
  plain: { messages: packed(plain, { useRecords: false }), reader: () => ({ useRecords: false }) },
  maps: { messages: packed(objects, { useRecords: false }), reader: none },
  records: { messages: packed(objects, {}), reader: none },
  sequential: { messages: packed([...objects, ...plain], { sequential: true }), reader: none },
  'shared structures': withArray(objects, {}),
  'loaded structures': withStore(objects, {}),
  'two-byte ids': withStore(shapes, { maxSharedStructures: 100 }),
  types: { messages: packed(typed, { moreTypes: true }), reader: none },
  clones: { messages: packed(cyclic(), { structuredClone: true }), reader: none },
  'cloned keys': {
    messages: packed([[{ a: 1 }, { b: 2 }, { a: 3 }]], { structuredClone: true, maxOwnStructures: 1 }),
    reader: none,
  },
  bundles: { messages: packed(texts, { bundleStrings: true }), reader: none },
}).map(([name, { messages, reader }]) => ({ name, messages, reader }))

module.exports = { kinds, packed, plain, objects }
