'use strict'

// Random values: the bytes must be msgpackr's, and each must read what the other wrote. Values on which this package
// deliberately differs are left out.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const msgpackr = require('msgpackr')
const ferropack = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { randomValue } = require('../helpers/random-value')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

// A run as a part of another suite may ask for fewer.
const VALUES = Number(process.env.FERROPACK_VALUES) || (full ? 20_000 : 2_000)
const DEPTH = 4

const CHOICES = {
  variableMapSize: [true, false],
  coercibleKeyAsNumber: [true, false],
  encodeUndefinedAsNil: [true, false],
  useFloat32: [0, 1, 3, 4],
  int64AsType: ['bigint', 'number', 'string', 'auto'],
  int64AsNumber: [true, false],
  mapsAsObjects: [true, false],
  useToJSON: [true, false],
}

function randomOptions(random) {
  const options = { useRecords: false }
  for (const [name, values] of Object.entries(CHOICES))
    if (random.chance(0.4)) options[name] = random.pick(values)
  return options
}

// msgpackr also makes numbers of keys that do not turn back into the same key.
const survivesCoercion = (key) => Number.isNaN(Number(key)) || String(Number(key)) === key

// The keys of a Map count too: they are those of an object once it was read.
function keysSurvive(value) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true
  if (value instanceof Map) {
    return [...value].every(([key, item]) => survivesCoercion(String(key)) && keysSurvive(item))
  }
  if (Array.isArray(value) || value instanceof Set) return [...value].every(keysSurvive)
  return Object.keys(value).every((key) => survivesCoercion(key) && keysSurvive(value[key]))
}

function compare(ours, theirs, value) {
  const bytes = theirs.pack(value)
  assert.equal(toHex(ours.pack(value)), toHex(bytes))
  const expected = theirs.unpack(bytes)
  assertSame(ours.unpack(bytes), expected, 'ours reads theirs')
  assertSame(theirs.unpack(ours.pack(value)), expected, 'theirs reads ours')
  assert.equal(toHex(ours.pack(expected)), toHex(theirs.pack(expected)), 'packed again')
}

function run(t, values, round) {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  let compared = 0
  for (let i = 0; i < values; i++) {
    try {
      if (round(random)) compared++
    } catch (error) {
      error.message = `FERROPACK_SEED=${seed}, value ${i}: ${error.message}`
      throw error
    }
  }
  assert.ok(compared > values * 0.6, `${compared} of ${values} compared`)
}

test('module-level functions', (t) => {
  run(t, VALUES, (random) => {
    compare(ferropack, msgpackr, randomValue(random, DEPTH))
    return true
  })
})

test('instances with random options', (t) => {
  run(t, VALUES, (random) => {
    const options = randomOptions(random)
    const value = randomValue(random, DEPTH)
    if (options.coercibleKeyAsNumber && !keysSurvive(value)) return false
    try {
      compare(new ferropack.Packr(options), new msgpackr.Packr({ ...options }), value)
    } catch (error) {
      error.message = `${JSON.stringify(options)}: ${error.message}`
      throw error
    }
    return true
  })
})

test('one instance for many values', (t) => {
  const options = { useRecords: false, variableMapSize: true, int64AsType: 'auto' }
  const ours = new ferropack.Packr(options)
  const theirs = new msgpackr.Packr({ ...options })
  run(t, VALUES / 2, (random) => {
    compare(ours, theirs, randomValue(random, DEPTH))
    return true
  })
})
