'use strict'

// UnpackrStream: its options, errors, limits, aliasing and back-pressure.

const test = require('node:test')
const assert = require('node:assert/strict')
const { Transform, Readable, Writable, pipeline } = require('node:stream')
const { promisify } = require('node:util')
const { UnpackrStream, DecoderStream, PackrStream, Unpackr, Packr, pack } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { through, pieces } = require('../helpers/streams')

const read = (hexes, options) => through(new UnpackrStream(options), hexes.map(fromHex))

test('is a Transform, under both names', () => {
  assert.equal(UnpackrStream, DecoderStream)
  const stream = new UnpackrStream()
  assert.ok(stream instanceof Transform)
  assert.ok(stream.unpackr instanceof Unpackr)
  assert.equal(stream.maxIncompleteBufferSize, 67108864)
  assert.deepEqual([stream.writableObjectMode, stream.readableObjectMode], [true, true])
  for (const options of [null, undefined, 5, Object.freeze({})]) assert.ok(new UnpackrStream(options))
  assert.throws(() => new UnpackrStream({ unpackr: {} }), TypeError)
  assert.throws(() => new UnpackrStream({ maxIncompleteBufferSize: 'much' }), TypeError)
})

test('null has a stand-in that a subclass can choose; undefined has none', async () => {
  assert.deepEqual((await read(['01c0d40000', '91c0'])).output, [1, Symbol.for('null'), undefined, [null]])
  class WithNull extends UnpackrStream {
    getNullValue() {
      return 'nothing'
    }
  }
  assert.deepEqual((await through(new WithNull(), [fromHex('c002')])).output, ['nothing', 2])
})

test('definitions serve later values, those that are cut too', async () => {
  assert.deepEqual((await read(['d4724091a16101', '4002', '40', '03'])).output, [
    { a: 1 },
    { a: 2 },
    { a: 3 },
  ])
  // Also with an unpackr that would forget them, and that reads something else meanwhile.
  const unpackr = new Unpackr()
  const stream = new UnpackrStream({ unpackr })
  const values = []
  stream.on('data', (value) => {
    values.push(value)
    assert.deepEqual(unpackr.unpack(fromHex('d4724091a17a05')), { z: 5 })
  })
  stream.write(fromHex('d4724091a16101'))
  assert.deepEqual(unpackr.unpack(fromHex('d4724091a17905')), { y: 5 })
  stream.write(fromHex('4002'))
  assert.deepEqual(values, [{ a: 1 }, { a: 2 }])
})

test('structures that are given are used', async () => {
  const options = { structures: [['a', 'b']] }
  assert.deepEqual((await read(['40', '01', '02'], options)).output, [{ a: 1, b: 2 }])
  let loads = 0
  const getStructures = () => {
    loads++
    return [['a', 'b'], ['c']]
  }
  const cut = ['9340', '0102', '4103', '45', '934004', '05', '06', '45']
  assert.deepEqual((await read(cut, { getStructures })).output, [
    [{ a: 1, b: 2 }, { c: 3 }, 0x45],
    [{ a: 4, b: 5 }, 6, 0x45],
  ])
  assert.ok(loads < 10, `${loads} loads`)
})

test('options count', async () => {
  assert.deepEqual((await read(['81a16101'])).output, [new Map([['a', 1]])])
  assert.deepEqual((await read(['81a16101'], { useRecords: false })).output, [{ a: 1 }])
  assert.deepEqual((await read(['cf0000000000000001'], { int64AsType: 'string' })).output, ['1'])
})

test('errors come after the values before', async () => {
  for (const [hexes, output, error] of [
    [['0102d5503030'], [1, 2], { message: 'Unknown extension type 80' }],
    [['01a361'], [1], { message: 'Unexpected end of MessagePack data', incomplete: true }],
    [['01cd', '00'], [1], { message: 'Unexpected end of MessagePack data', incomplete: true }],
    [['92', '01', 'd55030', '30'], [], { message: 'Unknown extension type 80' }],
  ]) {
    const found = await read(hexes)
    assert.deepEqual(found.output, output)
    for (const [name, value] of Object.entries(error)) assert.equal(found.error[name], value)
  }
  const deep = await through(new UnpackrStream(), [Buffer.alloc(10_000, 0x91), Buffer.alloc(10_000, 0x91)])
  assert.equal(deep.error.message, 'Maximum MessagePack nesting depth exceeded')
  assert.ok(deep.error instanceof RangeError)
})

