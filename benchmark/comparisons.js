'use strict'

// Owns which engines are compared with each other in one process: Ferropack's tiers, the engine whose bytes they
// write, and what the reader knows.

const { codecs } = require('./codecs')
const { alternatives } = require('./alternatives')

/** `theirs` is what ratios are to, besides JSON; `others` are there to be seen. */
const comparisons = [
  { name: 'plain', ours: ['ferropack', 'ferropack tape'], theirs: 'msgpackr', others: ['cbor-x'] },
  {
    name: 'structures',
    ours: ['ferropack structures', 'ferropack structures tape'],
    theirs: 'msgpackr structures',
    others: ['cbor-x structures'],
  },
  {
    // What one might pick instead; some with a schema, which Ferropack does not need to be ahead of them.
    name: 'alternatives',
    ours: ['ferropack', 'ferropack structures'],
    theirs: 'msgpackr',
    others: alternatives.map(({ name }) => name),
    onRequest: true,
  },
]

const JSON_ENGINE = 'JSON'

/** All engines of a comparison, ours first. */
function enginesOf({ ours, theirs, others }) {
  return [...ours, theirs, JSON_ENGINE, ...others]
}

function codecNamed(name) {
  return [...codecs, ...alternatives].find((codec) => codec.name === name)
}

module.exports = { comparisons, enginesOf, codecNamed, JSON_ENGINE }
