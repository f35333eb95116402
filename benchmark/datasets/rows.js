'use strict'

// Owns the `rows` data set: the answer to a database query, 100 records of one
// shape in which no value occurs twice.

const { Random } = require('./random')
const { email, fullName, phrase, sentence } = require('./english')

// Draws until the value is one that no earlier column or row has.
function unused(seen, draw) {
  for (;;) {
    const value = draw()
    if (!seen.has(value)) {
      seen.add(value)
      return value
    }
  }
}

function rows() {
  const random = new Random(770077)
  const seen = new Set()
  const row = () => ({
    id: unused(seen, () => random.integer(100000, 999999)),
    sku: unused(seen, () => `P-${random.hex(6)}`),
    name: unused(seen, () => phrase(random, 3)),
    price: unused(seen, () => random.fraction(1, 900, 2)),
    stock: unused(seen, () => random.integer(0, 5000)),
    weight: unused(seen, () => random.fraction(0, 60, 3)),
    buyer: unused(seen, () => fullName(random)),
    contact: unused(seen, () => email(random)),
    updated: unused(seen, () => random.isoTime()),
    remark: unused(seen, () => sentence(random, 6, 14)),
  })
  return [Array.from({ length: 100 }, row)]
}

module.exports = { rows }
