'use strict'

// The declarations of each entry name what it exports.

const assert = require('node:assert/strict')
const { readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { test } = require('node:test')
const { pathToFileURL } = require('node:url')
const { root } = require('../helpers/entry')
const { ALL, WITHOUT_STREAMS, READER } = require('../helpers/names')

/** The values that a declaration file exports, those of files that it exports as a whole among them. */
function declaredValues(file) {
  const source = readFileSync(file, 'utf8')
  const names = []
  for (const [, name] of source.matchAll(
    /^export (?:declare )?(?:abstract )?(?:function|class|const|let|enum) (\w+)/gm,
  )) {
    names.push(name)
  }
  for (const [, list] of source.matchAll(/^export \{([^}]*)\}/gm)) {
    const items = list.split(',').map((item) => item.trim())
    for (const item of items) if (item && !item.startsWith('type ')) names.push(item.split(/\s+as\s+/).at(-1))
  }
  for (const [, path] of source.matchAll(/^export \* from '(.*)\.js'/gm)) {
    names.push(...declaredValues(join(dirname(file), `${path}.d.ts`)))
  }
  return [...new Set(names)].sort()
}

const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const NAMES = {
  '.': { require: ALL, import: ALL },
  './pack': { require: ALL, import: WITHOUT_STREAMS },
  './unpack': { require: ALL, import: WITHOUT_STREAMS },
  './index-no-eval': { require: WITHOUT_STREAMS, import: WITHOUT_STREAMS },
  './unpack-no-eval': { require: READER, import: READER },
}

test('the entries are those that are known here', () => {
  assert.deepEqual(Object.keys(entries), [...Object.keys(NAMES), './package.json'])
})

for (const [path, conditions] of Object.entries(NAMES)) {
  for (const [way, expected] of Object.entries(conditions)) {
    test(`${path} by ${way}`, async () => {
      const { types, node } = entries[path]
      assert.deepEqual(declaredValues(join(root, types[way] ?? types)), expected)
      const file = join(root, node[way] ?? node)
      const loaded = way === 'require' ? require(file) : await import(pathToFileURL(file))
      const names = Object.keys(loaded).filter((name) => name !== 'default' && name !== 'module.exports')
      assert.deepEqual(names.sort(), expected)
    })
  }
}

test('a browser finds every name, so that it is the error of the package that it sees', () => {
  for (const path of Object.keys(NAMES)) {
    assert.deepEqual(entries[path].browser, entries['.'].browser)
  }
  const source = readFileSync(join(root, entries['.'].browser.import), 'utf8')
  const [, list] = /^export let ([\w,\s]+?)\n\S/m.exec(source)
  assert.deepEqual(list.split(/,\s*/).sort(), ALL)
})
