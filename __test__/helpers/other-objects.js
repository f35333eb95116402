'use strict'

// Objects of which nothing says which walker packs them: rare kinds, and those that look like a kind they are not.

const { inherits } = require('node:util')
const vm = require('node:vm')
const { EventEmitter } = require('node:events')
const library = require('./ferropack')

function OldError(message) {
  this.message = message
  this.name = 'OldError'
}
inherits(OldError, Error)

class Tagged {
  get [Symbol.toStringTag]() {
    return 'Tagged'
  }
  a = 1
}

class Iterable {
  *[Symbol.iterator]() {
    yield 1
  }
  a = 1
}

class Bytes extends Uint8Array {}

/** Its constructor says Object, so it is written as a plain object, whatever toJSON it has. */
class Impostor {
  a = 1
  toJSON() {
    return 'not called'
  }
}
Impostor.prototype.constructor = Object

class NamedByAccessor {
  a = 1
  toJSON() {
    return 'called'
  }
}
Object.defineProperty(NamedByAccessor.prototype, 'constructor', { get: () => NamedByAccessor })

const child = (prototype, own = { a: 1 }) => Object.assign(Object.create(prototype), own)

const lookalikes = {
  'old-fashioned error class': () => new OldError('message'),
  'child of Error.prototype': () => child(Error.prototype),
  'child of an error': () => child(new TypeError('parent')),
  'child of Date.prototype': () => child(Date.prototype),
  'child of Map.prototype': () => child(Map.prototype),
  'child of a Map': () => child(new Map([[1, 2]])),
  'child of Set.prototype': () => child(Set.prototype),
  'child of RegExp.prototype': () => child(RegExp.prototype),
  'child of ArrayBuffer.prototype': () => child(ArrayBuffer.prototype),
  'child of Array.prototype': () => child(Array.prototype, { 0: 'a', length: 1 }),
  'child of Uint8Array.prototype': () => child(Uint8Array.prototype),
  'child of Buffer.prototype': () => child(Buffer.prototype),
  'child of Function.prototype': () => child(Function.prototype),
  'child of a function': () => child(() => 1),
  'child of an array': () => child([1, 2, 3]),
  'child of Number.prototype': () => child(Number.prototype),
  'child of Promise.prototype': () => child(Promise.prototype),
  'child of the byte c1': () => child(library.C1),
  'the byte c1': () => library.C1,
  'the class of the byte c1': () => new library.C1.constructor(),
  'the byte c1 and instances': () => [library.C1, new (class {})(), library.C1],
  'constructor overwritten with Object': () => new Impostor(),
  'constructor is an accessor': () => new NamedByAccessor(),
  'own constructor Object in a class with toJSON': () =>
    Object.assign(new URL('http://a/b'), { constructor: Object }),
  'Date without a prototype': () => Object.setPrototypeOf(new Date(5), null),
  'Date with Map.prototype': () => Object.setPrototypeOf(new Date(5), Map.prototype),
  'Date with Object.prototype': () => Object.setPrototypeOf(new Date(5), Object.prototype),
  'Map with Object.prototype': () => Object.setPrototypeOf(new Map([[1, 2]]), Object.prototype),
  'Map with Set.prototype': () => Object.setPrototypeOf(new Map([[1, 2]]), Set.prototype),
  'Uint8Array with Object.prototype': () => Object.setPrototypeOf(new Uint8Array(3), Object.prototype),
  'Uint8Array without a prototype': () => Object.setPrototypeOf(new Uint8Array(3), null),
  'Uint16Array with Uint8Array.prototype': () =>
    Object.setPrototypeOf(new Uint16Array(3), Uint8Array.prototype),
  'boxed number with Object.prototype': () => Object.setPrototypeOf(new Number(1), Object.prototype),
  'boxed text with Object.prototype': () => Object.setPrototypeOf(new String('hi'), Object.prototype),
  'array with Object.prototype': () => Object.setPrototypeOf([1, 2], Object.prototype),
  'object with Array.prototype': () => Object.setPrototypeOf({ a: 1 }, Array.prototype),
  'function with Object.prototype': () => Object.setPrototypeOf(() => 1, Object.prototype),
  'error with Object.prototype': () => Object.setPrototypeOf(new Error('message'), Object.prototype),
  'hidden getter': () => Object.defineProperty({ a: 1 }, 'b', { get: () => fail(), enumerable: false }),
  'hidden getter under a symbol': () =>
    Object.defineProperty({ a: 1 }, Symbol('s'), { get: () => fail(), enumerable: true }),
  'subclass of Uint8Array': () => Bytes.from([1, 2]),
  'class with a tag': () => new Tagged(),
  'class with an iterator': () => new Iterable(),
}

