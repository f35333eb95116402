'use strict'

// Options that change what packing writes, one at a time and together: those without records as they are, and those
// with records by name, each made anew for a packr, as structures and stores must not be shared by accident.

const { memoryStore } = require('./structure-store')

const optionSets = [
  {},
  { variableMapSize: true },
  { encodeUndefinedAsNil: true },
  { useFloat32: 1 },
  { useFloat32: 3 },
  { useFloat32: 4 },
  { coercibleKeyAsNumber: true },
  { useToJSON: false },
  { mapsAsObjects: false },
  { mapsAsObjects: true, variableMapSize: true, useFloat32: 4 },
  { coercibleKeyAsNumber: true, encodeUndefinedAsNil: true, useToJSON: false, useFloat32: 1 },
  { moreTypes: true },
  { useTimestamp32: true },
  { mapAsEmptyObject: true },
  { setAsEmptyObject: true },
  { setAsEmptyObject: true, moreTypes: true, variableMapSize: true },
  { onInvalidDate: () => 'no date' },
  { useBigIntExtension: true },
  { bundleStrings: true },
  { bundleStrings: true, moreTypes: true, setAsEmptyObject: true, useToJSON: false },
  { largeBigIntToFloat: true, moreTypes: true },
  { largeBigIntToString: true, moreTypes: true },
  { moreTypes: true, useTimestamp32: true, mapAsEmptyObject: true, useToJSON: false, useFloat32: 4 },
]

/** Those under which values may hold themselves. */
const referringSets = [
  { structuredClone: true },
  { structuredClone: true, moreTypes: false },
  { structuredClone: true, variableMapSize: true, encodeUndefinedAsNil: true, useToJSON: false },
  { structuredClone: true, coercibleKeyAsNumber: true, setAsEmptyObject: true, useTimestamp32: true },
  { structuredClone: true, bundleStrings: true },
  { structuredClone: true, mapAsEmptyObject: true, onInvalidDate: () => [1] },
]

/** Lists of keys that many random objects have. */
const PRESET = [['id'], ['id', 'name'], ['a', 'b'], ['a'], ['x', 'y'], ['name', 'value']]

const isShort = (keys) => keys.length < 4
const hasFewKeys = (object) => Object.keys(object).length % 3 !== 0

/** A store to which another writer adds before every third save of the packr. */
function storeWithOthers() {
  const store = memoryStore()
  const { stored } = store
  let saves = 0
  const saveStructures = (structures, isCompatible) => {
    const lists = JSON.parse(stored.json) ?? []
    // Room is left for the lists of the packr itself.
    if (++saves % 3 === 0 && lists.length < 20) stored.json = JSON.stringify([...lists, [`theirs ${saves}`]])
    return store.saveStructures(structures, isCompatible)
  }
  return { ...store, saveStructures }
}

const recordSets = {
  'records of the message': () => ({}),
  'two records of the message': () => ({ maxOwnStructures: 2 }),
  'no records of the message': () => ({ maxOwnStructures: 0 }),
  'two-byte records of the message': () => ({ maxOwnStructures: 100 }),
  'records and other options': () => ({ encodeUndefinedAsNil: true, useFloat32: 4, variableMapSize: true }),
  'records and more types': () => ({ moreTypes: true, useTimestamp32: true, useToJSON: false }),
  'records and bundled strings': () => ({ bundleStrings: true, moreTypes: true }),
  'records and empty collections': () => ({ setAsEmptyObject: true, mapAsEmptyObject: true }),
  'shared structures': () => ({ structures: [] }),
  'three shared structures': () => ({ structures: [], maxSharedStructures: 3 }),
  'one shared structure and no other record': () => ({
    structures: [],
    maxSharedStructures: 1,
    maxOwnStructures: 0,
  }),
  'two-byte shared structures': () => ({ structures: [], maxSharedStructures: 200 }),
  'given structures': () => ({ structures: PRESET.map((keys) => [...keys]) }),
  'a sequence': () => ({ sequential: true }),
  'a sequence of few records': () => ({ sequential: true, maxOwnStructures: 3 }),
  'a sequence with shared structures': () => ({ sequential: true, structures: [], maxSharedStructures: 4 }),
  'a store': () => memoryStore(),
  'a store of few structures': () => ({ ...memoryStore(), maxSharedStructures: 4, maxOwnStructures: 2 }),
  'a store with other writers': () => ({ ...storeWithOthers(), maxSharedStructures: 64 }),
}

const referringRecordSets = {
  'references and records': () => ({ structuredClone: true }),
  'references and few records': () => ({ structuredClone: true, maxOwnStructures: 3 }),
  'references and shared structures': () => ({ structuredClone: true, moreTypes: false, structures: [] }),
  'references in a sequence': () => ({ structuredClone: true, sequential: true }),
  'references and a store': () => ({ structuredClone: true, ...memoryStore() }),
}

/** Those that ask a function of the user about each object or each list of keys. */
const askingRecordSets = {
  'records for some objects': () => ({ useRecords: hasFewKeys }),
  'shared structures for some objects': () => ({ useRecords: hasFewKeys, structures: [] }),
  'short lists shared': () => ({ structures: [], shouldShareStructure: isShort }),
  'short lists shared, few': () => ({
    structures: [],
    shouldShareStructure: isShort,
    maxSharedStructures: 2,
    maxOwnStructures: 3,
  }),
  'short lists stored': () => ({ ...memoryStore(), shouldShareStructure: isShort, maxSharedStructures: 40 }),
}

for (const sets of [recordSets, referringRecordSets, askingRecordSets]) {
  for (const [name, make] of Object.entries(sets)) sets[name] = () => ({ useRecords: true, ...make() })
}

module.exports = { optionSets, referringSets, recordSets, referringRecordSets, askingRecordSets }
