'use strict'
// A layout that is not this process's is noticed, whichever field is off: the tier is off with a reason,
// and the tape walker packs.

const test = require('node:test')
const assert = require('node:assert/strict')
const { acceleration, Packr } = require('../..')
const { attach, unknownRuntime } = require('../../src/js/acceleration.js')
const binding = require('../../src/js/binding.js')

const skip = acceleration.tier === 'heap' ? false : `the tier is ${acceleration.tier}: ${acceleration.reason}`
const { v8 } = process.versions
const symbols = Object.entries(binding.heapSymbols(v8))
  .map(([name, [exported]]) => ({ name, value: exported }))
  .filter(({ value }) => value !== null)

/** Without resizable buffers the length of a buffer is stored twice, and either will do. */
const TWINS = 'resizable' in ArrayBuffer.prototype ? [] : ['class_JSArrayBuffer__byte_length__size_t']

const sample = () => ({ id: 1, name: 'text', list: [1.5, 'a', null], map: new Map([[1, new Date(5)]]) })
const expected = new Packr({ useRecords: false, heap: false }).pack(sample())

function requireRefusal(lines) {
  const reason = attach(lines)
  assert.notEqual(reason, '', `not noticed: ${lines}`)
  assert.deepEqual(new Packr({ useRecords: false }).pack(sample()), expected)
  return reason
}

test('the layout of this process is proven again and again', { skip }, () => {
  for (let i = 0; i < 20; i++) assert.equal(attach(), '')
})

test('each symbol, missing', { skip }, () => {
  for (const { name } of symbols) {
    assert.match(requireRefusal(`${name}=`), new RegExp(`no symbol .*${name}|exports no symbols`))
  }
  assert.equal(attach(), '')
})

for (const [title, offset] of [
  ['one word further', 8],
  ['one word before', -8],
  ['one further', 1],
  ['one before', -1],
]) {
  test(`each symbol, ${title}`, { skip }, () => {
    for (const { name, value } of symbols) {
      if (offset !== 8 || !TWINS.includes(name)) requireRefusal(`${name}=${value + offset}`)
    }
    assert.equal(attach(), '')
  })
}

test('each offset that follows from a rule, at every other place', { skip }, () => {
  for (const name of binding.heapNames().derived) {
    const right = []
    for (let offset = 0; offset <= 104; offset += name === 'descriptor_count' ? 2 : 8) {
      if (attach(`derived_${name}=${offset}`) === '') right.push(offset)
    }
    assert.equal(right.length, 1, `${name} may be at ${right}`)
  }
  assert.equal(attach(), '')
})

test('several at once', { skip }, () => {
  for (const { name, value } of symbols) {
    requireRefusal(symbols.map((other) => `${other.name}=${other.value + 8}`).join('\n'))
    requireRefusal(`${name}=${2 ** 31}\nclass_Map__bit_field3__int=${value}`)
    if (name.startsWith('class_JSO')) break
  }
  assert.equal(attach(), '')
})

test('other tagging, other word sizes', { skip }, () => {
  for (const line of [
    'TaggedSize=4',
    'SmiShiftSize=0',
    'SmiValueShift=2',
    'HeapObjectTag=0',
    'SmiTagMask=3',
  ]) {
    assert.match(requireRefusal(line), new RegExp(line.split('=')[0]))
  }
  assert.equal(attach(), '')
})

test('after a refusal packrs made before still pack', { skip }, () => {
  const packr = new Packr({ useRecords: false })
  assert.deepEqual(packr.pack(sample()), expected)
  requireRefusal('TaggedSize=4')
  for (let i = 0; i < 200; i++) assert.deepEqual(packr.pack(sample()), expected)
  assert.equal(attach(), '')
})

test('the table of this version says what the binary says', { skip }, () => {
  for (const [name, [exported, listed]] of Object.entries(binding.heapSymbols(v8))) {
    // A later build of the version is proven by the symbols alone.
    if (listed !== null) assert.equal(exported, listed, name)
  }
})

test('a version that was not reviewed', { skip }, () => {
  const reason = binding.attachHeap('99.1.2', '', [], [], '', Buffer.alloc(0), new ArrayBuffer(8))
  assert.equal(reason, 'V8 99.1 was not reviewed')
  assert.equal(attach(), '')
})

test('a version that was not reviewed, when the environment asks for the proof', { skip }, () => {
  assert.equal(attach('any version'), '')
  const reason = binding.attachHeap('99.1.2', 'any version', [], [], '', Buffer.alloc(0), new ArrayBuffer(8))
  assert.notEqual(reason, '')
  assert.equal(attach(), '')
})

test('runtimes that are not Node.js, and builds whose heap is another', () => {
  const node = { versions: { node: '20.0.0', v8: '11.3' }, arch: 'x64', config: { variables: {} } }
  const withVersion = (name) => ({ ...node, versions: { ...node.versions, [name]: '1' } })
  const withVariable = (name) => ({ ...node, config: { variables: { [name]: 1 } } })
  assert.equal(unknownRuntime(node), '')
  for (const name of ['electron', 'bun', 'deno', 'nw']) {
    assert.equal(unknownRuntime(withVersion(name)), `${name} is not Node.js`)
  }
  for (const name of [
    'v8_enable_pointer_compression',
    'v8_enable_sandbox',
    'v8_enable_31bit_smis_on_64bit_arch',
    'v8_enable_map_packing',
    'v8_enable_external_code_space',
    'v8_enable_direct_handle',
  ]) {
    assert.equal(unknownRuntime(withVariable(name)), `this Node.js was built with ${name}`)
  }
  assert.equal(unknownRuntime({ ...node, arch: 'ia32' }), 'heaps on ia32 are not known')
  assert.equal(unknownRuntime({ ...node, versions: {} }), 'this is not Node.js with V8')
})

test('roots have the same names on both sides', () => {
  const { names, roots } = require('../../src/js/heap-roots.js')
  assert.deepEqual(names, binding.heapNames().roots)
  assert.ok(!(names.indexOf('hole') in roots))
  assert.equal(roots[names.indexOf('toJSON')], 'toJSON')
})