test('values are read before the error also by a reader that is slow', async () => {
  const stream = new UnpackrStream({ highWaterMark: 1 })
  stream.end(fromHex('010203040506d5503030'))
  const values = []
  await assert.rejects(async () => {
    for await (const value of stream) {
      values.push(value)
      await new Promise(setImmediate)
    }
  }, /Unknown extension/)
  assert.deepEqual(values, [1, 2, 3, 4, 5, 6])
  const unread = new UnpackrStream()
  const failed = new Promise((resolve) => unread.once('error', resolve))
  unread.write(fromHex('01d5503030'))
  assert.match((await failed).message, /Unknown extension/)
})

test('chunks that are no bytes are errors, empty ones nothing', async () => {
  const { output } = await through(new UnpackrStream(), [
    Buffer.alloc(0),
    new Uint8Array([1]),
    new Uint8Array([0x92]),
    Buffer.alloc(0),
    new Uint8Array([2, 3]),
    new Uint8Array([4, 5]).buffer,
    new Uint8ClampedArray([6]),
    new Uint8Array(new SharedArrayBuffer(1)),
  ])
  assert.deepEqual(output, [1, [2, 3], 4, 5, 6, 0])
  for (const [chunk, kind] of [
    ['text', 'string'],
    [5, 'number'],
    [new DataView(new ArrayBuffer(1)), 'DataView'],
    [{}, 'Object'],
  ]) {
    const { error } = await through(new UnpackrStream(), [chunk])
    assert.equal(error.message, `Source must be a Uint8Array or Buffer but was a ${kind}`)
    const held = await through(new UnpackrStream(), [fromHex('92'), chunk])
    assert.equal(held.error.message, 'Chunk must be a Uint8Array or Buffer')
    assert.ok(held.error instanceof TypeError)
  }
})

test('no more than the limit is held', async () => {
  const limit = (maxIncompleteBufferSize, ...hexes) => read(hexes, { maxIncompleteBufferSize })
  const exceeded = 'Maximum incomplete buffer size exceeded'
  assert.equal((await limit(3, 'ddffffffff')).error.message, exceeded)
  assert.equal((await limit(0, '92')).error.message, exceeded)
  assert.equal((await limit(2, '93', '00', '01')).error.message, exceeded)
  // What a chunk completes is given, however much that was.
  assert.deepEqual((await limit(2, '93', '00', '0102')).output, [[0, 1, 2]])
  assert.deepEqual((await limit(2, 'a861626364', '6566676801')).error.message, exceeded)
  // What is announced only does not count.
  const waiting = await read(['ddffffffff', '00'])
  assert.equal(waiting.error.message, 'Unexpected end of MessagePack data')
})

test('values keep no memory of chunks that they were put together from', async () => {
  const bytes = pack({ blob: Buffer.from('abcdef') })
  const chunk = Buffer.alloc(4)
  const stream = new UnpackrStream({ useRecords: false })
  const values = []
  stream.on('data', (value) => values.push(value))
  for (let at = 0; at < bytes.length; at += 4) {
    const length = bytes.copy(chunk, 0, at)
    stream.write(chunk.subarray(0, length))
    chunk.fill(0)
  }
  for (const byte of pack({ blob: Buffer.from('ghi') })) stream.write(Buffer.from([byte]))
  assert.deepEqual(values, [{ blob: Buffer.from('abcdef') }, { blob: Buffer.from('ghi') }])
  // One that lies in a chunk is a part of it.
  const whole = Buffer.from(bytes)
  stream.write(whole)
  assert.equal(values[2].blob.buffer, whole.buffer)
  assert.equal(values[2].blob.constructor, Buffer)
})

