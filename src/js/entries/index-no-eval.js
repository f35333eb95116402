'use strict'
// The sub-path ./index-no-eval: the main entry without its streams, for hosts that forbid to make code from text.
//
// All entries are one module with one set of extensions, so that they can be mixed. What this one asks for
// therefore holds for the others too, in this thread and from now on.

require('../codegen.js').forbidCode()

const {
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
} = require('../../../index.js')

// Node finds the names of an ES module import in this literal only while each is an identifier.
module.exports = {
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
}
