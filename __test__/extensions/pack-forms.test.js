'use strict'

// The forms of extensions when packing: a payload behind every header, a value in place of an instance, and what of
// an extension counts where it has several functions.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { addExtension, pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const PACKRS = {
  records: () => new Packr(),
  maps: () => new Packr({ useRecords: false }),
  'shared structures': () => new Packr({ structures: [] }),
  'small maps': () => new Packr({ useRecords: false, variableMapSize: true }),
  references: () => new Packr({ structuredClone: true }),
  'bundled strings': () => new Packr({ bundleStrings: true }),
}

class Blob {
  constructor(bytes) {
    this.bytes = bytes
  }
}
const seen = []
addExtension({
  Class: Blob,
  type: 31,
  pack(blob) {
    seen.push(this)
    return blob.bytes
  },
  unpack: (data) => new Blob(Buffer.from(data)),
})

test('a payload has the smallest header', () => {
  const headers = {
    0: 'c7001f',
    1: 'd41f',
    2: 'd51f',
    3: 'c7031f',
    4: 'd61f',
    5: 'c7051f',
    7: 'c7071f',
    8: 'd71f',
    9: 'c7091f',
    15: 'c70f1f',
    16: 'd81f',
    17: 'c7111f',
    254: 'c7fe1f',
    255: 'c7ff1f',
    256: 'c801001f',
    257: 'c801011f',
    65535: 'c8ffff1f',
    65536: 'c9000100001f',
    70000: 'c9000111701f',
  }
  for (const [length, header] of Object.entries(headers)) {
    const bytes = Buffer.alloc(Number(length), 7)
    assert.equal(toHex(pack(new Blob(bytes))), header + toHex(bytes))
    for (const [name, make] of Object.entries(PACKRS)) {
      const packr = make()
      const value = { a: new Blob(bytes), end: 'end' }
      assertSame(packr.unpack(packr.pack([value, value.a])), [value, value.a], `${name}, ${length}`, {
        copies: true,
      })
    }
  }
})

test('what a payload may be', () => {
  const memory = Uint8Array.of(9, 1, 2, 9)
  const results = {
    Buffer: Buffer.from([1, 2]),
    'part of a Buffer': Buffer.from([9, 1, 2, 9]).subarray(1, 3),
    Uint8Array: Uint8Array.of(1, 2),
    'part of a Uint8Array': new Uint8Array(memory.buffer, 1, 2),
    'shared memory': (() => {
      const bytes = new Uint8Array(new SharedArrayBuffer(2))
      bytes.set([1, 2])
      return bytes
    })(),
    'an array': [1, 2],
    'an array of what becomes bytes': ['1', 258],
    ArrayBuffer: Uint8Array.of(1, 2).buffer,
    DataView: new DataView(memory.buffer, 1, 2),
    'a Uint16Array, whose elements become bytes': Uint16Array.of(1, 258),
    Uint8ClampedArray: Uint8ClampedArray.of(1, 2),
    'of a subclass': new (class extends Uint8Array {})([1, 2]),
  }
  for (const [name, bytes] of Object.entries(results)) {
    assert.equal(toHex(pack([new Blob(bytes), 5])), '92d51f010205', name)
  }
})

test('nothing that is changed later changes a message', () => {
  const bytes = Buffer.from([1, 2, 3, 4])
  const packed = pack([new Blob(bytes), new Blob(bytes)])
  bytes.fill(9)
  assert.equal(toHex(packed), '92d61f01020304d61f01020304')
})

test('a payload that is changed by what is packed after it', () => {
  const bytes = Buffer.from([1, 2])
  const value = [
    new Blob(bytes),
    {
      get a() {
        bytes.fill(9)
        return new Blob(bytes)
      },
    },
  ]
  assert.equal(toHex(pack(value)), '92d51f0102de0001a161d51f0909')
})

test('this is the packr', () => {
  for (const [name, make] of Object.entries(PACKRS)) {
    const packr = make()
    seen.length = 0
    packr.pack([new Blob([1]), { a: new Blob([1]) }])
    assert.equal(seen.length, 2, name)
    for (const receiver of seen) assert.equal(receiver, packr, name)
  }
  seen.length = 0
  pack(new Blob([1]))
  assert.equal(seen[0].useRecords, false)
})

class Point {
  constructor(x, y) {
    this.x = x
    this.y = y
  }
}
let reader
addExtension({
  Class: Point,
  type: 32,
  write(point) {
    seen.push(this)
    return [point.x, point.y]
  },
  read([x, y]) {
    reader = this
    return new Point(x, y)
  },
})

test('a value in place of an instance, with a type', () => {
  assert.equal(toHex(pack(new Point(1, 2))), 'd42000920102')
  assert.equal(toHex(pack([new Point(1, 'a'), 3])), '92d420009201a16103')
  for (const [name, make] of Object.entries(PACKRS)) {
    const packr = make()
    seen.length = 0
    const value = { a: new Point(1, { deep: new Point(new Date(5), null) }), b: [new Point(0, 0)] }
    assertSame(packr.unpack(packr.pack(value)), value, name)
    assert.equal(seen.length, 3)
    for (const receiver of seen) assert.equal(receiver, packr, name)
    assert.equal(reader.type, 32)
  }
})

