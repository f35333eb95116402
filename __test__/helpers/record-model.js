'use strict'

// A writer of records that is slow and obvious: which shape gets which id, and when it is defined. It takes values
// made of null, booleans, numbers, strings, arrays and plain objects, and knows no store and no nested calls.

const { arrayHeader, encode } = require('./reference-encoder')
const { hexOf, keyList, wide, byte } = require('./record-wire')

const FIRST = 0x40

class RecordModel {
  constructor({ shared = 0, own = 64, sequential = false, structures = [], shares = () => true } = {}) {
    Object.assign(this, { shared, own, sequential, structures, shares })
    this.wide = shared > 32 || shared + own > 64
    this.firstOwn = FIRST + shared
    this.end = this.firstOwn + own
    this.sharedIds = new Map()
    structures.forEach((keys, slot) => {
      if (keys) this.sharedIds.set(JSON.stringify(keys), FIRST + slot)
    })
    this.ownIds = new Map()
    this.shapeOf = new Map()
    this.next = FIRST + structures.length
    this.nextRefused = this.firstOwn
  }

  pack(value) {
    const text = this.write(value)
    if (!this.sequential) {
      this.ownIds.clear()
      this.next = FIRST + this.structures.length
    }
    return text
  }

  idText(id) {
    return this.wide && id >= 0x60 ? wide(id) : byte(id)
  }

  write(value) {
    if (Array.isArray(value)) {
      return arrayHeader(value.length).toString('hex') + value.map((item) => this.write(item)).join('')
    }
    if (value !== null && typeof value === 'object') return this.writeObject(value)
    if (Number.isInteger(value) && value >= 64 && value < 128) return `cc${byte(value)}`
    return encode(value).toString('hex')
  }

  writeObject(object) {
    const keys = Object.keys(object)
    const head = this.head(keys)
    if (head !== undefined) return head + keys.map((key) => this.write(object[key])).join('')
    const size = keys.length.toString(16).padStart(4, '0')
    return `de${size}${keys.map((key) => hexOf(key) + this.write(object[key])).join('')}`
  }

  /** What stands before the values of an object with these keys; undefined where it has to be a map. */
  head(keys) {
    const shape = JSON.stringify(keys)
    const known = this.sharedIds.get(shape) ?? this.ownIds.get(shape)
    if (known !== undefined) return this.idText(known)
    if (this.next < this.firstOwn && this.shares(keys)) {
      this.structures.push(keys)
      this.sharedIds.set(shape, this.next)
      return this.idText(this.next++)
    }
    if (this.own === 0) return undefined
    return this.define(shape, keys)
  }

  define(shape, keys) {
    let id
    if (this.next < this.firstOwn) {
      if (this.nextRefused >= this.end) this.nextRefused = this.firstOwn
      id = this.nextRefused++
    } else {
      if (this.next >= this.end) this.next = this.firstOwn
      id = this.next++
    }
    const older = this.shapeOf.get(id)
    if (this.ownIds.get(older) === id) this.ownIds.delete(older)
    if (this.ownIds.size >= this.own) this.ownIds.delete(this.ownIds.keys().next().value)
    this.ownIds.set(shape, id)
    this.shapeOf.set(id, shape)
    return (this.wide && id >= 0x60 ? `d572${wide(id)}` : `d472${byte(id)}`) + keyList(keys)
  }
}

module.exports = { RecordModel }
