'use strict'
// How built-in objects are packed that are neither plain objects nor arrays nor maps.

const kinds = require('./kinds.js')
const { pack: tag } = require('./tape.js')

const { getPrototypeOf } = Object
const { getTime } = Date.prototype
const setValues = Set.prototype.values

// The types of extensions that these have with `moreTypes`.
const ERROR = 0x65
const SET = 0x73
const REGEXP = 0x78

/** What stands for the class of a view or of an ArrayBuffer there. */
const VIEW_CODES = {
  __proto__: null,
  Int8Array: 0,
  Uint8Array: 1,
  Uint8ClampedArray: 2,
  Int16Array: 3,
  Uint16Array: 4,
  Int32Array: 5,
  Uint32Array: 6,
  Float32Array: 7,
  Float64Array: 8,
  BigInt64Array: 9,
  BigUint64Array: 10,
}
const ARRAY_BUFFER = 16
const DATA_VIEW = 17

/** A getter of all typed arrays or of all DataViews, whatever a view's own prototype is. */
function getterOf(prototype, name) {
  return Object.getOwnPropertyDescriptor(prototype, name).get
}

const TypedArray = getPrototypeOf(Uint8Array.prototype)
const nameOf = getterOf(TypedArray, Symbol.toStringTag)
const viewGetters = (prototype) =>
  ['buffer', 'byteOffset', 'byteLength'].map((name) => getterOf(prototype, name))
const typedArrayGetters = viewGetters(TypedArray)
const dataViewGetters = viewGetters(DataView.prototype)

/** The bytes that a view shows. */
function bytesOf(view, name) {
  const [buffer, byteOffset, byteLength] = name === undefined ? dataViewGetters : typedArrayGetters
  const length = byteLength.call(view)
  // A detached view has no length either; making another view of its buffer then throws.
  if (name === 'Uint8Array' && length !== 0) return view
  return new Uint8Array(buffer.call(view), byteOffset.call(view), length)
}

/** A function that writes a built-in of a kind. `tape` has the functions of the walk that it writes with. */
function builtInWriter(tape) {
  const { walk, walkAsKeys, writeTag, openTag, closeTag, writeArray, writePayload, writeBinary, writeDate } =
    tape

  function walkView(view, packr) {
    const name = nameOf.call(view)
    const bytes = bytesOf(view, name)
    // What has no code, such as a Float16Array, is written as its bytes.
    const code = name === undefined ? DATA_VIEW : VIEW_CODES[name]
    if (!packr.moreTypes || code === undefined || view instanceof Buffer) writeBinary(bytes)
    else writePayload(tag.TYPED_ARRAY, code, bytes)
  }

  function walkArrayBuffer(buffer, packr) {
    if (packr.moreTypes) writePayload(tag.TYPED_ARRAY, ARRAY_BUFFER, new Uint8Array(buffer))
    else writeBinary(new Uint8Array(buffer))
  }

  // The size of a set may change while its members are written, so it is what was written. Its iterator is
  // asked by hand: a loop over it takes twice the stack, and sets may be nested.
  function walkSet(set, packr, context) {
    if (packr.setAsEmptyObject) {
      walkAsKeys({}, context)
      return
    }
    if (packr.moreTypes) writeTag(tag.EXTENDED_VALUE, SET)
    const header = openTag()
    const values = setValues.call(set)
    let size = 0
    for (let step = values.next(); !step.done; step = values.next()) {
      size++
      walk(step.value, context)
    }
    closeTag(header, tag.ARRAY, size)
  }

  function walkError(error, packr, context) {
    const aggregate = error instanceof AggregateError || error.name === 'AggregateError'
    const errors = aggregate ? error.errors : undefined
    if (packr.moreTypes) writeTag(tag.EXTENDED_VALUE, ERROR)
    writeArray(errors === undefined ? 3 : 4)
    walk(error.name, context)
    walk(error.message, context)
    walk(error.cause, context)
    if (errors !== undefined) walk(errors, context)
  }

  function walkRegExp(regexp, packr, context) {
    if (packr.moreTypes) writeTag(tag.EXTENDED_VALUE, REGEXP)
    writeArray(2)
    walk(regexp.source, context)
    walk(regexp.flags, context)
  }

  function walkDate(date, packr, context) {
    const time = getTime.call(date)
    if (packr.onInvalidDate && Number.isNaN(time)) walk(packr.onInvalidDate(), context)
    else writeDate(time)
  }

  return function walkBuiltIn(value, kind, packr, context) {
    switch (kind) {
      case kinds.VIEW:
        walkView(value, packr)
        break
      case kinds.DATE:
        walkDate(value, packr, context)
        break
      case kinds.SET:
        walkSet(value, packr, context)
        break
      case kinds.ERROR:
        walkError(value, packr, context)
        break
      case kinds.REGEXP:
        walkRegExp(value, packr, context)
        break
      case kinds.ARRAY_BUFFER:
        walkArrayBuffer(value, packr)
        break
      default:
        writeTag(tag.C1, 0)
    }
  }
}

module.exports = { builtInWriter }
