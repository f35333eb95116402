'use strict'

// Plain objects in every representation that V8 has for them: each function makes a new one.

let made = 0
/** A key that no hidden class has yet. */
const newKey = (name) => `${name}${++made}`

const numbers = (length) => Array.from({ length }, (_, i) => i)

function filled(count, valueFor, object = {}) {
  for (let i = 0; i < count; i++) object[`key${i}`] = valueFor(i)
  return object
}

const mixed = (i) => [i, `text ${i}`, i + 0.5, null, { i }, i % 2 === 0, undefined][i % 7]

/** V8 gives the literal of a source text as many in-object fields as it has keys. */
const literal = (count) => new Function(`return {${numbers(count).map((i) => `key${i}: ${i}`)}}`)()

function without(object, ...keys) {
  for (const key of keys) delete object[key]
  return object
}

/** An object left behind on a map that V8 has given up, since another one put a double where it has a Smi. */
function deprecated() {
  const key = newKey('number')
  const object = { before: 'x', [key]: 1, after: 2 }
  const other = { before: 'x', [key]: 1, after: 2 }
  other[key] = 1.5
  return object
}

/** The map then says tagged, and the object still has a number of its own that nobody shares. */
function doubleOfTaggedMap() {
  const key = newKey('number')
  const object = { [key]: 1.5, after: 2 }
  const other = { [key]: 2.5, after: 2 }
  other[key] = 'text'
  return object
}

/** Moved to the newer map by a write. */
function migrated() {
  const object = deprecated()
  object.after = 3
  return object
}

function changed(first, ...values) {
  const object = { before: 1, [newKey('changing')]: first, after: 'x' }
  const key = Object.keys(object)[1]
  for (const value of values) object[key] = value
  return object
}

function hide(object, key, value = 'hidden') {
  return Object.defineProperty(object, key, { value, enumerable: false, writable: true, configurable: true })
}

function usedAsKey(object) {
  new WeakMap().set(object, 1)
  return object
}

function nullPrototype(properties) {
  return Object.assign(Object.create(null), properties)
}

function usedAsPrototype(object) {
  const child = Object.create(object)
  if (child.a !== object.a) throw new Error('no prototype')
  return object
}

