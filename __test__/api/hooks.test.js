'use strict'

// Code of the user's that runs between the end of a walk and the return of `pack`: hooks, proxies, patched built-ins.

const assert = require('node:assert/strict')
const { createHook } = require('node:async_hooks')
const { test } = require('node:test')
const { pack, Packr, unpack } = require('../helpers/ferropack')
const { toHex } = require('../helpers/hex')

/** Runs `task` while `install(intrude)` is in effect; `intrude` packs something else, and counts that. */
function withIntruder(install, task) {
  let isInside = false
  let count = 0
  const intrude = () => {
    if (isInside) return
    isInside = true
    count++
    pack([1, { z: [2, 'of the intruder'] }])
    isInside = false
  }
  const uninstall = install(intrude)
  try {
    return { result: task(), count }
  } finally {
    uninstall()
  }
}

/** Makes the tape walker pack, and shrink its memory behind a large message. */
class Answer {
  constructor(value) {
    this.value = value
  }
  toJSON() {
    return this.value
  }
}

test('an async hook that packs while a large message is finished', () => {
  const numbers = Array.from({ length: 300_000 }, (_, i) => i)
  const { result, count } = withIntruder(
    (intrude) => {
      const hook = createHook({ init: intrude }).enable()
      return () => hook.disable()
    },
    () => pack([new Answer(1), numbers]),
  )
  assert.ok(count > 0)
  assert.deepEqual(unpack(result), [1, numbers])
})

test('a list of structures whose traps pack', () => {
  const plain = new Packr({ structures: [] }).pack([{ a: 1 }, { b: 2 }])
  let trap = () => {}
  const structures = new Proxy([], {
    get(target, key, receiver) {
      trap()
      return Reflect.get(target, key, receiver)
    },
  })
  const packr = new Packr({ structures })
  const { result, count } = withIntruder(
    (intrude) => {
      trap = intrude
      return () => {
        trap = () => {}
      }
    },
    () => packr.pack([{ a: 1 }, { b: 2 }]),
  )
  assert.ok(count > 0)
  assert.equal(toHex(result), toHex(plain))
})

const PATCHED = [
  [Array.prototype, 'push'],
  [Map.prototype, 'get'],
  [Map.prototype, 'set'],
  [Map.prototype, 'clear'],
  [Buffer.prototype, 'fill'],
]

for (const [owner, name] of PATCHED) {
  test(`a patched ${name} that packs`, () => {
    const value = [{ a: 1 }, { b: 2 }, { a: 3 }]
    const { result } = withIntruder(
      (intrude) => {
        const descriptor = Object.getOwnPropertyDescriptor(owner, name)
        owner[name] = function (...given) {
          intrude()
          return Reflect.apply(descriptor.value, this, given)
        }
        return () => Object.defineProperty(owner, name, descriptor)
      },
      // With room before the message, which is filled.
      () => new Packr().pack(value, 2048 + 8),
    )
    assert.equal(toHex(result), `${'00'.repeat(8)}93d4724091a16101d4724191a162024003`)
  })
}
