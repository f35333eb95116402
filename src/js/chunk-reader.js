'use strict'
// Reads the values of bytes that come in chunks, wherever those are cut.

const { types } = require('node:util')
const { RowScan } = require('./binding.js')
const { control } = require('./pack-tape.js')
const { control: word } = require('./tape.js')
const { position, isReading } = require('./build.js')
const { QuickValues } = require('./quick-values.js')
const { beginCall, endCall, prepareRecords, takeBack } = require('./read-structures.js')
const { UnfinishedValue, WAIT, TRY, MAX_LENGTH, tooLarge } = require('./unfinished-value.js')
const { toBytes, ownBytes, readValue } = require('./unpack.js')

/** Most bytes held for an unfinished value, unless the options say otherwise. */
const MAX_INCOMPLETE = 64 << 20
/** Values and bytes that are read before the values are handed on. */
const MAX_VALUES = 128
const MAX_BYTES = 1 << 16
/** Values that are read together at least, and in how many bytes they are looked for. */
const MIN_ROW = 4
const ROW_BYTES = 1 << 14

/** What a scan that failed leaves as the number of definitions. */
const SCAN_FAILED = 0xffffffff

/** Whatever was thrown, as an error that a stream can be destroyed with. */
function asError(thrown, activity) {
  if (thrown !== null && typeof thrown === 'object') return thrown
  return new Error(`${activity} failed with a thrown non-object value`, { cause: thrown })
}

function isIncomplete(thrown) {
  return thrown !== null && typeof thrown === 'object' && thrown.incomplete === true
}

/** The error of an input that ends inside a value. */
function endOfData() {
  return Object.assign(new Error('Unexpected end of MessagePack data'), { incomplete: true })
}

function limitOf(maxIncompleteBufferSize) {
  const limit = Number(maxIncompleteBufferSize ?? MAX_INCOMPLETE)
  if (Number.isNaN(limit)) throw new TypeError('maxIncompleteBufferSize must be a number of bytes')
  return limit
}

class ChunkReader {
  constructor(unpackr, maxIncompleteBufferSize) {
    this.unpackr = unpackr
    this.limit = limitOf(maxIncompleteBufferSize)
    /** What went wrong, after the values that were taken until then; then nothing more is read. */
    this.error = null
    /** The chunk that is being read, if it is not read to its end. */
    this.chunk = null
    this.at = 0
    this.end = 0
    /** Up to here values are read one by one. */
    this.rowsFrom = 0
    /** Bytes of the last row that was as long as rows get, or 0. */
    this.rowLength = 0
    this.rows = new RowScan()
    this.quick = new QuickValues(this, MAX_VALUES)
    this.held = new UnfinishedValue(this.limit)
    /** Definitions that came with this input, whatever the unpackr reads besides. */
    this.received = null
    /** Values of the chunk that others may refer to, and the number of the call that has read it so far, or 0. */
    this.notes = null
    this.number = 0
  }

  /** Takes a chunk, when the one before is read. */
  give(chunk) {
    try {
      const bytes = this.bytesOf(chunk)
      if (bytes.length === 0) return
      if (bytes.length > MAX_LENGTH) throw tooLarge(bytes.length)
      this.chunk = bytes
      this.at = 0
      this.end = bytes.length
      this.rowsFrom = 0
      this.held.settle()
    } catch (error) {
      this.fail(error)
    }
  }

  bytesOf(chunk) {
    if (types.isUint8Array(chunk)) return ownBytes(chunk)
    if (this.held.length > 0) throw new TypeError('Chunk must be a Uint8Array or Buffer')
    // These have no bytes as a source, and here that would mean nothing is amiss.
    if (types.isDataView(chunk)) throw new Error('Source must be a Uint8Array or Buffer but was a DataView')
    return ownBytes(toBytes(chunk))
  }

  /** The next values of the chunk; none if it is read or something went wrong. */
  take() {
    const values = []
    if (this.chunk === null) return values
    const { unpackr } = this
    const call = beginCall(unpackr, this.chunk, isReading(unpackr))
    // The map itself: for a copy of it all of the record table would be made again.
    if (this.received !== null) call.received = this.received
    call.notes = this.notes
    if (this.number !== 0) call.number = this.number
    try {
      if (this.held.length > 0) {
        this.finishHeld(call, values)
        return values
      }
      this.quick.read(call, values)
      if (values.length > 0 || this.chunk === null) return values
      const row = this.readRow(call)
      if (row !== null) return row
      this.readChunk(call, values)
    } catch (error) {
      this.fail(error)
    } finally {
      this.received = call.received
      this.keep(call)
      endCall(call)
    }
    return values
  }

  /** Keeps what ids mean to the end of the chunk. */
  keep({ notes, number }) {
    const isRead = this.chunk === null
    this.notes = isRead ? null : notes
    this.number = isRead ? 0 : number
  }

  fail(error) {
    this.error = asError(error, 'Unpacking')
    this.release()
  }

  /**
   * Reads small values of the chunk as if they were one array, which takes half the time: 110 ns instead of
   * 200 for values of 22 bytes. The result is null where that is not worth it, or fails in some value, so
   * that those before it have to be read by themselves.
   */
  readRow(call) {
    const { at, end } = this
    if (at < this.rowsFrom || at >= end) return null
    // While values are like those before, to count them would take a fifth of the time for nothing.
    if (this.rowLength > 0 && end - at > 2 * this.rowLength) {
      const row = this.readTogether(call, MAX_VALUES)
      if (row !== null) return row
    }
    this.rowLength = 0
    const stop = Math.min(end, at + ROW_BYTES)
    const count = this.rows.count(this.chunk, at, stop, MAX_VALUES, this.recordMode(call))
    const row = count < MIN_ROW ? null : this.readTogether(call, count)
    if (row === null) this.rowsFrom = this.rows.end + ROW_BYTES
    return row
  }

