'use strict'
// Work for the event loop's next turn. Then no message is in progress, and V8 releases the memory of
// ArrayBuffers that are gone.

// The global of that name may be missing, or a test's.
const { setImmediate } = require('node:timers')

/** Calls `task` at the next turn, once however often this is asked for. Keeps no process alive. */
function atNextTurn(task) {
  let scheduled = false
  const run = () => {
    scheduled = false
    task()
  }
  return function schedule() {
    if (scheduled) return
    const turn = setImmediate(run)
    // Only now: where the stack ended in the call, the next one tries again.
    scheduled = true
    turn.unref?.()
  }
}

module.exports = { atNextTurn }
