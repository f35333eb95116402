'use strict'

// Owns the four values of notepack's benchmark, which consist of binary data and boundary values for the most part.

function upTo(length) {
  return Array.from({ length }, (_, i) => i)
}

/** Runs of 'a' as texts and of 'b' as bytes, by themselves as keys. */
function runs(pairs) {
  const map = {}
  for (let length = 0; length < pairs; length++) {
    const a = 'a'.repeat(length)
    const b = 'b'.repeat(length)
    map[a] = a
    map[b] = Buffer.from(b)
  }
  return map
}

const tiny = () => ({ foo: 1, bar: 'abc' })

const small = () => ({
  foo: 1,
  bar: [1, 2, 3, 4, 'abc', 'def'],
  foobar: {
    foo: true,
    bar: -2147483649,
    foobar: {
      foo: Buffer.from([1, 2, 3, 4, 5]),
      bar: 1.5,
      foobar: [true, false, 'abcdefghijkmonpqrstuvwxyz'],
    },
  },
})

function numbers() {
  return {
    unsigned: [1, 2, 3, 4, { b: { c: [128, 256, 65536, 4294967296] } }],
    signed: [-1, -2, -3, -4, { b: { c: [-33, -129, -32769, -2147483649] } }],
  }
}

function constants() {
  return {
    nil: null,
    bool: { true: true, false: false, both: [true, false, false, false, true] },
    undefined: [undefined, true, false, null, undefined],
  }
}

const medium = () => ({
  ...numbers(),
  str: ['abc', 'g'.repeat(32), 'h'.repeat(256)],
  array: [[], upTo(16)],
  map: runs(32),
  ...constants(),
})

const large = () => ({
  ...numbers(),
  bin: ['abc', 'a'.repeat(256), 'a'.repeat(65535)].map((text) => Buffer.from(text)),
  str: ['abc', 'g'.repeat(32), 'h'.repeat(256), 'g'.repeat(65535)],
  array: [[], upTo(16), upTo(256)],
  map: runs(1024),
  ...constants(),
})

module.exports = { tiny, small, medium, large }
