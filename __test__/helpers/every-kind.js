'use strict'

// Random values with objects of every kind that can be packed, which may be shared and may hold themselves, built from
// a seeded source.

const { Bare, Both, Listed, Payload, Point, Row, Wrapped } = require('./registered-classes')

// Each is the same key again as a number that is turned back into text, if it is a number at all.
const KEYS = [
  'id',
  'name',
  'value',
  'keys',
  'x',
  'a longer name of a key',
  'ключ',
  '\u{1f600} key',
  '0',
  '17',
  '-1',
]
const TEXTS = [
  '',
  'abc',
  'abcd',
  'some longer text',
  'é text é',
  '日本語テキスト',
  '\u{1f600}\u{1f600}',
  'a half: \ud83d',
]
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  63,
  64,
  127,
  128,
  255,
  300,
  70_000,
  -33,
  -129,
  -40_000,
  5e9,
  -5e9,
  0.5,
  1.1,
  7.99,
  2 ** 53,
]
const OTHER_NUMBERS = [NaN, Infinity, -Infinity, 1e300, 1.1234567890123]
const BIGINTS = [0n, 1n, -5n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, 2n ** 64n - 1n]
const LARGE_BIGINTS = [
  2n ** 64n,
  -(2n ** 63n) - 1n,
  2n ** 127n,
  -(2n ** 127n),
  2n ** 127n - 1n,
  10n ** 40n,
  -(10n ** 41n),
]
const HUGE_BIGINTS = [2n ** 65_536n, -(2n ** 65_536n) - 1n, 2n ** 65_535n, 2n ** 70_000n]
const TIMES = [
  0,
  1,
  1e12,
  1_532_219_539_733,
  -1,
  -62_135_596_800_000,
  2 ** 32 * 1000,
  2 ** 34 * 1000,
  8.64e15,
  -8.64e15,
]
const LENGTHS = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31]
const LONG_LENGTHS = [254, 255, 256, 300]
const VIEWS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
]
const ERRORS = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]

class Instance {
  constructor(value) {
    this.value = value
  }
}

class AsJSON {
  constructor(value) {
    this.value = value
  }
  toJSON() {
    return this.value
  }
}

class OwnSet extends Set {}
class OwnDate extends Date {}
class OwnError extends Error {}
class OwnRegExp extends RegExp {}
class ListedSet extends Set {
  toJSON() {
    return [...this]
  }
}
class TextDate extends Date {
  toJSON() {
    return 'a date'
  }
}

class EveryKind {
  /**
   * `cycles`: an object may hold itself. `largeIntegers`: how likely a bigint has more than 64 bits. `faithful`: only
   * what unpacking gives back as it was. `maps`, `extensions`: whether there are Maps, and instances of registered
   * classes.
   */
  constructor(
    random,
    { cycles = false, largeIntegers = 0.2, faithful = false, maps = true, extensions = true } = {},
  ) {
    Object.assign(this, { random, cycles, largeIntegers })
    const isWanted = (name) => (maps || name !== 'map') && (extensions || !EXTENDED.includes(name))
    const namesOf = (kinds, unfaithful) =>
      Object.keys(faithful ? kinds : { ...kinds, ...unfaithful }).filter(isWanted)
    this.branches = namesOf(BRANCHES, UNFAITHFUL_BRANCHES)
    this.leaves = namesOf(LEAVES, UNFAITHFUL_LEAVES)
    /** Objects to be met again. */
    this.pool = []
    /** Those that are being filled, with what they are. */
    this.open = []
    /** What lies between an object and its place within itself, of all such places. */
    this.cyclicThrough = new Set()
  }

  make() {
    this.pool = []
    this.open = []
    this.cyclicThrough = new Set()
    return this.value(1 + this.random.below(5))
  }

  value(depth) {
    const { random } = this
    if (random.chance(0.12)) {
      const again = this.again()
      if (again !== undefined) return again
    }
    if (depth <= 0 || random.chance(0.35)) return this.leaf()
    const kind = random.pick(this.branches)
    return (BRANCHES[kind] ?? UNFAITHFUL_BRANCHES[kind])(this, depth - 1)
  }

