'use strict'

// roundFloat32: the shortest decimal that a 32-bit float stands for.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { roundFloat32 } = require('../helpers/ferropack')

test('known results', () => {
  const known = [
    [0.00333000003, 0.00333],
    [43.29999999993, 43.3],
    [123456789, 123456790],
    [-1.1000000001, -1.1],
    [1e38, 1e38],
    [0.1, 0.1],
    [7.989999771118164, 7.99],
    [0, 0],
    [1, 1],
    [-2.5, -2.5],
  ]
  for (const [given, rounded] of known) assert.equal(roundFloat32(given), rounded, String(given))
})

test('values that are no decimal become zero', () => {
  for (const given of [NaN, Infinity, -Infinity, -0]) assert.equal(roundFloat32(given), 0, String(given))
})

test('decimals of up to six digits survive a float32', () => {
  for (let i = 1; i < 2000; i++) {
    const price = (i * 37) / 100
    assert.equal(roundFloat32(Math.fround(price)), price)
    assert.equal(roundFloat32(Math.fround(-price)), -price)
  }
})
