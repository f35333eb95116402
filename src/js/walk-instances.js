'use strict'
// How objects are packed that are neither plain nor arrays, and functions: by an extension, as the built-in that
// they are, as what their toJSON gives, or as their own properties.

const { patchBinary } = require('./binding.js')
const { classes, extensionOf } = require('./extension-classes.js')
const kinds = require('./kinds.js')
const { control, tape } = require('./pack-tape.js')
const { pack: tag, control: word, TAG_BITS } = require('./tape.js')
const { writeTag, writeLength, writeBinary, writePayload, putBytes } = require('./tape-scalars.js')
const { builtInWriter } = require('./walk-built-ins.js')
const { extensionWriter } = require('./walk-extensions.js')
const { state, makeRoom } = require('./walk-state.js')

const { UNDEFINED, ARRAY, MAP } = tag
const { getPrototypeOf } = Object
const mapEntries = Map.prototype.entries

/** Functions that write such values by those of the walk. */
function instanceWalker({ walk, walkAsKeys, walkAsData, isReferredTo }) {
  /** An object that is neither plain nor an array. */
  function walkInstance(value, context) {
    const prototype = getPrototypeOf(value)
    // Looked up behind the object itself: an own property `constructor` is data.
    const Type = prototype === null ? undefined : prototype.constructor
    if (Type === Object) {
      walkAsKeys(value, context)
      return
    }
    if (classes.length > 0 && Type !== Map) {
      const extension = extensionOf(value)
      if (extension !== undefined) {
        walkExtended(state.packr, extension, value, context)
        return
      }
    }
    const kind = kinds.kindOf(value)
    if (kind !== kinds.NONE && (state.packr.useToJSON === false || !kinds.prefersToJSON(value, kind, Type))) {
      // The one that nests the deepest gets the shortest way.
      if (kind === kinds.MAP) walkMap(value, context)
      else walkBuiltIn(value, kind, state.packr, context)
    } else if (state.packr.useToJSON !== false && value.toJSON) {
      walkJSON(value, context)
    } else {
      walkAsKeys(value, context)
    }
  }

  /** Whether `walkInstance` packs an object by more than its keys, for one of this prototype. */
  function isMoreThanKeys(object, prototype) {
    if (prototype?.constructor === Object) return false
    if (classes.length > 0 && extensionOf(object) !== undefined) return true
    if (kinds.kindOf(object) !== kinds.NONE) return true
    return state.packr.useToJSON !== false && Boolean(object.toJSON)
  }

  function walkJSON(value, context) {
    const json = value.toJSON()
    if (json === value) walkAsKeys(value, context)
    else walk(json, context)
  }

  function walkFunction(value, context) {
    if (state.references !== null && isReferredTo(value)) return
    const extension = extensionOf(value)
    if (extension !== undefined) {
      walkExtended(state.packr, extension, value, context)
      return
    }
    if (state.packr.useToJSON !== false && value.toJSON) {
      const json = value.toJSON()
      if (json !== value) {
        walk(json, context)
        return
      }
    }
    if (state.packr.writeFunction) walk(state.packr.writeFunction(value), context)
    else tape.words[state.at++] = UNDEFINED
  }

  function walkMap(map, context) {
    const header = state.at++
    let size = 0
    if (!state.packr.mapAsEmptyObject) {
      const entries = mapEntries.call(map)
      for (let step = entries.next(); !step.done; step = entries.next()) {
        size++
        walk(step.value[0], context)
        walk(step.value[1], context)
      }
    }
    tape.words[header] = (size << TAG_BITS) | MAP
  }

  // What the writers of other files write with.
  const writers = {
    walk,
    walkAsKeys,
    walkAsData,
    writeTag,
    writeBinary,
    writePayload,
    message: () => state.message,
    writeArray: (length) => writeTag(ARRAY, length),
    writeDate(time) {
      tape.side[state.sideAt++] = time
      tape.words[state.at++] = tag.DATE
    },
    /** A tag whose payload is known later. */
    openTag: () => state.at++,
    closeTag(header, which, payload) {
      tape.words[header] = (payload << TAG_BITS) | which
    },
    /** Keeps a place for bytes that are part of the message as they are. Returns where `fillRaw` puts them. */
    reserveRaw(bytes) {
      if (state.at >= state.limit) makeRoom()
      const place = state.binaryAt
      writeLength(tag.RAW, putBytes(bytes))
      return place
    },
    fillRaw(bytes, place) {
      control[word.BINARY] = place
      patchBinary(bytes)
    },
  }
  const walkBuiltIn = builtInWriter(writers)
  const walkExtended = extensionWriter(writers)

  return { walkInstance, walkFunction, walkExtended, isMoreThanKeys }
}

module.exports = { instanceWalker }
