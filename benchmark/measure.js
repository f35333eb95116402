'use strict'

// Owns the measuring of the rows of a table: all in one process, in short turns, with progress on a terminal.

const { recheck } = require('./operations')
const { showProgress } = require('./progress')
const { loopOver, shuffled, time, warmUp } = require('./timing')

const WARM_UP_MILLISECONDS = 200
const SLICE_MILLISECONDS = 20

// Short turns in changing order, so that whatever disturbs the machine for a
// while disturbs every row alike.
function measure(rows, seconds) {
  const running = rows.filter((row) => !row.fault)
  const slices = Math.ceil((seconds * 1000) / SLICE_MILLISECONDS)
  for (const [index, row] of running.entries()) {
    showProgress('warming up', index / running.length)
    row.loop = loopOver(row)
    row.batch = warmUp(row.loop, WARM_UP_MILLISECONDS, SLICE_MILLISECONDS / 20)
    row.count = 0
    row.milliseconds = 0
  }
  for (let slice = 1; slice <= slices; slice++) {
    showProgress('measuring', (slice - 1) / slices)
    for (const row of shuffled(running)) {
      while (row.milliseconds < slice * SLICE_MILLISECONDS) {
        row.milliseconds += time(row.loop, row.batch)
        row.count += row.batch
      }
    }
  }
  showProgress(null)
  for (const row of running) row.fault = recheck(row)
}

/** Operations in a second. */
function rate({ count, milliseconds }) {
  return (count / milliseconds) * 1000
}

module.exports = { measure, rate }