test('back-pressure holds with small buffers and slow readers', async () => {
  const bytes = Buffer.concat(Array.from({ length: 500 }, (_, i) => pack([i])))
  for (const size of [1, 50, bytes.length]) {
    const stream = new UnpackrStream({ highWaterMark: 1 })
    const values = []
    let most = 0
    const slow = new Writable({
      objectMode: true,
      highWaterMark: 1,
      write([value], _encoding, callback) {
        most = Math.max(most, stream.readableLength)
        values.push(value)
        setImmediate(callback)
      },
    })
    await promisify(pipeline)(Readable.from(pieces(bytes, () => size)), stream, slow)
    assert.deepEqual(
      values,
      Array.from({ length: 500 }, (_, i) => i),
    )
    assert.ok(most <= 2, `${most} values waited`)
  }
})

test('paused, resumed and read by hand in the midst of a chunk', async () => {
  const stream = new UnpackrStream()
  const values = []
  stream.on('data', (value) => {
    values.push(value)
    if (value % 10 === 3) {
      stream.pause()
      setImmediate(() => stream.resume())
    }
  })
  stream.end(Buffer.from(Array.from({ length: 60 }, (_, i) => i)))
  await new Promise((resolve) => stream.once('end', resolve))
  assert.deepEqual(
    values,
    Array.from({ length: 60 }, (_, i) => i),
  )
  const byHand = new UnpackrStream({ highWaterMark: 2 })
  byHand.write(fromHex('0102030405'))
  await new Promise(setImmediate)
  const taken = []
  for (let value = byHand.read(); value !== null; value = byHand.read()) taken.push(value)
  assert.deepEqual(taken, [1, 2, 3, 4, 5])
})

test('destroyed in the midst of a chunk', async () => {
  const stream = new UnpackrStream()
  const values = []
  stream.on('data', (value) => {
    values.push(value)
    if (value === 3) stream.destroy()
  })
  const closed = new Promise((resolve) => stream.once('close', resolve))
  stream.write(fromHex('0102030405'))
  await closed
  assert.deepEqual(values, [1, 2, 3])
})

test('what a listener throws is the error of whoever writes, and no value is lost', () => {
  const stream = new UnpackrStream()
  const values = []
  stream.on('data', (value) => {
    values.push(value)
    if (value === 2) throw new Error('mine')
  })
  assert.throws(() => stream.write(fromHex('010203')), /mine/)
  stream.read()
  assert.deepEqual(values, [1, 2, 3])
})

test('a subclass may look at chunks first', async () => {
  class Marked extends UnpackrStream {
    _transform(chunk, encoding, callback) {
      super._transform(chunk.subarray(1), encoding, callback)
    }
  }
  const stream = new Marked({ highWaterMark: 1 })
  assert.deepEqual((await through(stream, ['ff0102', 'ff92', 'ff0304'].map(fromHex))).output, [1, 2, [3, 4]])
})

test('a chunk that is detached in the midst is an error', async () => {
  const bytes = new Uint8Array(1000).fill(7)
  const stream = new UnpackrStream({ highWaterMark: 5000 })
  const values = []
  stream.on('data', (value) => {
    values.push(value)
    if (values.length === 1) structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  })
  const failed = new Promise((resolve) => stream.once('error', resolve))
  stream.write(bytes)
  assert.match((await failed).message, /detached/)
  assert.ok(values.every((value) => value === 7))
})

test('both ways through a pipeline', async () => {
  const values = Array.from({ length: 1000 }, (_, i) => ({ id: i, name: `name ${i}`, tags: ['x', i] }))
  const output = []
  await promisify(pipeline)(
    Readable.from(values),
    new PackrStream(),
    new UnpackrStream(),
    new Writable({
      objectMode: true,
      write(value, _encoding, callback) {
        output.push(value)
        callback()
      },
    }),
  )
  assert.deepEqual(output, values)
  const { packr } = new PackrStream({ packr: new Packr({ structures: [] }) })
  assert.deepEqual(packr.unpack(packr.pack(values)), values)
})
