'use strict'

// The names that each entry of the package has, by kind.

/** Pairs are two names of one thing. */
const CLASSES = { Packr: 'Encoder', Unpackr: 'Decoder' }
const STREAMS = { PackrStream: 'EncoderStream', UnpackrStream: 'DecoderStream' }
const ALIASES = { ...CLASSES, ...STREAMS, pack: 'encode', unpack: 'decode' }

const FUNCTIONS = [
  'pack',
  'encode',
  'unpack',
  'decode',
  'unpackMultiple',
  'addExtension',
  'encodeIter',
  'decodeIter',
  'roundFloat32',
  'clearSource',
]
const NUMBERS = {
  NEVER: 0,
  ALWAYS: 1,
  DECIMAL_ROUND: 3,
  DECIMAL_FIT: 4,
  REUSE_BUFFER_MODE: 512,
  RESET_BUFFER_MODE: 1024,
  RESERVE_START_SPACE: 2048,
}
const OTHERS = ['FLOAT32_OPTIONS', 'C1', 'isNativeAccelerationEnabled', 'useRecords', 'mapsAsObjects']
/** What msgpackr does not have. */
const OWN = ['acceleration', 'packCounts']

const both = (pairs) => Object.entries(pairs).flat()
const STREAM_NAMES = both(STREAMS)
const WITHOUT_STREAMS = [...both(CLASSES), ...FUNCTIONS, ...Object.keys(NUMBERS), ...OTHERS, ...OWN].sort()
const ALL = [...WITHOUT_STREAMS, ...STREAM_NAMES].sort()
const READER = [
  'C1',
  'Decoder',
  'FLOAT32_OPTIONS',
  'Unpackr',
  'addExtension',
  'clearSource',
  'decode',
  'isNativeAccelerationEnabled',
  'roundFloat32',
  'unpack',
  'unpackMultiple',
]

module.exports = { ALIASES, CLASSES, STREAM_NAMES, FUNCTIONS, NUMBERS, OWN, ALL, WITHOUT_STREAMS, READER }