const samples = {
  'no properties': () => ({}),
  literal: () => ({ a: 1, b: 'two', c: 3.5, d: null, e: undefined, f: true, g: [1], h: { i: 1 } }),
  'literal, added to': () => filled(20, mixed, { a: 1, b: 2 }),
  'filled, then emptied': () => without({ a: 1 }, 'a'),
  'last property deleted': () => without({ a: 1, b: 2, c: 3 }, 'c'),
  'numbers of every kind': () => ({
    smi: 1,
    negative: -1,
    double: 1.5,
    integer: 2 ** 31,
    largest: 2 ** 32 - 1,
    beyond: 2 ** 32,
    least: -(2 ** 31),
    below: -(2 ** 31) - 1,
    zero: 0,
    minusZero: -0,
    nan: NaN,
    infinite: Infinity,
    tiny: 5e-324,
    safe: Number.MAX_SAFE_INTEGER,
  }),
  'a double field that holds an integer': () => changed(1.5, 3),
  'a double field that was written to': () => changed(1.5, 2.5, -0, NaN, 7.25),
  'a Smi field that became a double': () => changed(1, 1.5),
  'a double field that became text': () => changed(1.5, 'text'),
  'a Smi field that became text': () => changed(1, 'text', 2),
  'an object field that became a number': () => changed({ a: 1 }, 5),
  'a field that became undefined': () => changed(1.5, undefined),
  'deprecated map': deprecated,
  'a double whose map turned tagged': doubleOfTaggedMap,
  'deprecated map, migrated': migrated,
  'two objects of a deprecated map': () => [deprecated(), migrated(), deprecated()],
  'dictionary after a deletion': () => without({ a: 1, b: 2, c: 3, d: 4 }, 'b'),
  'dictionary, emptied': () => without({ a: 1, b: 2, c: 3 }, 'a', 'b', 'c'),
  'dictionary, a key put back': () => {
    const object = without({ a: 1, b: 2, c: 3 }, 'a')
    object.a = 'again'
    return object
  },
  'dictionary of many': () => without(filled(1000, mixed), 'key1', 'key500', 'key999'),
  'dictionary, half deleted': () => without(filled(400, mixed), ...numbers(200).map((i) => `key${i * 2}`)),
  'dictionary with hidden and symbol keys': () =>
    Object.assign(hide(without({ a: 1, b: 2, c: 3 }, 'a'), 'b'), { [Symbol('s')]: 1, d: 4 }),
  'dictionary, frozen': () => Object.freeze(without({ a: 1, b: 2, c: 3 }, 'a')),
  'no prototype': () => nullPrototype({ a: 1, b: 'two' }),
  'no prototype, no keys': () => Object.create(null),
  'no prototype, many keys': () => filled(300, mixed, Object.create(null)),
  'no prototype, made fast': () => ({ __proto__: null, a: 1, b: 2.5, c: 'x' }),
  'no prototype, integer keys': () => nullPrototype({ b: 1, 7: 'seven', 0: 'zero' }),
  'groups of a match': () => /(?<year>\d+)-(?<month>\d+)/.exec('2024-05').groups,
  frozen: () => Object.freeze({ a: 1, b: [1, 2], c: 2.5 }),
  sealed: () => Object.seal({ a: 1, b: 'x' }),
  'not extensible': () => Object.preventExtensions({ a: 1, b: 'x' }),
  'frozen, without keys': () => Object.freeze({}),
  'integer keys': () => ({ 0: 'a', 1: 'b', 2: 'c' }),
  'integer keys, holey': () => ({ 5: 'five', 1: 1.5, 3: null }),
  'integer keys after names': () => ({ name: 'first written', 10: 'ten', 2: 'two' }),
  'integer keys, doubles': () => ({ 0: 1.5, 1: 2.5, 2: 3 }),
  'integer keys, sparse': () => ({ 1000000: 'far', 17: 'near', name: 'x', 4294967294: 'last index' }),
  'integer keys, sparse, frozen': () => Object.freeze({ 900000: 1, 3: 2 }),
  'integer keys, frozen': () => Object.freeze({ 1: 'a', 0: 'b', c: 1 }),
  'integer keys, sealed': () => Object.seal({ 1: 'a', 0: 'b', c: 1 }),
  'integer keys, not extensible': () => Object.preventExtensions({ 1: 'a', 0: 'b', c: 1 }),
  'integer keys, one hidden': () => hide({ 0: 'a', 1: 'b', 2: 'c' }, 1),
  'integer keys, deleted': () => without({ 0: 'a', 1: 'b', 2: 'c' }, 1),
  'integer keys, all deleted': () => without({ 0: 'a', 1: 'b' }, 0, 1),
  'a thousand integer keys': () => Object.fromEntries(numbers(1000).map((i) => [i, mixed(i)])),
  'keys beyond an index': () => ({
    4294967295: 'first that is a name',
    9007199254740993: 'large',
    4294967296: 'next',
    2: 'index',
    '01': 'no index',
    '-1': 'negative',
    1.5: 'fraction',
    '1e3': 'exponent',
  }),
  'keys that could be numbers': () =>
    Object.fromEntries(
      [
        '',
        ' ',
        '0',
        '-0',
        '+1',
        ' 1',
        '1 ',
        '00',
        '.5',
        '5.',
        '0x10',
        '0b1',
        '1_0',
        '1e5',
        '1E5',
        '1e+21',
        '1e21',
      ]
        .concat(['-1', '-907', '1e-7', '0.000001', '5e-324', '1.50', '1.5', '123456789012345680000'])
        .concat(['9007199254740991', '9007199254740992', '-9007199254740993', 'NaN', 'Infinity', '-Infinity'])
        .concat(['4294967294', '4294967296', '18446744073709552000', '\u0661', '1\u4f60', 'true', 'null'])
        .map((key, i) => [key, i]),
    ),
  'hidden key': () => hide({ a: 1, b: 2 }, 'b'),
  'hidden key, added': () => hide({ a: 1 }, 'hidden'),
  'hidden key, shown again': () =>
    Object.defineProperty(hide({ a: 1, b: 2 }, 'a'), 'a', { enumerable: true }),
  'read-only key': () => Object.defineProperty({ a: 1 }, 'b', { value: 2, enumerable: true }),
  'symbol keys': () => ({ a: 1, [Symbol('s')]: 2, [Symbol.iterator]: 3, b: 4, [Symbol.for('t')]: 5 }),
  'symbol keys only': () => ({ [Symbol('s')]: { never: 'seen' } }),
  'a WeakMap key': () => usedAsKey({ a: 1, b: 2 }),
  'a WeakMap key without properties': () => usedAsKey({}),
  'a WeakMap key with many properties': () => usedAsKey(filled(40, mixed)),
  'a WeakMap key in dictionary mode': () => usedAsKey(without({ a: 1, b: 2, c: 3 }, 'b')),
  'a WeakMap key that grew later': () => filled(12, mixed, usedAsKey({})),
  'own key constructor': () => ({ a: 1, constructor: 'text' }),
  'own key constructor with a number': () => ({ constructor: 1 }),
  'own key __proto__': () => JSON.parse('{"a":1,"__proto__":{"b":2},"c":3}'),
  'own key hasOwnProperty': () => ({ hasOwnProperty: 1, a: 2 }),
  'own key toJSON': () => ({ toJSON: 'data', a: 1 }),
  'own keys of Object.prototype': () => ({ valueOf: 1, toString: 'x', isPrototypeOf: null }),
  'own keys length, name and prototype': () => ({ length: 3, name: 'n', prototype: [] }),
  'empty key': () => ({ '': 1, a: 2 }),
  'wide keys': () => ({ '\u4f60\u597d': 1, '\u00e9t\u00e9': 2, '\u{1f600}': 3, '\ud800': 4, '\uffff': 5 }),
  'keys around 32 bytes': () => ({
    ['k'.repeat(31)]: 1,
    ['k'.repeat(32)]: 2,
    ['\u00e9'.repeat(16)]: 3,
    ['\u4f60'.repeat(11)]: 4,
  }),
  'long keys': () => ({ ['k'.repeat(255)]: 1, ['k'.repeat(256)]: 2, ['long '.repeat(1000)]: 3 }),
  'keys made at run time': () =>
    Object.fromEntries([
      [['ab', 'cd'].join('-'), 1],
      [`t${String(5)}`, 2],
    ]),
  'used as a prototype': () => usedAsPrototype({ a: 1, b: 'two' }),
  'result of JSON.parse': () => JSON.parse('{"a":1,"b":[1.5,"x"],"c":{"d":null},"7":true}'),
  'result of a spread': () => ({ ...{ a: 1, b: 2 }, ...[5, 6], c: 'x' }),
  'result of a rest': () => {
    const { a, ...rest } = { a: 1, b: 2, c: { d: 3 } }
    return a === 1 ? rest : null
  },
  'result of structuredClone': () => structuredClone({ a: 1, b: [1.5], c: { d: 'x' } }),
  'result of resolvedOptions': () => new Intl.NumberFormat('en').resolvedOptions(),
  'rows of one shape': () => numbers(50).map((i) => ({ id: i, name: `row ${i}`, value: i / 2, tags: ['a'] })),
  'rows whose fields differ in kind': () =>
    numbers(50).map((i) => ({ id: mixed(i), name: mixed(i + 1), value: mixed(i + 3) })),
  'rows of many shapes': () => numbers(60).map((i) => ({ [`only${i}`]: i, common: mixed(i) })),
  'the same keys in another order': () => [
    { a: 1, b: 2 },
    { b: 3, a: 4 },
    { a: 5, b: 6 },
  ],
  'the same object twice': () => {
    const shared = { a: 1, deep: { b: 'x' } }
    return { first: shared, second: [shared, shared.deep] }
  },
  'ninety levels': () => numbers(90).reduce((inner, i) => (i % 2 ? { i, inner } : [inner, i]), null),
}

