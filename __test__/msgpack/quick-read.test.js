'use strict'

// Tiny messages, which are read by a path of their own: that this gives what the scanner gives, and gives up
// whatever the scanner refuses.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')
const { Worker } = require('node:worker_threads')
const { root } = require('../helpers/entry')
const { pack, unpack, unpackMultiple, Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { full } = require('../helpers/mode')
const { assertSame } = require('../helpers/same')
const { chosenSeed, randomFrom } = require('../helpers/seed')

const source = (name) => require(join(root, 'src', 'js', name))
const { GIVEN_UP, MAX_LENGTH, quickBegin, quickNext, quickEnd } = source('quick-read.js')
const { options, records } = source('tape.js')

const seed = chosenSeed()

/** What the quick reader makes of all of `bytes`, where there are no records. */
function quick(bytes) {
  if (!quickBegin(options.MAPS_AS_OBJECTS, false, records.OFF, bytes)) return GIVEN_UP
  const value = quickNext(bytes, 0, bytes.length)
  return quickEnd() === bytes.length ? value : GIVEN_UP
}

/** The value as the scanner reads it, as it reads all of several: `{ value }`, or null if it is not one value. */
function scanned(bytes) {
  try {
    const values = unpackMultiple(bytes)
    return values.length === 1 ? { value: values[0] } : null
  } catch {
    return null
  }
}

function check(bytes) {
  const expected = scanned(bytes)
  const value = quick(bytes)
  if (value !== GIVEN_UP) {
    assert.ok(expected !== null, `${toHex(bytes)} is refused elsewhere`)
    assertSame(value, expected.value)
  }
  if (expected === null) assert.throws(() => unpack(bytes), toHex(bytes))
  else assertSame(unpack(bytes), expected.value)
  return value !== GIVEN_UP
}

test('every byte, alone and before others', () => {
  const random = randomFrom(seed)
  const integer = (low, high) => low + random.below(high - low + 1)
  const times = full ? 400 : 40
  let read = 0
  for (let first = 0; first < 256; first++) {
    if (check(Buffer.from([first]))) read++
    for (let i = 0; i < times; i++) {
      const bytes = Buffer.alloc(1 + integer(0, MAX_LENGTH + 2))
      for (let at = 1; at < bytes.length; at++) bytes[at] = integer(0, 255)
      bytes[0] = first
      check(bytes)
      // Small bytes are values, so that more of these are messages.
      for (let at = 1; at < bytes.length; at++) bytes[at] &= integer(0, 3) === 0 ? 0xff : 0x1f
      if (check(bytes)) read++
    }
  }
  assert.ok(read > 160, `${read}`)
})

const VALUES = {
  'a map': { foo: 1, bar: 'abc' },
  'an event': ['tag', [[1440949922, { message: 'hi there' }]]],
  integers: [0, -1, 127, 128, -32, -33, 255, 256, -128, -129, 65535, 65536, -32768, -32769, 2147483647],
  'large integers': [2147483648, 4294967295, -2147483648],
  numbers: [0.5, 1e300, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** 53],
  constants: [null, true, false],
  texts: ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg', 'abcdefgh', 'a\0', '\0', '\0\0'],
  'a longer text': { text: 'abcdefghijkmonpqrstuvwxyz' },
  'a text of 32': ['thirty-two characters are read so'.slice(0, 32)],
  'binary data': { bytes: Buffer.from([1, 2, 3]), none: Buffer.alloc(0) },
  'maps in maps': { a: { b: { c: { d: {} } } }, e: [{ b: 1 }, { b: 2 }] },
  'keys that are names elsewhere': { __proto: 1, constructor: 2, toString: 3, 'a-b': 4, 7: 5, '': 6 },
}

for (const [label, value] of Object.entries(VALUES)) {
  test(`${label}: read by the quick path when it has recurred, cut and changed anywhere`, () => {
    const bytes = Buffer.from(pack(value))
    // Maps in maps are learned one after another, and where others were learned before, these have to be forgotten.
    for (let i = 0; i < 1000 && quick(bytes) === GIVEN_UP; i++);
    assert.ok(check(bytes))
    for (let end = 0; end < bytes.length; end++) check(bytes.subarray(0, end))
    check(Buffer.concat([bytes, fromHex('00')]))
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
        const changed = Buffer.from(bytes)
        changed[at] ^= bit
        check(changed)
      }
    }
    for (let i = 0; i < 100; i++) assertSame(unpack(bytes), value)
    check(bytes)
  })
}

