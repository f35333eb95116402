'use strict'

// Instances of classes without toJSON, with prototypes in every mode: each function makes a new one. Where the
// prototype is part of the case, the class is made anew as well.

class Point {
  constructor(x, y) {
    this.x = x
    this.y = y
  }
  get length() {
    throw new Error('an accessor of a prototype is not read')
  }
  static origin = new Point(0, 0)
}

class Named extends Point {
  name = 'a field'
  list = [1, 2]
  constructor(x) {
    super(x, 1.5)
    this.last = { x }
  }
}

class Deeper extends Named {
  deeper = true;
  [Symbol('ignored')] = 1
}

class Private {
  #secret = 1
  shown = 2
  #method() {
    return this.#secret
  }
  constructor() {
    this.shown += this.#method()
  }
}

class OnlyPrivate {
  #secret = { never: 'seen' }
  reveal() {
    return this.#secret
  }
}

/** A private method alone marks the instance without giving it a field. */
class PrivateMethod {
  #method() {
    return 1
  }
  a = this.#method()
}

class Empty {}

class Indexed {
  constructor() {
    this.name = 'x'
    this[3] = 'three'
    this[0] = 'zero'
  }
}

class Wide {
  constructor(count) {
    for (let i = 0; i < count; i++) this[`field${i}`] = i % 2 ? i : `text ${i}`
  }
}

function Old(a) {
  this.a = a
  this.b = 'old-fashioned'
}
Old.prototype.method = function method() {}

function Replaced() {
  this.a = 1
}
Replaced.prototype = { method() {} }

function dictionaryPrototype(members) {
  class Fresh {
    a = 1
    b = 'two'
  }
  for (let i = 0; i < members; i++) Fresh.prototype[`member${i}`] = i
  delete Fresh.prototype.member0
  return new Fresh()
}

function fastPrototype(members) {
  class Fresh {
    a = 1
    b = 'two'
  }
  for (let i = 0; i < members; i++) Fresh.prototype[`member${i}`] = () => i
  return new Fresh()
}

/** V8 puts a prototype into its fast mode when an inline cache has read through it. */
function warmed(instance) {
  for (let i = 0; i < 200; i++) if (instance.member1 === undefined) throw new Error('no such member')
  return instance
}

const samples = {
  'an instance': () => new Point(1, 2.5),
  'another kind of field': () => new Point('x', { y: 1 }),
  'an instance of a subclass': () => new Named(3),
  'an instance of a third class': () => new Deeper(4),
  'private fields': () => new Private(),
  'private fields only': () => new OnlyPrivate(),
  'a private method': () => new PrivateMethod(),
  'no fields': () => new Empty(),
  'integer keys': () => new Indexed(),
  'thirty fields': () => new Wide(30),
  'three hundred fields': () => new Wide(300),
  'constructor function': () => new Old(1),
  'a static instance': () => Point.origin,
  'frozen instance': () => Object.freeze(new Point(1, 2)),
  'instance in dictionary mode': () => {
    const instance = new Named(1)
    delete instance.name
    return instance
  },
  'fields added later': () => Object.assign(new Point(1, 2), { z: 3, text: 'x' }),
  'instance as WeakMap key': () => {
    const instance = new Empty()
    new WeakSet().add(instance)
    return instance
  },
  'dictionary prototype': () => dictionaryPrototype(5),
  'dictionary prototype of many': () => dictionaryPrototype(200),
  'dictionary prototype, read often': () => warmed(dictionaryPrototype(5)),
  'fast prototype': () => fastPrototype(5),
  'fast prototype of many': () => fastPrototype(60),
  'fast prototype, read often': () => warmed(fastPrototype(60)),
  'own key constructor': () => Object.assign(new Point(1, 2), { constructor: 'text' }),
  'many instances': () => Array.from({ length: 40 }, (_, i) => (i % 2 ? new Point(i, i / 2) : new Named(i))),
  'instances in a Map': () =>
    new Map([
      ['p', new Point(1, 2)],
      [new Empty(), new Old(2)],
    ]),
}

/** Neither plain nor quite a class: their prototype's constructor is Object. */
const borrowed = {
  'a prototype that was replaced': () => new Replaced(),
  'made with a plain prototype': () => Object.assign(Object.create({ inherited: 1 }), { own: 2 }),
  'made with a prototype without prototype': () =>
    Object.assign(Object.create(Object.create(null)), { own: 2 }),
  'made with an instance as prototype': () => Object.assign(Object.create(new Point(1, 2)), { own: 3 }),
  'result of querystring': () => require('node:querystring').parse('a=1&b=2&b=3'),
}

const shows = {
  'instance in dictionary mode': /- dictionary_map/,
}

module.exports = { samples, borrowed, shows }
