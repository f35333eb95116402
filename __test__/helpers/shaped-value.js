'use strict'

// Random values whose objects often have the same keys, built from a seeded source: what records are about.

const { randomValue } = require('./random-value')

// Each is the same key again as a number that is turned back into text, if it is a number at all.
const KEYS = [
  'id',
  'name',
  'value',
  'items',
  'a',
  'b',
  'c',
  'd',
  'x',
  'y',
  'z',
  'type',
  'created at',
  'a key that is longer than 31 bytes, as keys go',
  '\u00e9t\u00e9',
  '\u4f60',
  '\u{1f600}',
  '0',
  '1',
  '17',
  '-1',
]

/** Lists of keys, of which some differ in order only, or begin alike. */
function randomKeyLists(random, count) {
  const lists = new Map([['', []]])
  while (lists.size < count) {
    const other = random.pick([...lists.values()])
    const keys = random.chance(0.4) ? [...other] : []
    const length = 1 + random.below(random.chance(0.05) ? 20 : 5)
    for (let i = 0; i < length; i++) keys.push(random.pick(KEYS))
    const own = Object.keys(Object.fromEntries(keys.map((key) => [key, 0])))
    lists.set(own.join(), own)
  }
  return [...lists.values()]
}

class ShapedValues {
  /** `binary`: whether there may be binary data in a value. */
  constructor(random, keyLists, { binary = true } = {}) {
    this.random = random
    this.keyLists = keyLists
    this.binary = binary
  }

  make() {
    const { random } = this
    if (random.chance(0.05)) return this.leaf()
    return random.chance(0.5) ? this.object(random.below(4)) : this.array(1 + random.below(3))
  }

  value(depth) {
    const { random } = this
    if (depth <= 0 || random.chance(0.4)) return this.leaf()
    switch (random.below(8)) {
      case 0:
        return this.map(depth - 1)
      case 1:
        return new Set([this.value(depth - 1), this.value(depth - 1)])
      case 2:
      case 3:
        return this.array(depth)
      default:
        return this.object(depth)
    }
  }

  leaf() {
    for (;;) {
      const value = randomValue(this.random, 0)
      if (this.binary || !ArrayBuffer.isView(value)) return value
    }
  }

  object(depth, keys = this.random.pick(this.keyLists)) {
    const object = this.random.chance(0.05) ? Object.create(null) : {}
    for (const key of keys) object[key] = this.value(depth - 1)
    return object
  }

  /** Rows of one shape, or objects of any. */
  array(depth) {
    const { random } = this
    const length = random.below(random.chance(0.1) ? 80 : 8)
    const keys = random.chance(0.4) ? random.pick(this.keyLists) : undefined
    return Array.from({ length }, () =>
      random.chance(0.8) ? this.object(depth - 1, keys) : this.value(depth - 1),
    )
  }

  map(depth) {
    const map = new Map()
    for (let i = this.random.below(4); i > 0; i--) map.set(this.random.pick(KEYS), this.value(depth))
    return map
  }
}

module.exports = { ShapedValues, randomKeyLists }
