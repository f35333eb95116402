'use strict'

// Errors thrown by the caller's own code while packing: the very same object comes out, and the next call works.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr } = require('../helpers/ferropack')
const { assertSame } = require('../helpers/same')

class AppError extends Error {}
const mine = Object.assign(new AppError('mine'), { code: 'E_APP' })
const fail = (error) => {
  throw error
}

class Throwing {
  toJSON() {
    return fail(mine)
  }
}

class ThrowingGetter {
  get toJSON() {
    return fail(mine)
  }
}

const CALLBACKS = {
  getter: () => ({
    a: [
      'text',
      {
        get b() {
          return fail(mine)
        },
      },
    ],
  }),
  'getter after much output': () => [
    'x'.repeat(100_000),
    {
      get b() {
        return fail(mine)
      },
    },
  ],
  'toJSON method': () => [1, new Throwing()],
  'toJSON getter': () => ({ a: new ThrowingGetter() }),
  'constructor getter': () => ({
    get constructor() {
      return fail(mine)
    },
  }),
  'array element getter': () => Object.defineProperty([1, 2], 1, { get: () => fail(mine) }),
  'proxy ownKeys': () => new Proxy({ a: 1 }, { ownKeys: () => fail(mine) }),
  'proxy get': () => new Proxy({ a: 1 }, { get: () => fail(mine) }),
  'array proxy get': () => new Proxy([1], { get: () => fail(mine) }),
  'error message getter': () => Object.defineProperty(new Error('e'), 'message', { get: () => fail(mine) }),
}

for (const [name, make] of Object.entries(CALLBACKS)) {
  test(`${name}: the same error object`, () => {
    const packr = new Packr({ useRecords: false })
    const others = [
      { useRecords: false, variableMapSize: true },
      { useRecords: false, structuredClone: true },
      { useRecords: false, structuredClone: true, bundleStrings: true },
      { useRecords: false, moreTypes: true, bundleStrings: true },
    ].map((options) => new Packr(options).pack)
    for (const run of [pack, packr.pack, ...others]) {
      const before = run({ before: 1 })
      assert.throws(
        () => run(make()),
        (error) => error === mine,
      )
      assert.deepEqual(Object.keys(mine), ['code'])
      assertSame(unpack(before), { before: 1 })
      assertSame(unpack(run({ a: ['text', { b: 1 }] })), { a: ['text', { b: 1 }] })
    }
  })
}

test('thrown values that are no errors', () => {
  for (const thrown of ['text', 0, null, undefined, Symbol('s')]) {
    const value = {
      get a() {
        return fail(thrown)
      },
    }
    let caught = 'nothing'
    try {
      pack([value])
    } catch (error) {
      caught = error
    }
    assert.equal(caught, thrown)
    assertSame(unpack(pack([1])), [1])
  }
})

test('calls that fail and calls that work, in turn', () => {
  for (let i = 0; i < 500; i++) {
    const make = Object.values(CALLBACKS)[i % Object.keys(CALLBACKS).length]
    assert.throws(
      () => pack({ i, value: make() }),
      (error) => error === mine,
    )
    assertSame(unpack(pack({ i, text: `t${i}`, list: [i / 2] })), { i, text: `t${i}`, list: [i / 2] })
  }
})
