'use strict'

// The heap walker bundles strings itself, in every representation of strings and objects that it takes, and writes the
// bytes of the other walker.

const { describe, test } = require('node:test')
const { withoutHeap, makePair, comparePair, assertAllByHeap } = require('../helpers/walkers')
const arrays = require('../helpers/native-arrays')
const builtIns = require('../helpers/native-built-ins')
const classes = require('../helpers/native-classes')
const objects = require('../helpers/native-objects')
const strings = require('../helpers/native-strings')

const OPTION_SETS = [
  {},
  { variableMapSize: true, encodeUndefinedAsNil: true },
  { coercibleKeyAsNumber: true },
  { useRecords: true },
  { useRecords: true, structures: [] },
]

// How a value lies in a message. The keys of a class are remembered once it was met in a message.
const PLACES = {
  alone: (make) => make(),
  'behind text': (make) => ['some text', make(), { behind: 'text' }],
  'four of them': (make) => [make(), make(), { value: make() }, make()],
}

function check(make, name) {
  for (const options of OPTION_SETS) {
    const fresh = () => ({ bundleStrings: true, ...options, ...(options.structures && { structures: [] }) })
    for (const [place, put] of Object.entries(PLACES)) {
      const label = `${name}, ${place}, ${JSON.stringify(options)}`
      const pair = makePair(fresh)
      for (let message = 0; message < 3; message++) comparePair(pair, put(make), label)
    }
  }
}

/** Fails unless the heap walker packs the value where objects are maps. */
function checkTaken(make, name) {
  const pair = makePair({ bundleStrings: true })
  let messages = 0
  for (const put of Object.values(PLACES)) {
    for (let round = 0; round < 2; round++) {
      comparePair(pair, put(make), name)
      assertAllByHeap(pair.heap, ++messages, name)
    }
  }
}

const TABLES = {
  strings: strings.special,
  arrays: arrays.samples,
  objects: objects.samples,
  classes: classes.samples,
  ...builtIns,
}
/** Samples so large that packing them in so many ways takes too long. */
const LARGE = /6\d,\d{3}|\d\d,000/

for (const [label, table] of Object.entries(TABLES)) {
  describe(label, { skip: withoutHeap }, () => {
    for (const [name, make] of Object.entries(table)) {
      if (LARGE.test(name)) continue
      test(name, { skip: withoutHeap }, () => {
        checkTaken(make, name)
        check(make, name)
      })
    }
  })
}

test('representations of strings around every limit', { skip: withoutHeap }, () => {
  for (const [name, represent] of Object.entries(strings.makers)) {
    for (const length of [3, 4, 8, 9, 33, 4095, 4096]) {
      for (const unit of ['a', '\u00e9', '\u4f60', '\ud83d']) {
        const make = () => represent(unit.repeat(length))
        checkTaken(() => [make(), 'text behind', make()], `${name}, ${length} of ${unit}`)
      }
    }
  }
})

test('bundles that end anywhere', { skip: withoutHeap }, () => {
  class Row {
    constructor(i) {
      this.text = 'a row of text '.repeat(i % 90)
      this['k\u00e9y'] = `${i}`.repeat(i % 60)
      this.longer_key = [`${'\u{1f600}'.repeat(i % 30)}\ud83d`, { nested: `\ude00${i}` }]
      if (i % 5 === 0) delete this.text
      if (i % 7 === 0) Object.defineProperty(this, 'hidden', { value: 1 })
      if (i % 11 === 0) this[i] = 'an element'
    }
  }
  for (const options of OPTION_SETS) {
    const pair = makePair(() => ({
      bundleStrings: true,
      ...options,
      ...(options.structures && { structures: [] }),
    }))
    for (let rows = 100; rows < 120; rows++)
      comparePair(
        pair,
        Array.from({ length: rows }, (_, i) => new Row(i + rows)),
        JSON.stringify(options),
      )
  }
})