// Around what V8 keeps in the object, in an array behind it, and in a dictionary.
for (const count of [
  1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 25, 100, 127, 128, 129, 130, 200, 252, 253, 1019, 1020, 1021, 1500,
]) {
  samples[`${count} keys, filled`] = () => filled(count, mixed)
  if ([1, 4, 17, 128, 252, 253, 1020, 1021].includes(count))
    samples[`${count} keys, literal`] = () => literal(count)
}
samples['1,100 keys, parsed'] = () => JSON.parse(JSON.stringify(filled(1100, (i) => i)))

const shows = {
  'deprecated map': /- deprecated_map/,
  'dictionary after a deletion': /- dictionary_map/,
  'dictionary, frozen': /- dictionary_map/,
  'no prototype': /- dictionary_map/,
  'dictionary of many': /- dictionary_map/,
  'integer keys, sparse': /elements kind: DICTIONARY_ELEMENTS/,
  'integer keys, frozen': /elements kind: HOLEY_FROZEN_ELEMENTS/,
  'integer keys, sealed': /elements kind: HOLEY_SEALED_ELEMENTS/,
  'integer keys, not extensible': /elements kind: HOLEY_NONEXTENSIBLE_ELEMENTS/,
  'integer keys': /elements kind: HOLEY_ELEMENTS/,
}

module.exports = { samples, shows }
