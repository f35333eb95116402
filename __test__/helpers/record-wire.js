'use strict'

// The bytes of record definitions and references, as hex text, for expectations and for messages made by hand.

const reference = require('./reference-encoder')
const { toHex } = require('./hex')

const byte = (number) => number.toString(16).padStart(2, '0')

const hexOf = (value) => toHex(reference.encode(value))

/** The two bytes of an id from 0x60 on, where ids are that long. */
const wide = (id) => byte(0x60 | (id & 0x1f)) + byte((id - 0x60) >> 5)

const keyList = (keys) => toHex(reference.arrayHeader(keys.length)) + keys.map(hexOf).join('')

/** A definition with a one-byte id; the first instance's values have to follow. */
const define = (id, ...keys) => `d472${byte(id)}${keyList(keys)}`

/** A definition with a two-byte id, given as the slot that it names. */
const defineWide = (slot, ...keys) => `d572${wide(slot + 0x40)}${keyList(keys)}`

/** A reference with a two-byte id, given as the slot that it names. */
const referWide = (slot) => wide(slot + 0x40)

module.exports = { byte, hexOf, wide, keyList, define, defineWide, referWide }
