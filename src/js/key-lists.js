'use strict'
// Which key lists of plain objects the packing direction knows: a trie from key to next key whose
// ends carry the number under which Rust holds the encoded keys.
//
// A key list gets a number when it is met the second time, or when a record is known by it. The trie is
// bounded, so objects that are used as dictionaries cost no memory; it starts over between messages when it
// is full.

const binding = require('./binding.js')
const { roots, SHAPE_KEYS } = require('./heap-roots.js')
const { control, reserveWords, tape: packTape } = require('./pack-tape.js')
const { control: word } = require('./tape.js')

const MAX_NODES = 1 << 14
/** New nodes that a single message may add. */
const MAX_NEW_NODES = 1 << 10
/** Longer keys are data, not names. */
const MAX_KEY_LENGTH = 128
/** Objects with more keys are data, not records. */
const MAX_KEYS = 256

roots[SHAPE_KEYS] = []

class KeyNode {
  constructor(parent, key) {
    this.parent = parent
    this.key = key
    this.depth = parent === null ? 0 : parent.depth + 1
    /** The key that came next last time. */
    this.next = null
    /** The first key of the object that was this key's value last time. */
    this.first = null
    /** Map from key to node, once there is more than one next key. */
    this.children = null
    this.uses = 0
    /** Whether `constructor` is among the keys. */
    this.ownsConstructor = parent !== null && (parent.ownsConstructor || key === 'constructor')
    /** Number of the shape that ends here, or -1. */
    this.shape = -1
  }
}

let root = new KeyNode(null, '')
let nodes = 0
let newNodes = 0
let full = false
/** The keys of each shape. */
let keysByShape = []
/** Changes when the numbers of shapes lose their meaning. */
let generations = 0

/** The node before any key. */
function rootNode() {
  return root
}

/** Readies the trie for a message; only between messages are numbers taken back. */
function beginMessage() {
  newNodes = 0
  if (full) {
    binding.clearShapes()
    root = new KeyNode(null, '')
    nodes = 0
    full = false
    keysByShape = []
    roots[SHAPE_KEYS] = []
    generations++
  }
}

/** See `generations`. */
function generation() {
  return generations
}

/** The keys of a shape. */
function keysOfShape(shape) {
  return keysByShape[shape]
}

/** Whether a key looks like data: long ones, numbers, and ids that begin with a digit. */
function isDataKey(key) {
  if (key.length > MAX_KEY_LENGTH) return true
  const code = key.charCodeAt(0)
  return code >= 48 && code <= 57
}

/** The node of `key` after `parent`, or null where the key list is not worth keeping. */
function childOf(parent, key) {
  let child = parent.children === null ? undefined : parent.children.get(key)
  if (child === undefined) {
    if (newNodes >= MAX_NEW_NODES || parent.depth >= MAX_KEYS || isDataKey(key)) return null
    if (nodes >= MAX_NODES) {
      full = true
      return null
    }
    nodes++
    newNodes++
    child = new KeyNode(parent, key)
    if (parent.children === null) parent.children = new Map()
    parent.children.set(key, child)
  }
  return child
}

/** The keys from the first to that of `node`. */
function keysOf(node) {
  const keys = new Array(node.depth)
  for (let each = node; each.parent !== null; each = each.parent) keys[each.depth - 1] = each.key
  return keys
}

/**
 * Asks Rust for a number for the key list that ends at `node`. Words of the tape from `free` on may be used.
 * Returns -1 when there are no more numbers.
 */
function defineShape(node, free) {
  node.shape = numberKeys(keysOf(node), free)
  return node.shape
}

function numberKeys(keys, free) {
  reserveWords(free, keys.length)
  let text = ''
  for (let i = 0; i < keys.length; i++) {
    packTape.words[free + i] = keys[i].length
    text += keys[i]
  }
  control[word.TAPE_START] = free
  control[word.TAPE_END] = free + keys.length
  control[word.TEXT_LENGTH] = text.length
  binding.defineShape(text)
  const shape = control[word.SHAPE]
  if (shape < 0) {
    full = true
  } else {
    keysByShape[shape] = keys
    // At the places where Rust has them encoded. A place that is missed, for lack of stack or memory, matches
    // no key.
    const first = control[word.TAPE_START]
    for (let i = 0; i < keys.length; i++) roots[SHAPE_KEYS][first + i] = asPropertyKey(keys[i])
  }
  return shape
}

/** The string that V8 has for a key in hidden classes, of which there is one for each text. */
function asPropertyKey(key) {
  for (const own in { __proto__: null, [key]: 0 }) return own
}

/** The number of any key list, -1 if there are no more numbers. The same words may be used. */
function shapeOf(keys, free) {
  let node = root
  for (const key of keys) {
    node = childOf(node, key)
    if (node === null) return numberKeys(keys, free)
  }
  return node.shape >= 0 ? node.shape : defineShape(node, free)
}

module.exports = {
  rootNode,
  beginMessage,
  generation,
  childOf,
  keysOf,
  keysOfShape,
  defineShape,
  shapeOf,
}
