'use strict'

// Classes whose instances are packed by extensions, one for each form that an extension may have. `registerWith` makes
// them known to a library; two libraries in one process may share them.

class Point {
  constructor(x) {
    this.x = x
  }
}

class Payload {
  constructor(bytes) {
    this.bytes = bytes
  }
}

class Listed {
  constructor(bytes) {
    this.bytes = bytes
  }
}

class Wrapped {
  constructor(inner) {
    this.inner = inner
  }
}

class Bare {
  constructor(value) {
    this.value = value
  }
}

class Both {
  constructor(value) {
    this.value = value
  }
}

class Row extends Array {}

/** The registered type of each class that has one. */
const TYPES = { Point: 21, Payload: 22, Listed: 23, Wrapped: 24, Both: 25, Row: 26 }

const EXTENSIONS = [
  { Class: Point, type: TYPES.Point, write: ({ x }) => ['point', x], read: ([, x]) => new Point(x) },
  {
    Class: Payload,
    type: TYPES.Payload,
    pack: ({ bytes }) => bytes,
    // The data is a part of the input.
    unpack: (data) => new Payload(Buffer.from(data)),
  },
  {
    Class: Listed,
    type: TYPES.Listed,
    pack: ({ bytes }) => bytes,
    unpack: (data) => new Listed([...data]),
  },
  {
    Class: Wrapped,
    type: TYPES.Wrapped,
    // The one-byte form, whose byte is a filler, owns the value behind it.
    pack({ inner }, allocate, packValue) {
      const { target, position } = allocate(3)
      target[position] = 0xd4
      target[position + 1] = TYPES.Wrapped
      target[position + 2] = 0
      packValue([inner])
    },
    read: ([inner]) => new Wrapped(inner),
  },
  { Class: Bare, write: ({ value }) => ({ bare: value }) },
  {
    Class: Both,
    type: TYPES.Both,
    pack: () => Buffer.from([1]),
    write: ({ value }) => value,
    read: (value) => new Both(value),
  },
  { Class: Row, type: TYPES.Row, write: (row) => Array.from(row), read: (data) => Row.from(data) },
]

function registerWith(...libraries) {
  for (const library of libraries) for (const extension of EXTENSIONS) library.addExtension({ ...extension })
}

module.exports = { Point, Payload, Listed, Wrapped, Bare, Both, Row, TYPES, registerWith }
