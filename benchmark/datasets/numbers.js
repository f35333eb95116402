'use strict'

// Owns the `doubles` and `integers` data sets: one long array of numbers each.

const { Random } = require('./random')

// Half with the two to four digits of a measurement, half with all the digits
// a calculation leaves.
function doubles() {
  const random = new Random(3141)
  const draw = () =>
    random.chance(0.5)
      ? random.fraction(-1000, 1000, random.integer(2, 4))
      : (random.next() - 0.5) * random.pick([1, 1e3, 1e9])
  return [Array.from({ length: 1000 }, draw)]
}

// Bounds between which MessagePack changes the width of an integer.
const widths = [0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff, Number.MAX_SAFE_INTEGER]

// Every width is as likely as another; a third of the numbers is negative.
function integers() {
  const random = new Random(2718)
  const draw = () => {
    const size = random.integer(1, random.pick(widths))
    return random.chance(1 / 3) ? -size : size
  }
  return [Array.from({ length: 1000 }, draw)]
}

module.exports = { doubles, integers }
