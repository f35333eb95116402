'use strict'

// Owns the seeded randomness behind every generated data set. Only integer
// arithmetic, division and toFixed are used, which give the same digits on
// every engine, so a seed stands for the same data everywhere.

class Random {
  constructor(seed) {
    this.state = seed >>> 0
  }

  // The mulberry32 generator: a value in [0, 1).
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  integer(min, max) {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  // Never a whole number: the last digit is not zero.
  fraction(min, max, digits) {
    for (;;) {
      const text = (min + this.next() * (max - min)).toFixed(digits)
      if (!text.endsWith('0')) return Number(text)
    }
  }

  chance(probability) {
    return this.next() < probability
  }

  pick(list) {
    return list[this.integer(0, list.length - 1)]
  }

  // Several different entries, in the order of the list.
  sample(list, count) {
    const chosen = new Set()
    while (chosen.size < count) chosen.add(this.integer(0, list.length - 1))
    return list.filter((_, index) => chosen.has(index))
  }

  hex(length) {
    let text = ''
    while (text.length < length) text += this.integer(0, 15).toString(16)
    return text
  }

  uuid() {
    const groups = [8, 4, 4, 4, 12].map((length) => this.hex(length))
    return groups.join('-')
  }

  // Milliseconds since the epoch, from 2015 to 2024.
  time() {
    return 1420070400000 + Math.floor(this.next() * 315532800000)
  }

  isoTime() {
    return new Date(this.time()).toISOString()
  }

  isoDay() {
    return this.isoTime().slice(0, 10)
  }
}

module.exports = { Random }
