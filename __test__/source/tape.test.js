'use strict'
// The tape is defined once for Rust and once for JavaScript: the same names with the same numbers.

const test = require('node:test')
const assert = require('node:assert')
const binding = require('../../src/js/binding.js')
const tape = require('../../src/js/tape.js')

const layout = binding.tapeLayout()

test('widths agree', () => {
  assert.strictEqual(tape.TAG_BITS, layout.tagBits)
  assert.strictEqual(tape.ESCAPE, layout.escape)
  assert.strictEqual(tape.SHAPE_BITS, layout.shapeBits)
  assert.strictEqual(tape.FORM_BITS, layout.formBits)
})

for (const part of ['pack', 'slot', 'control', 'known', 'forms', 'records', 'reader', 'options']) {
  test(`${part}: names and numbers agree`, () => {
    assert.ok(layout[part].length > 2)
    assert.deepStrictEqual(tape[part], Object.fromEntries(layout[part]))
  })
}

test('pack tags are distinct and fit their bits', () => {
  const numbers = Object.values(tape.pack)
  assert.strictEqual(new Set(numbers).size, numbers.length)
  assert.ok(numbers.every((number) => number < 1 << tape.TAG_BITS))
})

test('control words are distinct and lie in the block', () => {
  const { LENGTH, ...words } = tape.control
  const numbers = Object.values(words)
  assert.strictEqual(new Set(numbers).size, numbers.length)
  assert.ok(numbers.every((number) => number < LENGTH))
})
