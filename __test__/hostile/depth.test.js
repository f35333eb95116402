'use strict'

// Deep nesting, in both directions: a RangeError that can be caught, and a working next call.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, Packr, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const packr = new Packr({ useRecords: false })
const varied = new Packr({ useRecords: false, variableMapSize: true })
const maps = new Unpackr({ useRecords: false, mapsAsObjects: false })

const WRAPPERS = {
  arrays: (inner) => [inner],
  'arrays of two': (inner) => [1, inner],
  objects: (inner) => ({ a: inner }),
  'objects of two': (inner) => ({ text: 'x', a: inner, z: 0.5 }),
  maps: (inner) => new Map([['a', inner]]),
  'map keys': (inner) => new Map([[inner, 1]]),
  sets: (inner) => new Set([inner]),
  errors: (inner) => new Error('e', { cause: inner }),
  proxies: (inner) => new Proxy([inner], {}),
  mixed: (inner) => [{ a: new Map([['m', [inner]]]) }],
}

function nest(levels, wrap) {
  let value = null
  for (let i = 0; i < levels; i++) value = wrap(value)
  return value
}

for (const [name, wrap] of Object.entries(WRAPPERS)) {
  test(`packing 100,000 levels of ${name}`, () => {
    const deep = nest(100_000, wrap)
    for (const run of [pack, packr.pack, varied.pack]) {
      assert.throws(() => run(deep), RangeError)
      assertSame(unpack(run({ after: [1] })), { after: [1] })
    }
  })
}

test('1,500 levels can be packed', () => {
  for (const name of ['arrays', 'objects', 'maps']) {
    const bytes = pack(nest(1500, WRAPPERS[name]))
    const level = { arrays: '91', objects: 'de0001a161', maps: '81a161' }[name]
    assert.equal(bytes.toString('hex'), `${level.repeat(1500)}c0`, name)
  }
  assert.ok(varied.pack(nest(1500, WRAPPERS.objects)).equals(fromHex(`${'81a161'.repeat(1500)}c0`)))
})

test('4,500 levels can be unpacked', () => {
  let arrays = unpack(fromHex(`${'91'.repeat(4500)}c0`))
  let objects = unpack(fromHex(`${'81a161'.repeat(4500)}c0`))
  let asMaps = maps.unpack(fromHex(`${'81a161'.repeat(4500)}c0`))
  for (let i = 0; i < 4500; i++) {
    arrays = arrays[0]
    objects = objects.a
    asMaps = asMaps.get('a')
  }
  assert.deepEqual([arrays, objects, asMaps], [null, null, null])
})

test('values that contain themselves', () => {
  const object = {}
  object.self = object
  const array = []
  array.push(array)
  const map = new Map()
  map.set('self', map)
  const set = new Set()
  set.add(set)
  for (const value of [object, array, map, set, [1, { a: object }]]) {
    for (const run of [pack, packr.pack, varied.pack]) {
      assert.throws(() => run(value), RangeError)
      assertSame(unpack(run([1])), [1])
    }
  }
})

test('getters and toJSON methods without end', () => {
  const endless = () => ({
    get next() {
      return endless()
    },
  })
  class Endless {
    toJSON() {
      return [new Endless()]
    }
  }
  for (const make of [endless, () => new Endless()]) {
    assert.throws(() => pack(make()), RangeError)
    assertSame(unpack(pack([1])), [1])
  }
})

const FROM_THE_WIRE = {
  arrays: ['91', 'c0'],
  'arrays of two': ['9201', 'c0'],
  'wide arrays': ['dc0001', 'c0'],
  objects: ['81a161', 'c0'],
  'wide maps': ['de0001a161', 'c0'],
  'objects in arrays': ['9181a161', 'c0'],
  sets: ['d47300', '90'],
  'sets of arrays': ['d4730091', '90'],
  errors: ['d4650093a54572726f72a16d', 'c0'],
}

for (const [name, [level, end]] of Object.entries(FROM_THE_WIRE)) {
  test(`unpacking 200,000 levels of ${name}`, () => {
    const bytes = fromHex(level.repeat(200_000) + end)
    for (const read of [unpack, (input) => maps.unpack(input)]) {
      assert.throws(
        () => read(bytes),
        (error) => error instanceof RangeError && !error.incomplete,
      )
      assertSame(unpack(pack({ after: [1] })), { after: [1] })
    }
  })

  test(`unpacking 200,000 levels of ${name} that are cut off`, () => {
    const bytes = fromHex(level.repeat(200_000))
    assert.throws(() => unpack(bytes), Error)
    assert.throws(() => maps.unpack(bytes), Error)
    assertSame(unpack(pack({ after: [1] })), { after: [1] })
  })
}

test('map keys nested without end', () => {
  for (const read of [unpack, (bytes) => maps.unpack(bytes)]) {
    assert.throws(() => read(fromHex(`${'81'.repeat(200_000)}c0`)), Error)
  }
  assertSame(unpack(pack([1])), [1])
})

test('calls made when little stack is left', () => {
  const value = { list: [1, { text: 'some text', more: [[0.5]] }], map: new Map([['k', [null]]]) }
  const bytes = pack(value)
  const expected = unpack(bytes)
  const results = []
  let refused = 0
  const attempt = () => {
    try {
      const packed = pack(value)
      results.push([packed, unpack(packed)])
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      refused++
    }
  }
  const sink = (levels) => {
    let reached = levels
    try {
      reached = sink(levels + 1)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
    if (reached - levels < 400) attempt()
    return reached
  }
  sink(0)
  assert.ok(results.length > 0, `none worked, ${refused} were refused`)
  for (const [packed, read] of results) {
    assert.ok(packed.equals(bytes))
    assertSame(read, expected)
  }
  assertSame(unpack(pack(value)), expected)
})
