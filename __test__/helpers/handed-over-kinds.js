'use strict'

// Values that the heap walker leaves to the other one. Each function makes `{ value, calls }`: a new value, and a
// function that tells how often code of a user ran, where there is any.

const vm = require('node:vm')
const { chain } = require('./native-strings')

/** A value without code in it. */
const plain = (make) => () => ({ value: make(), calls: null })

/** A value made with a function that counts its calls and gives back what it is given. */
function counting(make) {
  return () => {
    let count = 0
    const value = make((result) => {
      count++
      return result
    })
    return { value, calls: () => count }
  }
}

const foreign = (source) => plain(() => vm.runInNewContext(source))

function nested(levels, wrap) {
  let value = null
  for (let i = 0; i < levels; i++) value = wrap(value)
  return value
}

function without(object, key) {
  delete object[key]
  return object
}

function detached(make) {
  const view = make()
  structuredClone(view.buffer, { transfer: [view.buffer] })
  return view
}

function argumentsOf() {
  // biome-ignore lint/complexity/noArguments: these are what is tested
  return arguments
}

const sloppyArgumentsOf = new Function('a', 'b', 'a = "written"; return arguments')

class List extends Array {}
class Moment extends Date {}
class Table extends Map {}
class Bag extends Set {}
class Failures extends AggregateError {
  name = 'Failures'
}
class Pattern extends RegExp {}
class Memory extends ArrayBuffer {}
class Window extends DataView {}

const accessors = {
  getter: counting((call) => ({
    a: 1,
    get b() {
      return call('got')
    },
    c: 2,
  })),
  'getter defined on an object in fast mode': counting((call) =>
    Object.defineProperty({ a: 1 }, 'b', { get: () => call([1, { x: 2 }]), enumerable: true }),
  ),
  'getter in dictionary mode': counting((call) =>
    Object.defineProperty(without({ a: 1, b: 2, c: 3 }, 'a'), 'd', {
      get: () => call(null),
      enumerable: true,
    }),
  ),
  'getter under an integer key': counting((call) =>
    Object.defineProperty({ 0: 'a' }, 1, { get: () => call('b'), enumerable: true }),
  ),
  'getter as an element': counting((call) =>
    Object.defineProperty([1, 2, 3], 1, { get: () => call('two'), enumerable: true }),
  ),
  'getter without a prototype': counting((call) =>
    Object.defineProperty(Object.create(null), 'a', { get: () => call(1), enumerable: true }),
  ),
  'getter of an instance': counting((call) => {
    class Own {
      constructor() {
        Object.defineProperty(this, 'own', { get: () => call('own'), enumerable: true })
      }
    }
    return new Own()
  }),
  'getter that throws': counting((call) => ({
    get b() {
      call()
      throw new RangeError('thrown by a getter')
    },
  })),
  'setter only': plain(() => Object.defineProperty({ a: 1 }, 'b', { set() {}, enumerable: true })),
}

const proxies = {
  'proxy of an object': counting(
    (call) => new Proxy({ a: 1 }, { get: (target, key) => (key === 'a' ? call(target.a) : target[key]) }),
  ),
  'proxy of an array': plain(() => new Proxy([1, 'two', { a: 3 }], {})),
  'proxy of a Map': plain(() => new Proxy(new Map([[1, 2]]), {})),
  'proxy of a function': plain(() => new Proxy(() => 1, {})),
  'proxy that was revoked': plain(() => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  }),
  'proxy as prototype': plain(() => Object.assign(Object.create(new Proxy({}, {})), { a: 1 })),
}

const functions = {
  function: plain(() => function named() {}),
  'arrow function': plain(() => () => 1),
  'async function': plain(() => async () => 1),
  'generator function': plain(() => function* named() {}),
  'bound function': plain(() => Math.max.bind(null, 1)),
  class: plain(() => class Named {}),
  'function with toJSON': counting((call) => Object.assign(() => 1, { toJSON: () => call('json') })),
  'toJSON of a plain object, which is data': plain(() => ({ a: 1, toJSON() {} })),
  symbol: plain(() => Symbol('s')),
  'symbol in an object': plain(() => ({ a: Symbol.iterator })),
}

