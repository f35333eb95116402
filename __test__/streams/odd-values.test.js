'use strict'

// Values whose end cannot be told from their bytes alone, or that user code cuts short: they cost no more than their
// length, hold nothing up, and are read as in one piece.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { addExtension, pack, unpack, decodeIter, UnpackrStream } = require('../helpers/ferropack')

function portions(bytes, size) {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
}

let calls = 0
addExtension({
  type: 51,
  unpack(payload) {
    calls++
    return payload.length
  },
})
addExtension({ type: 52, unpack: (payload) => unpack(payload) })

test('a message inside an extension that is cut is an error at once', async () => {
  assert.throws(
    () => unpack(Buffer.from('c7013492', 'hex')),
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

test('strings of a bundle that never come are not looked for at each byte', () => {
  const filler = 3000
  const message = Buffer.concat([
    Buffer.from([0xdc, (filler + 2) >> 8, (filler + 2) & 255, 0xc7, 0, 51]),
    Buffer.alloc(filler, 0xc0),
    Buffer.from('d6627fffffffc101', 'hex'),
  ])
  calls = 0
  const bytes = Buffer.concat([message, Buffer.alloc(4000, 7)])
  assert.throws(() => [...decodeIter(portions(bytes, 1))], { incomplete: true })
  assert.ok(calls <= 8, `${calls} calls`)
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
