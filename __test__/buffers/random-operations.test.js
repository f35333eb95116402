'use strict'

// Packing with flags, lending buffers and setting positions at random: each result is right when it is made, nothing is
// written outside of a lent buffer, and a result changes only if the caller sent the next one to its place.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr } = require('../helpers/ferropack')
const { full } = require('../helpers/mode')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const ROUNDS = full ? 2000 : 150
const OPERATIONS = 60
const GUARD = 0xaa
const REUSE = 512
const RESET = 1024
const RESERVE = 2048

/** Values and their bytes. */
const SAMPLES = [0, 10, 100, 1000, 3000, 9000, 33_000, 70_000].map((length) => {
  const value = { text: 'x'.repeat(length), list: [1.5, length] }
  return { value, bytes: Buffer.from(new Packr({ useRecords: false }).pack(value)) }
})

class Operations {
  constructor(random) {
    this.random = random
    this.packrs = [
      new Packr({ useRecords: false }),
      new Packr({ useRecords: false, heap: false }),
      new Packr({ useRecords: false, structuredClone: true }),
    ]
    this.lent = []
    this.forget()
  }

  /** From here on results may be written over. */
  forget() {
    this.kept = []
  }

  lend() {
    const { random } = this
    const size = random.pick([0, 100, 2057, 2058, 4000, 8192, 40_000])
    const memory = new Uint8Array(16 + size + 24).fill(GUARD)
    const view = random.chance(0.5)
      ? Buffer.from(memory.buffer, 16, size)
      : new Uint8Array(memory.buffer, 16, size)
    this.lent.push({ memory, size })
    random.pick(this.packrs).useBuffer(view)
  }

  move() {
    const { random } = this
    const [packr] = this.packrs
    packr.position = random.chance(0.5) ? random.below(9000) : Math.max(0, packr.position - random.below(300))
    this.forget()
  }

  pack() {
    const { random } = this
    const packr = random.pick(this.packrs)
    const { value, bytes } = random.pick(random.chance(0.8) ? SAMPLES.slice(0, 5) : SAMPLES)
    let flags = 0
    for (const flag of [REUSE, RESET, RESERVE]) if (random.chance(0.3)) flags |= flag
    const room = flags & RESERVE ? random.below(256) : 0
    const result = packr.pack(value, flags | room)
    const start = flags & REUSE ? result.start : 0
    const end = flags & REUSE ? result.end : result.length
    const message = Buffer.from(result.buffer, result.byteOffset + start, end - start)
    assert.equal(message.length, room + bytes.length)
    assert.ok(message.subarray(0, room).equals(Buffer.alloc(room)), 'the room is not zero')
    assert.ok(message.subarray(room).equals(bytes), 'the bytes are others')
    // The next one lies over it.
    if (!(flags & RESET)) this.kept.push({ message, copy: Buffer.from(message) })
  }

  fail() {
    const { random } = this
    const { value } = random.pick(SAMPLES)
    assert.throws(() => random.pick(this.packrs).pack([value, Symbol('no')], random.below(4096)), Error)
  }

  run() {
    const { random } = this
    const chosen = random.fraction()
    if (chosen < 0.08) this.lend()
    else if (chosen < 0.14) this.move()
    else if (chosen < 0.2) this.fail()
    else this.pack()
  }

  check() {
    for (const { message, copy } of this.kept) assert.ok(message.equals(copy), 'a result has changed')
    for (const { memory, size } of this.lent) {
      assert.ok(
        memory.subarray(0, 16).every((byte) => byte === GUARD),
        'written before a lent buffer',
      )
      assert.ok(
        memory.subarray(16 + size).every((byte) => byte === GUARD),
        'written behind a lent buffer',
      )
    }
  }
}

test('operations at random', (t) => {
  const seed = chosenSeed()
  t.diagnostic(`FERROPACK_SEED=${seed}`)
  const random = randomFrom(seed)
  for (let round = 0; round < ROUNDS; round++) {
    const operations = new Operations(random)
    try {
      for (let i = 0; i < OPERATIONS; i++) operations.run()
      operations.check()
    } catch (error) {
      error.message = `FERROPACK_SEED=${seed}, round ${round}: ${error.message}`
      throw error
    }
  }
  new Packr().useBuffer(Buffer.alloc(0))
})
