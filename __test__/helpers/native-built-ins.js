'use strict'

// Built-in objects other than arrays, and instances of classes: each function makes a new one.

const numbers = (length) => Array.from({ length }, (_, i) => i)

function withDeleted(collection, ...keys) {
  for (const key of keys) collection.delete(key)
  return collection
}

const mapOf = (count) => new Map(numbers(count).map((i) => [`key ${i}`, i % 3 ? i : { i }]))
const setOf = (count) => new Set(numbers(count).map((i) => (i % 3 ? i : `item ${i}`)))

/** An iterator in mid-way keeps an older table alive while the collection grows. */
function withIterator(collection, add) {
  const iterator = collection.values()
  iterator.next()
  for (let i = 0; i < 50; i++) add(i)
  iterator.next()
  return collection
}

function usedAsKey(object) {
  new WeakMap().set(object, 1)
  return object
}

const scalars = {
  Smis: () => [
    0,
    1,
    -1,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    -32,
    -33,
    -128,
    -129,
    -32_768,
    -32_769,
    2 ** 31 - 1,
    -(2 ** 31),
  ],
  'heap numbers': () => [[0.1], [2 ** 31], [2 ** 32], [-(2 ** 31) - 1], [1e300], [5e-324], [2 ** 53]].flat(),
  'one Smi': () => 7,
  'one heap number': () => 0.5,
  'an integer as a heap number': () => 2 ** 33 / 4,
  'minus zero': () => -0,
  NaN: () => NaN,
  Infinity: () => Infinity,
  'minus Infinity': () => -Infinity,
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  false: () => false,
  'BigInt 0': () => 0n,
  'BigInt 1': () => 1n,
  'BigInt -1': () => -1n,
  'largest int64': () => 2n ** 63n - 1n,
  'least int64': () => -(2n ** 63n),
  'first beyond int64': () => 2n ** 63n,
  'largest uint64': () => 2n ** 64n - 1n,
  'BigInts in an array': () => [1n, -5n, 2n ** 40n, -(2n ** 62n), 2n ** 63n + 1n],
}

const dates = {
  'a date': () => new Date(1_716_000_000_123),
  'whole seconds': () => new Date(1_716_000_000_000),
  'the epoch': () => new Date(0),
  'one millisecond': () => new Date(1),
  'a Smi of milliseconds': () => new Date(1_000_000_000),
  'before the epoch': () => new Date(-1),
  'far before the epoch': () => new Date(-8.64e15),
  'the last date': () => new Date(8.64e15),
  'after 2^32 seconds': () => new Date(2 ** 32 * 1000),
  'after 2^34 seconds': () => new Date(2 ** 34 * 1000 + 1),
  'invalid date': () => new Date(NaN),
  'date with cached fields': () => {
    const date = new Date(1_700_000_000_000)
    date.getFullYear()
    date.getHours()
    return date
  },
  'date set twice': () => {
    const date = new Date(5)
    date.setTime(1.6e12)
    date.setMilliseconds(7)
    return date
  },
  'date with own properties': () => Object.assign(new Date(1e12), { note: 'ignored', toJSON: 'also' }),
  'date as WeakMap key': () => usedAsKey(new Date(1e12)),
  'frozen date': () => Object.freeze(new Date(1e12)),
}

