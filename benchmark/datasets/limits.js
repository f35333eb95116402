'use strict'

// Owns the inputs that show where a reader which learns and is made for recurring shapes could lose: `{ messages,
// times }`, by name.

const { load } = require('.')

const cycled = (list, count) => Array.from({ length: count }, (_, i) => list[i % list.length])

/** The first messages that a process reads. */
const first = (count, name) => () => ({ messages: cycled(load(name).messages, count), times: 1 })

/** Objects of so many key sets, none like another. */
function keySets(count) {
  return Array.from({ length: count }, (_, i) => ({
    [`id${i}`]: i,
    name: `name ${i}`,
    [`value${i % 71}`]: i / 8,
    [`inner${i}`]: { [`flag${i % 13}`]: i % 2 === 0, [`text${i}`]: 'some text' },
  }))
}

const wide = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]))

function nested(depth, wrap) {
  let value = 1
  for (let i = 0; i < depth; i++) value = wrap(value)
  return value
}

const cases = {
  'first 10 messages (clinical)': first(10, 'clinical'),
  'first 100 messages (clinical)': first(100, 'clinical'),
  'first 300 messages (clinical)': first(300, 'clinical'),
  'first 1000 messages (clinical)': first(1000, 'clinical'),
  'first 1000 messages (distinct)': first(1000, 'distinct'),
  'first 1000 messages (twitter)': first(1000, 'twitter'),
  'first 1000 messages (tiny)': first(1000, 'tiny'),
  '5000 key sets, twice': () => ({ messages: keySets(5000), times: 2 }),
  '5000 key sets, 50 times': () => ({ messages: keySets(5000), times: 50 }),
  'a map of 100000 keys, once': () => ({ messages: [wide(100_000)], times: 1 }),
  'a map of 100000 keys, 20 times': () => ({ messages: [wide(100_000)], times: 20 }),
  '400 nested arrays, 1000 times': () => ({ messages: [nested(400, (value) => [value])], times: 1000 }),
  '400 nested maps, 1000 times': () => ({ messages: [nested(400, (value) => ({ a: value }))], times: 1000 }),
  '1000 nested maps, 300 times': () => ({ messages: [nested(1000, (value) => ({ a: value }))], times: 300 }),
}

module.exports = { cases }
