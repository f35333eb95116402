'use strict'

// Owns the clock: loops that repeat an operation, how often they have to so
// that a sample has a given length, and the statistics of samples.

// Results end up here, where the engine cannot prove them unused.
const sink = { result: undefined }

let loops = 0

// Every loop is compiled from source text of its own: functions made from the
// same text would share type feedback, and so be slowed by one another.
function loopOver({ operate, inputs }) {
  const source = `
    'use strict'
    let position = 0
    return function loop${++loops}(count) {
      for (let done = 0; done < count; done++) {
        sink.result = operate(inputs[position])
        if (++position === inputs.length) position = 0
      }
    }`
  return new Function('operate', 'inputs', 'sink', source)(operate, inputs, sink)
}

// Milliseconds that `count` operations take.
function time(loop, count) {
  const start = performance.now()
  loop(count)
  return performance.now() - start
}

// Runs the operation for `milliseconds`, so that it is optimised, then says how
// many of it fill a sample of `length` milliseconds.
function warmUp(loop, milliseconds, length) {
  const end = performance.now() + milliseconds
  let count = 1
  let fastest = Number.POSITIVE_INFINITY
  do {
    const taken = time(loop, count)
    fastest = Math.min(fastest, taken / count)
    if (taken < length / 4) count *= 2
  } while (performance.now() < end)
  return Math.max(1, Math.round(length / fastest))
}

function quantile(sorted, fraction) {
  const place = (sorted.length - 1) * fraction
  const below = Math.floor(place)
  const above = Math.ceil(place)
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below)
}

// The median, and as spread the middle half of the samples as a part of it.
function summarize(samples) {
  const sorted = Float64Array.from(samples).sort()
  const median = quantile(sorted, 0.5)
  const spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median
  return { median, spread }
}

function shuffled(list) {
  const result = [...list]
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1))
    ;[result[last], result[other]] = [result[other], result[last]]
  }
  return result
}

module.exports = { loopOver, time, warmUp, summarize, shuffled }
