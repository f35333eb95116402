'use strict'

// saveStructures that returns false because others have stored structures meanwhile: the message is packed again on
// top of what is stored, as often as it takes, but not for ever.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Packr } = require('../helpers/ferropack')
const { fromHex, toHex } = require('../helpers/hex')
const { StructureStore } = require('../helpers/counting-store')
const { assertSame } = require('../helpers/same')

/** No one would call this often on purpose. */
const MANY = 1000

const copyOf = (structures) => JSON.parse(JSON.stringify(structures))

test('two writers with a store that checks', () => {
  const store = new StructureStore()
  const first = new Packr(store.checkedOptions())
  const second = new Packr(store.checkedOptions())
  assert.equal(toHex(first.pack({ a: 1 })), '4001')
  assert.equal(toHex(second.pack([{ a: 2 }, { c: 1 }])), '9240024101')
  assert.deepEqual(store.structures, [['a'], ['c']])
  assert.equal(toHex(first.pack({ d: 1, e: 2 })), '420102')
  assert.deepEqual(store.structures, [['a'], ['c'], ['d', 'e']])
  // One call for each that was accepted, and the one that was refused.
  assert.equal(store.saves, 4)
  assert.equal(toHex(second.pack({ f: 1 })), '4301')
  for (const packr of [first, second]) {
    assertSame(packr.unpack(fromHex('94' + '4001' + '4102' + '420304' + '4305')), [
      { a: 1 },
      { c: 2 },
      { d: 3, e: 4 },
      { f: 5 },
    ])
  }
})

test('the other writer stored the same shape: it is used, and nothing is saved', () => {
  const store = new StructureStore([['a']])
  const packr = new Packr(store.checkedOptions())
  packr.pack({ a: 1 })
  store.text = JSON.stringify([['a'], ['x'], ['b']])
  assert.equal(toHex(packr.pack([{ b: 1 }, { a: 2 }])), '92' + '4201' + '4002')
  assert.deepEqual(store.structures, [['a'], ['x'], ['b']])
  assert.equal(store.saves, 1)
})

test('what isCompatible says', () => {
  const answers = []
  const packr = new Packr({
    saveStructures(structures, isCompatible) {
      answers.push([
        isCompatible(null),
        isCompatible(undefined),
        isCompatible(copyOf(structures).slice(0, -1)),
      ])
    },
  })
  packr.pack({ a: 1 })
  packr.pack({ b: 1 })
  assert.deepEqual(answers, [
    [true, true, true],
    [true, true, true],
  ])
})

test('what isCompatible was given is never changed, and may be changed by the caller', () => {
  const stored = [['a'], ['c']]
  let saved
  const packr = new Packr({
    getStructures: () => [['a']],
    saveStructures(structures, isCompatible) {
      if (saved === undefined && !isCompatible(stored)) {
        saved = null
        return false
      }
      saved = copyOf(structures)
      return true
    },
  })
  const keys = [stored, ...stored].map((list) => Reflect.ownKeys(list))
  assert.equal(toHex(packr.pack([{ d: 1 }, { a: 2 }])), '92' + '4201' + '4002')
  assert.deepEqual(stored, [['a'], ['c']])
  assert.deepEqual(
    [stored, ...stored].map((list) => Reflect.ownKeys(list)),
    keys,
  )
  stored[1][0] = 'changed'
  stored.length = 0
  assert.equal(toHex(packr.pack([{ c: 1 }, { e: 1 }])), '92' + '4101' + '4301')
  assert.deepEqual(saved, [['a'], ['c'], ['d'], ['e']])
  assertSame(packr.unpack(fromHex('4105')), { c: 5 })
})

test('frozen lists given to isCompatible', () => {
  let refused = false
  const packr = new Packr({
    getStructures: () => [['a']],
    saveStructures(_structures, isCompatible) {
      if (refused) return true
      refused = true
      return isCompatible(Object.freeze([Object.freeze(['a']), Object.freeze(['c'])]))
    },
  })
  for (let i = 0; i < 5; i++) {
    assert.equal(toHex(packr.pack([{ d: 1 }, { c: 2 }])), '92' + '4201' + '4102')
    assertSame(packr.unpack(fromHex('92' + '4201' + '4102')), [{ d: 1 }, { c: 2 }])
  }
})

test('refused without a merge: what is stored is loaded', () => {
  let loads = 0
  let saves = 0
  const packr = new Packr({
    getStructures: () => (loads++ === 0 ? [] : [['z']]),
    saveStructures: () => saves++ > 0,
  })
  assert.equal(toHex(packr.pack({ a: 1 })), '4101')
  assert.deepEqual([loads, saves], [2, 2])
  assertSame(packr.unpack(fromHex('92' + '4001' + '4102')), [{ z: 1 }, { a: 2 }])
})

test('refused without a merge and without getStructures: the same is proposed again', () => {
  for (const options of [{}, { structures: [] }]) {
    const proposed = []
    const packr = new Packr({
      ...options,
      saveStructures(structures) {
        proposed.push(copyOf(structures))
        return proposed.length !== 1
      },
    })
    assert.equal(toHex(packr.pack([{ a: 1 }, { b: 2 }])), '92' + '4001' + '4102')
    assert.deepEqual(proposed, [
      [['a'], ['b']],
      [['a'], ['b']],
    ])
    assert.equal(toHex(packr.pack({ c: 1 })), '4201')
  }
})

