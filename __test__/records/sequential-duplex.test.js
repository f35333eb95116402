'use strict'

// What a sequential instance sends and what it receives are two sequences. A message that fails was never sent, and
// one packed within another is no part of the sequence.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { RecordModel } = require('../helpers/record-model')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')
const reference = require('msgpackr')

const seed = chosenSeed()
const shape = (i, value = i % 32) => ({ [`s${i}`]: value })

test('one instance on each side', () => {
  const alice = new Packr({ sequential: true })
  const bob = new Packr({ sequential: true })
  for (let i = 0; i < 40; i++) {
    const question = { ask: i, about: { [`topic${i % 3}`]: true } }
    assertSame(bob.unpack(alice.pack(question)), question)
    const answer = { reply: i, with: { [`detail${i % 2}`]: 'x' } }
    assertSame(alice.unpack(bob.pack(answer)), answer)
  }
})

test('what is received does not change what is sent, nor the other way round', () => {
  const packr = new Packr({ sequential: true })
  assert.equal(toHex(packr.pack({ a: 1 })), 'd4724091a16101')
  assertSame(packr.unpack(fromHex('92d4724091a17801' + 'd4724191a17902')), [{ x: 1 }, { y: 2 }])
  assert.equal(toHex(packr.pack({ a: 2 })), '4002')
  assertSame(packr.unpack(fromHex('92' + '4001' + '4102')), [{ x: 1 }, { y: 2 }])
  assert.equal(toHex(packr.pack([{ y: 1 }, { a: 3 }])), '92' + 'd4724191a17901' + '4003')
  assertSame(packr.unpack(fromHex('4105')), { y: 5 })
  // A shape that was only received has not been sent.
  assert.equal(toHex(packr.pack({ x: 1 })), 'd4724291a17801')
})

test('an id that was never received is looked up among those that were sent', () => {
  const packr = new Packr({ sequential: true })
  packr.pack([{ a: 1 }, { b: 1 }])
  assertSame(packr.unpack(fromHex('92' + '4001' + '4102')), [{ a: 1 }, { b: 2 }])
  assertSame(packr.unpack(fromHex('d4724191a17801')), { x: 1 })
  assertSame(packr.unpack(fromHex('92' + '4003' + '4104')), [{ a: 3 }, { x: 4 }])
  assertSame(packr.unpack(fromHex('91' + '42')), [66])
  packr.pack({ c: 1 })
  assertSame(packr.unpack(fromHex('4205')), { c: 5 })
  assert.equal(toHex(packr.pack([{ b: 1 }, { x: 1 }])), '92' + '4101' + 'd4724391a17801')
})

test('both directions write as if there were no other', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  for (const own of [1, 3, 32, 65]) {
    const sides = [0, 1].map(() => ({
      packr: new Packr({ sequential: true, maxOwnStructures: own }),
      model: new RecordModel({ own, sequential: true }),
    }))
    for (let i = 0; i < 400; i++) {
      const from = random.below(2)
      const kinds = random.pick([2, 10, 90])
      const value = Array.from({ length: 1 + random.below(4) }, () => ({
        ...shape(random.below(kinds)),
        inner: shape(from),
      }))
      const bytes = sides[from].packr.pack(value)
      assert.equal(toHex(bytes), sides[from].model.pack(value))
      assertSame(sides[1 - from].packr.unpack(bytes), value)
    }
  }
})

test('a message that fails is announced again', () => {
  const packr = new Packr({ sequential: true })
  const fresh = [new Unpackr({ sequential: true }), new reference.Unpackr({ sequential: true })]
  const send = (value) => {
    const bytes = packr.pack(value)
    for (const reader of fresh) assertSame(reader.unpack(bytes), value)
    return toHex(bytes)
  }
  send({ ready: true })
  assert.throws(() => packr.pack({ id: 1, amount: Symbol('none') }), /Unknown type: symbol/)
  assert.match(send({ id: 2, amount: 5n }), /^d472..92a26964a6616d6f756e7402/)
  assert.equal(send({ ready: false }), '40c2')
  assert.throws(() => packr.pack([{ id: 1, amount: 1 }, Symbol('none')]), /Unknown type: symbol/)
  assert.doesNotMatch(send({ id: 3, amount: 6n }), /^d472/)
})

