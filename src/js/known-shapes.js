'use strict'
// What a packr knows of shapes for certain: what objects of a shape are written as, in every message. One table,
// which the heap walker reads too, holds it for the packr that packs.

const binding = require('./binding.js')
const { control } = require('./pack-tape.js')
const { control: word, known } = require('./tape.js')

/** By shape one of the numbers in `known`. */
const table = new Uint32Array(binding.knownShapes())
/** Whose the table is, and which shapes have an entry in it. */
let owner = null
let filled = []

function clearTable() {
  for (const shape of filled) table[shape] = known.NOTHING
  filled = []
  control[word.KNOWN_SHAPES] = 0
  owner = null
}

function fillTable(shape, what) {
  table[shape] = what
  filled.push(shape)
  if (shape >= control[word.KNOWN_SHAPES]) control[word.KNOWN_SHAPES] = shape + 1
}

class KnownShapes {
  /** Messages may define records in the slots from `firstOwn` up to `endOwn`. */
  constructor(firstOwn, endOwn) {
    this.firstOwn = firstOwn
    this.endOwn = endOwn
    this.entries = new Map()
  }

  isInTable() {
    return owner === this
  }

  /** Brings what is known to the table. */
  show() {
    if (owner === this) return
    clearTable()
    for (const [shape, what] of this.entries) fillTable(shape, what)
    control[word.FIRST_OWN] = this.firstOwn
    control[word.END_OWN] = this.endOwn
    owner = this
  }

  /** Takes it away: the heap walker may not go by it until it is shown again. */
  hide() {
    if (owner === this) clearTable()
  }

  set(shape, what) {
    if (this.entries.get(shape) === what) return
    this.entries.set(shape, what)
    if (owner === this) fillTable(shape, what)
  }

  delete(shape) {
    if (this.entries.delete(shape) && owner === this) table[shape] = known.NOTHING
  }

  forget() {
    this.entries.clear()
    this.hide()
  }
}

module.exports = { table, KnownShapes }
