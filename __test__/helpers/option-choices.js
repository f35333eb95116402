'use strict'

// Sets of options for packing values of every kind, by name: each option alone, and such as have to do with each
// other together. Each is a function that makes the options for one packr, and two calls make equal ones.

const NOTHING = { includes: (value) => value === undefined || value === null }

/** All options that may be put together at random, with their values. */
const CHOICES = {
  structuredClone: [true],
  moreTypes: [true, false],
  bundleStrings: [true],
  useRecords: [false, (object) => Object.keys(object).length % 2 === 0],
  mapsAsObjects: [true, false],
  variableMapSize: [true],
  coercibleKeyAsNumber: [true],
  skipValues: [[undefined, null], NOTHING, [1, 'abc', false]],
  useFloat32: [1, 3, 4],
  int64AsType: ['bigint', 'number', 'string', 'auto'],
  largeBigIntToFloat: [true],
  largeBigIntToString: [true],
  useBigIntExtension: [true],
  useTimestamp32: [true],
  onInvalidDate: [() => null, () => 'no date', () => ({ bad: ['date'] })],
  writeFunction: [(fn) => fn.name, () => ({ isFunction: true })],
  encodeUndefinedAsNil: [true],
  mapAsEmptyObject: [true],
  setAsEmptyObject: [true],
  useToJSON: [false],
  allowArraysInMapKeys: [true],
  freezeData: [true],
  copyBuffers: [true],
  maxOwnStructures: [0, 1, 2, 32],
}

const alone = Object.fromEntries(
  Object.entries(CHOICES).flatMap(([name, values]) =>
    values.map((value, i) => [
      `${name}: ${typeof value === 'object' || typeof value === 'function' ? `value ${i}` : value}`,
      () => ({ [name]: value }),
    ]),
  ),
)

const together = {
  'no options': () => ({}),
  'no records': () => ({ useRecords: false }),
  'more types, no records': () => ({ useRecords: false, moreTypes: true }),
  'references, no records': () => ({ structuredClone: true, useRecords: false }),
  'references, no records, maps as Maps': () => ({
    structuredClone: true,
    useRecords: false,
    mapsAsObjects: false,
  }),
  'references without more types': () => ({ structuredClone: true, moreTypes: false }),
  'references, few records': () => ({ structuredClone: true, maxOwnStructures: 1 }),
  'references, two records': () => ({ structuredClone: true, maxOwnStructures: 2 }),
  'references, no records of the message': () => ({ structuredClone: true, maxOwnStructures: 0 }),
  'references, shared structures': () => ({ structuredClone: true, structures: [] }),
  'references, few structures': () => ({
    structuredClone: true,
    structures: [],
    maxSharedStructures: 2,
    maxOwnStructures: 2,
  }),
  'references, a sequence': () => ({ structuredClone: true, sequential: true }),
  'references, bundled strings': () => ({ structuredClone: true, bundleStrings: true }),
  'references, bundled strings, few records': () => ({
    structuredClone: true,
    bundleStrings: true,
    maxOwnStructures: 1,
  }),
  'references, bundled strings, no records': () => ({
    structuredClone: true,
    bundleStrings: true,
    useRecords: false,
  }),
  'bundled strings, no records': () => ({ bundleStrings: true, useRecords: false }),
  'bundled strings, shared structures': () => ({ bundleStrings: true, structures: [] }),
  'bundled strings, a sequence': () => ({ bundleStrings: true, sequential: true }),
  'shared structures': () => ({ structures: [] }),
  'shared structures, more types': () => ({ structures: [], moreTypes: true }),
  'three shared structures': () => ({ structures: [], maxSharedStructures: 3 }),
  'a sequence': () => ({ sequential: true }),
  'a sequence, more types': () => ({ sequential: true, moreTypes: true }),
  'maps with numeric keys': () => ({ useRecords: false, coercibleKeyAsNumber: true }),
  'numeric keys and skipped values': () => ({
    useRecords: false,
    coercibleKeyAsNumber: true,
    skipValues: [undefined, 1],
  }),
  'skipped values, no records': () => ({ useRecords: false, skipValues: [undefined, null, 'abc'] }),
  'small headers, no records': () => ({ useRecords: false, variableMapSize: true }),
  'keys may be arrays': () => ({ useRecords: false, allowArraysInMapKeys: true }),
  'everything empty': () => ({ mapAsEmptyObject: true, setAsEmptyObject: true, variableMapSize: true }),
  'nothing empty, more types': () => ({ mapAsEmptyObject: true, setAsEmptyObject: true, moreTypes: true }),
}

const optionChoices = { ...together, ...alone }

/** Some of all options. */
function randomOptions(random) {
  const options = {}
  for (const [name, values] of Object.entries(CHOICES))
    if (random.chance(0.15)) options[name] = random.pick(values)
  const structures = random.below(6)
  if (structures === 0) options.sequential = true
  return () => (structures === 1 ? { ...options, structures: [] } : { ...options })
}

module.exports = { optionChoices, randomOptions }