test('messages that fail in a sequence that starts over', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  for (const own of [1, 2, 5, 32, 66]) {
    const options = { sequential: true, maxOwnStructures: own }
    const packr = new Packr(options)
    const fresh = [new Unpackr(options), new Packr(options)]
    if (own < 64) fresh.push(new reference.Unpackr(options))
    for (let i = 0; i < 400; i++) {
      const kinds = random.pick([2, own, own + 3, 90])
      const some = () => Array.from({ length: random.below(5) }, () => ({ a: shape(random.below(kinds)) }))
      if (random.chance(0.3)) {
        assert.throws(() => packr.pack([...some(), shape(random.below(kinds)), Symbol('none')]), /symbol/)
      }
      const value = [...some(), shape(random.below(kinds))]
      const bytes = packr.pack(value)
      for (const [r, reader] of fresh.entries())
        assertSame(reader.unpack(bytes), value, `${own} own, reader ${r}`)
    }
  }
})

test('a message packed within another can be read alone, and the sequence goes on', () => {
  const packr = new Packr({ sequential: true })
  class Packed {
    constructor(content) {
      this.content = content
    }
    toJSON() {
      return packr.pack(this.content)
    }
  }
  // The id is one that the sequence has not used, as the message may be sent by itself as well.
  const inner = 'd4724192a161a1620301'
  assert.equal(toHex(packr.pack({ a: 1 })), 'd4724091a16101')
  const value = [{ a: 2 }, new Packed({ a: 3, b: 1 }), { a: 4 }, { c: 1 }]
  assert.equal(toHex(packr.pack(value)), `944002c40a${inner}4004d4724291a16301`)
  assert.equal(toHex(packr.pack([{ a: 2 }, { c: 1 }, { a: 3, b: 1 }])), '9340024201d4724392a161a1620301')
  assertSame(new Unpackr().unpack(fromHex(inner)), { a: 3, b: 1 })
})

test('messages within messages, some of which fail', (t) => {
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  const packr = new Packr({ sequential: true, maxOwnStructures: 6 })
  const reader = new Unpackr({ sequential: true })
  let inner = []
  class Packed {
    constructor(content) {
      this.content = content
    }
    toJSON() {
      try {
        const bytes = packr.pack(this.content)
        inner.push([bytes, this.content])
        return bytes
      } catch {
        return null
      }
    }
  }
  for (let i = 0; i < 400; i++) {
    const some = () => shape(random.below(10))
    const content = [some(), some(), ...(random.chance(0.3) ? [Symbol('none')] : [])]
    const value = [some(), new Packed(content), { deep: new Packed(some()), more: some() }, some()]
    if (random.chance(0.3)) {
      assert.throws(() => packr.pack([...value, Symbol('none')]), /symbol/)
    }
    inner = []
    const bytes = packr.pack(value)
    const read = reader.unpack(bytes)
    assertSame([read[0], read[2].more, read[3]], [value[0], value[2].more, value[3]], `message ${i}`)
    for (const [packed, expected] of inner)
      assertSame(new Unpackr().unpack(packed), expected, `within message ${i}`)
  }
})

test('an instance that is read from while it packs', () => {
  const alice = new Packr({ sequential: true })
  const bob = new Packr({ sequential: true })
  for (let i = 0; i < 60; i++) {
    const news = bob.pack({ news: i, [`k${i % 5}`]: 1 })
    const value = {
      a: i,
      get received() {
        return alice.unpack(news).news
      },
      [`b${i % 40}`]: { a: 1 },
    }
    const expected = { a: i, received: i, [`b${i % 40}`]: { a: 1 } }
    assertSame(bob.unpack(alice.pack(value)), expected)
  }
})