  leaf() {
    const { random } = this
    const kind = random.pick(this.leaves)
    const value = (LEAVES[kind] ?? UNFAITHFUL_LEAVES[kind])(this)
    if ((typeof value === 'object' || typeof value === 'function') && value !== null) this.pool.push(value)
    return value
  }

  again() {
    const { random, open } = this
    if (this.cycles && open.length > 0 && random.chance(0.3)) {
      const chosen = random.below(open.length)
      const from = open.findIndex(({ object }) => object === open[chosen].object)
      for (const { kind } of open.slice(from)) this.cyclicThrough.add(kind)
      return open[from].object
    }
    return this.pool.length > 0 ? random.pick(this.pool) : undefined
  }

  /** Has `fill` put values into `object`, which may hold itself meanwhile. */
  fill(kind, object, fill) {
    this.open.push({ kind, object })
    fill(object)
    this.open.pop()
    this.pool.push(object)
    return object
  }

  /** A new object made of one value, which cannot hold the object. */
  around(kind, depth, make) {
    this.open.push({ kind, object: this.open.at(-1)?.object ?? null })
    const inner = this.value(depth)
    this.open.pop()
    const object = make(inner)
    this.pool.push(object)
    return object
  }

  putProperties(object, depth) {
    for (let count = this.random.below(5); count > 0; count--)
      object[this.random.pick(KEYS)] = this.value(depth)
  }

  length() {
    return this.random.pick(this.random.chance(0.05) ? LONG_LENGTHS : LENGTHS)
  }
}

const filled = (kind, make, fill) => (values, depth) =>
  values.fill(kind, make(values), (object) => fill(values, object, depth))

const plain = filled(
  'object',
  () => ({}),
  (values, object, depth) => values.putProperties(object, depth),
)

const array = filled(
  'array',
  () => [],
  (values, list, depth) => {
    for (let count = values.random.below(6); count > 0; count--) list.push(values.value(depth))
  },
)

/** What can be packed and comes back as what it was. */
const BRANCHES = {
  plain,
  'plain again': plain,
  array,
  'array again': array,
  rows: (values, depth) => {
    const keys = Array.from({ length: 1 + values.random.below(3) }, () => values.random.pick(KEYS))
    return Array.from({ length: values.random.below(6) }, () =>
      Object.fromEntries(keys.map((key) => [key, values.value(depth - 1)])),
    )
  },
  map: filled(
    'map',
    () => new Map(),
    (values, map, depth) => {
      for (let count = values.random.below(4); count > 0; count--) {
        map.set(values.random.chance(0.97) ? values.random.pick(KEYS) : values.leaf(), values.value(depth))
      }
    },
  ),
  set: filled(
    'set',
    () => new Set(),
    (values, set, depth) => {
      for (let count = values.random.below(4); count > 0; count--) set.add(values.value(depth))
    },
  ),
  error: filled(
    'error',
    ({ random }) => new (random.pick(ERRORS))(random.pick(TEXTS)),
    (values, error, depth) => {
      if (values.random.chance(0.5)) error.cause = values.value(depth)
    },
  ),
  'aggregate error': filled(
    'error',
    () => new AggregateError([], 'several'),
    (values, error, depth) => {
      for (let count = values.random.below(3); count > 0; count--) error.errors.push(values.value(depth))
    },
  ),
  point: filled(
    'extension',
    () => new Point(),
    (values, point, depth) => {
      point.x = values.value(depth)
    },
  ),
  wrapped: filled(
    'extension',
    () => new Wrapped(),
    (values, wrapped, depth) => {
      wrapped.inner = values.value(depth)
    },
  ),
  row: filled(
    'row',
    () => new Row(),
    (values, row, depth) => {
      for (let count = values.random.below(3); count > 0; count--) row.push(values.value(depth))
    },
  ),
}

