'use strict'

// Extensions that go wrong: what is refused when they are registered, results that are nothing, and functions that
// throw. Whatever happens, earlier results stay as they were and the next message is right.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { addExtension, pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

class Custom {
  constructor(act) {
    this.act = act
  }
}
addExtension({
  Class: Custom,
  type: 51,
  pack(value, allocate, packValue) {
    return value.act.call(this, allocate, packValue)
  },
  unpack: (data) => [...data],
})

class Written {
  constructor(act) {
    this.act = act
  }
}
addExtension({
  Class: Written,
  type: 52,
  write(value) {
    return value.act.call(this)
  },
  read: (value) => value,
})

const PACKRS = {
  module: { pack, unpack },
  records: new Packr(),
  'shared structures': new Packr({ structures: [] }),
  references: new Packr({ structuredClone: true }),
  'bundled strings': new Packr({ bundleStrings: true }),
  'small maps': new Packr({ useRecords: false, variableMapSize: true }),
}

const sample = () => ({ text: 'some text', list: [1, { n: 2.5 }], map: new Map([['key', null]]) })

/** Has a message fail, with each packr and in several places. Nothing else may come of it. */
function assertFails(makeValue, expected) {
  for (const [name, packr] of Object.entries(PACKRS)) {
    const earlier = packr.pack(sample())
    const hex = toHex(earlier)
    const places = [
      (value) => value,
      (value) => [1, 'text that was written', value, 2],
      (value) => ({ before: 1, deep: [{ at: value }], after: 2 }),
      (value) => new Map([[1, value]]),
      (value) => new Set([value]),
      (value) => new Written(() => [value]),
    ]
    for (const place of places) {
      assert.throws(() => packr.pack(place(makeValue())), expected, name)
      assertSame(packr.unpack(packr.pack([sample(), sample()]))[1].list, sample().list, name)
      assert.equal(toHex(earlier), hex, name)
    }
  }
}

test('what is refused when an extension is registered', () => {
  class Refused {}
  const noFunction = { name: 'Error', message: 'Extension has no pack or write function' }
  const noType = { name: 'Error', message: 'Extension has no type (numeric code to identify the extension)' }
  for (const extension of [{}, { type: 61 }, { type: 61, read() {}, unpack() {} }, { type: 61, pack: null }])
    assert.throws(() => addExtension({ Class: Refused, ...extension }), noFunction)
  for (const type of [undefined, null, 0, '', false, NaN])
    assert.throws(() => addExtension({ Class: Refused, type, pack: () => [1] }), noType)
  assert.throws(() => addExtension(), TypeError)
  assert.throws(() => addExtension(null), TypeError)
  // None of them is registered.
  assert.equal(toHex(pack(new Refused())), 'de0000')
})

test('an extension whose properties throw', () => {
  const mine = new Error('mine')
  const extension = {
    Class: class {},
    type: 62,
    get pack() {
      throw mine
    },
  }
  assert.throws(
    () => addExtension(extension),
    (error) => error === mine,
  )
  assertSame(unpack(pack(sample())), { ...sample(), map: { key: null } })
})

test('a result that is nothing', () => {
  for (const result of [undefined, null, false, 0, '', NaN, 0n]) {
    assertFails(() => new Custom(() => result), {
      name: 'Error',
      message: `The pack function of extension type 51 returned ${result} and wrote nothing`,
    })
  }
})

test('a result that is no payload', () => {
  for (const result of [
    true,
    5,
    'text',
    {},
    { length: 2 },
    () => {},
    new Map(),
    new Set([1]),
    Symbol('s'),
    5n,
  ]) {
    assertFails(() => new Custom(() => result), {
      name: 'TypeError',
      message: 'The pack function of extension type 51 must return a Buffer, Uint8Array or array of bytes',
    })
  }
})

test('an array that cannot become bytes', () => {
  assertFails(() => new Custom(() => [1, Symbol('s')]), TypeError)
  assertFails(() => new Custom(() => [1n]), TypeError)
})

test('a payload whose memory is gone', () => {
  assertFails(
    () =>
      new Custom(() => {
        const bytes = new Uint8Array([1, 2])
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
        return bytes
      }),
    TypeError,
  )
})

const mine = new (class AppError extends Error {})('mine')
const isMine = (error) => error === mine
const fail = () => {
  throw mine
}

test('functions that throw', () => {
  assertFails(() => new Custom(fail), isMine)
  assertFails(() => new Written(fail), isMine)
  assertFails(() => new Written(() => [1, { deep: new Written(fail) }]), isMine)
  assertFails(
    () =>
      new Custom((allocate) => {
        allocate(100)
        fail()
      }),
    isMine,
  )
  assertFails(
    () =>
      new Custom((_, packValue) => {
        packValue({ long: 'x'.repeat(100_000), numbers: new Array(5000).fill(0.5) })
        fail()
      }),
    isMine,
  )
  assertFails(
    () =>
      new Custom((_, packValue) =>
        packValue({
          get a() {
            return fail()
          },
        }),
      ),
    isMine,
  )
  assert.deepEqual(Object.keys(mine), [])
})

test('what cannot be packed in place of an instance', () => {
  assertFails(() => new Written(() => Symbol('no')), { name: 'Error', message: 'Unknown type: symbol' })
  assertFails(() => new Custom((_, packValue) => packValue([Symbol('no')])), {
    name: 'Error',
    message: 'Unknown type: symbol',
  })
  // References would have more types, and with them large integers.
  for (const packr of [PACKRS.module, PACKRS.records])
    assert.throws(() => packr.pack(new Written(() => 2n ** 64n)), RangeError)
})

test('an error that the function catches is thrown all the same', () => {
  const noSymbol = { name: 'Error', message: 'Unknown type: symbol' }
  const catching = (value) =>
    new Custom((_, packValue) => {
      try {
        packValue(value)
      } catch {
        return [1]
      }
      return assert.fail('nothing was thrown')
    })
  const halves = [
    Symbol('no'),
    [1.5, 2.5, Symbol('no')],
    { a: 1, b: Symbol('no') },
    ['some text', { here: 1, now: Symbol('no') }],
    new Map([
      [1, 2],
      [3, Symbol('no')],
    ]),
    new Set([1, Symbol('no')]),
  ]
  for (const half of halves) {
    assertFails(() => catching(half), noSymbol)
    assertFails(() => catching([catching(half)]), noSymbol)
  }
  assertFails(() => catching(new Written(fail)), isMine)
})

test('classes that cannot be asked', () => {
  class Asking {}
  Object.defineProperty(Asking, Symbol.hasInstance, { value: (value) => value?.throws && fail() })
  addExtension({ Class: Asking, type: 53, write: () => null })
  class Other {
    throws = true
  }
  assertFails(() => new Other(), isMine)
})

test('instances that nest without an end', () => {
  const endless = () => new Written(endless)
  const endlessParts = () => new Custom((_, packValue) => packValue(endlessParts()))
  assertFails(endless, RangeError)
  assertFails(endlessParts, RangeError)
})
