'use strict'
// Values of every kind that the heap walker takes, made so that the engine represents each in a known
// way. The self-test reads them by a layout that is on trial. Built-ins are in heap-sample-built-ins.js.

const { builtIns, refusedBuiltIns } = require('./heap-sample-built-ins.js')

/** Objects from which Rust learns the types that V8 does not publish, in the order of its `Samples`. */
function learned() {
  const dictionary = { a: 1, b: 2 }
  delete dictionary.a
  const sparse = []
  sparse[5000] = 1
  return [1n, Object.prototype, [, 1], dictionary, sparse, new Map([[1, 2]]), new Set([1])]
}

/**
 * A plain object whose hidden class is no other's: with those of object literals, what V8 does depends on
 * what a program did before.
 */
function make(init) {
  function Sample() {
    init(this)
  }
  Sample.prototype = Object.prototype
  return new Sample()
}

const withThree = () =>
  make((object) => {
    object.key0 = 0
    object.key1 = 1
    object.key2 = 2.5
  })

/** The number of its keys is one that few literals have. */
const withTwelve = () => ({
  ferropack0: 0,
  b: 1.5,
  c: 'c',
  d: null,
  e: 4,
  f: 5.5,
  g: 6,
  h: 7,
  i: 8,
  j: 9,
  k: 10,
  l: 11,
})

/** Each representation of a field: a small integer, a double, an object, anything. */
const withEveryField = () =>
  make((object) => {
    object.smi = 7
    object.double = 1.5
    object.object = { a: 1 }
    object.any = null
  })

/** An object whose hidden class was given up for one whose field holds more. */
function deprecated() {
  function Old(value) {
    this.deprecatedField = value
    this.other = 1
  }
  Old.prototype = Object.prototype
  const old = new Old(1)
  new Old(2.5)
  new Old('text')
  return old
}

const afterDelete = () =>
  make((object) => {
    object.one = 1
    object.two = 2
    object.three = 'three'
    object.four = [4]
    delete object.two
    object.five = 5
  })

function withoutPrototype() {
  const object = Object.create(null)
  object.b = 1
  object.a = 'x'
  return object
}

const withHidden = () =>
  make((object) => {
    object.shown = 1
    object[Symbol('hidden')] = 2
    Object.defineProperty(object, 'hidden', { value: 3 })
    object.last = 4
  })

const withIndices = () =>
  make((object) => {
    object[2] = 'two'
    object[0] = 'zero'
    object.name = 'x'
  })

function withHash() {
  const object = {}
  new WeakMap().set(object, 1)
  return object
}

/** More fields than V8 leaves room for in an object. No small integers, which could pass for their number. */
const withFieldsOutside = () =>
  make((object) => {
    object.a = 0.5
    object.b = 1.5
    object.c = 'c'
    object.d = null
    object.e = { f: 1 }
    object.f = 5.5
    object.g = 6.5
    object.h = 7.5
    object.i = 8.5
    object.j = 9.5
    object.k = 10.5
    object.l = 11.5
    object.m = true
    object.n = 13.5
    object.o = 14.5
    object.p = 15.5
    object.q = 16.5
    object.r = 17.5
    object.s = 18.5
    object.t = [1]
    object.u = 20.5
    object.v = 21.5
    object.w = 22.5
    object.x = 23.5
  })

function sparseKeys() {
  const object = {}
  object[70000] = 'high'
  object[3] = 'low'
  return object
}

class Point {
  constructor(x, y) {
    this.x = x
    this.y = y
  }
}

function doublesWithUndefined() {
  // A double array that takes undefined becomes one of any values. If a V8 kept undefined among doubles,
  // its kind would tell.
  const array = [1.5, , 2.5]
  array[1] = undefined
  return array
}

function sparseArray() {
  const array = []
  array[2000] = 'far'
  array[1] = 'near'
  return array
}

/** A string that is no part of another. */
const text = (length) =>
  Array.from('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ').slice(0, length).join('')

function leftCons() {
  let string = text(9)
  for (let i = 0; i < 5; i++) string += `${i}, part of a rope`
  return string
}

function rightCons() {
  let string = text(9)
  for (let i = 0; i < 5; i++) string = `${i}, part of a rope${string}`
  return string
}

function wideCons() {
  return `${text(14)}\u4f60\u597d` + leftCons()
}

function slicedOf(parent) {
  return parent.slice(3, 40)
}

/** A string made at run time that is then stored as a key that exists already. */
function thin() {
  const known = { ferropackThinSample: 1 }
  const string = ['ferropack', 'Thin', 'Sample'].join('')
  Object.defineProperty(known, string, { value: 2 })
  return string
}

/** Characters from which on Node keeps text outside the heap. */
const LARGE = 1_040_000

/** Large strings, which take milliseconds to make. */
function large() {
  return {
    oneByte: Buffer.alloc(LARGE, 'external ').toString('latin1'),
    twoByte: Buffer.alloc(2 * LARGE, 'external \u4f60 ', 'utf16le').toString('utf16le'),
  }
}

/** Whether there is room for a field in an object is V8's guess. */
const INSIDE_OR_OUTSIDE = 'object, fields inside or object, fields outside'

