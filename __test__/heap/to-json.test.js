'use strict'

// toJSON that comes and goes on prototypes between calls. Each state must count in the very next call, whatever was
// learned about a class before.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { unpack } = require('../helpers/ferropack')
const { assertSame } = require('../helpers/same')
const { withoutHeap, makePair, comparePair } = require('../helpers/walkers')

const skip = withoutHeap

/** Packs what `make` gives a few times under options with and without toJSON, and returns what it is read as. */
function checker(make) {
  const pair = makePair()
  const without = makePair({ useToJSON: false })
  return (message, expected) => {
    let bytes
    for (let i = 0; i < 3; i++) {
      bytes = comparePair(pair, make(), message).bytes
      comparePair(without, make(), `${message}, useToJSON: false`)
      comparePair(pair, [make(), { inner: make() }], `${message}, nested`)
    }
    if (expected !== undefined) assertSame(unpack(bytes), expected, message)
  }
}

function makeClass() {
  return class Own {
    constructor() {
      this.a = 1
      this.b = 'two'
    }
    method() {}
  }
}

const FIELDS = { a: 1, b: 'two' }

function readOften(object) {
  for (let i = 0; i < 300; i++) if (object.method === undefined) throw new Error('no method')
}

const MODES = {
  'new prototype': () => {},
  'prototype that was read often': (prototype) => readOften(Object.create(prototype)),
  'dictionary prototype': (prototype) => {
    for (let i = 0; i < 40; i++) prototype[`member${i}`] = i
    delete prototype.member0
  },
  'dictionary prototype that was read often': (prototype) => {
    for (let i = 0; i < 200; i++) prototype[`member${i}`] = i
    delete prototype.member0
    readOften(Object.create(prototype))
  },
  'prototype with a tag symbol': (prototype) => {
    prototype[Symbol.toStringTag] = 'Own'
  },
  'prototype with a symbol key': (prototype) => {
    prototype[Symbol('other')] = 1
  },
}

const json = () => 'json'
const otherJson = () => ['other']

/** The changes, each with what the instance is read as after it. */
const CHANGES = [
  ['added', (prototype) => Object.assign(prototype, { toJSON: json }), 'json'],
  ['overwritten', (prototype) => Object.assign(prototype, { toJSON: otherJson }), ['other']],
  ['made undefined', (prototype) => Object.assign(prototype, { toJSON: undefined }), FIELDS],
  ['made null', (prototype) => Object.assign(prototype, { toJSON: null }), FIELDS],
  ['a function again', (prototype) => Object.assign(prototype, { toJSON: json }), 'json'],
  ['deleted', (prototype) => delete prototype.toJSON, FIELDS],
  [
    'hidden',
    (prototype) => Object.defineProperty(prototype, 'toJSON', { value: json, configurable: true }),
    'json',
  ],
  ['deleted again', (prototype) => delete prototype.toJSON, FIELDS],
  [
    'an accessor',
    (prototype) => Object.defineProperty(prototype, 'toJSON', { get: () => json, configurable: true }),
    'json',
  ],
  [
    'an accessor of nothing',
    (prototype) => Object.defineProperty(prototype, 'toJSON', { get: () => undefined, configurable: true }),
    FIELDS,
  ],
  ['deleted at last', (prototype) => delete prototype.toJSON, FIELDS],
]

for (const [mode, prepare] of Object.entries(MODES)) {
  test(`on a class, ${mode}`, { skip }, () => {
    const Own = makeClass()
    prepare(Own.prototype)
    const check = checker(() => new Own())
    check('before', FIELDS)
    for (const [name, change, expected] of CHANGES) {
      change(Own.prototype)
      check(name, expected)
    }
  })

  test(`on a base class, ${mode}`, { skip }, () => {
    const Base = makeClass()
    class Middle extends Base {}
    class Derived extends Middle {
      c = 3
    }
    prepare(Base.prototype)
    const check = checker(() => new Derived())
    check('before', { ...FIELDS, c: 3 })
    for (const [name, change, expected] of CHANGES) {
      change(Base.prototype)
      check(name, expected === FIELDS ? { ...FIELDS, c: 3 } : expected)
    }
  })

  test(`on the class between, which hides that of the base, ${mode}`, { skip }, () => {
    const Base = makeClass()
    class Middle extends Base {}
    class Derived extends Middle {}
    Base.prototype.toJSON = () => 'of the base'
    prepare(Middle.prototype)
    const check = checker(() => new Derived())
    check('of the base', 'of the base')
    Middle.prototype.toJSON = undefined
    check('hidden by undefined', FIELDS)
    Middle.prototype.toJSON = json
    check('hidden by another', 'json')
    delete Middle.prototype.toJSON
    check('shown again', 'of the base')
    delete Base.prototype.toJSON
    check('gone', FIELDS)
  })
}