const toJSON = {
  'toJSON of a class': counting((call) => {
    class Own {
      a = 1
      toJSON() {
        return call({ json: this.a })
      }
    }
    return new Own()
  }),
  'toJSON of a base class': counting((call) => {
    class Base {
      toJSON() {
        return call(['base'])
      }
    }
    class Middle extends Base {}
    class Derived extends Middle {
      a = 1
    }
    return new Derived()
  }),
  'toJSON in a dictionary prototype': counting((call) => {
    class Own {
      a = 1
    }
    for (let i = 0; i < 50; i++) Own.prototype[`member${i}`] = i
    delete Own.prototype.member0
    Own.prototype.toJSON = () => call('json')
    return new Own()
  }),
  'own toJSON of an instance': counting((call) => {
    class Empty {}
    return Object.assign(new Empty(), { toJSON: () => call('json') })
  }),
  'toJSON without a prototype': counting((call) =>
    Object.assign(Object.create(null), { a: 1, toJSON: () => call([1]) }),
  ),
  'toJSON that gives the object back': counting((call) => {
    class Own {
      a = 1
      toJSON() {
        return call(this)
      }
    }
    return new Own()
  }),
  'toJSON that gives undefined': counting((call) => {
    class Own {
      toJSON() {
        return call(undefined)
      }
    }
    return new Own()
  }),
  'toJSON that throws': counting((call) => {
    class Own {
      toJSON() {
        call()
        throw new TypeError('thrown by toJSON')
      }
    }
    return [1, new Own()]
  }),
  'toJSON that is no function': plain(() => {
    class Own {
      toJSON = 'text'
    }
    return new Own()
  }),
  URL: plain(() => new URL('http://a/b?c=d')),
}

const builtIns = {
  AggregateError: plain(() => new AggregateError([new Error('one'), 2], 'several')),
  'subclass of AggregateError': plain(() => new Failures([1], 'several')),
  'error with the name of another': plain(() =>
    Object.assign(new Error('message'), { name: 'AggregateError', errors: [1] }),
  ),
  'error with a name of wide characters': plain(() =>
    Object.assign(new Error('message'), { name: '\u4f60' }),
  ),
  'error without a name': plain(() => Object.assign(new Error('message'), { name: undefined })),
  'error whose message is an accessor': counting((call) =>
    Object.defineProperty(new Error(), 'message', { get: () => call('got') }),
  ),
  'error whose class has an accessor': plain(() => {
    class Own extends Error {
      get name() {
        return 'Own'
      }
    }
    return new Own('message')
  }),
  'error with toJSON': counting((call) => {
    class Own extends Error {
      toJSON() {
        return call({ json: this.message })
      }
    }
    return new Own('message')
  }),
  'error in dictionary mode': plain(() => without(Object.assign(new Error('message'), { a: 1, b: 2 }), 'a')),
  'RegExp with own properties': plain(() => Object.assign(/a/, { note: 'ignored' })),
  'RegExp whose source is its own': plain(() => Object.defineProperty(/a/, 'source', { value: 'b' })),
  'subclass of RegExp': plain(() => new Pattern('a')),
  'subclass of ArrayBuffer': plain(() => new Memory(3)),
  'subclass of DataView': plain(() => new Window(new ArrayBuffer(3))),
  'detached ArrayBuffer': plain(() => detached(() => new Uint8Array(100)).buffer),
  'detached DataView': plain(() => detached(() => new DataView(new ArrayBuffer(100), 9))),
  'DataView of shared memory': plain(() => new DataView(new SharedArrayBuffer(5))),
  'view of shared memory': plain(() => new Uint8Array(new SharedArrayBuffer(5)).fill(9)),
  'wide view of shared memory': plain(() => new Float64Array(new SharedArrayBuffer(16)).fill(0.5)),
  'detached Uint8Array': plain(() => detached(() => new Uint8Array(100))),
  'detached Float64Array': plain(() => detached(() => new Float64Array(100))),
  'detached Buffer': plain(() => detached(() => Buffer.from(new ArrayBuffer(100)))),
  'BigInt 2^64': plain(() => 2n ** 64n),
  'BigInt below int64': plain(() => [-(2n ** 63n) - 1n]),
  'BigInt of 1,000 bits': plain(() => ({ a: 2n ** 1000n })),
  'subclass of Array': plain(() => List.from([1, 'two'])),
  'subclass of Date': plain(() => new Moment(1e12)),
  'subclass of Map': plain(() => new Table([[1, 2]])),
  'subclass of Set': plain(() => new Bag([1, 2])),
  'subclass of Date with toJSON': counting((call) => {
    class Own extends Date {
      toJSON() {
        return call('json')
      }
    }
    return new Own(5)
  }),
  arguments: plain(() => argumentsOf(1, 'two')),
  'arguments of a sloppy function': plain(() => sloppyArgumentsOf(1, 2, 3)),
  'array without a prototype': plain(() => Object.setPrototypeOf([1, 2], null)),
  'array with another prototype': plain(() => Object.setPrototypeOf([1, 2], { __proto__: Array.prototype })),
}

