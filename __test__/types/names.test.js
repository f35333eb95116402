'use strict'

// The declarations and the module export the same names.

const assert = require('node:assert/strict')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { test } = require('node:test')
const library = require('../helpers/ferropack')
const { root } = require('../helpers/entry')

function declaredValues() {
  const source = readFileSync(join(root, 'index.d.ts'), 'utf8')
  const names = new Set()
  for (const [, name] of source.matchAll(/^export (?:declare )?(?:function|class|const|let|enum) (\w+)/gm))
    names.add(name)
  for (const [, list] of source.matchAll(/^export \{([^}]*)\}/gm)) {
    for (const item of list.split(','))
      names.add(
        item
          .trim()
          .split(/\s+as\s+/)
          .at(-1),
      )
  }
  return [...names].sort()
}

test('index.d.ts declares what index.js exports', () => {
  assert.ok(declaredValues().length >= 20)
  assert.deepEqual(Object.keys(library).sort(), declaredValues())
})