test('one instance that is kept', { skip }, () => {
  const Own = makeClass()
  const instance = new Own()
  const check = checker(() => instance)
  check('before', FIELDS)
  for (let round = 0; round < 3; round++) {
    for (const [name, change, expected] of CHANGES) {
      change(Own.prototype)
      check(`${name}, round ${round}`, expected)
    }
  }
})

test('as an own property', { skip }, () => {
  const Own = makeClass()
  const instance = new Own()
  const check = checker(() => instance)
  check('before', FIELDS)
  instance.toJSON = json
  check('added', 'json')
  delete instance.toJSON
  check('deleted, now in dictionary mode', FIELDS)
  Object.defineProperty(instance, 'toJSON', { value: json, configurable: true })
  check('hidden', 'json')
  delete instance.toJSON
  instance.toJSON = 0
  check('falsy', { ...FIELDS, toJSON: 0 })
})

test('another prototype', { skip }, () => {
  const Own = makeClass()
  class Json {
    toJSON() {
      return 'json'
    }
  }
  const instance = new Own()
  const check = checker(() => instance)
  check('before', FIELDS)
  Object.setPrototypeOf(instance, Json.prototype)
  check('of the instance', 'json')
  Object.setPrototypeOf(instance, Own.prototype)
  check('of the instance, set back', FIELDS)
  Object.setPrototypeOf(Own.prototype, Json.prototype)
  check('of the class', 'json')
  Object.setPrototypeOf(Own.prototype, null)
  check('none above the class', FIELDS)
  Object.setPrototypeOf(Own.prototype, { toJSON: otherJson })
  check('a plain object above the class', ['other'])
  Object.setPrototypeOf(Own.prototype, Object.prototype)
  check('at last', FIELDS)
  Object.setPrototypeOf(instance, null)
  check('no prototype', FIELDS)
})

/** Objects of all sorts that may stand in a chain of prototypes. */
const PROTOTYPES = {
  array: () => ['a', 'b'],
  function: () => function named() {},
  class: () => class Named {},
  'bound function': () => Math.max.bind(null),
  date: () => new Date(5),
  Map: () => new Map([[1, 2]]),
  'boxed text': () => new String('text'),
  'boxed number': () => new Number(1),
  'typed array': () => new Uint8Array(3),
  arguments: () => new Function('return arguments')(1, 2),
  'sloppy arguments': () => new Function('a', 'a = 2; return arguments')(1),
  promise: () => Promise.resolve(1),
  globalThis: () => globalThis,
  'environment of the process': () => process.env,
  'target of a proxy': () => ({}),
  'object with elements': () => ({ 0: 'a', 1: 'b' }),
  'object in dictionary mode': () => Object.create(null),
  Math: () => Math,
  generator: () => (function* generate() {})(),
  iterator: () => [][Symbol.iterator](),
  'object of another realm': () => require('node:vm').runInNewContext('({})'),
}

for (const [name, makePrototype] of Object.entries(PROTOTYPES)) {
  test(`in a chain of prototypes: ${name}`, { skip }, () => {
    const holder = makePrototype()
    const inChain = name === 'target of a proxy' ? new Proxy(holder, {}) : holder
    const near = Object.assign(Object.create(inChain), FIELDS)
    class Own {}
    Object.setPrototypeOf(Own.prototype, inChain)
    const far = Object.assign(new Own(), FIELDS)
    const checks = [checker(() => near), checker(() => far)]
    const checkAll = (when) => checks.forEach((check, i) => void check(`${when}, ${i}`))
    checkAll('before')
    try {
      for (let round = 0; round < 2; round++) {
        // The environment holds only text, which is then called and is no function.
        Object.defineProperty(holder, 'toJSON', {
          value: name === 'environment of the process' ? 'text' : json,
          configurable: true,
          enumerable: true,
          writable: true,
        })
        checkAll('added')
        delete holder.toJSON
        checkAll('deleted')
      }
    } finally {
      delete holder.toJSON
    }
  })
}

