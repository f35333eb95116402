'use strict'

// The module under test. Every suite gets it here, so one variable points all of them at another implementation.

module.exports = require(require('./entry').entry)