test('refused with a merge and without getStructures', () => {
  let refused = false
  const packr = new Packr({
    saveStructures(_structures, isCompatible) {
      if (refused) return true
      refused = true
      return isCompatible([['x'], ['y']])
    },
  })
  assert.equal(toHex(packr.pack([{ a: 1 }, { y: 2 }])), '92' + '4201' + '4102')
})

test('refused a few times in a row, each time for more structures', () => {
  const stored = []
  let saves = 0
  const packr = new Packr({
    getStructures: () => copyOf(stored),
    saveStructures(structures, isCompatible) {
      saves++
      if (saves < 6) stored.push([`other${saves}`])
      if (!isCompatible(copyOf(stored))) return false
      stored.splice(0, stored.length, ...copyOf(structures))
      return true
    },
  })
  const bytes = packr.pack([{ a: 1 }, { other3: 2 }])
  assert.equal(toHex(bytes), '92' + '4501' + '4202')
  assert.equal(saves, 6)
  assert.deepEqual(stored.at(-1), ['a'])
  assertSame(new Packr({ getStructures: () => copyOf(stored) }).unpack(bytes), [{ a: 1 }, { other3: 2 }])
})

test('refused when what others stored leaves no room: the shape is defined in the message', () => {
  const store = new StructureStore([['a']])
  const packr = new Packr(store.checkedOptions({ maxSharedStructures: 2 }))
  packr.pack({ a: 1 })
  store.text = JSON.stringify([['a'], ['c']])
  assert.equal(toHex(packr.pack([{ d: 1 }, { c: 2 }])), '92' + 'd4724291a16401' + '4102')
  assert.deepEqual(store.structures, [['a'], ['c']])
  assert.equal(store.saves, 1)
})

test('refused when others stored more than this instance may share', () => {
  const store = new StructureStore([['a']])
  const packr = new Packr(store.checkedOptions({ maxSharedStructures: 2 }))
  packr.pack({ a: 1 })
  store.text = JSON.stringify([['a'], ['c'], ['e']])
  for (let i = 0; i < 2; i++) {
    assert.throws(() => packr.pack({ d: 1 }), {
      message:
        'Shared structures is larger than maximum shared structures, try increasing maxSharedStructures to 3',
    })
  }
  assertSame(packr.unpack(fromHex('4205')), { e: 5 })
})

test('a message that is packed again is packed from the start', () => {
  const store = new StructureStore()
  const packr = new Packr(store.checkedOptions())
  packr.pack(0)
  store.text = JSON.stringify([['z']])
  let runs = 0
  const value = {
    get a() {
      return ++runs
    },
    b: { c: 1 },
  }
  const bytes = packr.pack([value, 'end'])
  assertSame(packr.unpack(bytes), [{ a: runs, b: { c: 1 } }, 'end'])
  assert.deepEqual(store.structures, [['z'], ['a', 'b'], ['c']])
  assert.ok(runs >= 1 && runs <= 2)
})

for (const [label, options] of [
  ['with getStructures', { getStructures: () => [['known']] }],
  ['with getStructures and a merge', { getStructures: () => [['known']], merging: true }],
  ['without getStructures', { structures: [['known']] }],
]) {
  test(`always refused, ${label}: an error that says so, after a bounded number of calls`, () => {
    let calls = 0
    let refusing = true
    const { merging, ...given } = options
    const packr = new Packr({
      ...given,
      saveStructures(_structures, isCompatible) {
        if (!refusing) return true
        calls++
        if (merging) isCompatible([['known'], ...Array.from({ length: calls % 2 }, (_, i) => [`m${i}`])])
        return false
      },
    })
    assert.equal(toHex(packr.pack({ known: 1 })), '4001')
    for (let i = 0; i < 3; i++) {
      calls = 0
      assert.throws(
        () => packr.pack([{ a: 1 }, { b: { c: 1 } }]),
        (error) => {
          assert.equal(Object.getPrototypeOf(error), Error.prototype, String(error))
          assert.match(error.message, /structures/i)
          return true
        },
      )
      assert.ok(calls > 1 && calls <= MANY, `${calls} calls`)
      assert.equal(toHex(packr.pack({ known: 2 })), '4002')
    }
    refusing = false
    const value = [{ a: 1 }, { b: { c: 1 } }, { known: 3 }]
    assertSame(packr.unpack(packr.pack(value)), value)
  })
}

test('an error after a refusal passes through', () => {
  const store = new StructureStore()
  let calls = 0
  const packr = new Packr(
    store.options({
      saveStructures() {
        if (calls++ === 0) return false
        throw new RangeError('gone')
      },
    }),
  )
  assert.throws(() => packr.pack({ a: 1 }), { name: 'RangeError', message: 'gone' })
  assert.equal(calls, 2)
  packr.saveStructures = (structures) => {
    store.text = JSON.stringify(structures)
  }
  assert.equal(toHex(packr.pack({ b: 1 })), '4001')
  assert.deepEqual(store.structures, [['b']])
})