test('an object without a prototype', { skip }, () => {
  for (const make of [() => Object.create(null), () => ({ __proto__: null })]) {
    const object = Object.assign(make(), FIELDS)
    const check = checker(() => object)
    check('before', FIELDS)
    object.toJSON = json
    check('added', 'json')
    object.toJSON = null
    check('null', { ...FIELDS, toJSON: null })
    delete object.toJSON
    check('deleted', FIELDS)
  }
})

// What is written by its kind does not ask for toJSON; the rest does, down to boxed values.
test('on Object.prototype', { skip }, () => {
  const Own = makeClass()
  const kinds = {
    instance: () => new Own(),
    plain: () => ({ a: 1 }),
    array: () => [1, { a: 1 }],
    date: () => new Date(5),
    map: () => new Map([[1, new Own()]]),
    set: () => new Set([new Own()]),
    bytes: () => Buffer.from('x'),
    number: () => new Number(1),
    text: () => new String('hi'),
    bigint: () => [Object(1n), 1n],
    'without a prototype': () => Object.assign(Object.create(null), { a: 1 }),
  }
  const checks = Object.entries(kinds).map(([name, make]) => [name, checker(make)])
  const checkAll = (when) => {
    for (const [name, check] of checks) check(`${name}, ${when}`)
  }
  checkAll('before')
  for (let round = 0; round < 2; round++) {
    try {
      for (const [when, change] of CHANGES) {
        change(Object.prototype)
        checkAll(when)
      }
    } finally {
      delete Object.prototype.toJSON
    }
    checkAll('cleaned')
  }
})

for (const Type of [BigInt, Number, String, Boolean, Symbol, Array, Map, Set, Date, Uint8Array, Function]) {
  test(`on ${Type.name}.prototype`, { skip }, () => {
    const samples = [
      1n,
      5,
      'x',
      true,
      [1, [2]],
      new Map([[1, 2]]),
      new Set([1]),
      new Date(5),
      Buffer.from('x'),
      new Uint16Array(2),
    ]
    const boxed = [Object(1n), new Number(1), new String('hi'), new Boolean(true), Object(Symbol('s'))]
    const check = checker(() => [...samples, ...boxed])
    const { toJSON: original } = Object.getOwnPropertyDescriptors(Type.prototype)
    check('before')
    try {
      for (const [name, change] of CHANGES) {
        change(Type.prototype)
        check(name)
      }
    } finally {
      delete Type.prototype.toJSON
      if (original) Object.defineProperty(Type.prototype, 'toJSON', original)
    }
    check('cleaned')
  })
}

test('keys that only look like it', { skip }, () => {
  const Own = makeClass()
  const check = checker(() => new Own())
  for (const key of [
    Symbol('toJSON'),
    Symbol.for('toJSON'),
    'tojson',
    'toJson',
    'toJSON ',
    'toString',
    'toLocaleString',
  ]) {
    Own.prototype[key] = json
    check(String(key), FIELDS)
  }
  Own.toJSON = json
  check('static', FIELDS)
  Own.prototype.toJSON = json
  check('the real one among them', 'json')
})

test('many classes, some with it', { skip }, () => {
  const classes = Array.from({ length: 60 }, (_, i) => {
    const Own = makeClass()
    if (i % 7 === 3) Own.prototype.toJSON = () => `json ${i}`
    return Own
  })
  const pair = makePair()
  for (let round = 0; round < 3; round++) {
    for (const [i, Own] of classes.entries()) {
      const { bytes } = comparePair(pair, new Own(), `class ${i}`)
      assertSame(unpack(bytes), (i + round) % 7 === 3 ? `json ${i}` : FIELDS)
      if ((i + round) % 7 === 3) delete Own.prototype.toJSON
      if ((i + round + 1) % 7 === 3) Own.prototype.toJSON = () => `json ${i}`
    }
  }
})

test('it is found with another string of the same text', { skip }, () => {
  const Own = makeClass()
  const check = checker(() => new Own())
  check('before', FIELDS)
  Own.prototype[['to', 'JSON'].join('')] = json
  check('after', 'json')
  delete Own.prototype[Buffer.from('toJSON').toString('latin1')]
  check('deleted', FIELDS)
})

test('useToJSON changed between calls', { skip }, () => {
  const Own = makeClass()
  Own.prototype.toJSON = json
  const pair = makePair()
  for (const useToJSON of [true, false, true, undefined, false, true]) {
    pair.heap.useToJSON = useToJSON
    pair.tape.useToJSON = useToJSON
    const { bytes } = comparePair(pair, new Own(), `${useToJSON}`)
    assert.equal(unpack(bytes) === 'json', useToJSON !== false)
  }
})
