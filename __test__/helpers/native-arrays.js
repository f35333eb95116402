'use strict'

// Arrays in every representation that V8 has for them: each function makes a new one.

const numbers = (length) => Array.from({ length }, (_, i) => i)

function emptied(array) {
  while (array.length > 0) array.pop()
  return array
}

function withUndefinedInHole() {
  // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
  const array = [1.5, , 2.5]
  array[1] = undefined
  return array
}

/** The constructor leaves a hole everywhere. */
function preallocated(length, items) {
  const array = new Array(length)
  items.forEach((item, i) => {
    array[i] = item
  })
  return array
}

function without(array, index) {
  delete array[index]
  return array
}

function sparse(entries) {
  const array = []
  for (const [index, item] of entries) array[index] = item
  return array
}

function constantLiteral() {
  return [1, 'two', 3.5]
}

const samples = {
  'empty literal': () => [],
  'emptied Smis': () => emptied([1, 2, 3]),
  'emptied doubles': () => emptied([1.5, 2.5]),
  'packed Smis': () => [0, 1, 2, 3, 4, -1, 1_073_741_824, -2_147_483_648, 2_147_483_647],
  'holey Smis': () => without([1, 2, 3], 1),
  'packed tagged': () => ['text', { a: 1 }, null, 1.5, -0, true],
  'holey tagged': () => without(['a', 'b', 'c', {}], 2),
  'packed doubles': () => [1.5, NaN, Infinity, -Infinity, 3, 2 ** 40, -0.1, 1e300, 5e-324],
  'holey doubles': () => without([1.5, 2.5, NaN, 3.5], 1),
  'doubles that are integers': () => [0.5, 1, 2, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 31), -(2 ** 31) - 1],
  'minus zero': () => [-0, 1.5, -0],
  'minus zero among tagged': () => [-0, 'a', -0],
  'a double hole made undefined': withUndefinedInHole,
  'every hole': () => new Array(20),
  'every hole, of a double kind': () => without(without([1.5, 2.5], 0), 1),
  'not extensible': () => Object.preventExtensions(['a', 1]),
  'not extensible, holey': () => Object.preventExtensions(without(['a', 1, 2], 1)),
  sealed: () => Object.seal(['a', 1]),
  'sealed, holey': () => Object.seal(without(['a', 1, 2], 1)),
  frozen: () => Object.freeze(['a', 1]),
  'frozen, holey': () => Object.freeze(without(['a', 1, 2], 1)),
  'frozen Smis': () => Object.freeze([1, 2, 3]),
  'frozen doubles': () => Object.freeze([1.5, 2.5, 3]),
  'frozen holey doubles': () => Object.freeze(without([1.5, 2.5, 3.5], 0)),
  'frozen and empty': () => Object.freeze([]),
  'sealed and empty': () => Object.seal([]),
  'dictionary elements': () =>
    sparse([
      [5000, 'far'],
      [0, 'first'],
      [17, 1.5],
    ]),
  'dictionary elements after a deletion': () =>
    without(
      sparse([
        [0, 1],
        [4000, 2],
        [4001, 3],
      ]),
      4000,
    ),
  'dictionary elements, frozen': () =>
    Object.freeze(
      sparse([
        [3000, 'far'],
        [1, 2],
      ]),
    ),
  'dictionary elements with one that is not enumerable': () =>
    Object.defineProperty([1, 2, 3], 1, { value: 'hidden', enumerable: false }),
  'dictionary elements that became few': () => {
    const array = sparse([
      [9000, 1],
      [0, 'zero'],
    ])
    array.length = 3
    return array
  },
  'copy-on-write literal': constantLiteral,
  'copy-on-write literal, written to': () => {
    const array = constantLiteral()
    array[1] = 'changed'
    return array
  },
  'room for more': () => {
    const array = numbers(3)
    for (let i = 0; i < 20; i++) array.push(`text ${i}`)
    array.length = 7
    return array
  },
  'longer by its length only': () => {
    const array = [1, 'two']
    array.length = 40
    return array
  },
  'trimmed from the left': () => {
    const array = numbers(200)
    for (let i = 0; i < 30; i++) array.shift()
    return array
  },
  'trimmed doubles': () =>
    numbers(100)
      .map((i) => i + 0.5)
      .slice(40)
      .filter((i) => i > 60),
  preallocated: () => preallocated(6, [1, 2, 3, 4, 5, 6]),
  'preallocated, in part': () => preallocated(9, ['a', 'b']),
  'Smis, then doubles': () => {
    const array = numbers(4)
    array[2] = 0.5
    return array
  },
  'doubles, then tagged': () => {
    const array = [1.5, 2.5, 3, -0]
    array.push('text')
    return array
  },
  'named properties beside the elements': () => Object.assign([1, 'two'], { name: 'ignored', other: 1 }),
  'symbol property': () => Object.assign(['a'], { [Symbol('s')]: 1 }),
  'a WeakMap key': () => {
    const array = [1, 'two']
    new WeakMap().set(array, 1)
    return array
  },
  'result of a match': () => /(a)(b)?/.exec('xa'),
  'result of split': () => 'a,b,,c'.split(','),
  'result of JSON.parse': () => JSON.parse('[1,2.5,"x",[null,true],{}]'),
  'result of map over holes': () => without([1, 2, 3], 1).map((i) => i * 2),
  'result of concat': () => [1, 2].concat([1.5], ['x'], [undefined]),
  'result of sort': () => [3.5, 1, 2.5, undefined, 0].sort(),
  'arrays in arrays': () => [[], [[]], [[1], [1.5], ['x']], [[[[[[]]]]]]],
  'the same array twice': () => {
    const shared = [1, { a: 'shared' }]
    return [shared, [shared], shared]
  },
}

// Lengths around each header of the format, and around what V8 takes for large.
for (const length of [15, 16, 17, 255, 256, 1000, 65_535, 65_536]) {
  samples[`${length} Smis`] = () => numbers(length)
  samples[`${length} doubles`] = () => numbers(length).map((i) => i / 3)
  if (length <= 1000) samples[`${length} texts`] = () => numbers(length).map((i) => `text ${i}`)
}

const shows = {
  'packed Smis': /elements kind: PACKED_SMI_ELEMENTS/,
  'holey Smis': /elements kind: HOLEY_SMI_ELEMENTS/,
  'packed tagged': /elements kind: PACKED_ELEMENTS/,
  'holey tagged': /elements kind: HOLEY_ELEMENTS/,
  'packed doubles': /elements kind: PACKED_DOUBLE_ELEMENTS/,
  'holey doubles': /elements kind: HOLEY_DOUBLE_ELEMENTS/,
  'a double hole made undefined': /elements kind: HOLEY_(DOUBLE_)?ELEMENTS/,
  'not extensible': /elements kind: PACKED_NONEXTENSIBLE_ELEMENTS/,
  'not extensible, holey': /elements kind: HOLEY_NONEXTENSIBLE_ELEMENTS/,
  sealed: /elements kind: PACKED_SEALED_ELEMENTS/,
  'sealed, holey': /elements kind: HOLEY_SEALED_ELEMENTS/,
  frozen: /elements kind: PACKED_FROZEN_ELEMENTS/,
  'frozen, holey': /elements kind: HOLEY_FROZEN_ELEMENTS/,
  'dictionary elements': /elements kind: DICTIONARY_ELEMENTS/,
  'dictionary elements after a deletion': /elements kind: DICTIONARY_ELEMENTS/,
}

module.exports = { samples, shows }
