'use strict'

// Owns the names of the data sets. A data set is `{ name, messages }`; most
// have one message.

const { clinical } = require('./clinical')
const { distinct } = require('./distinct')
const { rows } = require('./rows')
const { twitter } = require('./twitter')
const { nonascii } = require('./nonascii')
const { doubles, integers } = require('./numbers')
const { dates, classes } = require('./objects')
const { tiny, fluentd } = require('./small')
const published = require('./public')

// Parsed, so that the values are laid out in memory as data is that came in
// over a wire, not as the generator happened to put it together.
function parsed(generate) {
  return () => JSON.parse(JSON.stringify(generate()))
}

const generators = {
  clinical: parsed(clinical),
  distinct: parsed(distinct),
  rows: parsed(rows),
  twitter: parsed(twitter),
  nonascii: parsed(nonascii),
  doubles: parsed(doubles),
  integers: parsed(integers),
  dates,
  classes,
  tiny: parsed(tiny),
  fluentd: parsed(fluentd),
  ...published,
}

const names = Object.keys(generators)

function load(name) {
  if (!names.includes(name)) {
    throw new RangeError(`There is no data set "${name}"; there are: ${names.join(', ')}`)
  }
  return { name, messages: generators[name]() }
}

module.exports = { names, load }