test('what is left to the scanner', () => {
  for (const hex of [
    'c1',
    'ca3fc00000',
    'cf0000000000000001',
    'd3ffffffffffffff00',
    'd40000',
    'd6ff00000000',
    'a1ff',
    'a2c3a9',
    'acc3a96162636465666768696a',
    'dc000101',
    '8101c0',
    '82a16101a16102',
    '81a9c3a961626364656667c0',
  ]) {
    const bytes = fromHex(hex)
    for (let i = 0; i < 60; i++) assert.equal(quick(bytes), GIVEN_UP, hex)
    const expected = scanned(bytes)
    assertSame(unpack(bytes), expected.value)
  }
  // A proxy could run user code.
  assert.equal(quick(new Proxy(fromHex('9101'), {})), GIVEN_UP)
  assert.equal(quick(Object.setPrototypeOf(new Uint16Array([5]), Buffer.prototype)), GIVEN_UP)
})

test('minus zero and not a number', () => {
  assert.ok(Object.is(unpack(fromHex('cb8000000000000000')), -0))
  assert.ok(Object.is(quick(fromHex('cb8000000000000000')), -0))
  assert.ok(Number.isNaN(quick(fromHex('cb7ff8000000000001'))))
})

test('no end of nesting behind the message', () => {
  const bytes = Buffer.alloc(100_000, 0x91)
  quickBegin(options.MAPS_AS_OBJECTS, false, records.OFF, bytes)
  assert.equal(quickNext(bytes, 0, MAX_LENGTH), GIVEN_UP)
  bytes.fill(0x81)
  assert.equal(quickNext(bytes, 0, MAX_LENGTH), GIVEN_UP)
})

test('__proto__ is an own property', () => {
  const bytes = fromHex('82a95f5f70726f746f5f5f81a16101a16202')
  for (let i = 0; i < 100; i++) {
    const read = unpack(bytes)
    assert.equal(Object.getPrototypeOf(read), Object.prototype)
    assert.deepEqual(Object.entries(read), [
      ['__proto__', { a: 1 }],
      ['b', 2],
    ])
  }
})

test('maps of other keys that begin alike', () => {
  const shapes = [
    { type: 'a', id: 1 },
    { type: 'a', at: 1 },
    { type: 'a', ids: 1 },
    { type: 'a', id: { type: 'b', at: 2 } },
  ]
  const messages = shapes.map((value) => Buffer.from(pack(value)))
  for (let round = 0; round < 300; round++) {
    const at = round < 100 ? round % 4 : Math.floor(round / 50) % 4
    assertSame(unpack(messages[at]), shapes[at])
  }
})

test('options count', () => {
  const bytes = Buffer.from(pack({ a: [1, { b: Buffer.from([7]) }] }))
  const object = { a: [1, { b: Buffer.from([7]) }] }
  const readers = {
    object: new Unpackr({ useRecords: false }),
    frozen: new Unpackr({ useRecords: false, freezeData: true }),
    map: new Unpackr({ useRecords: false, mapsAsObjects: false }),
    copy: new Unpackr({ useRecords: false, copyBuffers: true }),
  }
  for (let i = 0; i < 40; i++) {
    assertSame(readers.object.unpack(bytes), object)
    assert.equal(readers.object.unpack(bytes).a[1].b.buffer, bytes.buffer)
    const frozen = readers.frozen.unpack(fromHex('920102'))
    assert.ok(Object.isFrozen(frozen))
    assertSame(readers.map.unpack(bytes), new Map([['a', [1, new Map([['b', Buffer.from([7])]])]]]))
    assert.notEqual(readers.copy.unpack(bytes).a[1].b.buffer, bytes.buffer)
  }
  const { object: changed } = readers
  changed.mapsAsObjects = false
  assert.ok(changed.unpack(bytes) instanceof Map)
  changed.mapsAsObjects = true
  changed.copyBuffers = true
  assert.notEqual(changed.unpack(bytes).a[1].b.buffer, bytes.buffer)
})

test('sources of every kind', () => {
  const message = { a: 1, b: Buffer.from([1, 2, 3]) }
  const bytes = Buffer.from(pack(message))
  const plain = new Uint8Array(bytes)
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  class Own extends Uint8Array {}
  const longer = Buffer.concat([fromHex('c1c1'), bytes, fromHex('c1')])
  for (let i = 0; i < 40; i++) {
    assertSame(unpack(bytes), message)
    assert.deepEqual(unpack(plain), { a: 1, b: new Uint8Array([1, 2, 3]) })
    assert.equal(unpack(Own.from(bytes)).b.constructor, Own)
    assert.deepEqual([...unpack(shared).b], [1, 2, 3])
    assert.notEqual(unpack(shared).b.buffer, shared.buffer)
    assertSame(unpack(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)), message)
    assertSame(unpack(longer, { start: 2, end: 2 + bytes.length }), message)
    assert.throws(() => unpack(longer, { start: 2 }), /end of buffer not reached/)
    assert.throws(() => unpack(bytes, bytes.length - 1), { incomplete: true })
    assert.throws(() => unpack(new Uint8Array(0)), { incomplete: true })
  }
})

