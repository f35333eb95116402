// `import` of the sub-paths ./pack and ./unpack: what the main entry has, except for the streams. `require` of
// them gives the main entry itself.

import library from '../../../index.js'

export const {
  Packr,
  Encoder,
  Unpackr,
  Decoder,
  pack,
  encode,
  unpack,
  decode,
  unpackMultiple,
  addExtension,
  encodeIter,
  decodeIter,
  FLOAT32_OPTIONS,
  NEVER,
  ALWAYS,
  DECIMAL_ROUND,
  DECIMAL_FIT,
  REUSE_BUFFER_MODE,
  RESET_BUFFER_MODE,
  RESERVE_START_SPACE,
  C1,
  roundFloat32,
  clearSource,
  isNativeAccelerationEnabled,
  acceleration,
  packCounts,
  useRecords,
  mapsAsObjects,
} = library
