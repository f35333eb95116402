'use strict'

// `skipValues`: properties whose values are found in it are left out of maps.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const packrOf = (skipValues, options) => new Packr({ useRecords: false, skipValues, ...options })
const value = () => ({ a: undefined, b: 1, c: NaN, d: -0, e: 'a', f: [undefined] })

test('values that are left out', () => {
  const hexes = [
    [[undefined], '85a16201a163cb7ff8000000000000a16400a165a161a16691d40000'],
    [[undefined, null, 1], '84a163cb7ff8000000000000a16400a165a161a16691d40000'],
    // As Array.prototype.includes compares: NaN is NaN, and -0 is 0.
    [[NaN, 0], '84a161d40000a16201a165a161a16691d40000'],
    [['a'], '85a161d40000a16201a163cb7ff8000000000000a16400a16691d40000'],
    [[], '86a161d40000a16201a163cb7ff8000000000000a16400a165a161a16691d40000'],
    [{ includes: () => true }, '80'],
    [{ includes: (each) => typeof each === 'number' }, '83a161d40000a165a161a16691d40000'],
  ]
  for (const [skipValues, hex] of hexes) {
    assert.equal(toHex(packrOf(skipValues).pack(value())), hex)
    assert.equal(toHex(packrOf(skipValues).pack([value()])), `91${hex}`)
  }
})

test('a text has an includes of its own', () => {
  assert.equal(toHex(packrOf('abc').pack({ a: 'b', b: 'd' })), '81a162a164')
})

test('what is no collection is no such option', () => {
  for (const none of [undefined, null, 0, '', false]) {
    assert.equal(toHex(packrOf(none).pack({ a: undefined })), 'de0001a161d40000')
    assert.equal(toHex(packrOf(none, { variableMapSize: true }).pack({ a: undefined })), '81a161d40000')
  }
})

test('elements, entries and records stay', () => {
  const skipValues = [undefined, 1]
  assert.equal(toHex(packrOf(skipValues).pack([undefined, 1])), '92d4000001')
  assert.equal(toHex(packrOf(skipValues).pack(new Map([['a', 1]]))), '81a16101')
  assert.equal(toHex(packrOf(skipValues).pack(new Set([1]))), '9101')
  assert.equal(toHex(new Packr({ skipValues }).pack({ a: undefined, b: 1 })), 'd4724092a161a162d4000001')
  assert.equal(toHex(new Packr({ skipValues, structures: [] }).pack({ a: 1 })), '4001')
})

test('objects that are no records among those that are', () => {
  const packr = new Packr({ skipValues: [undefined], useRecords: (object) => 'record' in object })
  assert.equal(
    toHex(packr.pack([{ record: undefined }, { map: undefined, a: 1 }])),
    '92d4724091a67265636f7264d4000081a16101',
  )
})

test('objects of every kind', () => {
  class Instance {
    a = undefined
    b = 1
  }
  const bare = Object.assign(Object.create(null), { a: undefined, b: 1 })
  for (const object of [
    new Instance(),
    bare,
    new Proxy({ a: undefined, b: 1 }, {}),
    Object.freeze({ a: undefined, b: 1 }),
  ])
    assert.equal(toHex(packrOf([undefined]).pack(object)), '81a16201')
})

test('what is inherited is not packed', () => {
  const object = Object.assign(Object.create({ inherited: 1 }), { own: 1, hasOwnProperty: 5 })
  assert.equal(toHex(packrOf([undefined]).pack(object)), '82a36f776e01ae6861734f776e50726f706572747905')
})

test('many keys', () => {
  const object = {}
  for (let i = 0; i < 100_000; i++) object[`key ${i}`] = i % 3 === 0 ? undefined : i
  const packr = packrOf([undefined])
  const result = packr.unpack(packr.pack(object))
  assert.equal(Object.keys(result).length, 66_666)
  assert.ok(Object.entries(result).every(([key, each]) => key === `key ${each}` && each % 3 !== 0))
})

test('headers by what is left', () => {
  for (const left of [0, 1, 15, 16, 17]) {
    const object = { gone: undefined }
    for (let i = 0; i < left; i++) object[`k${i}`] = 1
    const head = left < 16 ? (0x80 + left).toString(16) : `de00${left.toString(16)}`
    assert.ok(toHex(packrOf([undefined]).pack(object)).startsWith(head))
  }
})

test('a changed content counts, a new collection does, too', () => {
  const skipValues = [undefined]
  const packr = packrOf(skipValues)
  assert.equal(toHex(packr.pack({ a: 1, b: undefined })), '81a16101')
  skipValues.push(1)
  assert.equal(toHex(packr.pack({ a: 1, b: undefined })), '80')
  packr.skipValues = [2]
  assert.equal(toHex(packr.pack({ a: 2, b: 1 })), '81a16201')
})

test('what is asked, and how', () => {
  const asked = []
  const skipValues = {
    includes(each) {
      asked.push([this === skipValues, each])
      return false
    },
  }
  const packr = packrOf(skipValues)
  packr.pack({ a: 1, b: { c: 'text' } })
  assert.deepEqual(
    asked.map(([isReceiver]) => isReceiver),
    [true, true, true],
  )
  assert.deepEqual(
    asked.map(([, each]) => each),
    [1, { c: 'text' }, 'text'],
  )
})

test('what throws when it is asked', () => {
  const mine = new Error('mine')
  const packr = packrOf({
    includes(each) {
      if (each === 'bad') throw mine
      return false
    },
  })
  const earlier = packr.pack({ a: 1 })
  assert.throws(
    () => packr.pack([{ a: 1, deep: { b: 'bad' } }]),
    (error) => error === mine,
  )
  assert.equal(toHex(earlier), '81a16101')
  assert.equal(toHex(packr.pack({ a: 1 })), '81a16101')
  assert.throws(() => packrOf({}).pack({ a: 1 }), TypeError)
})

test('what packs when it is asked', () => {
  const packr = packrOf({
    includes(each) {
      return (
        toHex(packrOf([undefined]).pack({ each, gone: undefined })) === '81a465616368a162' && each === 'b'
      )
    },
  })
  assertSame(packr.unpack(packr.pack({ a: 'a', b: 'b', list: [{ b: 'b' }] })), { a: 'a', list: [{}] })
  const again = packrOf({
    includes(each) {
      return each === 5 && toHex(again.pack({ a: 6 })) === '81a16106'
    },
  })
  assertSame(again.unpack(again.pack({ a: 5, b: 6 })), { b: 6 })
})

test('getters run once', () => {
  let runs = 0
  const object = {
    get a() {
      runs++
      return runs === 1 ? 'first' : undefined
    },
  }
  assert.equal(toHex(packrOf([undefined]).pack(object)), '81a161a56669727374')
  assert.equal(runs, 1)
})

test('an option that is set later has no effect, whoever packs', () => {
  const packr = new Packr({ useRecords: false })
  packr.skipValues = [1]
  packr.coercibleKeyAsNumber = true
  assert.equal(toHex(packr.pack({ a: 1, b: 2 })), 'de0002a16101a16202')
  assert.equal(toHex(packr.pack({ 1: 1 })), 'de0001a13101')
  const getter = {
    a: 1,
    get b() {
      return 2
    },
  }
  assert.equal(toHex(packr.pack(getter)), 'de0002a16101a16202')
})
