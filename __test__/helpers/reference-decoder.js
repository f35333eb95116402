'use strict'

// A plain MessagePack decoder that is slow and obvious, with the errors that unpack must give. Extension types with
// a structure of their own are not plain: meeting one throws NotPlain, and a caller then has nothing to compare.

class NotPlain extends Error {}

const text = new TextDecoder('utf-8', { ignoreBOM: true })
const END = 'Unexpected end of MessagePack data'
const BAD_KEY =
  'Invalid property type for record: object. A MessagePack map with non-string keys can be decoded as a Map with mapsAsObjects: false'
const OTHER_TYPES = new Set([0x42, 0x62, 0x65, 0x69, 0x70, 0x72, 0x73, 0x74, 0x78])

function incomplete(message, missingBytes) {
  const error = Object.assign(new Error(message), { incomplete: true })
  return missingBytes > 0 ? Object.assign(error, { missingBytes }) : error
}

class Reader {
  constructor(bytes, { C1, mapsAsObjects = true, int64AsType = 'bigint' }) {
    this.bytes = bytes
    this.position = 0
    this.options = { C1, mapsAsObjects, int64AsType }
    this.arrayBudget = bytes.length
  }

  get left() {
    return this.bytes.length - this.position
  }

  // A part whose length is known before it is looked at.
  claim(length) {
    if (length > this.left) throw incomplete(END, length - this.left)
  }

  take(length) {
    if (length > this.left) throw incomplete(END)
    this.position += length
    return this.bytes.subarray(this.position - length, this.position)
  }

  number(size, method) {
    if (size > this.left) throw incomplete('a number or length is cut')
    this.position += size
    return this.bytes[method](this.position - size, size)
  }

  byte(whenCut) {
    if (this.left < 1) throw incomplete(whenCut)
    return this.bytes[this.position++]
  }

  value() {
    const lead = this.byte(END)
    if (lead < 0x80) return lead
    if (lead < 0x90) return this.map(lead - 0x80)
    if (lead < 0xa0) return this.array(lead - 0x90)
    if (lead < 0xc0) return text.decode(this.take(lead - 0xa0))
    if (lead >= 0xe0) return lead - 256
    return this.wide(lead)
  }

  wide(lead) {
    const uint = (size) => this.number(size, 'readUIntBE')
    switch (lead) {
      case 0xc0:
        return null
      case 0xc1:
        return this.options.C1
      case 0xc2:
      case 0xc3:
        return lead === 0xc3
      case 0xc4:
        return this.take(this.byte('Unexpected end of buffer'))
      case 0xc5:
      case 0xc6:
        return this.claimed(uint(lead === 0xc5 ? 2 : 4))
      case 0xc7:
        return this.extension(this.byte('Unknown extension type undefined'))
      case 0xc8:
      case 0xc9:
        return this.extension(uint(lead === 0xc8 ? 2 : 4))
      case 0xca:
        return this.number(4, 'readFloatBE')
      case 0xcb:
        return this.number(8, 'readDoubleBE')
      case 0xcc:
        return this.byte(END)
      case 0xcd:
      case 0xce:
        return uint(lead === 0xcd ? 2 : 4)
      case 0xcf:
        return this.int64(this.number(8, 'readBigUInt64BE'))
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return this.number(2 ** (lead - 0xd0), 'readIntBE')
      case 0xd3:
        return this.int64(this.number(8, 'readBigInt64BE'))
      case 0xd4:
        return this.smallExtension()
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.extension(2 ** (lead - 0xd4))
      case 0xd9:
        return text.decode(this.take(this.byte(END)))
      case 0xda:
      case 0xdb:
        return text.decode(this.claimed(uint(lead === 0xda ? 2 : 4)))
      case 0xdc:
      case 0xdd:
        return this.checkedArray(uint(lead === 0xdc ? 2 : 4))
      default:
        return this.checkedMap(uint(lead === 0xde ? 2 : 4))
    }
  }

  claimed(length) {
    this.claim(length)
    return this.take(length)
  }

  int64(integer) {
    const { int64AsType } = this.options
    if (int64AsType === 'string') return integer.toString()
    if (int64AsType === 'number') return Number(integer)
    const safe = integer >= -(2n ** 53n) && integer <= 2n ** 53n
    return int64AsType === 'auto' && safe ? Number(integer) : integer
  }

  checkedArray(length) {
    this.claim(length)
    this.arrayBudget -= length
    if (this.arrayBudget < 0) throw incomplete(END)
    return this.array(length)
  }

  array(length) {
    return Array.from({ length }, () => this.value())
  }

  checkedMap(size) {
    this.claim(2 * size)
    return this.map(size)
  }

  map(size) {
    if (!this.options.mapsAsObjects) {
      const map = new Map()
      for (let i = 0; i < size; i++) map.set(this.value(), this.value())
      return map
    }
    const object = {}
    for (let i = 0; i < size; i++) {
      const key = this.key()
      const value = this.value()
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
    }
    return object
  }

  key() {
    const lead = this.bytes[this.position]
    if (lead >= 0xa0 && lead < 0xc0) {
      this.position++
      return text.decode(this.claimed(lead - 0xa0))
    }
    const key = this.value()
    if (typeof key === 'object' && key !== null) throw new Error(BAD_KEY)
    return String(key)
  }

  smallExtension() {
    const type = this.byte('Unknown extension undefined')
    if (OTHER_TYPES.has(type)) throw new NotPlain()
    if (type === 0x00) return void this.take(1)
    if (type === 0xff) return timestamp(this.take(1))
    throw new Error(`Unknown extension ${type}`)
  }

  extension(length) {
    // Both definitions of a record are known by their type alone, before their length is.
    if (length === 2 && this.bytes[this.position] === 0x72) throw new NotPlain()
    this.claim(length + 1)
    const type = this.byte(END)
    if (OTHER_TYPES.has(type)) throw new NotPlain()
    if (type !== 0x00 && type !== 0xff) throw new Error(`Unknown extension type ${type}`)
    const payload = this.take(length)
    return type === 0x00 ? undefined : timestamp(payload)
  }
}

function timestamp(bytes) {
  if (bytes.length === 4) return new Date(bytes.readUInt32BE(0) * 1000)
  if (bytes.length === 8) {
    const high = bytes.readUInt32BE(0)
    return new Date((high >>> 2) / 1e6 + ((high & 3) * 2 ** 32 + bytes.readUInt32BE(4)) * 1000)
  }
  if (bytes.length !== 12) return new Date(NaN)
  // The format allows no more than 999,999,999; what becomes of the sign bit is nobody's promise.
  if (bytes[0] & 0x80) throw new NotPlain()
  // Of the 64 bits of seconds only the sign and the low 48 bits count.
  const seconds = bytes.readUIntBE(6, 6) - (bytes[4] & 0x80 ? 2 ** 48 : 0)
  return new Date(bytes.readUInt32BE(0) / 1e6 + seconds * 1000)
}

function decode(bytes, options) {
  const reader = new Reader(bytes, options)
  const value = reader.value()
  if (reader.left > 0) throw new Error('Data read, but end of buffer not reached ')
  return value
}

module.exports = { decode, NotPlain }
