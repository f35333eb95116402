'use strict'

// What an extension's `pack` function writes by itself: memory of the message that it asks for, and values.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { addExtension, pack, unpack, Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

/** Whose instances hold the function that packs them. */
class Custom {
  constructor(packParts) {
    this.packParts = packParts
  }
}
addExtension({
  Class: Custom,
  type: 41,
  pack(value, allocate, packValue) {
    return value.packParts.call(this, allocate, packValue)
  },
  read: (value) => ({ read: value }),
  unpack: undefined,
})

const hexOf = (packParts, packr) => toHex((packr ?? { pack }).pack([new Custom(packParts), 'end']))
const END = 'a3656e64'

/** Writes bytes by themselves. */
function put(allocate, bytes) {
  const { target, position } = allocate(bytes.length)
  target.set(bytes, position)
}

const header = [0xd4, 41, 0]

test('memory of the message', () => {
  const parts = hexOf((allocate) => {
    const part = allocate(6)
    assert.deepEqual(Object.keys(part).sort(), ['position', 'target', 'targetView'])
    const { target, targetView } = part
    let { position } = part
    target[position++] = 0xce
    targetView.setUint32(position, 0x01020304)
    targetView.setUint8(position + 4, 7)
  })
  assert.equal(parts, `92ce0102030407${END}`)
})

test('memory that is not filled is zero', () => {
  pack(Buffer.alloc(500, 0xff))
  assert.equal(
    hexOf((allocate) => void allocate(3)),
    `92000000${END}`,
  )
})

test('a value that was owned by a byte', () => {
  const value = {
    list: [
      new Custom((allocate, packValue) => {
        put(allocate, header)
        packValue({ inner: ['text', 1.5] })
      }),
      2,
    ],
  }
  assertSame(unpack(pack(value)), { list: [{ read: { inner: ['text', 1.5] } }, 2] })
  const packr = new Packr()
  assertSame(packr.unpack(packr.pack([value, value])), [
    { list: [{ read: { inner: ['text', 1.5] } }, 2] },
    { list: [{ read: { inner: ['text', 1.5] } }, 2] },
  ])
})

test('parts stand in the order in which they were asked for', () => {
  const hex = hexOf((allocate, packValue) => {
    put(allocate, [0x94])
    packValue('a')
    const early = allocate(1)
    packValue([1])
    put(allocate, [0xc3])
    // Memory may be filled until the function returns.
    early.target[early.position] = 0xc2
  })
  assert.equal(hex, `9294a161c29101c3${END}`)
})

test('a result stands behind what was written before', () => {
  const hex = hexOf((allocate, packValue) => {
    put(allocate, [0x93])
    packValue(1)
    packValue(2)
    return Buffer.from([1, 2])
  })
  assert.equal(hex, `92930102d5290102${END}`)
})

test('no memory at all', () => {
  assert.equal(
    hexOf((allocate, packValue) => {
      allocate(0)
      packValue(5)
    }),
    `9205${END}`,
  )
  assert.equal(
    hexOf((allocate) => {
      allocate(0)
      return [1]
    }),
    `92d42901${END}`,
  )
})

test('memory that is as large as a message', () => {
  for (const size of [100, 5000, 40_000, 300_000, 3_000_000]) {
    const bytes = pack([
      new Custom((allocate) => {
        const { target, targetView, position } = allocate(size + 5)
        target[position] = 0xc6
        targetView.setUint32(position + 1, size)
        target.fill(7, position + 5, position + 5 + size)
      }),
      'end',
    ])
    const [data, end] = unpack(bytes)
    assert.equal(data.length, size)
    assert.ok(data.every((byte) => byte === 7))
    assert.equal(end, 'end')
  }
})

test('many parts', () => {
  const bytes = pack(
    new Custom((allocate, packValue) => {
      put(allocate, [0xdc, 0x27, 0x10])
      for (let i = 0; i < 5000; i++) {
        put(allocate, [i & 0x3f])
        packValue(`text ${i}`)
      }
    }),
  )
  const list = unpack(bytes)
  assert.equal(list.length, 10_000)
  for (let i = 0; i < 5000; i++) {
    assert.equal(list[2 * i], i & 0x3f)
    assert.equal(list[2 * i + 1], `text ${i}`)
  }
})

test('values of every kind', () => {
  const values = [
    null,
    undefined,
    1.5,
    5n,
    'text',
    'x'.repeat(70_000),
    [1, [2]],
    { a: 1 },
    new Map([[1, 2]]),
    new Date(1),
  ]
  for (const value of values) {
    const wrapped = new Custom((allocate, packValue) => {
      put(allocate, header)
      packValue(value)
    })
    assertSame(unpack(pack([wrapped, 'end'])), [{ read: value instanceof Map ? { 1: 2 } : value }, 'end'])
  }
})

