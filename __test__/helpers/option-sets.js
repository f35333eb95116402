'use strict'

// Options that change what packing writes, one at a time and together.

const optionSets = [
  {},
  { useRecords: undefined },
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
]

module.exports = { optionSets }