class Money {
  constructor(cents) {
    this.cents = cents
  }
}
addExtension({ Class: Money, write: ({ cents }) => cents / 100 })

test('a value in place of an instance, without a type', () => {
  assert.equal(toHex(pack(new Money(500))), '05')
  assert.equal(toHex(pack({ price: new Money(50) })), 'de0001a57072696365cb3fe0000000000000')
  assertSame(unpack(pack([new Money(100), new Map([[new Money(200), 1]])])), [1, { 2: 1 }])
})

class Untyped {}
for (const type of [undefined, null]) {
  test(`a type of ${type} is none`, () => {
    class Falsy {}
    addExtension({ Class: Falsy, type, write: () => 'written' })
    assert.equal(toHex(pack(new Falsy())), 'a77772697474656e')
  })
}

test('what is written in place may be anything', () => {
  let written
  addExtension({ Class: Untyped, type: 33, write: () => written, read: (value) => ['read', value] })
  const values = [null, 0, -1, 1.5, '', 'text', true, 5n, [], [1], { a: 1 }, new Date(1)]
  for (written of values) assertSame(unpack(pack([new Untyped(), 'end'])), [['read', written], 'end'])
  written = undefined
  assert.equal(toHex(pack(new Untyped())), 'd42100d40000')
  written = () => {}
  assert.equal(toHex(pack(new Untyped())), 'd42100d40000')
  written = new Blob([1, 2])
  assert.equal(toHex(pack(new Untyped())), 'd42100d51f0102')
  written = new Error('boom')
  assert.equal(toHex(pack(new Untyped())), 'd4210093a54572726f72a4626f6f6dd40000')
})

class Itself {
  constructor(a) {
    this.a = a
  }
}
class OwnList extends Array {}
class OwnMap extends Map {}
class OwnDate extends Date {}
addExtension({ Class: Itself, type: 34, write: (value) => value, read: (value) => value })
addExtension({ Class: OwnList, type: 35, write: (value) => value, read: (value) => OwnList.from(value) })

test('an instance given back as it is', () => {
  assert.equal(toHex(pack(new Itself(1))), 'd42200de0001a16101')
  assert.equal(toHex(new Packr().pack([new Itself(1), new Itself(2)])), '92d42200d4724091a16101d422004002')
  assert.equal(toHex(pack(OwnList.of(1, OwnList.of(2)))), 'd423009201d423009102')
  assertSame(unpack(pack(OwnList.of(1, 2))), OwnList.of(1, 2))
})

test('an instance of a subclass of a built-in class given back as it is', () => {
  addExtension({ Class: OwnMap, type: 36, write: (map) => [...map], read: (entries) => new OwnMap(entries) })
  addExtension({
    Class: OwnDate,
    type: 37,
    write: (date) => date.getTime(),
    read: (time) => new OwnDate(time),
  })
  assertSame(unpack(pack(new OwnMap([['a', 1]]))), new OwnMap([['a', 1]]))
  assert.equal(toHex(pack(new OwnMap([['a', 1]]))), 'd424009192a16101')
  assert.equal(toHex(pack(new OwnDate(5))), 'd4250005')
  assert.equal(toHex(pack(new Map([['a', 1]]))), '81a16101')
  assert.equal(toHex(pack(new Date(0))), 'd6ff00000000')
})

test('of pack and write, write counts', () => {
  class Both {}
  addExtension({ Class: Both, type: 38, pack: () => Buffer.from([1]), write: () => 2 })
  assert.equal(toHex(pack(new Both())), 'd4260002')
})

test('an extension without a class packs nothing', () => {
  addExtension({ type: 39, pack: () => assert.fail('not asked'), unpack: (data) => [...data] })
  addExtension({ type: 40, read: (value) => ({ read: value }) })
  assert.equal(toHex(pack({ a: 1 })), 'de0001a16101')
  assertSame(unpack(Buffer.from('92d52701024f', 'hex')), [[1, 2], 0x4f])
  assertSame(unpack(Buffer.from('d42800a161', 'hex')), { read: 'a' })
})

test('of a type the low eight bits are written', () => {
  const types = { 257: '01', '-5': 'fb', 41.9: '29', 298: '2a' }
  for (const [type, code] of Object.entries(types)) {
    class Odd {}
    addExtension({ Class: Odd, type: Number(type), pack: () => [1, 2] })
    assert.equal(toHex(pack(new Odd())), `d5${code}0102`)
  }
})

test('strings before, in and behind instances, where strings are bundled', () => {
  class Named {
    constructor(name) {
      this.name = name
    }
  }
  addExtension({
    Class: Named,
    type: 43,
    write: ({ name }) => ['named', name],
    read: ([, name]) => new Named(name),
  })
  for (const options of [{}, { useRecords: false }, { structures: [] }, { structuredClone: true }]) {
    const packr = new Packr({ bundleStrings: true, ...options })
    const value = {
      start: 'text before',
      named: new Named('name of it'),
      list: [new Named('\u4f60\u597d again'), 'text between', new Blob(Buffer.from('payload'))],
      end: 'text after',
    }
    assertSame(packr.unpack(packr.pack(value)), value)
    assertSame(packr.unpack(packr.pack([value, value])), [value, value], 'twice', { copies: true })
  }
})
