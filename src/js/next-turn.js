'use strict'
// Work for the event loop's next turn. Then no message is in progress, and V8 releases the memory of
// ArrayBuffers that are gone.

/** Calls `task` at the next turn, once however often this is asked for. Keeps no process alive. */
function atNextTurn(task) {
  let scheduled = false
  const run = () => {
    scheduled = false
    task()
  }
  return function schedule() {
    if (scheduled) return
    scheduled = true
    setImmediate(run).unref?.()
  }
}

module.exports = { atNextTurn }