/**
 * Samples that are walked: the value, and what the engine should have made of it. `external` is what
 * `large` made.
 */
function walked(v8, external) {
  return [
    // The whole strings would take a while to read.
    [slicedOf(external.oneByte), 'sliced of external one-byte'],
    [slicedOf(external.twoByte), 'sliced of external two-byte'],
    [0, 'smi'],
    [-1, 'smi'],
    [2 ** 31 - 1, 'smi'],
    [-(2 ** 31), 'smi'],
    [1.5, 'heap number'],
    [2 ** 31, 'heap number'],
    [undefined, 'oddball'],
    [null, 'oddball'],
    [true, 'oddball'],
    [false, 'oddball'],
    [{}, 'object, fields inside'],
    [withThree(), INSIDE_OR_OUTSIDE],
    [withTwelve(), 'object, fields inside, 12 of 12 descriptors'],
    [withEveryField(), INSIDE_OR_OUTSIDE],
    [deprecated(), INSIDE_OR_OUTSIDE],
    [withHidden(), INSIDE_OR_OUTSIDE],
    [Object.freeze(withThree()), INSIDE_OR_OUTSIDE],
    [afterDelete(), 'object, dictionary'],
    [withoutPrototype(), 'object, dictionary'],
    [withIndices(), 'object, fields inside, elements or object, fields outside, elements'],
    [sparseKeys(), 'object, fields inside, sparse elements'],
    [withHash(), 'object, fields inside'],
    [withFieldsOutside(), 'object, fields outside, 24 of 24 descriptors'],
    [new Point(1, 'y'), 'object, fields inside'],
    // Three of a class, so that a plan is made, compared and used.
    [[new Point(1, 2), new Point(3, 4), new Point(5, 6)], 'array, kind 2'],
    [
      [
        { a: 1, long_key_name: 'b' },
        { a: 2, long_key_name: 'c' },
        { a: 3, long_key_name: 'd' },
      ],
      'array, kind 2',
    ],
    [[], 'array, kind 0'],
    [[1, 2, 3], 'array, kind 0'],
    [[1, , 3], 'array, kind 1'],
    [['a', 1], 'array, kind 2'],
    [['a', , 1], 'array, kind 3'],
    [[1.5, 2.5, 3], 'array, kind 4'],
    [[0, 2.5, 3], 'array, kind 4'],
    [[1.5, , 2.5], 'array, kind 5'],
    [Object.preventExtensions(['a', 1]), 'array, kind 6'],
    [Object.preventExtensions(['a', , 1]), 'array, kind 7'],
    [Object.seal(['a', 1]), 'array, kind 8'],
    [Object.seal(['a', , 1]), 'array, kind 9'],
    [Object.freeze(['a', 1]), 'array, kind 10'],
    [Object.freeze(['a', , 1]), 'array, kind 11'],
    [doublesWithUndefined(), 'array, kind 3'],
    [sparseArray(), 'array, dictionary'],
    ['', 'sequential one-byte'],
    ['a', 'sequential one-byte'],
    ['~', 'sequential one-byte'],
    [text(8), 'sequential one-byte'],
    [text(9), 'sequential one-byte'],
    [text(40), 'sequential one-byte'],
    ['na\u00efve', 'sequential one-byte'],
    ['\u4f60\u597d, two bytes', 'sequential two-byte'],
    [leftCons(), 'cons'],
    [rightCons(), 'cons'],
    [wideCons(), 'cons'],
    [slicedOf(['a string made at run time, ', text(40)].join('')), 'sliced of sequential one-byte'],
    [slicedOf(['\u4f60\u597d, made at run time, ', text(40)].join('')), 'sliced of sequential two-byte'],
    ...builtIns(v8),
    // The last, as a collection replaces a thin string by what it stands for.
    [thin(), 'thin one-byte'],
  ]
}

const zero = () => 0

class WithToJSON {
  toJSON() {
    return 'chosen'
  }
}

/** An instance of a class whose prototype is in dictionary mode and has a toJSON. */
function withToJSONInDictionary() {
  class Class {}
  for (let i = 0; i < 3; i++) Class.prototype[`method${i}`] = zero
  delete Class.prototype.method1
  Class.prototype.toJSON = zero
  return new Class()
}

function withOwnToJSON() {
  const object = Object.create(null)
  object.toJSON = zero
  return object
}

/** Samples that must be told apart from those above, and are not walked. */
function refused() {
  const getter = {
    get a() {
      return 1
    },
  }
  const fastGetter = make((object) => Object.defineProperty(object, 'a', { enumerable: true, get: zero }))
  return [
    [getter, 'object, dictionary'],
    [fastGetter, INSIDE_OR_OUTSIDE],
    [new WithToJSON(), 'object, fields inside'],
    [withToJSONInDictionary(), 'object, fields inside'],
    [withOwnToJSON(), 'object, dictionary'],
    [Object.assign(new WithToJSON(), { own: 1 }), 'object, fields inside'],
    [new Proxy({}, {}), 'unknown'],
    [Symbol('symbol'), 'unknown'],
    [() => {}, 'unknown'],
    ...refusedBuiltIns(),
  ]
}

module.exports = { large, learned, walked, refused }
