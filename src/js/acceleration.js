'use strict'
// What runs: which walker packs, and why the faster one does not.

/** The packing tier of this process. */
const acceleration = Object.freeze({
  tier: 'tape',
  v8: process.versions.v8 ?? '',
  reason: 'this version has no heap walker',
})

/** msgpackr's name for "native code is in use"; without it this package does not load. */
const isNativeAccelerationEnabled = true

module.exports = { acceleration, isNativeAccelerationEnabled }
