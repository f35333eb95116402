'use strict'

// Wherever the bytes of a stream are cut, its values are those that the whole bytes have.

const test = require('node:test')
const assert = require('node:assert/strict')
const { UnpackrStream, Unpackr, decodeIter } = require('../helpers/ferropack')
const { assertSame } = require('../helpers/same')
const { full } = require('../helpers/mode')
const { chosenSeed, randomFrom } = require('../helpers/seed')
const { kinds } = require('../helpers/stream-messages')
const { through, pieces, halves } = require('../helpers/streams')

const nullValue = Symbol.for(null)

/** The values of the messages in a row, which are all there at once. */
function readAll({ messages, reader }) {
  return new Unpackr({ structures: [], ...reader() }).unpackMultiple(Buffer.concat(messages))
}

function assertOutcome({ output, error }, expected, message) {
  assert.equal(error, null, message)
  assertSame(output, expected, message)
}

const withNulls = (values) => values.map((value) => (value === nullValue ? null : value))

for (const kind of kinds) {
  const { name, messages, reader } = kind
  const bytes = Buffer.concat(messages)

  test(`${name}: cut in two at every place`, async () => {
    const expected = readAll(kind)
    for (const chunks of halves(bytes)) {
      const { output, error } = await through(new UnpackrStream(reader()), chunks)
      assertOutcome({ output: withNulls(output), error }, expected, `cut at ${chunks[0].length}`)
    }
  })

  test(`${name}: cut into pieces of random sizes and into single bytes`, async () => {
    const seed = chosenSeed()
    const random = randomFrom(seed)
    const expected = readAll(kind)
    const sizes = [() => 1, () => 3, ...new Array(full ? 100 : 5).fill(() => 1 + random.below(20))]
    for (const nextSize of sizes) {
      const { output, error } = await through(new UnpackrStream(reader()), pieces(bytes, nextSize))
      assertOutcome({ output: withNulls(output), error }, expected, `seed ${seed}`)
    }
  })

  test(`${name}: by decodeIter`, () => {
    const expected = readAll(kind)
    for (const chunks of [...halves(bytes), pieces(bytes, () => 1), pieces(bytes, () => 7)]) {
      const found = { output: [], error: null }
      try {
        for (const value of decodeIter(chunks, reader())) found.output.push(value)
      } catch (error) {
        found.error = error
      }
      assertOutcome(found, expected, `first chunk of ${chunks[0].length}`)
    }
  })
}

test('every message that is cut is an error at the end, after the values before', async () => {
  for (const { name, messages, reader } of kinds) {
    const [first] = messages
    for (let length = 1; length < first.length; length++) {
      const { output, error } = await through(new UnpackrStream(reader()), [first.subarray(0, length)])
      // Bytes that are values by themselves are no cut message.
      if (error === null) continue
      assert.ok(output.length === 0 || name === 'plain', name)
      if (error.incomplete)
        assert.equal(error.message, 'Unexpected end of MessagePack data', `${name} ${length}`)
    }
  }
})

test('many small values in a row, among others that are read by themselves', async () => {
  const { Packr } = require('msgpackr')
  const packr = new Packr({ sequential: true, moreTypes: true })
  const values = Array.from({ length: 3000 }, (_, i) => {
    if (i % 97 === 5) return new Set([i])
    if (i % 89 === 6) return { blob: Buffer.alloc(i, 1) }
    return i % 3 === 0 ? { id: i, name: `name ${i}` } : [i, `text ${i}`, null]
  })
  const bytes = Buffer.concat(values.map((value) => Buffer.from(packr.pack(value))))
  for (const size of [1000, 20_000, 65_536, bytes.length]) {
    const { output, error } = await through(
      new UnpackrStream(),
      pieces(bytes, () => size),
    )
    assert.equal(error, null)
    assertSame(output, values)
  }
})

test('an error among small values comes after those before it', async () => {
  const bytes = Buffer.concat([
    Buffer.alloc(700, 0x01),
    Buffer.from('d5505050', 'hex'),
    Buffer.alloc(700, 0x02),
  ])
  const { output, error } = await through(new UnpackrStream(), [bytes])
  assert.deepEqual(output, new Array(700).fill(1))
  assert.equal(error.message, 'Unknown extension type 80')
})
