'use strict'

// What the instance learns between messages (key lists, short strings, sizes of its tapes) must never
// show in a result: not after errors, not when tables fill up and start over, not when calls nest.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack } = require('../helpers/ferropack')
const { full } = require('../helpers/mode')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const seed = chosenSeed()
const times = full ? 10 : 1

const CODES = [
  'kg',
  'mg',
  'ok',
  'no',
  'a',
  'bb',
  'ccc',
  'eight888',
  'ä',
  '日本',
  '',
  'ninechars',
  'x'.repeat(40),
]

/** A value of few shapes and many recurring strings, so that everything there is to learn is learned. */
function recurring(random, depth = 0) {
  const leaf = () =>
    random.pick([
      () => random.pick(CODES),
      () => random.below(300) - 100,
      () => random.below(1000) / 8,
      () => null,
      () => true,
      () => `unique ${random.uint32()}`,
    ])()
  const inner = () => (depth < 3 && random.chance(0.4) ? recurring(random, depth + 1) : leaf())
  const list = () => Array.from({ length: random.below(5) }, inner)
  return random.pick([
    () => ({ id: random.below(100), code: random.pick(CODES), value: inner() }),
    () => ({ id: random.below(100), code: random.pick(CODES), other: inner(), value: leaf() }),
    () => ({ id: random.below(100) }),
    () => ({ [random.pick(CODES)]: inner(), code: random.pick(CODES) }),
    () => ({ [`key${random.below(50)}`]: inner() }),
    () => ({ [`key${random.uint32()}`]: inner(), last: leaf() }),
    list,
    () => [random.pick(CODES), random.pick(CODES), random.pick(CODES)],
  ])()
}

/** What unpack makes of a message that is cut or damaged does not matter, as long as it ends. */
function fail(bytes, random) {
  const damaged = Buffer.from(bytes.subarray(0, random.below(bytes.length)))
  if (damaged.length > 0 && random.chance(0.5)) damaged[random.below(damaged.length)] = random.uint32() & 0xff
  try {
    unpack(damaged)
  } catch (error) {
    assert.ok(error instanceof Error)
  }
}

test('messages between failing ones', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  for (let i = 0; i < 6000 * times; i++) {
    const value = recurring(random)
    const bytes = pack(value)
    if (random.chance(0.3)) fail(bytes, random)
    assertSame(unpack(bytes), value)
    if (random.chance(0.05)) {
      assert.throws(() => pack([value, { code: 'kg', bad: Symbol('bad') }, value]), /Unknown type: symbol/)
    }
  }
})

test('a short string that is defined in a message that fails is no other string later', () => {
  for (let i = 0; i < 200; i++) {
    const text = `s${i}`
    const good = pack([text, text, text])
    const bad = Buffer.concat([Buffer.from([0x94]), good.subarray(1)])
    assert.throws(() => unpack(bad), { incomplete: true })
    assertSame(unpack(pack([`t${i}`, `t${i}`])), [`t${i}`, `t${i}`])
    for (let j = 0; j < 3; j++) assertSame(unpack(good), [text, text, text])
  }
})

test('a short string that recurs across the pieces of a long text', () => {
  for (const gap of [1000, 30_000, 65_000, 70_000]) {
    for (let count = 1; count < 6; count++) {
      const word = `g${gap % 97}${count}`
      const fill = (i) => (i % 2 === 0 ? Buffer.alloc(gap, i) : 'x'.repeat(gap))
      const value = Array.from({ length: 8 }, (_, i) => [word, fill(i), word, word]).flat()
      for (let again = 0; again < 3; again++) assertSame(unpack(pack(value)), value)
      assertSame(unpack(pack([word, 'q'])), [word, 'q'])
    }
  }
  // The same with other strings that share its number.
  const words = Array.from({ length: 4000 }, (_, i) => `w${i}`)
  const spread = words.flatMap((word, i) => (i % 100 === 0 ? ['y'.repeat(40_000), word, word] : [word]))
  for (let again = 0; again < 3; again++) assertSame(unpack(pack(spread)), spread)
  assertSame(unpack(pack(words)), words)
})

test('more key lists than either side keeps', () => {
  const values = Array.from({ length: 6000 }, (_, i) => ({
    [`first${i}`]: i,
    [`second${i}`]: { [`inner${i}`]: 'text' },
  }))
  for (let round = 0; round < 3 * times; round++) {
    for (let i = 0; i < values.length; i += 50) {
      const some = values.slice(i, i + 50)
      for (let again = 0; again < 3; again++) assertSame(unpack(pack(some)), some)
    }
  }
})

test('more short strings than have numbers, again and again', () => {
  const texts = Array.from({ length: 5000 }, (_, i) => `#${i}`)
  for (let round = 0; round < 4; round++) assertSame(unpack(pack(texts)), texts)
  const twice = [...texts, ...texts]
  assertSame(unpack(pack(twice)), twice)
})

test('a large message in the middle of small ones moves the tapes', () => {
  const small = { code: 'kg', list: [1, 2.5, 'text'] }
  for (let i = 0; i < 20; i++) assertSame(unpack(pack(small)), small)
  const large = Array.from({ length: 200_000 }, (_, i) =>
    i % 3 === 0 ? { code: 'kg', i } : i % 3 === 1 ? 'some text' : i / 4,
  )
  for (let i = 0; i < 2; i++) {
    assertSame(unpack(pack(large)), large)
    assertSame(unpack(pack(small)), small)
  }
})

test('results packed by callbacks are not overwritten by the outer message, whatever chunks they lie in', () => {
  const kept = []
  const value = (i) => ({
    before: 'x'.repeat(i % 90),
    get inner() {
      const text = `${i} `.repeat(1 + (i % 700))
      kept.push([pack({ text }), text])
      return i
    },
    after: 'y'.repeat(i % 400),
  })
  for (let i = 0; i < 2000; i++) {
    const outer = unpack(pack([value(i), value(i + 1)]))
    assert.equal(outer[1].inner, i + 1)
    assert.equal(outer[0].after.length, i % 400)
  }
  for (const [bytes, text] of kept) assert.equal(unpack(bytes).text, text)
})

test('long keys of wide objects, again and with others in their places', () => {
  const wide = (name, count, length) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`${name}${i}-`.padEnd(length + (i % 7), 'k'), i]),
    )
  const values = [
    wide('a', 2500, 40),
    wide('a', 2500, 40),
    wide('b', 2500, 40),
    { ...wide('a', 900, 40), ...wide('c', 1200, 20), ...wide('é', 900, 50) },
    wide('a', 2500, 2000),
    wide('a', 6000, 33),
    wide('a', 2500, 40),
    [wide('b', 2500, 40), wide('a', 2500, 40), wide('b', 2500, 41)],
  ]
  for (const value of [...values, ...values]) {
    const read = unpack(pack(value))
    assertSame(read, value)
    const first = Array.isArray(value) ? [value[0], read[0]] : [value, read]
    assert.deepEqual(Object.keys(first[1]), Object.keys(first[0]))
  }
})
