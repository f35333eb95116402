'use strict'
// Which module may use which: reads the `use crate::` lines of the Rust sources and the `require`
// calls of src/js, and fails on an arrow that the architecture does not have.

const test = require('node:test')
const assert = require('node:assert')
const { readFileSync, readdirSync } = require('node:fs')
const { join, relative, sep } = require('node:path')

const source = join(__dirname, '..', '..', 'src')

const leaves = ['buffer', 'number', 'text', 'options', 'error']
/** What each module may use besides itself and the leaves; `format` alone means its traits. */
const allowed = {
  exports: 'all',
  encode: ['format', 'v8', 'tape', 'shapes'],
  decode: ['format', 'tape', 'shapes', 'node_api'],
  format: ['tape', 'shapes'],
  v8: ['node_api'],
  node_api: [],
  tape: [],
  shapes: [],
  buffer: [],
  number: [],
  text: [],
  options: [],
  error: [],
}
const withTraitsOnly = ['encode', 'decode', 'v8']
const namedFormats = ['msgpack', 'cbor']

function rustFiles(folder = source) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'js' ? [] : rustFiles(path)
    return entry.name.endsWith('.rs') && entry.name !== 'lib.rs' ? [path] : []
  })
}

/** Modules that only tests have. */
const testModules = ['heap_tests', 'fake_heap']

/** A file without its tests, which may put parts together that do not know each other. */
function readCode(file) {
  const ofTests = testModules.some((name) => relative(source, file).includes(name))
  const code = readFileSync(file, 'utf8')
  // Declarations of test modules stand at the top of a file.
  return ofTests ? '' : code.replace(/#\[cfg\(test\)\]\n[\w() ]*mod \w+;/g, '').split('#[cfg(test)]')[0]
}

/** Paths below `crate::` that a file names, with `use` groups spelled out one level deep. */
function cratePaths(text) {
  const code = text.replace(/\/\/.*$/gm, '')
  return [...code.matchAll(/\bcrate::(?:\{([^}]*)\}|([\w:]+))/g)].flatMap(([, group, path]) =>
    group === undefined ? [path] : group.split(',').map((part) => part.trim()),
  )
}

function moduleOf(path) {
  return relative(source, path).split(sep)[0].replace(/\.rs$/, '')
}

test('Rust modules use only what stands below them', () => {
  let arrows = 0
  for (const file of rustFiles()) {
    const from = moduleOf(file)
    assert.ok(from in allowed, `${from} has no place in the architecture`)
    for (const path of cratePaths(readCode(file))) {
      const [to, second] = path.split('::')
      arrows++
      if (to === from || leaves.includes(to) || allowed[from] === 'all') continue
      assert.ok(allowed[from].includes(to), `${relative(source, file)}: ${from} may not use ${to}`)
      if (to === 'format' && withTraitsOnly.includes(from)) {
        assert.ok(!namedFormats.includes(second), `${relative(source, file)}: ${from} may not know ${second}`)
      }
    }
  }
  assert.ok(arrows > 20, `only ${arrows} arrows were found`)
})

test('unsafe code stands in the modules that may have it', () => {
  const withUnsafe = rustFiles()
    .filter((file) =>
      /\bunsafe\b(?!_)/.test(
        readFileSync(file, 'utf8')
          .replace(/\/\/.*$/gm, '')
          .replace(/"[^"]*"/g, ''),
      ),
    )
    .map((file) => relative(source, file).split(sep).join('/'))
    .sort()
  assert.deepStrictEqual(withUnsafe, [
    'buffer.rs',
    'buffer/shared_memory.rs',
    'node_api/env.rs',
    'node_api/module.rs',
    'text/arch/x86_64.rs',
    'v8/handle.rs',
    'v8/layout/symbols.rs',
    'v8/memory.rs',
  ])
})

test('the wire formats, the walkers and the edge are apart: only the edge names napi', () => {
  for (const file of rustFiles()) {
    const from = moduleOf(file)
    const uses = /\b(?:use napi|napi::|napi_derive)/.test(readFileSync(file, 'utf8'))
    if (uses) assert.ok(['exports', 'node_api'].includes(from), relative(source, file))
  }
})

test('JavaScript modules do not form a cycle', () => {
  const folder = join(source, 'js')
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const uses = new Map(
    files.map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return [name, [...text.matchAll(/require\('\.\/([\w-]+\.js)'\)/g)].map(([, to]) => to)]
    }),
  )
  const done = new Set()
  const visit = (name, path) => {
    assert.ok(!path.includes(name), `cycle: ${[...path, name].join(' -> ')}`)
    if (done.has(name)) return
    for (const next of uses.get(name) ?? []) visit(next, [...path, name])
    done.add(name)
  }
  for (const name of files) visit(name, [])
  assert.ok(done.size >= 10)
})

test('files stay readable: no more than 400 lines', () => {
  for (const file of rustFiles()) {
    const lines = readCode(file).split('\n').length
    assert.ok(lines <= 420, `${relative(source, file)} has ${lines} lines`)
  }
})
