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
  }
  Object.defineProperty(instance, BITS, {
    value: {
      bits: 0,
      useRecords: undefined,
      mapsAsObjects: undefined,
      int64AsType: undefined,
      useFloat32: undefined,
      encodeUndefinedAsNil: undefined,
      coercibleKeyAsNumber: undefined,
      records: false,
      twoByteIds: false,
      variableMapSize: Boolean(instance.variableMapSize || instance.coercibleKeyAsNumber),
    },
  })
  compile(instance)
}

function compile(instance) {
  const state = instance[BITS]
  const { useRecords, mapsAsObjects, int64AsType, useFloat32, encodeUndefinedAsNil, coercibleKeyAsNumber } =
    instance
  state.useRecords = useRecords
  state.mapsAsObjects = mapsAsObjects
  state.int64AsType = int64AsType
  state.useFloat32 = useFloat32
  state.encodeUndefinedAsNil = encodeUndefinedAsNil
  state.coercibleKeyAsNumber = coercibleKeyAsNumber
  const float32 = Number(useFloat32)
  state.bits = binding.compileOptions({
    __proto__: null,
    useRecords: useRecords !== false,
    variableMapSize: state.variableMapSize,
    encodeUndefinedAsNil: Boolean(encodeUndefinedAsNil),
    coercibleKeyAsNumber: Boolean(coercibleKeyAsNumber),
    records: state.records,
    twoByteIds: state.twoByteIds,
    useFloat32: Math.max(float32, 0),
    mapsAsObjects: Boolean(mapsAsObjects),
    int64AsType: INT64_TYPES.includes(int64AsType) ? int64AsType : 'bigint',
  })
  return state.bits
}

/** Makes objects records for an instance that packs. */
function setRecordBits(instance, { twoByteIds }) {
  Object.assign(instance[BITS], { records: true, twoByteIds })
  compile(instance)
}

/** The option bits of an instance; a property that was changed since the last call counts. */
function optionBits(instance) {
  const state = instance[BITS]
  if (
    state.mapsAsObjects === instance.mapsAsObjects &&
    state.useRecords === instance.useRecords &&
    state.int64AsType === instance.int64AsType &&
    state.useFloat32 === instance.useFloat32 &&
    state.encodeUndefinedAsNil === instance.encodeUndefinedAsNil &&
    state.coercibleKeyAsNumber === instance.coercibleKeyAsNumber
  ) {
    return state.bits
  }
  return compile(instance)
}

module.exports = { FLOAT32_OPTIONS, adoptOptions, optionBits, setRecordBits }
