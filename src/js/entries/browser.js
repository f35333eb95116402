'use strict'
// What bundlers for browsers get by `require`, whichever sub-path is asked for: the error of a missing addon.

const error = new Error(
  'ferropack: no native addon for browsers: it needs Node.js. Use the package msgpackr there, which has the same API and the same bytes',
)
error.code = 'ERR_FERROPACK_NO_BINARY'
throw error
