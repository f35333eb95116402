'use strict'

// Values whose end cannot be told from their bytes alone, or that user code cuts short: they cost no more than their
// length, hold nothing up, and are read as in one piece.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { join } = require('node:path')
const { root } = require('../helpers/entry')
const { addExtension, pack, unpack, decodeIter, Unpackr, UnpackrStream } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')

const { UnfinishedValue } = require(join(root, 'src', 'js', 'unfinished-value.js'))

function portions(bytes, size) {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
}

addExtension({ type: 52, unpack: (payload) => unpack(payload) })

test('a message inside an extension that is cut is an error at once', async () => {
  assert.throws(
    () => unpack(fromHex('c7013492')),
    (error) => error.message === 'Unexpected end of MessagePack data' && error.incomplete === false,
  )
  const stream = new UnpackrStream()
  const values = []
  stream.on('data', (value) => values.push(value))
  const failed = new Promise((resolve) => stream.once('error', resolve))
  stream.write(Buffer.from('01c7013492', 'hex'))
  assert.equal((await failed).message, 'Unexpected end of MessagePack data')
  assert.deepEqual(values, [1])
  assert.deepEqual(unpack(Buffer.concat([Buffer.from([0xc7, 2, 52]), Buffer.from('9105', 'hex')])), [5])
})

let thrown = null
let calls = 0
const throwing = () => {
  calls++
  throw thrown
}
class Thrower {}
addExtension({ type: 53, unpack: throwing })
addExtension({ Class: Thrower, type: 54, write: () => 0, read: throwing })

const mine = () => Object.assign(new Error('mine'), { incomplete: true })

for (const [name, bytes, options] of [
  ['unpack', fromHex('01c7013592 02'), {}],
  ['read', fromHex('01d4360005 02'), {}],
  ['getStructures', fromHex('0141 02'), { getStructures: throwing }],
]) {
  test(`whatever ${name} throws is an error at once`, async () => {
    for (const error of [mine(), Object.freeze(mine())]) {
      thrown = error
      calls = 0
      const values = []
      const stream = new UnpackrStream(options)
      stream.on('data', (value) => values.push(value))
      const failed = new Promise((resolve) => stream.once('error', resolve))
      stream.write(bytes)
      const found = await failed
      assert.equal(found.message, 'mine')
      assert.notEqual(found.incomplete, true)
      assert.ok(found === error || found.cause === error)
      assert.deepEqual(values, [1])
      assert.equal(calls, 1)
      assert.throws(
        () => new Unpackr(options).unpack(bytes, { start: 1, end: bytes.length - 1 }),
        (other) => other.message === 'mine' && other.incomplete !== true,
      )
    }
  })
}

/** How many scans there are of what is held while `run` runs, and the bytes that they are given. */
function triesIn(run) {
  const { failed } = UnfinishedValue.prototype
  const tries = { count: 0, bytes: 0 }
  UnfinishedValue.prototype.failed = function counted() {
    tries.count++
    tries.bytes += this.length
    failed.call(this)
  }
  try {
    run()
  } finally {
    UnfinishedValue.prototype.failed = failed
  }
  return tries
}

test('a value is not read before the strings of all its bundles are there', () => {
  for (const opened of ['d6627fffffffc101', '92 d6627fffffff c100 d66200000006 c100 a0a0']) {
    const filler = 3000
    const message = Buffer.concat([
      Buffer.from([0xdc, (filler + 1) >> 8, (filler + 1) & 255]),
      Buffer.alloc(filler, 0xc0),
      fromHex(opened),
    ])
    for (const cut of [1, 100, message.length]) {
      const chunks = [message.subarray(0, cut), message.subarray(cut), ...portions(Buffer.alloc(4000, 7), 1)]
      const tries = triesIn(() => {
        assert.throws(() => [...decodeIter(chunks)], { incomplete: true })
      })
      // The last one is at the end, when no more bytes can come.
      assert.equal(tries.count, 1)
    }
  }
})

test('a value that only seems to be whole is tried at twice the length', () => {
  const length = 200_000
  // The second string of the bundle is long, which only a reader sees.
  const head = fromHex('91 d66200000008 c100 0707 a0 db00030000')
  for (const size of [50, 1000]) {
    const tries = triesIn(() => {
      const chunks = portions(Buffer.concat([head, Buffer.alloc(length, 0x61)]), size)
      assert.deepEqual([...decodeIter(chunks)][0], [''])
    })
    assert.ok(tries.count > 3)
    assert.ok(tries.bytes < 3 * length, `${tries.bytes} bytes`)
  }
})

test('the limit of what is held counts for it as well', () => {
  const far = fromHex('91 d66200000010 c105 0707')
  const text = Buffer.concat([fromHex('db00002710'), Buffer.alloc(10_000, 0x61), fromHex('a0')])
  const bytes = Buffer.concat([far.subarray(0, 9), Buffer.alloc(3 + 16 - 9, 7), text])
  const chunks = () => portions(bytes, 100)
  const whole = [...decodeIter([bytes])]
  assert.deepEqual([...decodeIter(chunks())], whole)
  assert.deepEqual([...decodeIter(chunks(), { maxIncompleteBufferSize: 10_000 })], whole)
  assert.throws(
    () => [...decodeIter(chunks(), { maxIncompleteBufferSize: 9000 })],
    /Maximum incomplete buffer size exceeded/,
  )
})

test('one string in the place of a record id does not hold up what follows', () => {
  const keys = 5000
  const record = Buffer.concat([
    fromHex(`d47240 dc${keys.toString(16).padStart(4, '0')}`),
    Buffer.from(
      Array.from({ length: keys }, (_, i) => [0xa2, 33 + (i % 90), 33 + Math.floor(i / 90)]).flat(),
    ),
    Buffer.alloc(keys, 1),
  ])
  const cut = fromHex('91 d66200000006 c140 a0a0')
  let last = 0
  const chunks = [record, cut.subarray(0, 8), cut.subarray(8)]
  const taken = []
  const given = function* () {
    for (const chunk of chunks) yield chunk
    // All values are out before more is asked for.
    last = taken.length
  }
  for (const value of decodeIter(given())) taken.push(value)
  assert.equal(last, 2)
  assert.deepEqual(taken[1], [''])
})

test('values behind a bundle whose strings lie far away', () => {
  // The strings of the first bundle stand behind many values.
  const count = 20_000
  const opening = Buffer.from([0xd6, 0x62, 0, 0, 0, 0])
  const rest = Buffer.concat([
    Buffer.from('c100d66200000006c100a0a0', 'hex'),
    Buffer.alloc(count, 7),
    Buffer.from('a0a0', 'hex'),
  ])
  opening.writeUInt32BE(4 + rest.length - 2, 2)
  const bytes = Buffer.concat([Buffer.from([0x92]), opening, rest])
  const whole = [...decodeIter([bytes])]
  assert.deepEqual(whole[0], ['', ''])
  for (const size of [1000, 4096]) assert.deepEqual([...decodeIter(portions(bytes, size))], whole)
})

test('references to values of the same chunk, however many lie between', () => {
  for (const between of [0, 1, 127, 128, 300, 1000]) {
    const bytes = Buffer.concat([
      Buffer.from('d669000000019105', 'hex'),
      Buffer.alloc(between, 1),
      Buffer.from('d67000000001', 'hex'),
    ])
    const values = [...decodeIter([bytes])]
    assert.equal(values.length, between + 2)
    assert.deepEqual(values[0], [5])
    assert.equal(values.at(-1), values[0])
  }
  assert.deepEqual([...decodeIter([pack({ a: 1 })], { useRecords: false })], [{ a: 1 }])
})
