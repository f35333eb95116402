'use strict'

// Reads the vector file, and checks its entries against the module under test. What an entry sets up are extensions,
// which are registered for good.

const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { assertSame } = require('./same')
const { fromHex, toHex } = require('./hex')
const assert = require('node:assert/strict')

const all = JSON.parse(readFileSync(join(__dirname, '..', 'fixtures', 'vectors.json'), 'utf8'))

/** Entries by what stands before the first slash of their names. */
function byTopic(entries) {
  const topics = new Map()
  for (const entry of entries) {
    const slash = entry.name.indexOf('/')
    const topic = slash < 0 ? 'single values' : entry.name.slice(0, slash)
    topics.set(topic, [...(topics.get(topic) ?? []), entry])
  }
  return topics
}

function evaluatorFor(library, entry) {
  const { C1, Packr, Unpackr, pack, unpack, addExtension } = library
  const base = { C1, Packr, Unpackr, pack, unpack, addExtension }
  const call = (scope, body) =>
    new Function(...Object.keys(scope), `'use strict'; ${body}`)(...Object.values(scope))
  const scope = entry.setup ? { ...base, ...call(base, entry.setup) } : base
  return (expression) => call(scope, `return (${expression})`)
}

function check(library, entry) {
  const evaluate = evaluatorFor(library, entry)
  const instance = (Class) => {
    const options = entry.optionsJs ? evaluate(entry.optionsJs) : structuredClone(entry.options)
    return options === null ? library : new Class(options)
  }
  const encoder = () => instance(library.Packr)
  const decoder = () => instance(entry.decodeClass === 'Unpackr' ? library.Unpackr : library.Packr)
  const expected = () => evaluate(entry.decoded ?? entry.js)

  if (entry.sequence) return checkSequence(entry, encoder(), decoder, evaluate(entry.js), expected)
  if (entry.error?.phase === 'encode') return checkError(entry, () => encoder().pack(evaluate(entry.js)))
  const bytes = entry.js === null ? fromHex(entry.hex) : encoder().pack(evaluate(entry.js))
  if (entry.js !== null) checkBytes(entry, bytes)
  if (entry.encodeOnly) return
  const decode = () => (entry.multiple ? decoder().unpackMultiple(bytes) : decoder().unpack(bytes))
  if (entry.error) checkError(entry, decode)
  else assertSame(decode(), expected(), 'decodes differently')
}

function checkBytes(entry, bytes) {
  if (entry.hex !== null) return assert.equal(toHex(bytes), entry.hex)
  assert.equal(bytes.length, entry.byteLength)
  assert.ok(toHex(bytes).startsWith(entry.hexHead))
  assert.equal(createHash('sha256').update(bytes).digest('hex'), entry.sha256)
}

function checkError(entry, action) {
  const { name, message, incomplete, missingBytes } = entry.error
  assert.throws(action, (error) => {
    assert.equal(error.name, name)
    if (!entry.engine) assert.equal(error.message, message)
    assert.equal(error.incomplete, incomplete)
    assert.equal(error.missingBytes, missingBytes)
    assert.equal(Object.hasOwn(error, 'incomplete'), incomplete !== undefined)
    assert.equal(Object.hasOwn(error, 'missingBytes'), missingBytes !== undefined)
    return true
  })
}

function checkSequence(entry, encoder, freshDecoder, values, expected) {
  for (const [i, value] of values.entries())
    assert.equal(toHex(encoder.pack(value)), entry.hex[i], `message ${i}`)
  const decoder = entry.decoderInstance === 'fresh' ? freshDecoder() : encoder
  const decoded = entry.hex.map((hex) => decoder.unpack(fromHex(hex)))
  assertSame(decoded, expected(), 'decodes differently')
}

/** Fails with all that fail of these. */
function checkAll(library, entries) {
  const failures = []
  for (const entry of entries) {
    try {
      check(library, entry)
    } catch (error) {
      failures.push(`${entry.name} ${JSON.stringify(entry.options)}: ${error.message}`)
    }
  }
  assert.equal(failures.length, 0, `${failures.length} of ${entries.length}\n${failures.join('\n')}`)
}

module.exports = { all, byTopic, checkAll }
