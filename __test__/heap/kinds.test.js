'use strict'

// Every kind of value that the heap walker takes, in every representation: it packs the message itself, and the bytes
// are those of the other walker.

const assert = require('node:assert/strict')
const { describe, test } = require('node:test')
const { inspect } = require('node:util')
const { packCounts, pack } = require('../helpers/ferropack')
const { withoutHeap, makePair, comparePair, assertAllByHeap } = require('../helpers/walkers')
const arrays = require('../helpers/native-arrays')
const builtIns = require('../helpers/native-built-ins')
const classes = require('../helpers/native-classes')
const objects = require('../helpers/native-objects')
const strings = require('../helpers/native-strings')
const {
  optionSets,
  referringSets,
  recordSets,
  referringRecordSets,
  askingRecordSets,
} = require('../helpers/option-sets')

// How a value lies in a message.
const PLACES = {
  alone: (value) => value,
  'in an array': (value) => ['before', value, 1.5],
  'in an object': (value) => ({ before: 1, value, after: 'text' }),
  'in a Map': (value) =>
    new Map([
      ['key', value],
      [value, 'key'],
    ]),
  'in a Set': (value) => new Set([1, value]),
  twice: (value) => [value, { value }],
  // The keys of a class are remembered once it was met in a message.
  'four of them': (value, make) => [value, make(), make(), { value: make() }],
}

/** Samples so large that they are tried in one place only. */
const LARGE = /6\d,\d{3}|10,000/
const FEW_PLACES = { 'in an object': PLACES['in an object'] }

/** The value is made anew for each message, and packed again once the other walker has seen it. */
function checkKind(make, name, places = PLACES) {
  const pair = makePair()
  let messages = 0
  for (const [place, put] of Object.entries(places)) {
    for (let round = 1; round <= 2; round++) {
      const value = put(make(), make)
      for (const when of ['new', 'seen before']) {
        comparePair(pair, value, `${name}, ${place}, round ${round}, ${when}`)
        assertAllByHeap(pair.heap, ++messages, `${name}, ${place}, round ${round}, ${when}`)
      }
    }
  }
}

function checkTable(label, table, places) {
  describe(label, { skip: withoutHeap }, () => {
    for (const [name, make] of Object.entries(table)) {
      test(name, { skip: withoutHeap }, () => checkKind(make, name, LARGE.test(name) ? FEW_PLACES : places))
    }
  })
}

checkTable('scalars', builtIns.scalars)
checkTable('arrays', arrays.samples)
checkTable('objects', objects.samples)
checkTable('dates', builtIns.dates)
checkTable('collections', builtIns.collections)
checkTable('binary', builtIns.binary)
checkTable('buffers', builtIns.buffers)
checkTable('errors', builtIns.errors)
checkTable('regular expressions', builtIns.regexps)
checkTable('boxed values', builtIns.boxed)
checkTable('class instances', classes.samples)
checkTable('special strings', strings.special)
checkTable('large strings', strings.large, FEW_PLACES)

describe('strings', { skip: withoutHeap }, () => {
  for (const [name, make] of Object.entries({ ...strings.makers, ...strings.largeMakers })) {
    test(name, { skip: withoutHeap }, () => {
      const places = name in strings.makers ? PLACES : { twice: PLACES.twice }
      for (const [label, text] of Object.entries(strings.texts)) {
        checkKind(() => make(text), `${name}: ${label}`, places)
      }
    })
  }
})

test('strings of every representation as keys', { skip: withoutHeap }, () => {
  for (const [name, make] of Object.entries(strings.makers)) {
    const keyed = () => ({ [make('a key of this representation')]: 1, [make('k')]: make('k') })
    checkKind(keyed, name, { alone: PLACES.alone })
  }
})

const NAMED_SETS = [
  ...[...optionSets, ...referringSets].map((options) => [inspect(options), options]),
  ...Object.entries({ ...recordSets, ...referringRecordSets, ...askingRecordSets }),
]

for (const [name, options] of NAMED_SETS) {
  test(`all kinds under ${name}`, { skip: withoutHeap }, () => {
    const pair = makePair(options)
    for (const table of [arrays.samples, objects.samples, ...Object.values(builtIns), classes.samples]) {
      for (const [name, make] of Object.entries(table)) {
        comparePair(pair, make(), name)
        comparePair(pair, [make(), make(), make()], `${name}, three of them`)
      }
    }
  })
}

test('all kinds in one message', { skip: withoutHeap }, () => {
  const tables = [arrays.samples, objects.samples, classes.samples, strings.special]
  const everything = () =>
    [...tables, ...Object.values(builtIns)].flatMap((table) => Object.values(table)).map((make) => make())
  checkKind(everything, 'everything', { alone: PLACES.alone })
})

test('the module-level function', { skip: withoutHeap }, () => {
  const { tape } = makePair()
  const before = packCounts()
  let messages = 0
  for (const table of [arrays.samples, objects.samples, ...Object.values(builtIns), classes.samples]) {
    for (const [name, make] of Object.entries(table)) {
      const value = make()
      const bytes = pack(value)
      messages++
      assert.ok(bytes.equals(tape.pack(value)), name)
    }
  }
  assert.deepEqual(packCounts(), { ...before, heap: before.heap + messages })
})

test('prototypes that were borrowed', { skip: withoutHeap }, () => {
  for (const [name, make] of Object.entries(classes.borrowed)) {
    for (let round = 0; round < 3; round++) comparePair(makePair(), make(), name)
  }
})