test('instances within instances', () => {
  const nested = (depth) =>
    new Custom((allocate, packValue) => {
      put(allocate, [...header, 0x92])
      packValue(depth)
      packValue(depth === 0 ? 'innermost' : nested(depth - 1))
    })
  let value = unpack(pack({ a: nested(50), b: 'end' }))
  assert.equal(value.b, 'end')
  value = value.a
  for (let depth = 50; depth >= 0; depth--) {
    assert.equal(value.read[0], depth)
    value = value.read[1]
  }
  assert.equal(value, 'innermost')
})

test('objects within are records of the message', () => {
  const packr = new Packr()
  const value = [
    { a: 1 },
    new Custom((allocate, packValue) => {
      put(allocate, header)
      packValue([{ a: 2 }, { b: 3 }])
    }),
    { b: 4 },
  ]
  assert.equal(toHex(packr.pack(value)), '93d4724091a16101d42900924002d4724191a162034104')
  const shared = new Packr({ structures: [] })
  assert.equal(toHex(shared.pack(value)), '934001d42900924002' + '41034104')
  assert.deepEqual(
    shared.structures.map((keys) => [...keys]),
    [['a'], ['b']],
  )
})

test('objects within are referred to', () => {
  const packr = new Packr({ structuredClone: true })
  const shared = { x: 1 }
  const value = [
    shared,
    new Custom((allocate, packValue) => {
      put(allocate, header)
      packValue([shared, 'text'])
    }),
  ]
  value.push(value[1])
  assert.equal(
    toHex(packr.pack(value)),
    '93d66900000001d4724091a17801d66900000002d4290092d67000000001a474657874d67000000002',
  )
  const result = packr.unpack(packr.pack(value))
  assert.equal(result[1].read[0], result[0])
  assert.equal(result[2], result[1])
})

test('an instance that holds itself', () => {
  const packr = new Packr({ structuredClone: true })
  const self = new Custom((allocate, packValue) => {
    put(allocate, header)
    packValue([self])
  })
  assert.equal(toHex(packr.pack(self)), 'd66900000001d4290091d67000000001')
})

const ENDED = {
  name: 'Error',
  message: "An extension's pack function can write only until it returns, and not in another message",
}

test('parts that are asked for when the function has returned', () => {
  let late
  const keep = new Custom((allocate, packValue) => {
    late = { allocate, packValue }
    packValue(1)
  })
  const bytes = pack([keep, 2])
  assert.equal(toHex(bytes), '920102')
  assert.throws(() => late.allocate(3), ENDED)
  assert.throws(() => late.packValue(3), ENDED)
  const value = [
    keep,
    {
      get a() {
        assert.throws(() => late.allocate(3), ENDED)
        assert.throws(() => late.packValue(3), ENDED)
        return 5
      },
    },
  ]
  assert.equal(toHex(pack(value)), '9201de0001a16105')
  assert.equal(toHex(bytes), '920102')
})

test('parts that are asked for in a message within', () => {
  const outer = new Custom((allocate, packValue) => {
    const inner = {
      get a() {
        assert.throws(() => allocate(3), ENDED)
        assert.throws(() => packValue(3), ENDED)
        return 5
      },
    }
    assert.equal(toHex(pack(inner)), 'de0001a16105')
    packValue(7)
  })
  assert.equal(toHex(pack([outer, 8])), '920708')
})

test('memory that is filled when the function has returned', () => {
  let kept
  const bytes = pack([
    new Custom((allocate) => {
      kept = allocate(2)
      kept.target.set([1, 2], kept.position)
    }),
    {
      get a() {
        kept.target.fill(0xff)
        return 1
      },
    },
  ])
  assert.equal(toHex(bytes), '920102de0001a16101')
  kept.target.fill(0xee)
  assert.equal(toHex(bytes), '920102de0001a16101')
})

test('sizes that are none', () => {
  for (const size of [-1, 2 ** 53, NaN, 'text', {}]) {
    assert.throws(() => pack([new Custom((allocate) => void allocate(size)), 1]), Error, String(size))
    assert.equal(toHex(pack([1])), '9101')
  }
})

test('memory that the function took away', () => {
  const value = [
    new Custom((allocate, packValue) => {
      const { target } = allocate(4)
      structuredClone(target.buffer, { transfer: [target.buffer] })
      packValue(1)
    }),
    2,
  ]
  try {
    const bytes = pack(value)
    assert.equal(bytes.length, 7)
  } catch (error) {
    assert.ok(error instanceof Error)
  }
  assert.equal(toHex(pack([1])), '9101')
})
