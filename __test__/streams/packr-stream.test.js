'use strict'

// PackrStream: a Buffer for each value, structures, errors and back-pressure.

const test = require('node:test')
const assert = require('node:assert/strict')
const { Transform, Readable, Writable, pipeline } = require('node:stream')
const { promisify } = require('node:util')
const { PackrStream, EncoderStream, UnpackrStream, Packr, pack } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { memoryStore } = require('../helpers/structure-store')
const { through } = require('../helpers/streams')

const hexes = async (stream, values) => (await through(stream, values)).output.map(toHex)

test('is a Transform, under both names', () => {
  assert.equal(PackrStream, EncoderStream)
  const stream = new PackrStream()
  assert.ok(stream instanceof Transform)
  assert.ok(stream.packr instanceof Packr)
  assert.equal(stream.writableObjectMode, true)
  assert.equal(stream.readableObjectMode, false)
  for (const options of [null, undefined, 5, {}]) assert.ok(new PackrStream(options))
  class Named extends PackrStream {}
  assert.ok(new Named() instanceof PackrStream)
})

test('a structure is defined once, and the options stay as they were', async () => {
  const options = Object.freeze({})
  assert.deepEqual(await hexes(new PackrStream(options), [{ a: 1 }, { a: 2 }]), ['d4724091a16101', '4002'])
  assert.deepEqual(Object.keys(options), [])
  const each = new PackrStream({ sequential: false })
  assert.deepEqual(await hexes(each, [{ a: 1 }, { a: 2 }]), ['d4724091a16101', 'd4724091a16102'])
  assert.deepEqual(await hexes(new PackrStream({ useRecords: false }), [{ a: 1 }]), ['de0001a16101'])
  assert.deepEqual(await hexes(new PackrStream({ packr: new Packr() }), [{ a: 1 }, { a: 2 }]), [
    'd4724091a16101',
    'd4724091a16102',
  ])
  assert.throws(() => new PackrStream({ packr: {} }), TypeError)
})

test('structures that are given are used', async () => {
  const structures = []
  assert.deepEqual(await hexes(new PackrStream({ structures }), [{ a: 1 }, { a: 2 }]), ['4001', '4002'])
  assert.deepEqual(
    structures.map((keys) => [...keys]),
    [['a']],
  )
  const store = memoryStore()
  const { output } = await through(new PackrStream(store), [{ a: 1 }, { b: 2 }])
  assert.deepEqual(output.map(toHex), ['4001', '4102'])
  const reader = new Packr(store)
  assert.deepEqual(
    output.map((bytes) => reader.unpack(bytes)),
    [{ a: 1 }, { b: 2 }],
  )
})

test('undefined is a value, null is refused by Node', async () => {
  assert.deepEqual(await hexes(new PackrStream(), [undefined, 'x']), ['d40000', 'a178'])
  assert.throws(() => new PackrStream().write(null), { code: 'ERR_STREAM_NULL_VALUES' })
  const stream = new PackrStream()
  stream.end({ a: 1 })
  assert.equal(toHex(Buffer.concat(await stream.toArray())), 'd4724091a16101')
})

test('what can not be packed is an error event, after the values before', async () => {
  for (const [bad, check] of [
    [{ bad: Symbol('x') }, (error) => assert.match(error.message, /symbol/)],
    [getter(new RangeError('mine')), (error) => assert.equal(error.message, 'mine')],
    [getter('text'), (error) => assert.deepEqual([error.cause, error instanceof Error], ['text', true])],
    [getter(undefined), (error) => assert.ok(error instanceof Error && 'cause' in error)],
  ]) {
    const stream = new PackrStream()
    assert.equal(stream.write('before'), true)
    assert.doesNotThrow(() => stream.write(bad))
    const { output, error } = await through(stream, [])
    assert.deepEqual(output.map(toHex), [toHex(pack('before'))])
    check(error)
  }
})

function getter(thrown) {
  return {
    get value() {
      throw thrown
    },
  }
}

test('an error is not kept from who reads nothing', async () => {
  const stream = new PackrStream()
  const failed = new Promise((resolve) => stream.once('error', resolve))
  stream.write('unread')
  stream.write(Symbol('x'))
  assert.match((await failed).message, /symbol/)
})

test('back-pressure holds with small buffers and slow readers', async () => {
  const values = Array.from({ length: 200 }, (_, i) => ({ number: i, text: 'x'.repeat(i) }))
  const chunks = []
  let most = 0
  const stream = new PackrStream({ highWaterMark: 1 })
  const slow = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, callback) {
      most = Math.max(most, stream.readableLength)
      chunks.push(chunk)
      setImmediate(callback)
    },
  })
  await promisify(pipeline)(Readable.from(values), stream, slow)
  assert.ok(most < 1000, `${most} bytes waited`)
  const { output } = await through(new UnpackrStream(), chunks)
  assert.deepEqual(output, values)
})

test('results stay as they are', async () => {
  const { output } = await through(
    new PackrStream(),
    Array.from({ length: 5000 }, (_, i) => `value ${i}`),
  )
  assert.deepEqual(
    output.map((bytes) => bytes.toString('latin1', 1)),
    Array.from({ length: 5000 }, (_, i) => `value ${i}`),
  )
})

test('destroyed in the midst', async () => {
  const stream = new PackrStream()
  let count = 0
  stream.on('data', () => {
    if (++count === 2) stream.destroy()
  })
  const closed = new Promise((resolve) => stream.once('close', resolve))
  for (let i = 0; i < 5; i++) if (!stream.destroyed) stream.write(i)
  await closed
  assert.equal(count, 2)
})
