'use strict'

// Strict equality of decoded values. Beyond deepStrictEqual it also compares key order, -0, holes, and identity:
// where the expectation holds one object twice, the actual value must do so too, unless copies are expected.

const assert = require('node:assert/strict')
const { inspect } = require('node:util')

const bytesOf = (view) =>
  view instanceof ArrayBuffer ? Buffer.from(view) : Buffer.from(view.buffer, view.byteOffset, view.byteLength)

const show = (value) => inspect(value, { depth: 1, maxArrayLength: 8, maxStringLength: 120 })

function differ(actual, expected, path, pairs) {
  if (Object.is(actual, expected)) return null
  const mismatch = () => `${path}: ${show(actual)} is not ${show(expected)}`
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) {
    return mismatch()
  }
  if (Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected)) return `${mismatch()} (prototype)`
  if (pairs?.has(expected))
    return pairs.get(expected) === actual ? null : `${path}: not the same object again`
  pairs?.set(expected, actual)

  if (expected instanceof Date) return Object.is(actual.getTime(), expected.getTime()) ? null : mismatch()
  if (expected instanceof ArrayBuffer || ArrayBuffer.isView(expected)) {
    return bytesOf(actual).equals(bytesOf(expected)) ? null : `${mismatch()} (bytes)`
  }
  if (expected instanceof RegExp) {
    return actual.source === expected.source && actual.flags === expected.flags ? null : mismatch()
  }
  if (expected instanceof Map || expected instanceof Set) {
    return differ([...actual], [...expected], `${path}<entries>`, pairs)
  }
  if (expected instanceof Error) {
    for (const field of ['name', 'message', 'cause', 'errors']) {
      const found = differ(actual[field], expected[field], `${path}.${field}`, pairs)
      if (found) return found
    }
  }
  return differInProperties(actual, expected, path, pairs)
}

function differInProperties(actual, expected, path, pairs) {
  if (Array.isArray(expected) && actual.length !== expected.length) {
    return `${path}: length ${actual.length} is not ${expected.length}`
  }
  const actualKeys = Object.keys(actual)
  const keys = Object.keys(expected)
  if (actualKeys.length !== keys.length) return `${path}: ${actualKeys.length} keys, not ${keys.length}`
  const at = keys.findIndex((key, i) => key !== actualKeys[i])
  if (at >= 0) return `${path}: key ${at} is ${show(actualKeys[at])}, not ${show(keys[at])}`
  if (Object.getOwnPropertySymbols(actual).length !== Object.getOwnPropertySymbols(expected).length) {
    return `${path}: other symbols`
  }
  for (const key of keys) {
    const found = differ(actual[key], expected[key], `${path}[${JSON.stringify(key)}]`, pairs)
    if (found) return found
  }
  return null
}

function difference(actual, expected, { copies = false } = {}) {
  return differ(actual, expected, 'value', copies ? null : new Map())
}

function assertSame(actual, expected, message, options) {
  const found = difference(actual, expected, options)
  if (found !== null) assert.fail(message ? `${message}: ${found}` : found)
}

module.exports = { assertSame, difference }