test('records of an instance whose structures change', () => {
  const reader = new Unpackr({ structures: [['a', 'b']] })
  const message = fromHex('9240010240c0c3')
  for (let i = 0; i < 30; i++) {
    assertSame(reader.unpack(message), [
      { a: 1, b: 2 },
      { a: null, b: true },
    ])
  }
  reader.structures.push(['c'])
  for (let i = 0; i < 30; i++)
    assertSame(reader.unpack(fromHex('92410540c2c3')), [{ c: 5 }, { a: false, b: true }])
  reader.structures = [['x', 'y']]
  for (let i = 0; i < 30; i++) assertSame(reader.unpack(fromHex('400102')), { x: 1, y: 2 })
  // Other instances have other records, and none.
  const other = new Unpackr({ structures: [['o']] })
  for (let i = 0; i < 30; i++) {
    assertSame(other.unpack(fromHex('4001')), { o: 1 })
    assertSame(reader.unpack(fromHex('400102')), { x: 1, y: 2 })
    assert.equal(unpack(fromHex('40')), 64)
    assert.deepEqual(unpack(fromHex('92417f')), [65, 127])
    assert.equal(new Unpackr().unpack(fromHex('40')), 64)
  }
  reader.clearSharedData()
  for (let i = 0; i < 30; i++) assert.equal(reader.unpack(fromHex('40')), 64)
})

test('records that are learned, stored, and of two bytes', () => {
  let stored = []
  const options = {
    getStructures: () => stored,
    saveStructures: (structures) => {
      stored = JSON.parse(JSON.stringify(structures))
    },
  }
  for (const more of [{}, { maxSharedStructures: 100 }]) {
    stored = []
    const writer = new Packr({ ...options, ...more })
    for (let i = 0; i < 40; i++) {
      const value = { [`k${i}`]: i, common: { c: i } }
      const bytes = Buffer.from(writer.pack(value))
      const reader = new Unpackr({ ...options, ...more })
      for (let again = 0; again < 12; again++) {
        assertSame(reader.unpack(bytes), value)
        assertSame(writer.unpack(bytes), value)
      }
    }
  }
})

test('tiny messages inside of messages', () => {
  const { addExtension } = require('../helpers/ferropack')
  class Boxed {}
  const tiny = Buffer.from(pack({ foo: 1, bar: 'abc' }))
  addExtension({
    Class: Boxed,
    type: 93,
    pack: () => Buffer.from([1]),
    unpack: () => unpack(tiny),
  })
  const message = Buffer.from(pack([new Boxed(), { foo: 2 }, new Boxed()]))
  for (let i = 0; i < 40; i++) {
    assertSame(unpack(message), [{ foo: 1, bar: 'abc' }, { foo: 2 }, { foo: 1, bar: 'abc' }])
    assertSame(unpack(tiny), { foo: 1, bar: 'abc' })
  }
})

test('results are objects of their own', () => {
  const bytes = Buffer.from(pack({ list: [1], map: { a: 1 } }))
  for (let i = 0; i < 100; i++) {
    const first = unpack(bytes)
    first.list.push(2)
    first.map.a = 2
    assertSame(unpack(bytes), { list: [1], map: { a: 1 } })
  }
})