const collections = {
  'empty Map': () => new Map(),
  'small Map': () =>
    new Map([
      ['a', 1],
      [2, 'b'],
      [null, undefined],
      [1.5, [1]],
      [true, false],
    ]),
  'Map of 1,000': () => mapOf(1000),
  'Map of 65,536': () => new Map(numbers(65_536).map((i) => [i, i])),
  'Map with deletions': () => withDeleted(mapOf(10), 'key 0', 'key 4', 'key 9'),
  'Map with all deleted': () => withDeleted(mapOf(3), 'key 0', 'key 1', 'key 2'),
  'Map with deletions after growth': () => withDeleted(mapOf(300), ...numbers(70).map((i) => `key ${i * 2}`)),
  'Map that shrank': () => withDeleted(mapOf(300), ...numbers(290).map((i) => `key ${i}`)),
  'Map, cleared': () => {
    const map = mapOf(20)
    map.clear()
    return map
  },
  'Map, cleared and filled': () => {
    const map = mapOf(20)
    map.clear()
    return map.set('again', 1).set('and', 2)
  },
  'Map, a key put back': () => withDeleted(mapOf(4), 'key 1').set('key 1', 'last'),
  'Map with an iterator in mid-way': () => {
    const map = mapOf(3)
    return withIterator(map, (i) => map.set(i, i))
  },
  'Map with odd keys': () =>
    new Map([
      [NaN, 1],
      [-0, 2],
      [{ a: 1 }, 3],
      [[1], 4],
      ['', 5],
      [1n, 6],
      [new Date(5), 7],
      [undefined, 8],
      ['\u4f60', 9],
    ]),
  'nested Maps': () => new Map([['m', new Map([['m', new Map([[1, new Set([new Map()])]])]])]]),
  'Map with own properties': () => Object.assign(mapOf(2), { note: 'ignored' }),
  'Map as WeakMap key': () => usedAsKey(mapOf(2)),
  'frozen Map': () => Object.freeze(mapOf(2)),
  'empty Set': () => new Set(),
  'small Set': () => new Set([1, 'a', null, undefined, 1.5, true, NaN, -0]),
  'Set of 1,000': () => setOf(1000),
  'Set with deletions': () => withDeleted(setOf(10), 1, 4, 'item 9'),
  'Set with deletions after growth': () => withDeleted(setOf(200), ...numbers(60)),
  'Set that shrank': () => withDeleted(setOf(200), ...numbers(195)),
  'Set, cleared and filled': () => {
    const set = setOf(9)
    set.clear()
    return set.add('again')
  },
  'Set with an iterator in mid-way': () => {
    const set = setOf(3)
    return withIterator(set, (i) => set.add(`added ${i}`))
  },
  'nested Sets': () => new Set([new Set([new Set(), [new Set([1])]]), { set: new Set(['x']) }]),
  'Set with own properties': () => Object.assign(setOf(2), { note: 'ignored' }),
  'Set of objects': () => new Set([{ a: 1 }, [1], new Date(5), { a: 1 }]),
}

const TYPED = [
  Uint8Array,
  Int8Array,
  Uint8ClampedArray,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  globalThis.Float16Array,
].filter(Boolean)

const itemFor = (Type) => (/^Big/.test(Type.name) ? (i) => BigInt(i) : (i) => i)

const binary = {
  'empty Buffer': () => Buffer.alloc(0),
  'Buffer of a pool': () => Buffer.from('text in a pool'),
  'Buffer of its own': () => Buffer.alloc(20, 7),
  'Buffer of 255': () => Buffer.alloc(255, 1),
  'Buffer of 256': () => Buffer.alloc(256, 2),
  'Buffer of 65,536': () => Buffer.alloc(65_536, 3),
  'Buffer, a part of another': () => Buffer.from('one two three').subarray(4, 7),
  'Buffer over an ArrayBuffer': () => Buffer.from(new ArrayBuffer(24), 8, 9).fill(5),
  'Buffer with own properties': () => Object.assign(Buffer.from('x'), { note: 'ignored' }),
  'Buffer as WeakMap key': () => usedAsKey(Buffer.from('key')),
  'Buffer, not extensible': () => Object.preventExtensions(Buffer.from('key')),
}

for (const Type of TYPED) {
  const item = itemFor(Type)
  const { name, BYTES_PER_ELEMENT: size } = Type
  const make = (length) => Type.from({ length }, (_, i) => item(i % 100))
  binary[`empty ${name}`] = () => new Type(0)
  binary[`${name} on the heap`] = () => make(Math.min(5, 64 / size))
  binary[`${name} of 64 bytes`] = () => make(64 / size)
  binary[`${name} of 65 bytes or more`] = () => make(64 / size + 1)
  binary[`${name} whose buffer was asked for`] = () => {
    const view = make(3)
    if (view.buffer.byteLength !== 3 * size) throw new Error('another length')
    return view
  }
  binary[`${name} with an offset`] = () => new Type(make(9).buffer, 2 * size, 3)
  binary[`${name} with an offset and no items`] = () => new Type(make(9).buffer, 9 * size)
  binary[`${name} of 10,000`] = () => make(10_000)
}

const boxed = {
  'boxed Smi': () => new Number(1),
  'boxed heap number': () => new Number(1.5),
  'boxed true': () => new Boolean(true),
  'boxed false': () => new Boolean(false),
  'boxed text': () => new String('hi'),
  'boxed empty text': () => new String(''),
  'boxed wide text': () => new String('\u4f60\u{1f600}x'),
  'boxed joined text': () =>
    new String(['a part and '.repeat(3), 'another part'].join('') + String(5).repeat(9)),
  'boxed BigInt': () => Object(1n),
  'boxed symbol': () => Object(Symbol('s')),
  'boxed number with own properties': () => Object.assign(new Number(1), { a: 2, 5: 'five' }),
}

