'use strict'

// Registers how extensions are read, with this package and with msgpackr.

const msgpackr = require('msgpackr')
const { registerReader } = require('../../src/js/extensions.js')

module.exports = {
  registerReader,
  registerWithBoth(extension) {
    msgpackr.addExtension(extension)
    registerReader(extension)
  },
}
