// What bundlers for browsers get by `import`, whichever sub-path is asked for: the error of a missing addon.

// Without the names, linking would fail first, with an error that tells less.
export let Packr,
  Encoder,
  Unpackr,
  Decoder,
  PackrStream,
  EncoderStream,
  UnpackrStream,
  DecoderStream,
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
  mapsAsObjects
export default undefined

const error = new Error(
  'ferropack: no native addon for browsers: it needs Node.js. Use the package msgpackr there, which has the same API and the same bytes',
)
error.code = 'ERR_FERROPACK_NO_BINARY'
throw error
