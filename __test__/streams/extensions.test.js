'use strict'

// Streams with extensions that a user registered: where their values end, and what their functions throw.

const test = require('node:test')
const assert = require('node:assert/strict')
const { addExtension, PackrStream, UnpackrStream, Unpackr, decodeIter } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { through, pieces } = require('../helpers/streams')

class Point {
  constructor(x, y) {
    this.x = x
    this.y = y
  }
}
class Blob {
  constructor(bytes) {
    this.bytes = bytes
  }
}
let reads = 0
addExtension({
  Class: Point,
  type: 11,
  write: ({ x, y }) => [x, y],
  read([x, y]) {
    reads++
    return new Point(x, y)
  },
})
addExtension({
  Class: Blob,
  type: 12,
  pack: ({ bytes }) => Buffer.from(bytes),
  unpack: (data) => new Blob([...data]),
})
addExtension({
  type: 13,
  unpack(data) {
    if (data[0] === 0) throw 'text'
    if (data[0] === 1) throw undefined
    if (data[0] === 2) throw Object.assign(new Error('mine'), { incomplete: true })
    return data[0]
  },
})

const values = [
  new Point(1, 2),
  [new Point(3, [new Point(4, 5)]), new Blob([1])],
  new Blob([1, 2, 3]),
  { point: new Point({ a: 1 }, 'y'), blob: new Blob(Array.from({ length: 300 }, (_, i) => i % 256)) },
  'end',
]

test('values of extensions end where they end, and are read once', async () => {
  const { output: buffers } = await through(new PackrStream(), values)
  const bytes = Buffer.concat(buffers)
  for (const size of [1, 2, 3, 5, 17, 100, bytes.length]) {
    reads = 0
    const { output, error } = await through(
      new UnpackrStream(),
      pieces(bytes, () => size),
    )
    assert.equal(error, null)
    assert.deepEqual(output, values)
    assert.equal(reads, 4)
  }
})

test('whatever an extension throws is an error', async () => {
  for (const chunks of [['01d40d00'], ['01d4', '0d', '00']]) {
    const { output, error } = await through(new UnpackrStream(), chunks.map(fromHex))
    assert.deepEqual(output, [1])
    assert.ok(error instanceof Error)
    assert.equal(error.message, 'Unpacking failed with a thrown non-object value')
    assert.equal(error.cause, 'text')
  }
  const { error } = await through(new UnpackrStream(), [fromHex('d40d01')])
  assert.ok(error instanceof Error && 'cause' in error)
  assert.throws(() => [...decodeIter([fromHex('d40d00')])], { cause: 'text' })
  // What only looks like an unfinished value is an error at the end at the latest.
  const looksCut = await through(new UnpackrStream(), [fromHex('01d40d02')])
  assert.deepEqual(looksCut.output, [1])
  assert.ok(looksCut.error instanceof Error)
})

test('an extension that unpacks by the same unpackr leaves the stream its definitions', async () => {
  const unpackr = new Unpackr({ structures: [] })
  addExtension({
    type: 14,
    unpack: (data) => unpackr.unpack(data),
  })
  const inner = 'd4724091a17a05'
  const bytes = fromHex(`d4724091a16101 c7070e${inner} 4002 92c7070e${inner}4003`)
  for (const size of [1, 4, bytes.length]) {
    const { output, error } = await through(
      new UnpackrStream({ unpackr }),
      pieces(bytes, () => size),
    )
    assert.equal(error, null)
    assert.deepEqual(output, [{ a: 1 }, { z: 5 }, { a: 2 }, [{ z: 5 }, { a: 3 }]])
  }
})

test('a built-in type that is replaced is a payload like any other', async () => {
  addExtension({ type: 0x69, unpack: (data) => ({ target: data.length }) })
  const { output, error } = await through(
    new UnpackrStream(),
    pieces(fromHex('92d66900000001d66900000002 07'), () => 1),
  )
  assert.equal(error, null)
  assert.deepEqual(output, [[{ target: 4 }, { target: 4 }], 7])
})
