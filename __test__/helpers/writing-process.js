'use strict'

// A process that packs values with a store in a file and appends each message, behind its length, to a file.
// Arguments: the module, the folder of the store, the number of this writer, how many values, and options as JSON.

const { appendFileSync } = require('node:fs')
const { join } = require('node:path')
const { fileStore } = require('./file-store')
const { recordValue } = require('./record-values')

const [modulePath, folder, writer, count, options] = process.argv.slice(2)
const { Packr } = require(modulePath)
const packr = new Packr(fileStore(folder, JSON.parse(options)))

for (let i = 0; i < Number(count); i++) {
  const bytes = packr.pack(recordValue(Number(writer), i))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  appendFileSync(join(folder, `records${writer}`), Buffer.concat([length, bytes]))
}
