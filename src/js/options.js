'use strict'
// Options of a packr or unpackr: what a user gave, as own properties of the instance, and as the bits
// that Rust reads.

const binding = require('./binding.js')

const FLOAT32_OPTIONS = { NEVER: 0, ALWAYS: 1, DECIMAL_ROUND: 3, DECIMAL_FIT: 4 }

/** Where an instance keeps the bits and the values they were made of. */
const BITS = Symbol('bits')

const INT64_TYPES = ['number', 'string', 'auto']

/** Copies `options` onto `instance`, with what follows from them. The options are only read. */
function adoptOptions(instance, options) {
  if (options !== null && typeof options === 'object') {
    Object.assign(instance, options)
    if (options.useRecords === false && options.mapsAsObjects === undefined) instance.mapsAsObjects = true
    if (options.int64AsNumber) instance.int64AsType = 'number'
    if (options.structuredClone && options.moreTypes === undefined) instance.moreTypes = true
  }
  Object.defineProperty(instance, BITS, {
    value: {
      bits: 0,
      packing: {},
      unpacking: {},
      records: false,
      twoByteIds: false,
      // What counts only if it was there from the start.
      coercibleKeyAsNumber: instance.coercibleKeyAsNumber,
      hasSkipValues: Boolean(instance.skipValues),
      variableMapSize: Boolean(
        instance.variableMapSize || instance.coercibleKeyAsNumber || instance.skipValues,
      ),
    },
  })
  compile(instance)
}

/** Whether an instance was made to write keys as numbers, and whether to skip values. */
function pairOptions(instance) {
  return instance[BITS]
}

/** The options that change what Rust packs, and those that change what it unpacks. */
function optionsForPacking({
  useRecords,
  useFloat32,
  encodeUndefinedAsNil,
  moreTypes,
  useTimestamp32,
  structuredClone,
  bundleStrings,
  mapAsEmptyObject,
  setAsEmptyObject,
  useToJSON,
  onInvalidDate,
}) {
  return {
    useRecords,
    useFloat32,
    encodeUndefinedAsNil,
    moreTypes,
    useTimestamp32,
    structuredClone,
    bundleStrings,
    mapAsEmptyObject,
    setAsEmptyObject,
    useToJSON,
    onInvalidDate,
  }
}

function optionsForUnpacking({
  useRecords,
  useFloat32,
  mapsAsObjects,
  int64AsType,
  structuredClone,
  allowArraysInMapKeys,
  freezeData,
}) {
  return {
    useRecords,
    useFloat32,
    mapsAsObjects,
    int64AsType,
    structuredClone,
    allowArraysInMapKeys,
    freezeData,
  }
}

function compile(instance) {
  const state = instance[BITS]
  state.packing = optionsForPacking(instance)
  state.unpacking = optionsForUnpacking(instance)
  const { packing, unpacking } = state
  state.bits = binding.compileOptions({
    __proto__: null,
    useRecords: packing.useRecords !== false,
    variableMapSize: state.variableMapSize,
    encodeUndefinedAsNil: Boolean(packing.encodeUndefinedAsNil),
    coercibleKeyAsNumber: Boolean(state.coercibleKeyAsNumber),
    records: state.records,
    twoByteIds: state.twoByteIds,
    useFloat32: Math.max(Number(packing.useFloat32), 0),
    moreTypes: Boolean(packing.moreTypes),
    useTimestamp32: Boolean(packing.useTimestamp32),
    structuredClone: Boolean(packing.structuredClone),
    bundleStrings: Boolean(packing.bundleStrings),
    mapAsEmptyObject: Boolean(packing.mapAsEmptyObject),
    setAsEmptyObject: Boolean(packing.setAsEmptyObject),
    useToJson: packing.useToJSON !== false,
    onInvalidDate: Boolean(packing.onInvalidDate),
    mapsAsObjects: Boolean(unpacking.mapsAsObjects),
    references: unpacking.structuredClone !== false,
    allowArraysInMapKeys: Boolean(unpacking.allowArraysInMapKeys),
    freezeData: Boolean(unpacking.freezeData),
    int64AsType: INT64_TYPES.includes(unpacking.int64AsType) ? unpacking.int64AsType : 'bigint',
  })
  return state.bits
}

/** Makes objects records for an instance that packs. */
function setRecordBits(instance, { twoByteIds }) {
  Object.assign(instance[BITS], { records: true, twoByteIds })
  compile(instance)
}

/** The option bits for packing; a property that was changed since the last call counts. */
function packBits(instance) {
  const { packing, bits } = instance[BITS]
  if (
    packing.useRecords === instance.useRecords &&
    packing.useFloat32 === instance.useFloat32 &&
    packing.encodeUndefinedAsNil === instance.encodeUndefinedAsNil &&
    packing.moreTypes === instance.moreTypes &&
    packing.useTimestamp32 === instance.useTimestamp32 &&
    packing.structuredClone === instance.structuredClone &&
    packing.bundleStrings === instance.bundleStrings &&
    packing.mapAsEmptyObject === instance.mapAsEmptyObject &&
    packing.setAsEmptyObject === instance.setAsEmptyObject &&
    packing.useToJSON === instance.useToJSON &&
    packing.onInvalidDate === instance.onInvalidDate
  ) {
    return bits
  }
  return compile(instance)
}

/** The same for unpacking. */
function unpackBits(instance) {
  const { unpacking, bits } = instance[BITS]
  if (
    unpacking.mapsAsObjects === instance.mapsAsObjects &&
    unpacking.useRecords === instance.useRecords &&
    unpacking.int64AsType === instance.int64AsType &&
    unpacking.useFloat32 === instance.useFloat32 &&
    unpacking.structuredClone === instance.structuredClone &&
    unpacking.allowArraysInMapKeys === instance.allowArraysInMapKeys &&
    unpacking.freezeData === instance.freezeData
  ) {
    return bits
  }
  return compile(instance)
}

module.exports = { FLOAT32_OPTIONS, adoptOptions, packBits, unpackBits, pairOptions, setRecordBits }
