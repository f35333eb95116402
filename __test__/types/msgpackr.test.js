'use strict'

// Programs that are written for msgpackr's declarations compile with ours in their place.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { test } = require('node:test')
const { root } = require('../helpers/entry')

const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const modules = join(root, 'node_modules')

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'es2022',
  moduleDetection: 'legacy',
  skipLibCheck: false,
  types: ['node'],
}
const NODENEXT = { module: 'nodenext' }
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' }

/** What the compiler says of the programs when `declarations` is the folder of the package they name msgpackr. */
function compile(declarations, options, files) {
  const folder = mkdtempSync(join(tmpdir(), 'ferropack-types-'))
  try {
    cpSync(join(__dirname, 'msgpackr'), folder, { recursive: true })
    mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true })
    symlinkSync(declarations, join(folder, 'node_modules', 'msgpackr'), 'junction')
    symlinkSync(join(modules, '@types', 'node'), join(folder, 'node_modules', '@types', 'node'), 'junction')
    const project = { compilerOptions: { ...STRICT, ...options }, files }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    const { error, status, stdout } = spawnSync(process.execPath, [compiler, '--project', folder], {
      encoding: 'utf8',
    })
    assert.equal(error, undefined)
    return { status, stdout }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const theirs = join(modules, 'msgpackr')
/** Programs that can be compiled together; `import x = require()` is for CommonJS only. */
const PROGRAMS = [
  { options: NODENEXT, files: ['module.mts', 'script.cts', 'sub-paths.mts', 'global.ts'] },
  { options: NODENEXT, files: ['augmented.mts'] },
  { options: BUNDLER, files: ['module.mts', 'sub-paths.mts', 'global.ts'] },
]

for (const { options, files } of PROGRAMS) {
  test(`${files.join(', ')} with ${options.moduleResolution ?? options.module}`, () => {
    // Else the rest would say nothing about msgpackr's users.
    assert.deepEqual(compile(theirs, { ...options, skipLibCheck: true }, files), { status: 0, stdout: '' })
    assert.deepEqual(compile(root, options, files), { status: 0, stdout: '' })
  })
}

test('errors are seen: the sub-paths of msgpackr do not compile when its own declarations are checked', () => {
  const { status, stdout } = compile(theirs, NODENEXT, ['sub-paths.mts'])
  assert.notEqual(status, 0)
  assert.match(stdout, /error TS/)
})
