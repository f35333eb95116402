'use strict'
// What runs: whether the heap walker may pack, and if not, why.
//
// Rust proves the layout of V8's heap; here stands what can be told from the outside.

const binding = require('./binding.js')
const { roots } = require('./heap-roots.js')
const samples = require('./heap-samples.js')
const { adoptOptions, packBits } = require('./options.js')
const { chunk } = require('./results.js')
const { packMessage } = require('./pack-message.js')
const { KEYS_AS_TEXT } = require('./walk.js')

/** Times that samples are made: a collection at the wrong moment may change what they look like. */
const ATTEMPTS = 3

/** Whether the environment asks for no heap walker, in our words or in msgpackr's. */
function isSwitchedOff({ FERROPACK_HEAP, MSGPACKR_NATIVE_ACCELERATION_DISABLED }) {
  return FERROPACK_HEAP === '0' || MSGPACKR_NATIVE_ACCELERATION_DISABLED?.toLowerCase() === 'true'
}

/** Why this process is none whose heap is known, or the empty string. */
function unknownRuntime({ versions, arch, config }) {
  for (const runtime of ['electron', 'bun', 'deno', 'nw']) {
    if (versions[runtime] !== undefined) return `${runtime} is not Node.js`
  }
  if (versions.node === undefined || versions.v8 === undefined) return 'this is not Node.js with V8'
  if (arch !== 'x64' && arch !== 'arm64') return `heaps on ${arch} are not known`
  const variables = config?.variables ?? {}
  const odd = [
    'v8_enable_pointer_compression',
    'v8_enable_sandbox',
    'v8_enable_31bit_smis_on_64bit_arch',
    'v8_enable_map_packing',
    'v8_enable_external_code_space',
    'v8_enable_direct_handle',
  ].find((name) => Number(variables[name]) === 1)
  return odd === undefined ? '' : `this Node.js was built with ${odd}`
}

/** The bytes that the tape walker makes of the samples, objects as maps with the smallest header. */
function packAll(values) {
  const owner = {}
  adoptOptions(owner, { useRecords: false, coercibleKeyAsNumber: KEYS_AS_TEXT })
  const bits = packBits(owner)
  return Buffer.concat(values.map((value) => packMessage(owner, bits, value, 0)))
}

/**
 * Proves the layout in this environment. Returns why it is not known, or the empty string. `symbols` are
 * lines of `name=value` that stand above what the process says of itself, for tests.
 */
function attach(symbols = '') {
  const { v8 } = process.versions
  const large = samples.large()
  const expected = packAll(samples.walked(v8, large).map(([value]) => value))
  let reason = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const refused = samples.refused()
    const walked = samples.walked(v8, large)
    const all = [...samples.learned(), ...walked.map(([value]) => value), ...refused.map(([value]) => value)]
    const kinds = [walked, refused].map((list) => list.map(([, kind]) => kind).join('\n')).join('\n\n')
    reason = binding.attachHeap(v8, symbols, roots, all, kinds, expected, chunk.memory)
    if (reason === '') return ''
  }
  return reason
}

function reasonForTape() {
  if (isSwitchedOff(process.env)) return 'switched off by the environment'
  // Asks for the proof on a V8 that was not reviewed.
  return unknownRuntime(process) || attach(process.env.FERROPACK_HEAP === '1' ? 'any version' : '')
}

const reason = reasonForTape()

/** The packing tier of this environment. */
const acceleration = Object.freeze({
  tier: reason === '' ? 'heap' : 'tape',
  v8: process.versions.v8 ?? '',
  reason: reason === '' ? null : reason,
})

/** msgpackr's name for "native code is in use"; without it this package does not load at all. */
const isNativeAccelerationEnabled = !isSwitchedOff(process.env)

module.exports = { acceleration, isNativeAccelerationEnabled, attach, unknownRuntime }