function fail() {
  throw new Error('a hidden getter was called')
}

const prototypes = Object.fromEntries(
  [
    Object,
    Array,
    Date,
    Map,
    Set,
    Error,
    RegExp,
    Function,
    Number,
    String,
    Boolean,
    Symbol,
    BigInt,
    Promise,
  ].map((Type) => [`${Type.name}.prototype`, () => Type.prototype]),
)

const foreign = (source) => () => vm.runInNewContext(source)

const rare = {
  'Uint16Array of another realm': foreign('new Uint16Array([1, 2])'),
  'DataView of another realm': foreign('new DataView(new ArrayBuffer(3))'),
  'instance of another realm': foreign('new (class Own { a = 1 })()'),
  'instance with toJSON of another realm': foreign('new (class Own { a = 1; toJSON() { return "json" } })()'),
  'error of another realm': foreign('new TypeError("message")'),
  'child of an error of another realm': foreign('Object.create(new TypeError("message"))'),
  'object without a prototype of another realm': foreign('Object.assign(Object.create(null), { a: 1 })'),
  'boxed number of another realm': foreign('new Number(5)'),
  'boxed text of another realm': foreign('new String("hi")'),
  'function of another realm': foreign('(() => 1)'),
  'BigInt and text of another realm': foreign('5n + BigInt("12")'),
  WeakMap: () => new WeakMap(),
  WeakRef: () => new WeakRef({}),
  Promise: () => Promise.resolve(1),
  generator: () => (function* generate() {})(),
  'Map iterator': () => new Map([[1, 2]]).entries(),
  'array iterator': () => [1, 2].values(),
  Math: () => Math,
  JSON: () => JSON,
  Reflect: () => Reflect,
  Intl: () => Intl,
  NumberFormat: () => new Intl.NumberFormat('en'),
  WebAssembly: () => WebAssembly,
  'WebAssembly memory': () => new WebAssembly.Memory({ initial: 1 }),
  'view of WebAssembly memory': () => new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer, 5, 20),
  'view of WebAssembly memory that grew': () => {
    const memory = new WebAssembly.Memory({ initial: 1 })
    const view = new Uint8Array(memory.buffer, 5, 20)
    memory.grow(1)
    return view
  },
  SharedArrayBuffer: () => new SharedArrayBuffer(8),
  'process.versions': () => process.versions,
  'process.release': () => process.release,
  'process.config': () => process.config,
  'os.cpus': () =>
    require('node:os')
      .cpus()
      .map(({ model }) => ({ model })),
  'fs.Stats': () => require('node:fs').statSync(process.execPath),
  EventEmitter: () => new EventEmitter().on('event', () => {}),
  URLSearchParams: () => new URLSearchParams('a=1'),
  AbortController: () => new AbortController(),
  TextEncoder: () => new TextEncoder(),
  MessageChannel: () => new MessageChannel(),
  Hash: () => require('node:crypto').createHash('sha1'),
  'result of JSON.rawJSON': () => JSON.rawJSON?.('1'),
  'boxed text with own properties': () => Object.assign(new String('hi'), { a: 1, b: 'x' }),
  'boxed text with an integer key': () => Object.assign(new String('hi'), { 7: 'seven' }),
  'boxed text with a far key': () => Object.assign(new String('hi'), { 100000: 'far' }),
  'boxed text in dictionary mode': () => {
    const text = Object.assign(new String('hi'), { a: 1, b: 2 })
    delete text.a
    return text
  },
  'frozen boxed text': () => Object.freeze(new String('hi')),
  'sparse array beyond 2^24': () => {
    const array = []
    array[70_000] = 1
    return array
  },
  'Temporal instant': () => globalThis.Temporal?.Instant.fromEpochMilliseconds(5),
}

module.exports = { lookalikes, prototypes, rare }
