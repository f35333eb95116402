'use strict'
// References to objects that a message holds more than once: where they stand on the tape, and their ids.
//
// An object's first place is known when it is met, but not whether it will be met again. So each has a TARGET
// on the tape, which gets an id when the message was walked; ids count by second meetings. Lists of keys that a
// message defines twice have ids, too.

const { pack: tag, TAG_BITS } = require('./tape.js')

const { TARGET, KEY_LIST } = tag

class References {
  constructor() {
    /** Places of the TARGET of each object. */
    this.targets = new Map()
    /** The last of these places, and those right behind another one: an object and what its toJSON gave. */
    this.last = -1
    this.stacked = []
    /** Places of REFERENCEs, and of their targets. */
    this.places = []
    this.placesOfTargets = []
  }

  /**
   * The place of the TARGET of `object`, or -1 if it is met for the first time: its TARGET stands at `place`
   * then.
   */
  meet(object, place) {
    const target = this.targets.get(object)
    if (target !== undefined) return target
    this.targets.set(object, place)
    if (place === this.last + 1 && this.last >= 0) this.stacked.push(place)
    this.last = place
    return -1
  }

  /** Takes note that a REFERENCE at `place` is to the object whose TARGET is at `target`. */
  add(place, target) {
    this.places.push(place)
    this.placesOfTargets.push(target)
  }

  /** Gives all that are referred to their ids. */
  resolve(words, repeatedLists) {
    const references = this.places.map((place, i) => ({ place, target: this.placesOfTargets[i] }))
    if (repeatedLists.length > 0) {
      references.push(...repeatedLists)
      references.sort((a, b) => a.place - b.place)
    }
    let ids = 0
    for (const { place, target } of references) {
      const isKeyList = (words[target] & ((1 << TAG_BITS) - 1)) === KEY_LIST
      const shift = isKeyList ? TAG_BITS + 1 : TAG_BITS
      let id = words[target] >>> shift
      if (id === 0) {
        id = ++ids
        words[target] |= id << shift
      }
      words[place] |= (id << shift) | (isKeyList ? 1 << TAG_BITS : 0)
    }
    this.sortStacked(words)
  }

  /** Of several ids of one place, msgpackr writes the highest first. */
  sortStacked(words) {
    const { stacked } = this
    for (let i = 0; i < stacked.length; ) {
      const start = stacked[i] - 1
      let end = start + 1
      while (stacked[i] === end) {
        i++
        end++
      }
      words.subarray(start, end).sort().reverse()
    }
  }
}

module.exports = { References, TARGET }
