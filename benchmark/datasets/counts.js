'use strict'

// Owns the counting of what a value is made of: `not ASCII` is a part of the
// strings, `fractions` of the numbers.

function countInto(counts, value) {
  if (value === null) counts.nulls++
  else if (typeof value === 'string') {
    counts.strings++
    if (/[^\0-\x7f]/.test(value)) counts['not ASCII']++
  } else if (typeof value === 'number') {
    counts.numbers++
    if (!Number.isInteger(value)) counts.fractions++
  } else if (typeof value === 'boolean') counts.booleans++
  else if (value instanceof Date) counts.dates++
  else if (Array.isArray(value)) {
    counts.arrays++
    for (const element of value) countInto(counts, element)
  } else {
    const keys = Object.keys(value)
    counts.objects++
    counts.keys += keys.length
    for (const key of keys) {
      counts['key names'].add(key)
      countInto(counts, value[key])
    }
  }
}

// Counts include the outermost value.
function count(messages) {
  const counts = {
    objects: 0,
    arrays: 0,
    keys: 0,
    'key names': new Set(),
    strings: 0,
    'not ASCII': 0,
    numbers: 0,
    fractions: 0,
    booleans: 0,
    nulls: 0,
    dates: 0,
  }
  for (const message of messages) countInto(counts, message)
  return { ...counts, 'key names': counts['key names'].size }
}

module.exports = { count }