const ResizableBuffer = 'resize' in ArrayBuffer.prototype ? ArrayBuffer : null
if (ResizableBuffer) {
  const resizable = (length, most) => new ResizableBuffer(length, { maxByteLength: most })
  Object.assign(builtIns, {
    'view of a resizable buffer': plain(() => new Uint8Array(resizable(8, 64), 2, 4).fill(1)),
    'view that tracks the length': plain(() => new Uint8Array(resizable(8, 64)).fill(2)),
    'view that tracks the length, after growth': plain(() => {
      const buffer = resizable(8, 64)
      const view = new Uint8Array(buffer)
      buffer.resize(32)
      return view
    }),
    'resizable buffer': plain(() => resizable(8, 64)),
    'DataView of a resizable buffer': plain(() => new DataView(resizable(8, 64), 1, 3)),
    'DataView that tracks the length': plain(() => new DataView(resizable(8, 64), 1)),
    'view that is out of bounds': plain(() => {
      const buffer = resizable(32, 64)
      const view = new Uint8Array(buffer, 16, 8)
      buffer.resize(8)
      return view
    }),
  })
}

const realms = {
  'object of another realm': foreign('({ a: 1, b: [2] })'),
  'array of another realm': foreign('[1, "two"]'),
  'Map of another realm': foreign('new Map([[1, 2]])'),
  'Set of another realm': foreign('new Set([1])'),
  'Date of another realm': foreign('new Date(1e12)'),
}

const deep = {
  '300 arrays': plain(() => nested(300, (inner) => [inner])),
  '300 objects': plain(() => nested(300, (inner) => ({ inner }))),
  '300 Maps': plain(() => nested(300, (inner) => new Map([[1, inner]]))),
  '300 Sets': plain(() => nested(300, (inner) => new Set([inner]))),
  '300 keys of Maps': plain(() => nested(300, (inner) => new Map([[inner, 1]]))),
  'an object in itself': plain(() => {
    const object = { a: 1 }
    object.self = [object]
    return object
  }),
}

// V8 puts such a text together once, where JavaScript reads it, and then it is an ordinary one.
const ropes = {
  'a chain of 200,000 joins from the left': plain(() => chain(200_000, 'left')),
  'a chain of 200,000 joins from the right': plain(() => chain(200_000, 'right')),
}

const hiddenConstructor = (value) => Object.defineProperty(value, 'constructor', { value: Object })

const constructors = {
  'Map with a hidden constructor and a property': plain(() =>
    hiddenConstructor(Object.assign(new Map([[1, 2]]), { x: 1 })),
  ),
  'Date with a hidden constructor': plain(() => hiddenConstructor(new Date(9))),
  'Set with a hidden constructor': plain(() => hiddenConstructor(new Set([9]))),
  'error with a hidden constructor': plain(() => hiddenConstructor(new Error('message'))),
  'RegExp with a hidden constructor': plain(() => hiddenConstructor(/a/)),
  'ArrayBuffer with a hidden constructor': plain(() => hiddenConstructor(new ArrayBuffer(2))),
  'DataView with a hidden constructor': plain(() => hiddenConstructor(new DataView(new ArrayBuffer(2)))),
  'view with a hidden constructor': plain(() => hiddenConstructor(new Uint8Array(2))),
}

module.exports = { accessors, proxies, functions, toJSON, builtIns, realms, deep, ropes, constructors }
