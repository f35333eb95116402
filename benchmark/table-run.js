'use strict'

// Owns a run of the table: all engines, or those asked for, on one data set, printed as a table or as lines.

const { codecs, named } = require('./codecs')
const { chosenBy } = require('./command')
const { measure } = require('./measure')
const { prepare } = require('./operations')
const { versionsOf } = require('./peers')
const { showProgress } = require('./progress')
const { printGains, printHeading, printLines, printTable } = require('./table')

/** The rows whose label contains one of the words. */
function prepareRows(messages, words, peers) {
  const all = codecs.flatMap((codec) => Object.keys(codec.usage).map((direction) => ({ codec, direction })))
  const chosen = chosenBy(words, all, ({ codec, direction }) => codec.usage[direction])
  return chosen.map(({ codec, direction }, index) => {
    showProgress('checking', index / chosen.length)
    return prepare(codec, direction, messages, peers)
  })
}

function describeData({ name, messages }) {
  const many = messages.length > 1 ? `${messages.length} messages, ` : ''
  const sizes = [`${totalLength(messages, named('JSON'))} bytes of JSON`]
  sizes.push(`${totalLength(messages, named('ferropack'))} of MessagePack`)
  return `${name}, ${many}${sizes.join(', ')}`
}

function totalLength(messages, codec) {
  const { pack } = codec.load()
  return messages.reduce((sum, message) => sum + lengthOf(pack, message), 0)
}

/** JSON has nothing for some values. */
function lengthOf(pack, message) {
  try {
    return pack(message).length
  } catch {
    return 0
  }
}

/** Measures and prints. Returns the rows. */
function runTable(set, { words, seconds, json, peers }) {
  const rows = prepareRows(set.messages, words, peers)
  const shown = rows.filter(({ isMissing }) => !isMissing || peers === undefined)
  measure(shown, seconds)
  if (json) {
    printLines('msgpack-lite', set.name, rows)
    return rows
  }
  const names = codecs.map(({ peer }) => peer).filter((name) => name !== undefined)
  printHeading("The table of msgpack-lite's benchmark", versionsOf(names, peers))
  console.log(`data: ${describeData(set)}\n`)
  if (shown.length === 0) {
    console.log('The packages of these rows are not installed.')
    return rows
  }
  printTable(shown)
  console.log()
  printGains(shown)
  return rows
}

module.exports = { prepareRows, runTable }
