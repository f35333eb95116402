'use strict'

// The names a program can import, their kinds, and the constants among them.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pathToFileURL } = require('node:url')
const library = require('../helpers/ferropack')
const { entry } = require('../helpers/entry')
const { ALIASES, ALL, CLASSES, FUNCTIONS, NUMBERS, STREAM_NAMES } = require('../helpers/names')

test('every documented name is exported', () => {
  for (const name of FUNCTIONS) assert.equal(typeof library[name], 'function', name)
  for (const name of [...Object.entries(CLASSES).flat(), ...STREAM_NAMES]) {
    assert.equal(typeof library[name], 'function', name)
  }
  assert.deepEqual(Object.keys(library).sort(), ALL)
})

test('the same names can be imported from an ES module', async () => {
  const namespace = await import(pathToFileURL(entry))
  for (const name of ALL) assert.ok(name in namespace && namespace[name] === library[name], name)
})

test('the two spellings of a name are one thing', () => {
  for (const [name, alias] of Object.entries(ALIASES)) {
    assert.ok(library[name] !== undefined && library[name] === library[alias], name)
  }
})

test('a Packr is an Unpackr, and both need new', () => {
  assert.ok(new library.Packr() instanceof library.Unpackr)
  assert.ok(!(new library.Unpackr() instanceof library.Packr))
  assert.throws(() => library.Packr(), TypeError)
  assert.throws(() => library.Unpackr(), TypeError)
})

test('the hooks for structs are not promised', () => {
  assert.equal(library.Packr.SUPPORTS_STRUCT_HOOKS, false)
  assert.equal(library.Unpackr.SUPPORTS_STRUCT_HOOKS, false)
})

test('constants', () => {
  for (const [name, number] of Object.entries(NUMBERS)) assert.equal(library[name], number, name)
  assert.deepEqual({ ...library.FLOAT32_OPTIONS }, { NEVER: 0, ALWAYS: 1, DECIMAL_ROUND: 3, DECIMAL_FIT: 4 })
  assert.equal(library.useRecords, false)
  assert.equal(library.mapsAsObjects, true)
})

test('C1 is one object that names the byte', () => {
  assert.equal(typeof library.C1, 'object')
  assert.equal(library.C1.name, 'MessagePack 0xC1')
  assert.deepEqual(Object.keys(library.C1), ['name'])
  assert.equal(library.unpack(Buffer.from([0xc1])), library.C1)
})

test('functions work when detached from the module object', () => {
  const { pack, unpack, decode, encode, unpackMultiple } = library
  assert.deepEqual(unpack(pack({ a: [1, 'x'] })), { a: [1, 'x'] })
  assert.deepEqual(decode(encode({ a: null })), { a: null })
  assert.deepEqual(unpackMultiple(Buffer.from([1, 2])), [1, 2])
})

test('clearSource does nothing at rest', () => {
  assert.equal(library.clearSource(), undefined)
  assert.equal(library.unpack(Buffer.from([7])), 7)
})

test('acceleration tells what runs, and why when the heap tier does not', () => {
  const { tier, v8, reason } = library.acceleration
  assert.ok(tier === 'heap' || tier === 'tape', tier)
  assert.match(v8, /^\d+\.\d+/)
  if (tier === 'heap') assert.equal(reason, null)
  else assert.ok(typeof reason === 'string' && reason.length > 0)
  assert.equal(typeof library.isNativeAccelerationEnabled, 'boolean')
})
