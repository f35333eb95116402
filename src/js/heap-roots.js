'use strict'
// The objects that the heap walker compares others with. It reads them out of this array in each call,
// where the engine keeps them up to date; src/v8/roots.rs states the same order.

const { C1 } = require('./kinds.js')

const otherViews = [
  Int8Array,
  Uint8ClampedArray,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigUint64Array,
  BigInt64Array,
  // Node 24 and later.
  globalThis.Float16Array ?? Uint8Array,
].map((View) => View.prototype)

const roots = [
  undefined,
  null,
  true,
  false,
  ,
  // The hole itself.
  Object.prototype,
  Array.prototype,
  Date.prototype,
  Map.prototype,
  Set.prototype,
  ArrayBuffer.prototype,
  DataView.prototype,
  RegExp.prototype,
  Error.prototype,
  AggregateError.prototype,
  Object,
  'toJSON',
  'constructor',
  'name',
  'message',
  'cause',
  // The prototypes of registered classes: none.
  0,
  // The chunk that results are written to, once there is one.
  null,
  // The keys of all shapes, once there are any.
  null,
  // The prototypes that views have, that of Buffers first.
  Buffer.prototype,
  Uint8Array.prototype,
  ...otherViews,
  // Ends the list.
  null,
  // Whatever inherits from these has a meaning of its own.
  Date.prototype,
  Map.prototype,
  Set.prototype,
  Error.prototype,
  RegExp.prototype,
  ArrayBuffer.prototype,
  Object.getPrototypeOf(C1),
]

const names = [
  'undefined',
  'null',
  'true',
  'false',
  'hole',
  'Object.prototype',
  'Array.prototype',
  'Date.prototype',
  'Map.prototype',
  'Set.prototype',
  'ArrayBuffer.prototype',
  'DataView.prototype',
  'RegExp.prototype',
  'Error.prototype',
  'AggregateError.prototype',
  'Object',
  'toJSON',
  'constructor',
  'name',
  'message',
  'cause',
  'extensions',
  'chunk',
  'shape keys',
]

/** Indices of the chunk's ArrayBuffer, and of the keys of shapes. */
const CHUNK = names.indexOf('chunk')
const SHAPE_KEYS = names.indexOf('shape keys')

const EXTENSIONS = names.indexOf('extensions')

/**
 * Says which objects are left to the tape walker as possible instances of registered classes: heirs of the
 * prototypes in `list`, or, if only running code can tell, all but plain objects, arrays and Maps.
 */
function setExtensionPrototypes(list, isAny) {
  if (isAny) roots[EXTENSIONS] = true
  else roots[EXTENSIONS] = list.length === 0 ? 0 : Array.from(list)
}

module.exports = { roots, names, CHUNK, SHAPE_KEYS, setExtensionPrototypes }
