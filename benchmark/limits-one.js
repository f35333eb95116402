'use strict'

// Owns the measuring of one case of the limits with one engine, in a process that has unpacked nothing before. Prints
// milliseconds.

const { cases } = require('./datasets/limits')

const [engine, name] = process.argv.slice(2)
// Of both: msgpackr packs no object of so many keys.
const { pack } = require('..')
const { unpack } = engine === 'ferropack' ? require('..') : require('msgpackr')

const { messages, times } = cases[name]()
const inputs = messages.map((message) => Buffer.from(pack(message)))

let last
const start = performance.now()
for (let time = 0; time < times; time++) {
  for (const input of inputs) last = unpack(input)
}
const milliseconds = performance.now() - start

/** Without recursion, as some are deeper than that goes: by what they are packed to. */
function requireRight(value, index) {
  if (!pack(value).equals(inputs[index])) throw new Error(`message ${index} is not unpacked as it was`)
}

requireRight(last, inputs.length - 1)
for (const [index, input] of inputs.entries()) requireRight(unpack(input), index)
console.log(milliseconds)
