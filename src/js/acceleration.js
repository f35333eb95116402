'use strict'
// What runs: which walker packs, and why the faster one does not.

/** Whether the environment asks for no heap walker, in our words or in msgpackr's. */
function isSwitchedOff({ FERROPACK_HEAP, MSGPACKR_NATIVE_ACCELERATION_DISABLED }) {
  return FERROPACK_HEAP === '0' || MSGPACKR_NATIVE_ACCELERATION_DISABLED?.toLowerCase() === 'true'
}

const switchedOff = isSwitchedOff(process.env)

/** The packing tier of this process. */
const acceleration = Object.freeze({
  tier: 'tape',
  v8: process.versions.v8 ?? '',
  reason: switchedOff ? 'switched off by the environment' : 'this version has no heap walker',
})

/** msgpackr's name for "native code is in use"; without it this package does not load at all. */
const isNativeAccelerationEnabled = !switchedOff

module.exports = { acceleration, isNativeAccelerationEnabled }
