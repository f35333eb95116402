'use strict'

// Owns the scale of bars: from zero, always, and the round numbers that its grid lines stand at.

const MOST_LINES = 6

/** The smallest of 1, 2 and 5 times a power of ten that needs no more than MOST_LINES lines. */
function stepOf(largest) {
  const power = 10 ** Math.floor(Math.log10(largest / MOST_LINES))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => largest / step <= MOST_LINES)
}

/** `width(value)` is the length of a bar; the largest value has all of `room`. */
function scaleOf(values, room) {
  const largest = Math.max(0, ...values)
  if (largest === 0) return { ticks: [0], width: () => 0 }
  const step = stepOf(largest)
  const ticks = Array.from({ length: Math.floor(largest / step) + 1 }, (_, index) => index * step)
  return {
    ticks: ticks.map((tick) => Number(tick.toPrecision(12))),
    width: (value) => (value / largest) * room,
  }
}

module.exports = { scaleOf }
