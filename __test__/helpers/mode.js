'use strict'

// How much a run does: a quick run on every change, and a full one (FERROPACK_TEST=full) before a release.

module.exports = { full: process.env.FERROPACK_TEST === 'full' }
