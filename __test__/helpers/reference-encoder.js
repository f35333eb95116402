'use strict'

// A plain MessagePack encoder that is slow and obvious: what the module-level pack must write, and with
// `variableMapSize` what such a packr must. It takes JSON-like values, Map, bytes, Date, bigint and undefined.

const text = new TextEncoder()

function withNumber(lead, size, number) {
  const bytes = Buffer.alloc(1 + size)
  bytes[0] = lead
  bytes.writeUIntBE(number, 1, size)
  return bytes
}

function header(count, small, smallLimit, forms) {
  if (count < smallLimit) return Buffer.from([small | count])
  const [lead, size] = forms.find(([, bytes]) => count < 2 ** (8 * bytes))
  return withNumber(lead, size, count)
}

const stringHeader = (length) =>
  header(length, 0xa0, 32, [
    [0xd9, 1],
    [0xda, 2],
    [0xdb, 4],
  ])
const binaryHeader = (length) =>
  header(length, 0, 0, [
    [0xc4, 1],
    [0xc5, 2],
    [0xc6, 4],
  ])
const arrayHeader = (length) =>
  header(length, 0x90, 16, [
    [0xdc, 2],
    [0xdd, 4],
  ])
const mapHeader = (size) =>
  header(size, 0x80, 16, [
    [0xde, 2],
    [0xdf, 4],
  ])
const objectHeader = (size) =>
  header(size, 0, 0, [
    [0xde, 2],
    [0xdf, 4],
  ])

function double(number) {
  const bytes = Buffer.alloc(9)
  bytes[0] = 0xcb
  bytes.writeDoubleBE(number, 1)
  return bytes
}

function number(n) {
  if (!Number.isInteger(n) || n >= 2 ** 32 || n < -(2 ** 31)) return double(n)
  if (n >= 0) {
    if (n < 128) return Buffer.from([n])
    if (n < 256) return withNumber(0xcc, 1, n)
    if (n < 65536) return withNumber(0xcd, 2, n)
    return withNumber(0xce, 4, n)
  }
  if (n >= -32) return Buffer.from([256 + n])
  if (n >= -128) return withNumber(0xd0, 1, n + 2 ** 8)
  if (n >= -32768) return withNumber(0xd1, 2, n + 2 ** 16)
  return withNumber(0xd2, 4, n + 2 ** 32)
}

function bigint(n) {
  const bytes = Buffer.alloc(9)
  bytes[0] = n < 2n ** 63n ? 0xd3 : 0xcf
  bytes.writeBigUInt64BE(BigInt.asUintN(64, n), 1)
  return bytes
}

function string(value) {
  const bytes = text.encode(value)
  return Buffer.concat([stringHeader(bytes.length), bytes])
}

function date(value) {
  const time = value.getTime()
  const seconds = Math.floor(time / 1000)
  const nanoseconds = (time - seconds * 1000) * 1e6
  if (nanoseconds === 0 && seconds >= 0 && seconds < 2 ** 32)
    return Buffer.concat([Buffer.from([0xd6, 0xff]), withNumber(0, 4, seconds).subarray(1)])
  if (seconds >= 0 && seconds < 2 ** 34) {
    const bytes = Buffer.from([0xd7, 0xff, 0, 0, 0, 0, 0, 0, 0, 0])
    bytes.writeBigUInt64BE((BigInt(nanoseconds) << 34n) | BigInt(seconds), 2)
    return bytes
  }
  const bytes = Buffer.alloc(15)
  bytes.set([0xc7, 0x0c, 0xff])
  bytes.writeUInt32BE(nanoseconds, 3)
  bytes.writeBigInt64BE(BigInt(seconds), 7)
  return bytes
}

function encode(value, { variableMapSize = false } = {}) {
  const parts = []
  const write = (item) => {
    if (item === null) parts.push(Buffer.from([0xc0]))
    else if (item === undefined) parts.push(Buffer.from([0xd4, 0, 0]))
    else if (typeof item === 'boolean') parts.push(Buffer.from([item ? 0xc3 : 0xc2]))
    else if (typeof item === 'number') parts.push(number(item))
    else if (typeof item === 'bigint') parts.push(bigint(item))
    else if (typeof item === 'string') parts.push(string(item))
    else if (Array.isArray(item)) {
      parts.push(arrayHeader(item.length))
      for (const element of item) write(element)
    } else if (item instanceof Date) parts.push(date(item))
    else if (item instanceof Uint8Array) parts.push(binaryHeader(item.length), item)
    else if (item instanceof Map) {
      parts.push(mapHeader(item.size))
      for (const [key, element] of item) {
        write(key)
        write(element)
      }
    } else {
      const keys = Object.keys(item)
      parts.push(variableMapSize ? mapHeader(keys.length) : objectHeader(keys.length))
      for (const key of keys) {
        write(key)
        write(item[key])
      }
    }
  }
  write(value)
  return Buffer.concat(parts)
}

module.exports = { encode, stringHeader, binaryHeader, arrayHeader, mapHeader, objectHeader }
