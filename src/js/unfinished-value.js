'use strict'
// The bytes of a value that comes in pieces, held until all of them are there.
//
// Rust looks for the end of the value and never at a byte twice, so that the value is read once, however
// small the pieces are.

const { BoundaryScan } = require('./binding.js')

/** Bytes that there is room for at first. */
const FIRST_ROOM = 512
/** Bytes that can be read at once. */
const MAX_LENGTH = 0xffffffff

/** What to do with the bytes that are held. */
const WAIT = 0
/** They are to be read, and otherwise looked at again, as reading may have loaded structures. */
const TRY = 1
/** They are to be read. If that fails there is no other way to find the end than to try it again. */
const TRY_ALWAYS = 2

function tooLarge(length) {
  return new RangeError(`Input of ${length} bytes is too large to unpack`)
}

class UnfinishedValue {
  constructor(limit) {
    this.limit = limit
    this.bytes = null
    /** The bytes that are held lie from here to there; those before were read. */
    this.start = 0
    this.end = 0
    this.search = null
    this.isSearching = false
    /** Before there are so many bytes the search need not go on. */
    this.needed = 0
    this.isUnclear = false
    /** Whether the search has found an end. */
    this.isFound = false
    /** Whether there may be a value right behind one that was read. */
    this.isNext = false
    /** Before there are so many bytes the value is not tried again. */
    this.tryFrom = 0
  }

  get length() {
    return this.end - this.start
  }

  /** How many bytes of `count` that have come should be added before the next look. */
  portion(count) {
    // The value may end soon, and whatever is behind it would be copied in vain.
    return this.isUnclear
      ? count
      : Math.min(count, Math.max(this.needed - this.length, this.length, FIRST_ROOM))
  }

  /** Adds a copy of bytes, as whoever sent them may use their memory again. */
  add(source, start, end) {
    const length = this.end + end - start
    if (length > MAX_LENGTH) throw tooLarge(length)
    if (this.bytes === null || length > this.bytes.length) {
      // Not from the pool: values may keep views of it. And never as much as the bytes only announce.
      const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_ROOM, length, 2 * this.end))
      // What was read stays in front, as its places may have been noted.
      if (this.bytes !== null) this.bytes.copy(larger, 0, 0, this.end)
      this.bytes = larger
    }
    this.bytes.set(source.subarray(start, end), this.end)
    this.end = length
  }

  /** Looks for the end. `recordMode` readies the record table of the unpackr that will read the value. */
  look(recordMode) {
    if (this.isNext) {
      this.isNext = false
      return TRY
    }
    if (this.isUnclear) return this.length < this.tryFrom ? WAIT : TRY_ALWAYS
    if (this.length < this.needed) return WAIT
    if (!this.isSearching) {
      if (this.search === null) this.search = new BoundaryScan()
      else this.search.restart()
      this.isSearching = true
    }
    const held = this.bytes.subarray(this.start, this.end)
    const found = this.search.scan(held, held.length, recordMode())
    if (found < 0) {
      this.needed = -found
      return WAIT
    }
    if (found === 0) return TRY
    this.isUnclear = true
    this.isFound = found > 0
    return TRY_ALWAYS
  }

  /**
   * Takes note that the value is not whole. If it seemed to be, parts of it lie in a place that no packr gives them,
   * and may be far away: it is tried when twice as much is there, or when no more may be. Otherwise it may be whole
   * with any byte that comes, and whoever sent it may wait for an answer.
   */
  failed() {
    const { length } = this
    if (this.isFound) this.tryFrom = length > this.limit ? 0 : Math.min(2 * length, this.limit + 1)
  }

  /** No more bytes come: whatever the search says, the value is tried. */
  tryNow() {
    this.isUnclear = true
    this.isNext = false
    this.tryFrom = 0
  }

  /** Lets go of what was read: nothing refers to its places any more. */
  settle() {
    if (this.start === 0) return
    this.bytes = this.bytes.subarray(this.start)
    this.end -= this.start
    this.start = 0
  }

  /** Steps over the first `count` bytes: they were read. */
  drop(count) {
    this.start += count
    this.forgetSearch()
    this.isNext = true
    if (this.length === 0) this.release()
  }

  /** Forgets all bytes. Values may have views of them, so that their memory is not used again. */
  release() {
    this.bytes = null
    this.start = 0
    this.end = 0
    this.forgetSearch()
  }

  forgetSearch() {
    this.isSearching = false
    this.needed = 0
    this.isUnclear = false
    this.isFound = false
    this.isNext = false
    this.tryFrom = 0
  }
}

module.exports = { UnfinishedValue, WAIT, TRY, MAX_LENGTH, tooLarge }
