'use strict'

// Instances of registered classes that hold themselves: class and identity survive, whether an extension turns what
// it reads into an instance or makes a new one.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { addExtension, Packr } = require('../helpers/ferropack')

class Turned {}
class Made {
  constructor(name, self) {
    this.name = name
    this.self = self
  }
  greet() {
    return `I am ${this.name}`
  }
}
class Special extends Made {}

addExtension({
  Class: Turned,
  type: 61,
  write: (data) => data,
  read: (data) => Object.setPrototypeOf(data, Turned.prototype),
})
addExtension({
  Class: Made,
  type: 62,
  write: ({ name, self }) => [name, self],
  read: ([name, self]) => new Made(name, self),
})
addExtension({
  Class: Special,
  type: 63,
  write: ({ name, self }) => new Map(Object.entries({ name, self })),
  read: (fields) => {
    const { name, self } = fields instanceof Map ? Object.fromEntries(fields) : fields
    return new Special(name, self)
  },
})

const OPTIONS = {
  references: {},
  'no records': { useRecords: false },
  'shared structures': { structures: [] },
  'bundled strings': { bundleStrings: true },
  'no heap': { heap: false },
}

for (const [name, options] of Object.entries(OPTIONS)) {
  const packr = new Packr({ structuredClone: true, ...options })
  const copyOf = (value) => packr.unpack(packr.pack(value))

  test(`${name}: an object that is turned into an instance`, () => {
    const value = Object.assign(new Turned(), { name: 'Ada' })
    value.friends = [value, { of: value }]
    value.self = value
    for (const result of [copyOf(value), copyOf([value, value])[1], copyOf({ deep: [value] }).deep[0]]) {
      assert.equal(Object.getPrototypeOf(result), Turned.prototype)
      assert.deepEqual(Object.keys(result), ['name', 'friends', 'self'])
      assert.equal(result.name, 'Ada')
      assert.equal(result.self, result)
      assert.equal(result.friends[0], result)
      assert.equal(result.friends[1].of, result)
    }
  })

  for (const Class of [Made, Special]) {
    test(`${name}: a new instance of ${Class.name}`, () => {
      const value = new Class('Ada')
      value.self = value
      const result = copyOf([value, value])
      assert.equal(result[0], result[1])
      assert.equal(Object.getPrototypeOf(result[0]), Class.prototype)
      assert.equal(result[0].self, result[0])
      assert.equal(result[0].greet(), 'I am Ada')
    })
  }

  test(`${name}: instances that hold each other`, () => {
    const first = new Made('first')
    const second = new Special('second', first)
    first.self = [second, new Turned()]
    const result = copyOf(first)
    assert.equal(result.constructor, Made)
    assert.equal(result.self[0].constructor, Special)
    assert.equal(result.self[0].self, result)
    assert.equal(result.self[1].constructor, Turned)
  })
}

test('data that is frozen', () => {
  const packr = new Packr({ structuredClone: true, freezeData: true })
  const value = new Made('Ada')
  value.self = value
  const result = packr.unpack(packr.pack(value))
  assert.equal(result.constructor, Made)
  assert.equal(result.self, result)
})

test('an instance without a cycle is what its extension made', () => {
  const made = []
  class Counted {}
  addExtension({
    Class: Counted,
    type: 64,
    write: () => [],
    read: () => {
      made.push(new Counted())
      return made.at(-1)
    },
  })
  const packr = new Packr({ structuredClone: true })
  const value = new Counted()
  const result = packr.unpack(packr.pack([value, value]))
  assert.equal(made.length, 1)
  assert.equal(result[0], made[0])
  assert.equal(result[1], made[0])
})
