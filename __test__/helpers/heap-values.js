'use strict'

// Random values that differ in how V8 represents them more than in what they are, and random changes to them, all
// from a seeded source. Values without `mixed` hold only what the heap walker packs.

const vm = require('node:vm')
const { pack } = require('./ferropack')
const arrays = require('./native-arrays')
const builtIns = require('./native-built-ins')
const classes = require('./native-classes')
const objects = require('./native-objects')
const strings = require('./native-strings')
const handedOver = require('./handed-over-kinds')
const { lookalikes } = require('./other-objects')
const { randomChange } = require('./random-changes')
const { randomNumber, randomInteger, randomBigInt, randomText, randomKey } = require('./random-scalars')

const { seal, freeze, preventExtensions } = Object

/** Objects in a value from which on only scalars are added. */
const ENOUGH = 120

// Large samples would take most of the time.
const isSmall = ([name]) => !/\d{3}|\d,\d|everything|many|a chain|levels|one (wide )?part/.test(name)
const smallOf = (table) =>
  Object.entries(table)
    .filter(isSmall)
    .map(([, make]) => make)

const SAMPLES = [
  arrays.samples,
  objects.samples,
  classes.samples,
  strings.special,
  ...Object.values(builtIns),
].map(smallOf)
const HANDED_OVER = ['accessors', 'proxies', 'functions', 'toJSON', 'builtIns'].flatMap((name) =>
  Object.values(handedOver[name]),
)
const LOOKALIKES = Object.values(lookalikes)
const FOREIGN = vm.runInNewContext(
  '[{ a: 1 }, [1, "two"], new Map([[1, 2]]), new Date(5), new (class Own { a = 1 })()]',
)
const REPRESENTATIONS = Object.values(strings.makers)
const TYPED = [Uint8Array, Int16Array, Float32Array, Float64Array, Uint8ClampedArray, Int32Array]

/** Code of a user that makes garbage and packs on its own while an outer message is on its way. */
function allocatingGetter() {
  return {
    before: 1,
    get busy() {
      const rows = Array.from({ length: 300 }, (_, i) => ({ [`k${i % 9}`]: `text ${i}`, i: i / 2 }))
      return pack(rows.slice(0, 20)).length
    },
    after: 'x',
  }
}

class Values {
  constructor(random) {
    this.random = random
    this.renewShapes()
  }

  /** Key lists and classes are used many times over, then given up. */
  renewShapes() {
    const { random } = this
    this.keyLists = Array.from({ length: 30 }, () =>
      Array.from({ length: 1 + random.below(random.chance(0.1) ? 40 : 8) }, () => randomKey(random)),
    )
    this.classes = Array.from({ length: 12 }, () => this.makeClass(random.pick(this.keyLists)))
  }

  makeClass(keys) {
    const { random } = this
    const Base = this.classes?.length && random.chance(0.3) ? random.pick(this.classes) : Object
    const names = keys.filter((key) => key !== '__proto__' && key !== 'constructor')
    class Own extends Base {
      #secret = 1
      constructor(valueFor) {
        super(valueFor)
        for (const name of names) this[name] = valueFor()
      }
      reveal() {
        return this.#secret
      }
    }
    if (random.chance(0.3)) {
      for (let i = 0; i < 30; i++) Own.prototype[`member${i}`] = i
      delete Own.prototype.member0
    }
    return Own
  }

  /** A new value. `mixed`: some of it is handed over. */
  make({ mixed }) {
    this.mixed = mixed
    this.targets = []
    this.finished = this.targets
    return this.random.chance(0.1) ? this.value(0) : this.target(this.branch(1 + this.random.below(4)))
  }

  /** Changes some of what the last value is made of. */
  change() {
    const { random, targets } = this
    // What is put into an object must not be one that holds it.
    this.finished = []
    const count = 1 + random.below(4)
    for (let i = 0; i < count && targets.length > 0; i++) {
      randomChange(random, random.pick(targets), () => this.value(random.below(2)))
    }
  }

  /** Puts a few of the objects in the last value into each other. */
  tie() {
    const { random, targets } = this
    for (let count = random.below(5); count > 0 && targets.length > 0; count--) {
      tie(random, random.pick(targets), random.pick(targets))
    }
  }

  value(depth) {
    const { random } = this
    if (this.mixed && random.chance(0.1)) return this.foreignBody()
    if (random.chance(0.06)) return this.target(random.pick(random.pick(SAMPLES))())
    if (depth <= 0 || this.targets.length > ENOUGH || random.chance(0.25)) return this.leaf()
    // A value that is finished may lie in several places; none holds itself.
    if (random.chance(0.04) && this.finished.length > 0) return random.pick(this.finished)
    return this.target(this.branch(depth - 1))
  }

  target(value) {
    if (typeof value === 'object' && value !== null) this.targets.push(value)
    return value
  }

