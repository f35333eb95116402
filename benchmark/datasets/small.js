'use strict'

// Owns the `tiny` and `fluentd` data sets: messages so small that what counts
// is the cost of a call.

function tiny() {
  return [{ foo: 1, bar: 'abc' }]
}

// One event in the form in which Fluentd forwards it: tag, then time and record.
function fluentd() {
  return [['tag', [[1440949922, { message: 'hi there' }]]]]
}

module.exports = { tiny, fluentd }
