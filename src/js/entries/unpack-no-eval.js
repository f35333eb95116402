'use strict'
// The sub-path ./unpack-no-eval: what reads, for hosts that forbid to make code from text.
//
// As with ./index-no-eval, no code is made from text in this thread from now on, whichever entry is used.

require('../codegen.js').forbidCode()

const {
  Unpackr,
  Decoder,
  unpack,
  decode,
  unpackMultiple,
  addExtension,
  FLOAT32_OPTIONS,
  C1,
  roundFloat32,
  clearSource,
  isNativeAccelerationEnabled,
} = require('../../../index.js')

// Node finds the names of an ES module import in this literal only while each is an identifier.
module.exports = {
  Unpackr,
  Decoder,
  unpack,
  decode,
  unpackMultiple,
  addExtension,
  FLOAT32_OPTIONS,
  C1,
  roundFloat32,
  clearSource,
  isNativeAccelerationEnabled,
}
