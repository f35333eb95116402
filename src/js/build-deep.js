'use strict'
// The builder with a stack of its own: the same values as the recursive one makes, with depth bounded by the
// scanner and not by the engine's call stack. It also makes what that has no time for: values that are
// referred to from inside themselves, and frozen ones.

const { slot, kind } = require('./tape.js')
const { readers, errorReader, setReader } = require('./extensions.js')
const {
  ArrayFrame,
  ObjectFrame,
  PairsFrame,
  MapFrame,
  SetFrame,
  ErrorFrame,
  ValueFrame,
} = require('./frames.js')

const { OBJECT, ARRAY, RARE } = kind
const { RECORD_SHAPE } = slot

/** Tells the targets that are the result of `frame` what that is. */
function begin(frame) {
  for (const step of frame.steps ?? []) step.begin?.(frame.result)
  return frame
}

/**
 * Two functions: one builds the value whose slot is at a position, the other a value that has an id.
 * `builder` holds the tape and the recursive builder's functions, which serve all that is no container.
 */
function deepBuilder({
  tape,
  value,
  keyAt,
  define,
  keysOf,
  keysOfRecord,
  isFrozen,
  charge,
  noteTarget,
  noteKeys,
}) {
  /** The same steps, and `reader` for what follows. */
  function beginRead(steps, reader) {
    const standIn = steps.length === 0 ? undefined : reader.standIn?.(isFrozen())
    if (standIn !== undefined) for (const step of steps) step.begin?.(standIn)
    steps.push(reader)
    return steps
  }

  /** The container whose slot is at `p`, or null if that is none. */
  function open(p, steps) {
    for (;;) {
      const high = tape.words[p + 1]
      const part = high & 0xffff
      const inner = tape.words[p]
      let frame = null
      switch (high >> 16) {
        case ARRAY:
          // Nothing but numbers, in no great depth.
          if (part >= slot.ARRAY_TUPLES) break
          frame = new ArrayFrame(inner + 2, tape.words[inner] >>> 0, isFrozen())
          break
        case OBJECT:
          frame = new ObjectFrame(inner, keysOf(part), define, part >= RECORD_SHAPE && isFrozen())
          break
        case RARE:
          if (part === slot.RARE_TARGET) {
            steps ??= []
            steps.push(noteTarget(tape.words[inner]))
            p = inner + 2
            continue
          }
          if (part === slot.RARE_TARGET_KEYS) {
            noteKeys(tape.words[inner], tape.words[inner + 1])
            p = inner + 2
            continue
          }
          if (part === slot.RARE_EXT_VALUE) {
            frame = openKnown(readers[tape.words[inner]], inner + 2)
            if (frame !== null) break
            steps = beginRead(steps ?? [], readers[tape.words[inner]])
            p = inner + 2
            continue
          }
          frame = openRare(part, inner)
      }
      if (frame === null) {
        if (steps === null) return null
        frame = new ValueFrame(p)
      }
      frame.steps = steps
      return frame.result === undefined || steps === null ? frame : begin(frame)
    }
  }

  function openRare(part, p) {
    if (part === slot.RARE_OBJECT) return new PairsFrame(p + 2, tape.words[p] >>> 0, keyAt, define)
    if (part === slot.RARE_MAP) return new MapFrame(p + 2, tape.words[p] >>> 0)
    if (part === slot.RARE_RECORD)
      return new ObjectFrame(p + 2, keysOfRecord(tape.words[p]), define, isFrozen())
    return null
  }

  /** A set or error, whose contents are at `p`. */
  function openKnown(reader, p) {
    if (reader === setReader) return new SetFrame(p, charge)
    const high = tape.words[p + 1]
    if (reader !== errorReader || high >> 16 !== ARRAY || (high & 0xffff) >= slot.ARRAY_TUPLES) return null
    const parts = tape.words[p]
    const length = tape.words[parts] >>> 0
    return length < 2 ? null : new ErrorFrame(parts + 2, length, charge, begin)
  }

  /** What the container in `frame` is after all. */
  function close(frame) {
    let result = frame.finish()
    const { steps } = frame
    if (steps === null) return result
    for (let i = steps.length - 1; i >= 0; i--) {
      const step = steps[i]
      result = step.fromValue === undefined ? step.complete(result) : step.fromValue(result, charge)
    }
    return result
  }

  function buildDeep(root) {
    const stack = []
    let p = root
    for (;;) {
      let frame = open(p, null)
      let built
      if (frame === null) {
        built = value(p)
        frame = stack.pop()
        if (frame === undefined) return built
        frame.add(built)
      }
      while (frame.left === 0) {
        built = close(frame)
        frame = stack.pop()
        if (frame === undefined) return built
        frame.add(built)
      }
      p = frame.take()
      stack.push(frame)
    }
  }

  /** The value with this id, whose slot is at `p`. What it holds is built by recursion. */
  function buildTarget(id, p) {
    const frame = open(p, [noteTarget(id)])
    while (frame.left > 0) frame.add(value(frame.take()))
    return close(frame)
  }

  return { buildDeep, buildTarget }
}

module.exports = { deepBuilder }
