'use strict'

// Short messages that ask for the same work again and again, by extensions that read elsewhere in the message or by
// references: they are refused before the work is out of proportion, and the instance works afterwards.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { addExtension, pack, unpack, Packr, Unpackr } = require('../helpers/ferropack')

const TOO_OFTEN = { name: 'RangeError', message: 'MessagePack data repeats values too often to be unpacked' }

/** The extension whose payload is the place that it reads. */
const ELSEWHERE = 41
addExtension({ type: ELSEWHERE, unpack: (payload, readAt) => readAt(payload.readUInt32BE(0)) })
const elsewhere = (place) => {
  const bytes = Buffer.from([0xd6, ELSEWHERE, 0, 0, 0, 0])
  bytes.writeUInt32BE(place, 2)
  return bytes
}

class Node {}
addExtension({ Class: Node, type: 42, write: (node) => ({ ...node }), read: (value) => value })

const array32 = (length) => Buffer.from([0xdd, ...[24, 16, 8, 0].map((shift) => (length >>> shift) & 255)])
const nils = (count) => Buffer.alloc(count, 0xc0)

function assertUsable() {
  assert.deepEqual(unpack(pack({ list: [1, 'two', { three: 3 }] })), { list: [1, 'two', { three: 3 }] })
}

test('an array that is read from within itself', () => {
  for (const length of [10_000, 200_000]) {
    const message = Buffer.concat([array32(length), elsewhere(0), nils(length - 1)])
    assert.throws(() => unpack(message), TOO_OFTEN)
    assertUsable()
  }
})

test('one array that is read by many', () => {
  const [many, length] = [4000, 8000]
  const list = 5
  const message = Buffer.concat([
    array32(many + 1),
    array32(length),
    nils(length),
    ...Array.from({ length: many }, () => elsewhere(list)),
  ])
  assert.throws(() => unpack(message), TOO_OFTEN)
  assertUsable()
})

test('levels that each read the next one twice', () => {
  // Level i stands at 13 * i: an array of two that read the level below.
  const levels = 40
  const message = Buffer.concat([
    ...Array.from({ length: levels }, (_, i) =>
      Buffer.concat([Buffer.from([0x92]), elsewhere(13 * (i + 1)), elsewhere(13 * (i + 1))]),
    ),
    Buffer.from([0x90]),
  ])
  assert.throws(() => new Unpackr().unpackMultiple(message), TOO_OFTEN)
  assertUsable()
})

test('strings of a bundle for each of many that read one', () => {
  const text = Buffer.from('\u00e9'.repeat(32_000))
  const many = 60_000
  const cut = 11
  const values = Buffer.concat([
    Buffer.from([0xc1, 0xff]),
    ...Array.from({ length: many }, () => elsewhere(cut)),
  ])
  const opening = Buffer.from([0xd6, 0x62, 0, 0, 0, 0])
  opening.writeUInt32BE(4 + values.length, 2)
  const strings = Buffer.concat([
    Buffer.from([0xda, text.length >> 8, text.length & 255]),
    text,
    Buffer.from([0xa0]),
  ])
  assert.throws(() => unpack(Buffer.concat([array32(many + 1), opening, values, strings])), Error)
  assertUsable()
})

test('contents that are copied at each of many levels', () => {
  const [levels, keys] = [3000, 1000]
  const id = (tag, number) => Buffer.from([0xd6, tag, 0, 0, number >> 8, number & 255])
  const message = Buffer.concat([
    ...Array.from({ length: levels }, (_, i) => Buffer.concat([id(0x69, i + 1), Buffer.from([0xd4, 42, 0])])),
    Buffer.from([0xde, (keys + 1) >> 8, (keys + 1) & 255]),
    ...Array.from({ length: keys }, (_, i) => Buffer.concat([pack(`k${i}`), Buffer.from([1])])),
    Buffer.from([0xa1, 0x72, 0xdc, levels >> 8, levels & 255]),
    ...Array.from({ length: levels }, (_, i) => id(0x70, i + 1)),
  ])
  assert.throws(() => unpack(message), TOO_OFTEN)
  assertUsable()
})

test('what reads its own payload, or a table now and then, is not refused', () => {
  addExtension({ type: 43, unpack: (payload, readAt) => readAt(payload.byteOffset - start) })
  let start = 0
  const payload = pack({ name: 'a row', values: [1, 2, 3] })
  const one = Buffer.concat([Buffer.from([0xc7, payload.length, 43]), payload])
  const message = Buffer.concat([array32(5000), ...Array.from({ length: 5000 }, () => one)])
  start = message.byteOffset
  const rows = unpack(message)
  assert.equal(rows.length, 5000)
  assert.ok(rows.every(({ name, values }) => name === 'a row' && values.length === 3))

  const table = Buffer.concat([array32(3), pack({ id: 1 }), elsewhere(5), elsewhere(5)])
  assert.deepEqual(unpack(table), [{ id: 1 }, { id: 1 }, { id: 1 }])
})

test('instances of a class that hold each other', () => {
  const packr = new Packr({ structuredClone: true })
  const nodes = Array.from({ length: 300 }, () => new Node())
  for (const [i, node] of nodes.entries()) Object.assign(node, { i, next: nodes[(i + 1) % 300], all: nodes })
  const read = packr.unpack(packr.pack(nodes))
  assert.equal(read.length, nodes.length)
  assert.ok(read.every((node, i) => node.i === i && node.all === read && node.next === read[(i + 1) % 300]))
})
