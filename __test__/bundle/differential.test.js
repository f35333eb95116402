'use strict'

// Random values full of text, packed with bundles by both walkers and by msgpackr: the bytes are the same.

const { test } = require('node:test')
const { inspect } = require('node:util')
const msgpackr = require('msgpackr')
const { Packr } = require('../helpers/ferropack')
const { full } = require('../helpers/mode')
const { assertBytes } = require('../helpers/round-trip')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const SEQUENCES = full ? 4000 : 250
const MESSAGES = 5

const SETS = {
  records: () => ({}),
  'two records': () => ({ maxOwnStructures: 2 }),
  'two-byte records': () => ({ maxOwnStructures: 100 }),
  'shared structures': () => ({ structures: [] }),
  'few shared structures': () => ({ structures: [], maxSharedStructures: 2, maxOwnStructures: 2 }),
  references: () => ({ structuredClone: true }),
  'references and maps': () => ({ structuredClone: true, useRecords: false }),
  'a sequence': () => ({ sequential: true }),
  'records for some': () => ({ useRecords: (object) => Object.keys(object).length % 3 !== 0 }),
  maps: () => ({ useRecords: false }),
  'small maps': () => ({ useRecords: false, variableMapSize: true }),
  'maps as Maps': () => ({ useRecords: false, mapsAsObjects: false, encodeUndefinedAsNil: true }),
  'numeric keys': () => ({ useRecords: false, coercibleKeyAsNumber: true }),
  'floats of 32 bits': () => ({ useFloat32: 4, useToJSON: false }),
}

const LENGTHS = [0, 1, 3, 3, 4, 4, 5, 8, 9, 16, 20, 33]
const LONG = [63, 64, 100, 127, 128, 255, 256, 1000, 3000, 4094, 4095, 4096, 5000]
const NARROW = ['a', 'b', ' ', '0', '\0', '\u007f']
const LATIN1 = ['\u0080', '\u00e9', '\u00ff']
const WIDE = [
  '\u07ff',
  '\u20ac',
  '\u4f60',
  '\ufeff',
  '\uffff',
  '\u{1f600}',
  '\ud800',
  '\ud83d',
  '\ude00',
  '\udfff',
]
/**
 * One of so many characters of a text may be wide: no bundle is then longer than 65,535 bytes, which msgpackr can not
 * write.
 */
const WIDE_AMONG = 4

class TextualValues {
  constructor(random) {
    this.random = random
    this.made = []
    const keys = Array.from({ length: 12 }, () => this.text(random.pick(LENGTHS)))
    // msgpackr takes these for numbers, from which they do not come back.
    this.keys = keys.map((key) =>
      Number.isNaN(Number(key)) || String(Number(key)) === key ? key : `key ${key}`,
    )
  }

  text(length) {
    const { random } = this
    const kind = random.below(10)
    const characters = kind < 5 ? NARROW : [...NARROW, ...LATIN1]
    const period = Array.from({ length: 40 }, (_, i) =>
      random.pick(kind >= 7 && i % WIDE_AMONG === 0 ? WIDE : characters),
    ).join('')
    // Half a pair may be cut off.
    return period.repeat(Math.ceil(length / period.length)).slice(0, length)
  }

  string() {
    const { random } = this
    const text = this.text(random.pick(random.chance(0.15) ? LONG : LENGTHS))
    // Parts that V8 has not put together yet.
    return random.chance(0.2) ? `${text}${random.below(100)}${random.pick(this.keys)}` : text
  }

  /** A value, or one that was made before. */
  value(depth) {
    const { random, made } = this
    if (made.length > 0 && random.chance(0.06)) return random.pick(made)
    const value = this.newValue(depth)
    if (typeof value === 'object' && value !== null) made.push(value)
    return value
  }

  newValue(depth) {
    const { random } = this
    const kind = depth > 0 ? random.below(16) : random.below(8)
    if (kind < 5) return this.string()
    if (kind < 8) return random.pick([random.below(300) - 100, null, true, undefined, random.fraction(), 7n])
    const length = random.below(random.chance(0.1) ? 30 : 6)
    const next = () => this.value(depth - 1)
    if (kind < 10) return Array.from({ length }, next)
    if (kind === 10) return new Map(Array.from({ length }, () => [this.string(), next()]))
    if (kind === 11) return new Set(Array.from({ length }, next))
    if (kind === 12)
      return random.pick([new Date(random.uint32()), random.bytes(9), /some (text)/gi, new Error('message')])
    const keys = Array.from({ length }, () => random.pick(this.keys))
    const row = () => Object.fromEntries(keys.map((key) => [key, next()]))
    return kind === 13 ? Array.from({ length: random.below(8) }, row) : row()
  }

  message() {
    this.made = []
    const root = this.value(4)
    return this.random.chance(0.3) ? Array.from({ length: 20 }, () => this.value(3)) : root
  }
}

function compare([byHeap, byTape, reference], value, label) {
  const expected = reference.pack(value)
  assertBytes(byHeap.pack(value), expected, label)
  assertBytes(byTape.pack(value), expected, `${label}, by the tape walker`)
}

for (const [name, makeOptions] of Object.entries(SETS)) {
  test(name, (t) => {
    const seed = chosenSeed()
    t.diagnostic(`FERROPACK_SEED=${seed}`)
    const random = randomFrom(seed)
    for (let sequence = 0; sequence < SEQUENCES / 10; sequence++) {
      const values = new TextualValues(random)
      const options = () => ({ bundleStrings: true, ...makeOptions() })
      const packrs = [
        new Packr(options()),
        new Packr({ ...options(), heap: false }),
        new msgpackr.Packr(options()),
      ]
      for (let i = 0; i < MESSAGES; i++) {
        const value = values.message()
        const label = `${name}, seed ${seed}, message ${sequence}.${i}`
        try {
          compare(packrs, value, label)
        } catch (error) {
          t.diagnostic(inspect(value, { depth: 5, maxStringLength: 100, maxArrayLength: 20 }))
          throw error
        }
      }
    }
  })
}
