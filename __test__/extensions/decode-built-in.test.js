'use strict'

// Built-in extension types that users replace, each in a process of its own as there is no way back.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { test } = require('node:test')
const { entry } = require('../helpers/entry')

const registry = require.resolve('../../src/js/extensions.js')

function run(code) {
  const source = `
    const { unpack, Unpackr } = require(${JSON.stringify(entry)})
    const { registerReader } = require(${JSON.stringify(registry)})
    const hex = (text) => Buffer.from(text, 'hex')
    const show = (value) => console.log(JSON.stringify(value))
    ${code}`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', source], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return {
    lines: stdout
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    stderr,
  }
}

test('every built-in type can have another reader', () => {
  const types = [0x00, 0x42, 0x62, 0x65, 0x69, 0x70, 0x73, 0x74, 0x78, 0xff]
  const { lines } = run(`
    for (const type of ${JSON.stringify(types)}) {
      registerReader({ type, unpack: (data) => [type, ...data] })
      const code = type.toString(16).padStart(2, '0')
      show(unpack(hex('93d4' + code + '05c702' + code + '0102d6' + code + '01020304')))
    }
    for (const type of ${JSON.stringify(types)}) {
      registerReader({ type, read: (value) => [type, value] })
      show(unpack(hex('92d4' + type.toString(16).padStart(2, '0') + '059101c0')))
    }
    show(new Unpackr({}).unpack(hex('d4724091a16101')))`)
  assert.deepEqual(lines, [
    ...types.map((type) => [
      [type, 5],
      [type, 1, 2],
      [type, 1, 2, 3, 4],
    ]),
    ...types.map((type) => [[type, [1]], null]),
    { a: 1 },
  ])
})

test('a type outside the range for users that replaces a built-in one warns once', () => {
  const { stderr } = run(`
    for (let i = 0; i < 3; i++) registerReader({ type: 0x73, unpack: () => 1 })
    registerReader({ type: -1, unpack: () => 1 })
    registerReader({ type: 255, read: () => 1 })
    for (const type of [1, 66, 98, 100, 110, 200, -2]) registerReader({ type, unpack: () => 1 })
    process.on('exit', () => show('done'))`)
  assert.equal(stderr.match(/Warning: Extension type/g).length, 2, stderr)
  assert.match(stderr, /\[FERROPACK_EXTENSION_TYPE\] Warning: Extension type 115 has the code 0x73/)
  assert.match(stderr, /Extension type -1 has the code 0xff/)
})

test('an undefined or date that is replaced is so in keys and in runs', () => {
  const { lines } = run(`
    registerReader({ type: 0, unpack: () => 'nothing' })
    registerReader({ type: -1, unpack: (data) => 'time of ' + data.length })
    show(unpack(hex('94d40000d6ff00000000c70cff000000000000000000000000d4ffff')))
    show(unpack(hex('82d4000001d6ff0000000002')))
    show(new Unpackr({}).unpack(hex('d4724091a161d40000')))`)
  assert.deepEqual(lines, [
    ['nothing', 'time of 4', 'time of 12', 'time of 1'],
    { nothing: 1, 'time of 4': 2 },
    { a: 'nothing' },
  ])
})
