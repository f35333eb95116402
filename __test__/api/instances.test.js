'use strict'

// Instances of Packr and Unpackr: which members they have, and how options reach them.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr, Encoder, Decoder, ALWAYS, NEVER } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const PLAIN = { useRecords: false }

test('pack is an own function, the same as encode, and works detached', () => {
  const packr = new Packr(PLAIN)
  assert.ok(Object.hasOwn(packr, 'pack'))
  assert.equal(packr.pack, packr.encode)
  const { pack, encode } = packr
  assert.equal(toHex(pack({ a: 1 })), 'de0001a16101')
  assert.equal(toHex(encode(100)), '64')
})

test('unpack, decode and unpackMultiple come from the prototype', () => {
  for (const name of ['unpack', 'decode', 'unpackMultiple']) {
    assert.equal(typeof Unpackr.prototype[name], 'function', name)
    assert.ok(!Object.hasOwn(new Unpackr(PLAIN), name), name)
    assert.equal(new Packr(PLAIN)[name], Unpackr.prototype[name], name)
  }
  assert.equal(Unpackr.prototype.pack, undefined)
})

test('a detached unpack decodes as the module does, a detached decode throws', () => {
  const { unpack, decode } = new Unpackr({ useRecords: false, mapsAsObjects: false })
  assertSame(unpack(fromHex('81a16101')), { a: 1 })
  assert.throws(() => decode(fromHex('81a16101')), TypeError)
})

test('each instance follows its own options', () => {
  const objects = new Unpackr(PLAIN)
  const maps = new Unpackr({ useRecords: false, mapsAsObjects: false })
  const bytes = fromHex('82a16101a1628101a163')
  for (let i = 0; i < 5; i++) {
    assertSame(objects.unpack(bytes), { a: 1, b: { 1: 'c' } })
    assertSame(
      maps.decode(bytes),
      new Map([
        ['a', 1],
        ['b', new Map([[1, 'c']])],
      ]),
    )
  }
})

test('every option given becomes a property, known or not', () => {
  const options = {
    useRecords: false,
    variableMapSize: true,
    int64AsType: 'auto',
    useFloat32: 4,
    ownName: 'kept',
  }
  for (const Class of [Packr, Unpackr]) {
    const instance = new Class(options)
    for (const [name, value] of Object.entries(options)) {
      assert.ok(Object.hasOwn(instance, name), name)
      assert.equal(instance[name], value, name)
    }
  }
})

test('no options at all', () => {
  for (const nothing of [undefined, null, 5, 'text', true]) {
    assert.equal(new Packr(nothing).unpack(new Packr(nothing).pack('x')), 'x')
    assert.equal(new Unpackr(nothing).unpack(fromHex('a178')), 'x')
  }
})

test('options are read, never written', () => {
  const given = { useRecords: false, int64AsNumber: true }
  for (const Class of [Packr, Unpackr]) {
    const instance = new Class(given)
    assert.deepEqual(given, { useRecords: false, int64AsNumber: true })
    assert.equal(instance.mapsAsObjects, true)
    assert.equal(instance.int64AsType, 'number')
  }
})

test('options may be frozen, inherited from, and shared', () => {
  const frozen = Object.freeze({ useRecords: false, variableMapSize: true, int64AsNumber: true })
  const packr = new Packr(frozen)
  const unpackr = new Unpackr(frozen)
  assert.equal(toHex(packr.pack({ a: { b: 5n } })), '81a16181a162d30000000000000005')
  assertSame(unpackr.unpack(packr.pack({ a: { b: 5n } })), { a: { b: 5 } })
  const sealed = new Packr(Object.preventExtensions({ useRecords: false }))
  assertSame(sealed.unpack(sealed.pack({ a: 1 })), { a: 1 })
})

test('mapsAsObjects given beside useRecords: false is kept', () => {
  assert.equal(new Packr({ useRecords: false, mapsAsObjects: false }).mapsAsObjects, false)
  assert.equal(new Packr({ useRecords: false, mapsAsObjects: true }).mapsAsObjects, true)
})

test('options changed on an instance are honoured by the next call', () => {
  const packr = new Packr(PLAIN)
  const map = fromHex('81a16101')
  assertSame(packr.unpack(map), { a: 1 })
  packr.mapsAsObjects = false
  assertSame(packr.unpack(map), new Map([['a', 1]]))
  packr.mapsAsObjects = true
  assertSame(packr.unpack(map), { a: 1 })

  const int64 = fromHex('d30000000000000005')
  for (const [type, value] of [
    ['number', 5],
    ['string', '5'],
    ['auto', 5],
    ['bigint', 5n],
    ['other', 5n],
  ]) {
    packr.int64AsType = type
    assertSame(packr.unpack(int64), value)
  }

  packr.useFloat32 = ALWAYS
  assert.equal(toHex(packr.pack(1.5)), 'ca3fc00000')
  packr.useFloat32 = NEVER
  assert.equal(toHex(packr.pack(1.5)), 'cb3ff8000000000000')

  packr.encodeUndefinedAsNil = true
  assert.equal(toHex(packr.pack([undefined])), '91c0')
  packr.encodeUndefinedAsNil = false
  assert.equal(toHex(packr.pack([undefined])), '91d40000')

  class Money {
    constructor() {
      this.cents = 5
    }
    toJSON() {
      return 'money'
    }
  }
  packr.useToJSON = false
  assert.equal(toHex(packr.pack(new Money())), 'de0001a563656e747305')
  packr.useToJSON = true
  assert.equal(toHex(packr.pack(new Money())), 'a56d6f6e6579')
})

test('integers 64 to 127 follow useRecords at each call', () => {
  const packr = new Packr()
  assert.equal(toHex(packr.pack([63, 64, 127, 128])), '943fcc40cc7fcc80')
  packr.useRecords = false
  assert.equal(toHex(packr.pack([63, 64, 127, 128])), '943f407fcc80')
})

test('subclasses work', () => {
  class Wire extends Packr {
    constructor() {
      super(PLAIN)
    }
    roundTrip(value) {
      return this.unpack(this.pack(value))
    }
  }
  assertSame(new Wire().roundTrip({ a: [1] }), { a: [1] })
  class Reader extends Decoder {}
  assertSame(new Reader(PLAIN).decode(new Encoder(PLAIN).encode({ a: 1 })), { a: 1 })
})

test('many instances live side by side', () => {
  const packrs = Array.from(
    { length: 500 },
    (_, i) => new Packr({ useRecords: false, variableMapSize: i % 2 === 0 }),
  )
  packrs.forEach((packr, i) => {
    assert.equal(toHex(packr.pack({ i: 1 })), i % 2 === 0 ? '81a16901' : 'de0001a16901')
  })
})
