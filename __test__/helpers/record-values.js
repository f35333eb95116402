'use strict'

// Values of many shapes, the same for the same numbers: what one process writes another can expect.

/** The value that writer `writer` packs as its number `i`; the writers have most of their shapes in common. */
function recordValue(writer, i) {
  const shape = (i * 7 + writer) % 50
  return {
    [`common${shape % 10}`]: i,
    [shape % 3 === 0 ? `only${writer}` : 'text']: `writer ${writer}, value ${i}`,
    inner: i % 4 === 0 ? null : { [`inner${shape}`]: [{ x: i }, { x: -i }], number: 64 + (i % 64) },
    list: Array.from({ length: i % 5 }, (_, j) => ({ [`k${(shape + j) % 9}`]: j / 2 })),
  }
}

module.exports = { recordValue }
