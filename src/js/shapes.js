'use strict'
// Shapes of objects that are read: their keys and makers, by the numbers that Rust gives them.

/** What is known of the objects that have the same keys in the same order. */
class Shape {
  constructor(keys) {
    this.keys = keys
    this.uses = 0
    /** Function from the first value's position to the object, once there is one. */
    this.make = null
    /** The same for the quick reader: uses there, and a function that reads the next values of the message. */
    this.quickUses = 0
    this.quick = null
  }
}

/** Shapes of maps, and of records. */
const shapes = []
const recordShapes = []

/** The shape that has number `number` in `list` from now on. */
function addShape(list, number, keys) {
  const shape = new Shape(keys)
  // Without holes, which could turn the list into a slow dictionary.
  while (list.length < number) list.push(undefined)
  list[number] = shape
  return shape
}

/** All numbers have lost their meaning. */
function forgetShapes() {
  shapes.length = 0
  recordShapes.length = 0
}

module.exports = { shapes, recordShapes, addShape, forgetShapes }
