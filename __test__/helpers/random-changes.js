'use strict'

// Random changes to an object of any kind, between two messages that hold it. What an object refuses is left undone.

const { randomKey, randomNumber } = require('./random-scalars')

const LEVELS = ['preventExtensions', 'seal', 'freeze']

/** Keys under which a value of any kind stays data: toJSON would become a method. */
const ownKey = (random, object) => {
  const keys = Object.keys(object)
  return keys.length > 0 ? random.pick(keys) : randomKey(random)
}

function define(object, key, value, enumerable = true) {
  Reflect.defineProperty(object, key, { value, enumerable, writable: true, configurable: true })
}

const objectChanges = [
  (random, object, make) => define(object, randomKey(random), make()),
  (random, object, make) => define(object, `added${random.below(50)}`, make()),
  (random, object) => Reflect.deleteProperty(object, ownKey(random, object)),
  (random, object, make) => Reflect.set(object, ownKey(random, object), make()),
  // From a Smi to a double, to text, and back.
  (random, object) => Reflect.set(object, ownKey(random, object), random.below(100)),
  (random, object) => Reflect.set(object, ownKey(random, object), random.below(100) + 0.5),
  (random, object) => Reflect.set(object, ownKey(random, object), randomNumber(random)),
  (random, object) => Reflect.set(object, ownKey(random, object), 'text now'),
  (random, object) => {
    const key = ownKey(random, object)
    if (Object.hasOwn(object, key)) Reflect.defineProperty(object, key, { enumerable: false })
  },
  (_, object) => {
    for (const key of Object.getOwnPropertyNames(object))
      Reflect.defineProperty(object, key, { enumerable: true })
  },
  (random, object) => Reflect.set(object, random.below(30), randomNumber(random)),
  (random, object, make) => {
    const count = random.below(40)
    for (let i = 0; i < count; i++) define(object, `more${i}`, i % 9 === 0 ? make() : i)
  },
  (random, object) => {
    for (const key of Object.keys(object)) if (random.chance(0.5)) Reflect.deleteProperty(object, key)
  },
  (_, object) => define(object, Symbol('s'), 1),
  (_, object) => new WeakSet().add(object),
]

const arrayChanges = [
  (_, array, make) => array.push(make(), make()),
  (random, array) => array.push(random.below(100), random.below(100) / 8),
  (_, array) => array.pop(),
  (_, array) => array.shift(),
  (_, array, make) => array.unshift(make()),
  (random, array, make) => array.splice(random.below(array.length + 1), random.below(3), make()),
  (random, array) => array.fill(randomNumber(random), random.below(array.length + 1)),
  (_, array) => array.reverse(),
  (random, array) => delete array[random.below(array.length + 1)],
  (random, array) => {
    array[random.below(array.length + 3)] = undefined
  },
  (random, array) => {
    array.length = random.below(array.length + 5)
  },
  (random, array) => {
    array[array.length + 1030 + random.below(300)] = 'far'
  },
  (random, array) => {
    for (let i = random.below(40); i > 0; i--) array.push(i)
  },
  (_, array) => {
    array.note = 'no element'
  },
]

const mapChanges = [
  (random, map, make) => map.set(randomKey(random), make()),
  (_, map, make) => map.set(make(), 1),
  (random, map) => map.delete(random.pick([...map.keys()])),
  (random, map) => {
    for (let i = random.below(60); i > 0; i--) map.set(i, i / 2)
  },
  (random, map) => {
    for (const key of map.keys()) if (random.chance(0.5)) map.delete(key)
  },
  (_, map) => map.clear(),
]

const setChanges = [
  (_, set, make) => set.add(make()),
  (random, set) => set.delete(random.pick([...set])),
  (random, set) => {
    for (let i = random.below(60); i > 0; i--) set.add(i)
  },
  (random, set) => {
    for (const item of set) if (random.chance(0.5)) set.delete(item)
  },
  (_, set) => set.clear(),
]

const dateChanges = [
  (random, date) => date.setTime(random.uint32() * random.below(4000)),
  (_, date) => date.setTime(NaN),
  (_, date) => date.setMilliseconds(1),
]

const viewChanges = [
  (random, view) => {
    if (view.length > 0) view[random.below(view.length)] = random.below(256)
  },
  // The bytes move off the heap.
  (_, view) => view.buffer,
]

function changesFor(object) {
  if (Array.isArray(object)) return arrayChanges
  if (object instanceof Map) return mapChanges
  if (object instanceof Set) return setChanges
  if (object instanceof Date) return dateChanges
  return ArrayBuffer.isView(object) ? viewChanges : objectChanges
}

/** `make` gives a value that may be put into the object. */
function randomChange(random, object, make) {
  if (random.chance(0.04)) {
    try {
      Object[random.pick(LEVELS)](object)
    } catch {
      // A view with elements cannot be frozen.
    }
    return
  }
  try {
    random.pick(changesFor(object))(random, object, make)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

module.exports = { randomChange }
