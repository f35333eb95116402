'use strict'

// References between values are read: whatever has an id is one object wherever it is named, also inside itself.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const msgpackr = require('msgpackr')
const { Packr, unpack, unpackMultiple, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const clone = { structuredClone: true }
const packed = (value, options = {}) => new msgpackr.Packr({ ...clone, ...options }).pack(value)
const throughMsgpackr = (value, options = {}) => new Unpackr(options).unpack(packed(value, options))

/** The value that begins here has the id, and goes there. */
const target = (id) => `d669${id.toString(16).padStart(8, '0')}`
const pointer = (id) => `d670${id.toString(16).padStart(8, '0')}`

test('containers that hold themselves', () => {
  const array = [1]
  array.push(array, [array])
  const object = { x: 1 }
  object.self = object
  object.list = [object, { back: object }]
  const map = new Map([['a', 1]])
  map.set('me', map).set(map, 'key')
  const set = new Set(['a'])
  set.add(set).add([set])
  for (const value of [array, object, map, set]) assertSame(throughMsgpackr(value), value)
  for (const size of [14, 15, 16, 40]) {
    const large = new Map(Array.from({ length: size }, (_, i) => [`k${i}`, i]))
    large.set('me', large)
    assertSame(throughMsgpackr(large), large)
  }
})

test('plain objects in place of records', () => {
  const value = { x: 1, list: [] }
  value.self = value
  value.list.push(value, value)
  assertSame(throughMsgpackr(value, { useRecords: false }), value)
  assertSame(unpack(fromHex(`${target(1)}82a161${pointer(1)}a16201`)).a.b, 1)
})

test('values that hold nothing are the same object, too', () => {
  const values = [new Date(5), Buffer.from([1]), new Uint16Array([1, 2]), /x/g, new Float64Array(2).buffer]
  for (const value of values) {
    const [first, second] = throughMsgpackr([value, value])
    assert.equal(first, second)
    assert.equal(first.constructor, value.constructor)
  }
  assertSame(unpack(fromHex(`93${target(1)}a161${pointer(1)}05`)), ['a', 'a', 5])
})

test('errors are made before their causes', () => {
  const error = new RangeError('loop')
  error.cause = error
  const result = throughMsgpackr(error)
  assert.ok(result instanceof RangeError)
  assert.equal(result.message, 'loop')
  assert.equal(result.cause, result)
  const like = new RangeError('x', { cause: 1 })
  assert.deepEqual(Object.getOwnPropertyDescriptor(result, 'cause'), {
    ...Object.getOwnPropertyDescriptor(like, 'cause'),
    value: result,
  })
  assert.deepEqual(Object.getOwnPropertyNames(result), Object.getOwnPropertyNames(like))

  const all = new AggregateError([error], 'all')
  all.errors.push(all)
  const back = throughMsgpackr([all, all])
  assert.equal(back[0], back[1])
  assert.ok(back[0] instanceof AggregateError)
  assert.equal(back[0].errors[1], back[0])
  assert.equal(back[0].errors[0].cause, back[0].errors[0])
  assert.deepEqual(Object.keys(back[0]), [])

  const named = throughMsgpackr(Object.assign(new Error('m'), { name: 'MyError', cause: [error] }))
  assert.equal(named.name, 'MyError')
  assert.equal(named.cause[0].cause, named.cause[0])
})

test('deep messages', () => {
  let inner = {}
  const root = { inner }
  for (let i = 0; i < 900; i++) {
    const next = i % 3 === 0 ? { root } : i % 3 === 1 ? [root] : new Map([['root', root]])
    if (Array.isArray(inner)) inner.push(next)
    else if (inner instanceof Map) inner.set('next', next)
    else inner.next = next
    inner = next
  }
  assertSame(throughMsgpackr(root), root)
  let levels = `${target(1)}91`
  for (let id = 2; id < 3000; id++) levels += `${target(id)}91`
  const top = unpack(fromHex(`${levels}${pointer(1)}`))
  let last = top
  for (let id = 2; id < 3000; id++) last = last[0]
  assert.equal(last[0], top)
})

test('lists of keys', () => {
  const twice = fromHex(`92d47240${target(1)}91a16101d47241${pointer(1)}02`)
  assertSame(new Unpackr({}).unpack(twice), [{ a: 1 }, { a: 2 }])
  const evicted = [{ a: 1 }, { b: 1 }, { a: 2 }, { b: 3 }, { a: 4 }]
  assertSame(throughMsgpackr(evicted, { maxOwnStructures: 1 }), evicted)
  const longer = [{ first: 1, sécond: 2 }, { b: 1 }, { first: 2, sécond: 3 }]
  assertSame(throughMsgpackr(longer, { maxOwnStructures: 1, bundleStrings: true }), longer)
  // A list among the values, before and behind.
  const value = fromHex(`93${target(7)}92a161a162d47240${pointer(7)}0102400304`)
  assertSame(new Unpackr({}).unpack(value), [['a', 'b'], { a: 1, b: 2 }, { a: 3, b: 4 }])
  const behind = new Unpackr({}).unpack(
    fromHex(`93d47240${target(7)}92a16105${'0102'}${pointer(7)}${pointer(7)}`),
  )
  assertSame(behind[0], { a: 1, 5: 2 })
  assert.equal(behind[1], behind[2])
  assert.deepEqual(behind[1], ['a', 5])
})

test('what is no list of keys', () => {
  const refused = {
    [`d47240${pointer(3)}01`]: 'There is no value with the id 3 to refer to',
    [`92${target(1)}a161d47240${pointer(1)}01`]: 'The keys of a record are not an array',
    [`92${target(1)}9190d47240${pointer(1)}01`]: /Invalid property type/,
    [`93${target(1)}${pointer(2)}${target(2)}${pointer(1)}d47240${pointer(1)}01`]: /not an array/,
    [`d47240${target(1)}${target(2)}91a16101`]: /not an array/,
  }
  for (const [hex, message] of Object.entries(refused)) {
    assert.throws(() => new Unpackr({}).unpack(fromHex(hex)), { message }, hex)
  }
})

test('an id that nothing has', () => {
  assert.throws(() => unpack(fromHex(pointer(1))), TypeError)
  assert.throws(() => unpack(fromHex(`92${target(1)}90${pointer(2)}`)), TypeError)
  assert.throws(() => unpack(fromHex(`92${pointer(1)}${target(1)}90`)), TypeError)
  // Ids of one message mean nothing in the next.
  unpack(fromHex(`${target(1)}90`))
  assert.throws(() => unpack(fromHex(pointer(1))), TypeError)
})

test('ids live to the end of the input', () => {
  const bytes = fromHex(`${target(1)}9101${pointer(1)}${target(1)}9102${pointer(1)}`)
  const [first, second, third, fourth] = unpackMultiple(bytes)
  assert.equal(first, second)
  assert.equal(third, fourth)
  assertSame([first, third], [[1], [2]])
  const seen = []
  const unpackr = new Unpackr({})
  unpackr.unpackMultiple(bytes, (value) => {
    seen.push(value)
    assert.throws(() => unpackr.unpack(fromHex(pointer(1))), TypeError)
    unpackr.unpack(fromHex(`${target(1)}90`))
  })
  assert.equal(seen[0], seen[1])
  const keys = fromHex(`d47240${target(9)}91a16101d47241${pointer(9)}02`)
  assertSame(new Unpackr({}).unpackMultiple(keys), [{ a: 1 }, { a: 2 }])
})

test('structuredClone: false refuses, absent allows', () => {
  const off = new Unpackr({ structuredClone: false })
  for (const hex of [`${target(1)}90`, pointer(1), `d47240${target(1)}91a16101`, `91${target(1)}`]) {
    assert.throws(() => off.unpack(fromHex(hex)), { message: 'Structured clone extension is disabled' }, hex)
  }
  for (const structuredClone of [undefined, true, null, 0]) {
    assertSame(new Unpackr({ structuredClone }).unpack(fromHex(`${target(1)}90`)), [])
  }
  off.structuredClone = true
  assertSame(off.unpack(fromHex(`${target(1)}90`)), [])
})

test('no prototype is set', () => {
  const result = unpack(fromHex(`${target(1)}82a95f5f70726f746f5f5f${pointer(1)}a16101`))
  assert.equal(Object.getPrototypeOf(result), Object.prototype)
  assert.equal(Object.getOwnPropertyDescriptor(result, '__proto__').value, result)
})

test('a few bytes can not ask for much work', () => {
  const chain = (levels, leaf) => {
    let hex = `${target(1)}92${leaf}${leaf}`
    for (let id = 2; id <= levels; id++) hex = `${target(id)}92${hex}${pointer(id - 1)}`
    return hex
  }
  const list = `${target(1)}dc4000${'01'.repeat(0x4000)}`
  const many = (hex) => `dc0401${list}${hex.repeat(0x400)}`
  const hostile = [
    // As texts: a key, a message, a source, in an error about what follows.
    `81${chain(40, '01')}01`,
    `d4650093a5${Buffer.from('Error').toString('hex')}${chain(40, '01')}c0`,
    `d4780092${chain(40, '01')}a0`,
    `${chain(40, '01')}00`,
    // As copies.
    many(`d47300${pointer(1)}`),
    many(`d4650094ae${Buffer.from('AggregateError').toString('hex')}a0c0${pointer(1)}`),
    `82${list}01${pointer(1)}02`,
    `de0401${list}01${`${pointer(1)}02`.repeat(0x400)}`,
    // One large number as the text of many keys.
    `92${target(1)}c8400042${'7f'.repeat(0x4000)}de0400${`${pointer(1)}01`.repeat(0x400)}`,
  ]
  for (const options of [{}, { mapsAsObjects: true }, { mapsAsObjects: true, allowArraysInMapKeys: true }]) {
    const unpackr = new Unpackr(options)
    for (const hex of hostile) {
      const start = process.hrtime.bigint()
      try {
        unpackr.unpack(fromHex(hex))
      } catch (error) {
        assert.ok(error instanceof Error)
      }
      assert.ok(process.hrtime.bigint() - start < 4_000_000_000n, hex.slice(0, 60))
    }
  }
  assert.throws(() => new Unpackr({}).unpack(fromHex(hostile[4])), RangeError)
  // Lists of keys that are read again under other ids.
  const idsOfOne = (count) => {
    const ids = Array.from({ length: count }, (_, i) => target(i + 2)).join('')
    const records = Array.from({ length: count }, (_, i) => `d47240${pointer(i + 2)}01`).join('')
    return fromHex(`dc${(count + 1).toString(16).padStart(4, '0')}${ids}91a161${records}`)
  }
  assertSame(new Unpackr({}).unpack(idsOfOne(3)), [['a'], { a: 1 }, { a: 1 }, { a: 1 }])
  assert.throws(() => new Unpackr({}).unpack(idsOfOne(0x800)), RangeError)
  assert.deepEqual(unpack(new Packr({ useRecords: false }).pack({ ok: 1 })), { ok: 1 })
})

test('cut messages are incomplete', () => {
  const value = { list: [1, 'text'], map: new Map([[1, new Set([2])]]), error: new TypeError('m') }
  value.self = value
  value.map.set('root', value)
  value.error.cause = value.map
  const bytes = packed(value)
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(
      () => new Unpackr({}).unpack(bytes.subarray(0, length)),
      (error) => error.incomplete === true,
      `${length}`,
    )
  }
})