  /** Reads this many values, or none. */
  readTogether(call, count) {
    const { unpackr, chunk, at, end } = this
    const work = call.notes?.work
    call.input = chunk
    call.replaced = []
    control[word.SEQUENCE] = count
    try {
      const row = readValue(unpackr, chunk, at, end, call)
      this.advance(position(), call)
      if (count === MAX_VALUES) this.rowLength = this.at - at
      return row
    } catch {
      // The scan leaves nothing behind if it fails, but what comes after it may, where the stack ends.
      if (control[word.DEFINITIONS] !== SCAN_FAILED) takeBack(call)
      if (call.notes !== null) call.notes.revert(work)
      return null
    } finally {
      call.replaced = null
      control[word.SEQUENCE] = 0
    }
  }

  /** Goes on behind a value. Where user code changed the chunk meanwhile, `call` has what it was. */
  advance(at, call) {
    this.at = at
    this.chunk = at < this.end ? call.input : null
  }

  recordMode(call) {
    return prepareRecords(this.unpackr, isReading(this.unpackr), call)
  }

  /** Reads values that lie in the chunk one by one. */
  readChunk(call, values) {
    const stop = Math.min(this.end, this.at + MAX_BYTES, this.rowsFrom)
    while (this.chunk !== null && this.at < stop && values.length < MAX_VALUES) this.readOne(call, values)
  }

  /** Reads the next value of the chunk, unless it is cut: then it is held. */
  readOne(call, values) {
    const { unpackr, chunk, end } = this
    call.input = chunk
    try {
      values.push(readValue(unpackr, chunk, this.at, end, call))
      this.advance(position(), call)
    } catch (error) {
      if (!isIncomplete(error)) throw error
      if (call.input.length < end) throw new TypeError('A chunk was detached while its values were read')
      this.held.add(call.input, this.at, end)
      this.chunk = null
      this.wait(call)
    }
  }

  /** Adds bytes of the chunk to those that are held until a value is whole, and reads that. */
  finishHeld(call, values) {
    const { held, chunk, end } = this
    while (this.at < end) {
      const before = held.length
      const portion = held.portion(end - this.at)
      held.add(chunk, this.at, this.at + portion)
      call.notes?.allow(portion)
      this.at += portion
      if (this.readHeld(call, values, before)) return
    }
    this.chunk = null
    this.checkLimit()
  }

  /**
   * Reads what is whole among the bytes that are held, up to the value that ends behind the first `older`
   * ones. The result is whether that was read; then the bytes behind it are held no more.
   */
  readHeld(call, values, older) {
    const { held } = this
    // Values before that one are there only where the end of the first was sought too far on.
    for (let seen = older; ; ) {
      const ended = this.tryHeld(call, values)
      if (ended === 0) return false
      if (ended >= seen) {
        this.leaveHeld(call, ended)
        return true
      }
      held.drop(ended)
      seen -= ended
    }
  }

  /** Goes on in the chunk, behind the first `ended` bytes that are held. */
  leaveHeld(call, ended) {
    const { held } = this
    this.at -= held.length - ended
    const rest = this.end - this.at
    if (rest === 0) {
      this.chunk = null
    } else if (call.notes === null) {
      // The chunk is read as an input of its own.
      call.number = 0
    } else {
      // Ids go on to mean what was held, some by its place: all is read as one piece.
      const at = held.start + ended
      if (at + rest > MAX_LENGTH) throw tooLarge(at + rest)
      call.notes.allow(rest)
      this.chunk = Buffer.concat([held.bytes.subarray(0, at), this.chunk.subarray(this.at)], at + rest)
      this.at = at
      this.end = at + rest
    }
    held.release()
  }

  /** Reads the value that is held if it is whole. The result is where it ended, or 0. */
  tryHeld(call, values) {
    const { held, unpackr } = this
    for (;;) {
      const outlook = this.look(call)
      if (outlook === WAIT) return 0
      try {
        values.push(readValue(unpackr, held.bytes, held.start, held.end, call))
        return position() - held.start
      } catch (error) {
        if (!isIncomplete(error)) throw error
        held.failed()
      }
      if (outlook !== TRY) return 0
    }
  }

  look(call) {
    return this.held.look(() => this.recordMode(call))
  }

  /** Holds bytes that could not be read yet. */
  wait(call) {
    while (this.look(call) === TRY);
    this.checkLimit()
  }

  checkLimit() {
    if (this.held.length > this.limit) throw new Error('Maximum incomplete buffer size exceeded')
  }

  /** The last values, when no more chunks come. */
  finish() {
    const values = []
    const { held, unpackr } = this
    if (held.length === 0) return values
    const call = beginCall(unpackr, held.bytes, isReading(unpackr))
    if (this.received !== null) call.received = this.received
    try {
      while (held.length > 0) {
        // The end may have been sought too far on.
        held.tryNow()
        const ended = this.tryHeld(call, values)
        if (ended === 0) throw endOfData()
        held.drop(ended)
      }
    } catch (error) {
      this.fail(error)
    } finally {
      endCall(call)
    }
    return values
  }

  /** The values of the chunk, one by one; then throws what went wrong. */
  *values() {
    for (let values = this.take(); values.length > 0; values = this.take()) {
      // Array iterators have no `throw` to pass on.
      for (const value of values) yield value
    }
    if (this.error !== null) throw this.error
  }

  /** The same for the last ones. */
  *lastValues() {
    for (const value of this.finish()) yield value
    if (this.error !== null) throw this.error
  }

  /** Lets go of all bytes. */
  release() {
    this.chunk = null
    this.notes = null
    this.held.release()
  }
}

module.exports = { ChunkReader, asError }