class Bytes extends Uint8Array {}
class LongBytes extends Buffer {}
class Halves extends Float32Array {
  get [Symbol.toStringTag]() {
    return 'Halves'
  }
}

const buffers = {
  'empty ArrayBuffer': () => new ArrayBuffer(0),
  'ArrayBuffer of 3': () => Uint8Array.of(1, 2, 3).buffer,
  'ArrayBuffer of 254': () => new Uint8Array(254).fill(1).buffer,
  'ArrayBuffer of 255': () => new Uint8Array(255).fill(2).buffer,
  'ArrayBuffer of 65,536': () => new Uint8Array(65_536).fill(3).buffer,
  'ArrayBuffer of a Float64Array': () => Float64Array.of(0.5, -1).buffer,
  'ArrayBuffer with own properties': () => Object.assign(new ArrayBuffer(2), { note: 'ignored' }),
  'ArrayBuffer as WeakMap key': () => usedAsKey(new ArrayBuffer(2)),
  'empty DataView': () => new DataView(new ArrayBuffer(0)),
  'DataView of all': () => new DataView(Uint8Array.of(1, 2, 3).buffer),
  'DataView of a part': () => new DataView(Uint8Array.from({ length: 40 }, (_, i) => i).buffer, 7, 9),
  'DataView of the rest': () => new DataView(Uint8Array.from({ length: 40 }, (_, i) => i).buffer, 31),
  'DataView of nothing at the end': () => new DataView(new ArrayBuffer(8), 8),
  'DataView with own properties': () => Object.assign(new DataView(new ArrayBuffer(2)), { note: 'ignored' }),
  'subclass of Uint8Array': () => Bytes.of(1, 2, 3),
  'subclass of Float32Array': () => Halves.of(0.5),
  'subclass of Buffer': () => Object.setPrototypeOf(Buffer.from('abc'), LongBytes.prototype),
}

class Failure extends TypeError {
  name = 'Failure'
  code = 7
}
class NamedByPrototype extends RangeError {}
NamedByPrototype.prototype.name = 'NamedByPrototype'

const errors = {
  Error: () => new Error('message'),
  'Error without a message': () => new Error(),
  'Error with a cause': () => new Error('message', { cause: { a: [1] } }),
  'Error with a cause that is undefined': () => new Error('message', { cause: undefined }),
  'Error caused by an Error': () => new Error('outer', { cause: new RangeError('inner') }),
  'Error with a wide message': () => new Error('\u4f60\u597d'),
  'Error with another message': () => Object.assign(new Error('message'), { message: { a: 1 } }),
  'Error with another name': () => Object.assign(new Error('message'), { name: 'Another' }),
  'Error with an own toJSON': () => Object.assign(new Error('message'), { toJSON: () => 'not called' }),
  'Error whose stack was asked for': () => {
    const error = new Error('message')
    if (typeof error.stack !== 'string') throw error
    return error
  },
  'Error with own properties': () => Object.assign(new Error('message'), { code: 'E', errno: 5 }),
  'frozen Error': () => Object.freeze(new Error('message')),
  TypeError: () => new TypeError('message'),
  'SyntaxError that was thrown': () => {
    try {
      JSON.parse('{')
    } catch (error) {
      return error
    }
  },
  'TypeError that was thrown': () => {
    try {
      null.a
    } catch (error) {
      return error
    }
  },
  'subclass of an error': () => new Failure('failed'),
  'subclass with its name on the prototype': () => new NamedByPrototype('failed'),
}

// Flags that not all engines know must not stand in a literal.
const regexpOf = (source, flags) => new RegExp(source, flags)

const regexps = {
  RegExp: () => /a+b/giu,
  'RegExp without flags': () => /a/,
  'empty RegExp': () => regexpOf('', ''),
  'RegExp with slashes and lines': () => regexpOf('/\n', ''),
  'RegExp of wide characters': () => /\u4f60|你/,
  'RegExp with many flags': () => /a/dgimsuy,
  'RegExp that was used': () => {
    const regexp = /a/g
    regexp.test('aaa')
    return regexp
  },
  'RegExp with sets': () => {
    try {
      return regexpOf('[a--b]', 'v')
    } catch {
      return /a/
    }
  },
}

module.exports = { scalars, dates, collections, binary, buffers, errors, regexps, boxed }
