'use strict'
// The package's public names; no logic.

const {
  Packr,
  pack,
  packCounts,
  REUSE_BUFFER_MODE,
  RESET_BUFFER_MODE,
  RESERVE_START_SPACE,
} = require('./src/js/pack.js')
const { addExtension } = require('./src/js/extension-classes.js')
const { Unpackr, unpack, unpackMultiple } = require('./src/js/unpack.js')
const { FLOAT32_OPTIONS } = require('./src/js/options.js')
const { roundFloat32 } = require('./src/js/float32.js')
const { acceleration, isNativeAccelerationEnabled } = require('./src/js/acceleration.js')
const { PackrStream } = require('./src/js/packr-stream.js')
const { UnpackrStream } = require('./src/js/unpackr-stream.js')
const { encodeIter, decodeIter } = require('./src/js/iterators.js')
const { C1 } = require('./src/js/kinds.js')

const { NEVER, ALWAYS, DECIMAL_ROUND, DECIMAL_FIT } = FLOAT32_OPTIONS

// Constants by which the module itself reads like its options.
const useRecords = false
const mapsAsObjects = true

/** msgpackr's way to let go of an input; nothing is held between calls here. */
function clearSource() {}

// Node finds the names of an ES module import in this literal only while each is an identifier.
module.exports = {
  Packr,
  Encoder: Packr,
  Unpackr,
  Decoder: Unpackr,
  pack,
  encode: pack,
  unpack,
  decode: unpack,
  unpackMultiple,
  addExtension,
  PackrStream,
  EncoderStream: PackrStream,
  UnpackrStream,
  DecoderStream: UnpackrStream,
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