const LEAVES = {
  number: ({ random }) => random.pick(random.chance(0.9) ? NUMBERS : OTHER_NUMBERS),
  'number again': ({ random }) => random.below(300) - 50,
  text: ({ random }) => random.pick(TEXTS),
  'repeated text': ({ random }) => random.pick(TEXTS).repeat(random.below(random.chance(0.1) ? 600 : 12)),
  'null or a boolean': ({ random }) => random.pick([null, true, false]),
  undefined: () => undefined,
  bigint: ({ random, largeIntegers }) => {
    if (!random.chance(largeIntegers)) return random.pick(BIGINTS)
    return random.pick(random.chance(0.05) ? HUGE_BIGINTS : LARGE_BIGINTS)
  },
  date: ({ random }) => new Date(random.pick(TIMES) + random.below(2000)),
  'invalid date': () => new Date(NaN),
  buffer: (values) => values.random.bytes(values.length()),
  view: (values) => {
    const { random } = values
    const Class = random.pick(VIEWS)
    const size = Class.BYTES_PER_ELEMENT ?? 1
    const bytes = new Uint8Array(size * (values.length() + 2)).map(() => random.below(256))
    const start = random.below(2)
    return new Class(bytes.buffer, start * size, bytes.length / size - 2)
  },
  'array buffer': (values) => Uint8Array.from(values.random.bytes(values.length())).buffer,
  regexp: ({ random }) =>
    new RegExp(random.pick(['a+b', '[é]', '(?:)', '\\/']), random.pick(['', 'gi', 'u', 'y'])),
  payload: (values) => new Payload(values.random.bytes(values.length())),
  listed: (values) => new Listed([...values.random.bytes(values.length())]),
}

/** What comes back as something else. */
const UNFAITHFUL_BRANCHES = {
  'without a prototype': filled(
    'object',
    () => Object.create(null),
    (values, object, depth) => values.putProperties(object, depth),
  ),
  instance: filled(
    'object',
    () => new Instance(),
    (values, instance, depth) => {
      instance.value = values.value(depth)
    },
  ),
  'with a getter': (values, depth) =>
    values.around('object', depth, (inner) => ({
      get value() {
        return inner
      },
      [Symbol('left out')]: 1,
    })),
  'with holes': (values, depth) =>
    values.around('array', depth, (inner) => Object.assign(new Array(3), { 1: inner })),
  'a proxy of an object': (values, depth) =>
    values.around('object', depth, (inner) => new Proxy({ inner }, {})),
  'a proxy of an array': (values, depth) =>
    values.around('array', depth, (inner) => new Proxy([inner, 1], {})),
  frozen: (values, depth) => values.around('object', depth, (inner) => Object.freeze({ inner, list: [] })),
  'by toJSON': (values, depth) => values.around('toJSON', depth, (inner) => new AsJSON(inner)),
  'a set by toJSON': (values, depth) => values.around('toJSON', depth, (inner) => new ListedSet([inner])),
  'of a subclass of Set': (values, depth) => values.around('set', depth, (inner) => new OwnSet([inner])),
  'of a subclass of Error': (values, depth) =>
    values.around('error', depth, (cause) => new OwnError('own', { cause })),
  'an error of another name': (values, depth) =>
    values.around('error', depth, (cause) =>
      Object.assign(new Error('named', { cause }), { name: 'NameOfIts' }),
    ),
  bare: (values, depth) => values.around('extension', depth, (inner) => new Bare(inner)),
  both: (values, depth) => values.around('extension', depth, (inner) => new Both(inner)),
  arguments: (values, depth) =>
    values.around('object', depth, function collect() {
      // biome-ignore lint/complexity/noArguments: they are the value
      return arguments
    }),
}

const UNFAITHFUL_LEAVES = {
  function: () => () => 1,
  class: () => class Anonymous {},
  boxed: ({ random }) =>
    random.pick([new Number(1), new String('hi'), new Boolean(true), Object(1n), Object(Symbol('s'))]),
  'of a subclass of Date': ({ random }) => new OwnDate(random.pick(TIMES)),
  'of a subclass of RegExp': () => new OwnRegExp('own', 'i'),
  'a date by toJSON': () => new TextDate(0),
  other: ({ random }) =>
    random.pick([
      () => Promise.resolve(1),
      () => new WeakMap(),
      () => new SharedArrayBuffer(3),
      () => new URL('http://a/b'),
      () => new DOMException('gone', 'AbortError'),
      () => [1][Symbol.iterator](),
      () => new (class {})(),
    ])(),
}

/** Those of registered classes. */
const EXTENDED = ['point', 'wrapped', 'row', 'bare', 'both', 'payload', 'listed']

module.exports = { EveryKind }