test('where no code may be made', () => {
  const script = `
    const { pack, unpack, Packr } = require(${JSON.stringify(root)})
    const bytes = Buffer.from(pack({ foo: 1, bar: 'abc', text: 'twenty characters or more' }))
    const packr = new Packr({ structures: [] })
    const record = Buffer.from(packr.pack({ foo: 1 }))
    let last
    for (let i = 0; i < 300; i++) last = [unpack(bytes), packr.unpack(record), unpack(Buffer.from([5]))]
    console.log(JSON.stringify(last))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', '-e', script],
    { encoding: 'utf8' },
  )
  assert.equal(stderr, '')
  assert.deepEqual(JSON.parse(stdout), [
    { foo: 1, bar: 'abc', text: 'twenty characters or more' },
    { foo: 1 },
    5,
  ])
})

test('an inherited setter is not called', () => {
  const bytes = Buffer.from(pack({ guarded: 1 }))
  for (let i = 0; i < 60; i++) unpack(bytes)
  let calls = 0
  Object.defineProperty(Object.prototype, 'guarded', { configurable: true, set: () => calls++ })
  try {
    for (let i = 0; i < 60; i++) {
      assert.deepEqual(Object.getOwnPropertyDescriptor(unpack(bytes), 'guarded').value, 1)
    }
  } finally {
    delete Object.prototype.guarded
  }
  assert.equal(calls, 0)
})

test('what a tiny message leaves behind does not count for other instances', () => {
  const asking = new Unpackr({ getStructures: () => [['q']] })
  const plain = new Unpackr({ useRecords: false })
  for (let i = 0; i < 40; i++) {
    assert.equal(asking.unpack(fromHex('01')), 1)
    // A float32 is left to the scanner.
    assert.deepEqual(plain.unpack(fromHex('92ca0000000040')), [0, 64])
    assert.equal(asking.unpack(fromHex('01')), 1)
    assert.deepEqual(unpack(fromHex('9240ca3f800000')), [64, 1])
  }
})

test('lists of structures that are replaced do not stay', () => {
  const { control } = source('pack-tape.js')
  const { control: word } = source('tape.js')
  const reader = new Unpackr({ structures: [] })
  const before = control[word.GENERATION]
  for (let i = 0; i < 60_000; i++) {
    reader.structures = [[`k${i}`, `l${i}`]]
    reader.unpack(fromHex('01'))
  }
  assert.notEqual(control[word.GENERATION], before)
  assertSame(reader.unpack(fromHex('400102')), { k59999: 1, l59999: 2 })
})

test('an option that is an accessor and unpacks', () => {
  const other = new Unpackr({ structures: [['wrong', 'keys']] })
  const reader = new Unpackr({ structures: [['a', 'b']] })
  for (let i = 0; i < 20; i++) assertSame(reader.unpack(fromHex('400102')), { a: 1, b: 2 })
  Object.defineProperty(reader, 'copyBuffers', {
    get() {
      other.unpack(fromHex('400102'))
      return false
    },
  })
  for (let i = 0; i < 20; i++) assertSame(reader.unpack(fromHex('400102')), { a: 1, b: 2 })
})

/** Runs `task` while a property of a built-in prototype is something else. */
function withPatched(owner, name, descriptor, task) {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { configurable: true, ...descriptor })
  try {
    return task()
  } finally {
    if (before === undefined) delete owner[name]
    else Object.defineProperty(owner, name, before)
  }
}

test('built-ins that are patched while keys are learned', () => {
  const fail = () => {
    throw new Error('patched')
  }
  const patches = [
    [Array.prototype, Symbol.iterator],
    [Array.prototype, 'push'],
    [Array.prototype, 'map'],
    [Array.prototype, 'includes'],
    [String.prototype, 'slice'],
    [Buffer.prototype, 'latin1Slice'],
    [Uint8Array.prototype, 'subarray'],
  ]
  for (const [index, [owner, name]] of patches.entries()) {
    const bytes = Buffer.from(pack({ [`patch${index}`]: 1, b: 'long enough for a text' }))
    const results = []
    withPatched(owner, name, { value: fail }, () => {
      for (let i = 0; i < 40; i++) {
        quickBegin(options.MAPS_AS_OBJECTS, false, records.OFF, bytes)
        results[i] = quickNext(bytes, 0, bytes.length)
      }
    })
    for (const result of results) {
      if (result !== GIVEN_UP) assertSame(result, { [`patch${index}`]: 1, b: 'long enough for a text' })
    }
    assertSame(unpack(bytes), { [`patch${index}`]: 1, b: 'long enough for a text' })
  }
})

test('memory that another thread is writing puts no wrong text into the table', async () => {
  const low = Buffer.from('01234567')
  const high = Buffer.from('abcdefgh')
  const shared = new Uint8Array(new SharedArrayBuffer(9))
  shared[0] = 0xa8
  shared.set(low, 1)
  const writer = new Worker(
    `const { low, high, shared } = require('node:worker_threads').workerData
    for (;;) {
      shared.set(high, 1)
      shared.set(low, 1)
    }`,
    { eval: true, workerData: { low, high, shared } },
  )
  await new Promise((resolve) => writer.once('online', resolve))
  const end = Date.now() + 300
  while (Date.now() < end) for (let i = 0; i < 1000; i++) quick(shared)
  await writer.terminate()
  // Each byte is of the one text or of the other.
  const bytes = Buffer.concat([fromHex('a8'), low])
  for (let choice = 0; choice < 256; choice++) {
    for (let at = 0; at < 8; at++) bytes[at + 1] = (choice & (1 << at) ? high : low)[at]
    assert.equal(quick(bytes), bytes.toString('latin1', 1))
  }
})

test('long keys of wide objects after a prototype was patched for a while', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 2000 }, (_, i) => [`${i} is a key of more than forty characters, it is`, i]),
  )
  const bytes = pack(wide)
  withPatched(Array.prototype, 3, { set() {}, get() {} }, () => {
    try {
      unpack(bytes)
    } catch {
      // Much may fail then.
    }
  })
  assertSame(unpack(bytes), wide)
})