  foreignBody() {
    const { random } = this
    const chosen = random.below(20)
    if (chosen === 0) return allocatingGetter()
    if (chosen === 1) return random.pick(FOREIGN)
    if (chosen < 5) return random.pick(LOOKALIKES)()
    return random.pick(HANDED_OVER)().value
  }

  leaf() {
    const { random } = this
    const chosen = random.below(20)
    if (chosen < 7) return randomNumber(random)
    if (chosen < 13) return this.string()
    if (chosen === 13) return randomBigInt(random)
    if (chosen === 14) return this.target(this.bytes())
    if (chosen === 15)
      return this.target(new Date(Math.floor((random.fraction() - 0.3) * 10 ** random.below(16))))
    return random.pick([null, undefined, true, false])
  }

  string() {
    const { random } = this
    const make = random.chance(0.003)
      ? strings.largeMakers['sliced of an external one']
      : random.pick(REPRESENTATIONS)
    return make(randomText(random))
  }

  bytes() {
    const { random } = this
    const Type = random.pick(TYPED)
    const length = random.below(random.chance(0.2) ? 200 : 12)
    const view = Type.from({ length }, () => random.below(300))
    if (random.chance(0.3)) return Buffer.from(view)
    return random.chance(0.3) ? view.subarray(random.below(length + 1)) : view
  }

  branch(depth) {
    const { random } = this
    switch (random.below(12)) {
      case 0:
        return this.map(depth)
      case 1:
        return this.set(depth)
      case 2:
        return new (random.pick(this.classes))(() => this.value(depth))
      case 3:
        return this.rows(depth)
      case 4:
      case 5:
      case 6:
        return this.array(depth)
      default:
        return this.object(depth)
    }
  }

  /** Objects of one shape, of which some have another kind of number or text in a field. */
  rows(depth) {
    const { random } = this
    const keys = random.pick(this.keyLists)
    const makers = keys.map(() =>
      random.pick([() => random.below(100), () => random.below(100) / 4, () => this.string()]),
    )
    return Array.from({ length: random.below(10) }, () => {
      const row = {}
      keys.forEach((key, i) => {
        put(row, key, random.chance(0.1) ? this.value(depth - 1) : makers[i]())
      })
      return row
    })
  }

  object(depth) {
    const { random } = this
    const object = random.chance(0.08) ? Object.create(null) : {}
    const keys = random.chance(0.7) ? random.pick(this.keyLists) : [randomKey(random), randomKey(random)]
    for (const key of keys) put(object, key, this.value(depth))
    if (random.chance(0.1)) delete object[random.pick(keys)]
    if (random.chance(0.05))
      Object.defineProperty(object, randomKey(random), { value: 'hidden', configurable: true })
    if (random.chance(0.05)) object[Symbol('s')] = 1
    if (random.chance(0.05)) new WeakMap().set(object, 1)
    return this.locked(object)
  }

  array(depth) {
    const { random } = this
    const length = random.chance(0.05) ? random.below(120) : random.below(9)
    const item = random.pick([
      () => randomInteger(random),
      () => random.fraction() * 100,
      () => randomNumber(random),
      () => this.string(),
      () => this.value(depth),
      () => this.value(depth),
    ])
    const array = []
    for (let i = 0; i < length; i++) array.push(item())
    if (random.chance(0.15) && length > 0) delete array[random.below(length)]
    if (random.chance(0.05)) array.length = random.below(2 * length + 3)
    if (random.chance(0.03)) array[length + 1030 + random.below(900)] = 'far'
    if (random.chance(0.1)) for (let i = random.below(4); i > 0; i--) array.shift()
    return this.locked(array)
  }

  locked(object) {
    const { random } = this
    return random.chance(0.12) ? random.pick([seal, freeze, preventExtensions])(object) : object
  }

  map(depth) {
    const { random } = this
    const map = new Map()
    const count = random.below(random.chance(0.1) ? 60 : 7)
    for (let i = 0; i < count; i++) map.set(this.value(random.chance(0.1) ? depth : 0), this.value(depth - 1))
    for (const key of [...map.keys()]) if (random.chance(0.15)) map.delete(key)
    return map
  }

  set(depth) {
    const { random } = this
    const set = new Set()
    const count = random.below(random.chance(0.1) ? 60 : 7)
    for (let i = 0; i < count; i++) set.add(this.value(depth - 1))
    for (const item of [...set]) if (random.chance(0.15)) set.delete(item)
    return set
  }
}

/** Puts an object into another one, or into itself, if there is room for it. */
function tie(random, holder, object) {
  if (!Object.isExtensible(holder)) return
  if (Array.isArray(holder)) holder.push(object)
  else if (holder instanceof Map) holder.set(random.chance(0.2) ? object : 'tied', object)
  else if (holder instanceof Set) holder.add(object)
  else put(holder, holder instanceof Error ? 'cause' : 'tied', object)
}

/** Also what an assignment would take for the prototype. */
function put(object, key, value) {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

module.exports = { Values }
