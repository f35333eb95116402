'use strict'

// Owns what is shown of a long run's progress: one line of a terminal, which goes away.

let shown = ''

/** Shows which part of the task is done, 0 to 1; null takes the line away. */
function showProgress(task, done = 0) {
  if (!process.stderr.isTTY) return
  const text = task === null ? '' : `${task} ${Math.round(done * 100)} %`
  if (text === shown) return
  process.stderr.write(`\r${text.padEnd(shown.length)}${text === '' ? '\r' : ''}`)
  shown = text
}

module.exports = { showProgress }
