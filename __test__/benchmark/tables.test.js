'use strict'

// The commands that print tables: rows, arguments, lines of JSON, and what becomes of packages that are missing.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { after, test } = require('node:test')
const { root } = require('../helpers/entry')
const { pack } = require('../helpers/ferropack')

const { codecs } = require(join(root, 'benchmark', 'codecs.js'))
const { prepare } = require(join(root, 'benchmark', 'operations.js'))
const { version, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const folder = mkdtempSync(join(tmpdir(), 'ferropack-bench-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function node(args, options) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', ...options })
  return { status, stdout, stderr }
}

function benchmark(script, ...args) {
  return node([join(root, 'benchmark', script), ...args])
}

function linesOf({ status, stdout, stderr }) {
  assert.equal(status, 0, stderr)
  return stdout.trim().split('\n').map(JSON.parse)
}

test('the table has its columns, and the rows that words choose', () => {
  const { status, stdout } = benchmark('run.js', '0.02', 'FERROPACK', 'JSON', '--data=tiny')
  assert.equal(status, 0)
  const table = stdout.split('\n').filter((line) => line.includes(' | '))
  const cells = table.map((line) => line.split('|').map((cell) => cell.trim()))
  assert.deepEqual(cells[0], ['operation', 'op', 'ms', 'op/s', 'size'])
  assert.deepEqual(
    cells.slice(2).map(([label, , , , size]) => [label, size]),
    [
      ['require("ferropack").pack(obj);', '16'],
      ['require("ferropack").unpack(buf);', '16'],
      ['ferropack w/ shared structures: packr.pack(obj);', '6'],
      ['ferropack w/ shared structures: packr.unpack(buf);', '6'],
      ['ferropack, tape: packr.pack(obj);', '16'],
      ['ferropack w/ shared structures, tape: packr.pack(obj);', '6'],
      ['buf = Buffer(JSON.stringify(obj));', '21'],
      ['obj = JSON.parse(buf);', '21'],
    ],
  )
  for (const [, op, , perSecond] of cells.slice(2)) assert.ok(Number(op) > 0 && Number(perSecond) > 0)
})

test('rows as lines of JSON', () => {
  const [first, ...others] = linesOf(benchmark('run.js', '0.02', 'ferropack")', '--data=fluentd', '--json'))
  const { op, ms, opPerSecond, ...row } = first
  assert.deepEqual(row, {
    table: 'msgpack-lite',
    data: 'fluentd',
    engine: 'ferropack',
    operation: 'require("ferropack").pack(obj);',
    direction: 'pack',
    size: 32,
  })
  assert.ok(op > 0 && ms >= 20 && opPerSecond > 0)
  assert.deepEqual(
    others.map(({ direction }) => direction),
    ['unpack'],
  )
})

test('all rows of the published table are there', () => {
  const labels = codecs.flatMap(({ usage }) => Object.values(usage))
  assert.equal(new Set(labels).size, labels.length)
  const peers = new Set(codecs.map(({ peer }) => peer).filter(Boolean))
  assert.deepEqual([...peers].sort(), [
    '@msgpack/msgpack',
    'avsc',
    'cbor',
    'cbor-sync',
    'cbor-x',
    'msgpack-js',
    'msgpack-js-v5',
    'msgpack-lite',
    'msgpack-unpack',
    'msgpack5',
    'msgpackr',
    'notepack.io',
    'what-the-pack',
  ])
})

test('a package that is missing costs its row', () => {
  const none = (name) => {
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
  }
  for (const codec of codecs.filter(({ peer }) => peer !== undefined)) {
    const operation = prepare(codec, 'unpack', [{ a: 1 }], none)
    assert.equal(operation.fault, `${codec.peer} is not installed`)
    assert.equal(operation.isMissing, true)
  }
  const broken = () => {
    throw new Error('does not run\non this Node.js')
  }
  const operation = prepare(
    codecs.find(({ name }) => name === 'cbor'),
    'pack',
    [1],
    broken,
  )
  assert.equal(operation.fault, 'does not run')
  assert.equal(operation.isMissing, undefined)
})

test('a result that is wrong has no figure', () => {
  const lossy = {
    name: 'lossy',
    usage: { pack: 'a', unpack: 'b' },
    load: () => ({ pack: () => Buffer.from([1]), unpack: () => 1 }),
  }
  for (const direction of ['pack', 'unpack']) {
    assert.equal(prepare(lossy, direction, [1]).fault, null)
    assert.equal(prepare(lossy, direction, [2]).fault, 'the decoded value differs at message 0')
  }
  const shared = Buffer.alloc(1)
  const overwriting = {
    ...lossy,
    load: () => ({ pack: (value) => shared.fill(value), unpack: (bytes) => bytes[0] }),
  }
  assert.equal(prepare(overwriting, 'pack', [1, 2]).fault, 'the result of message 0 was overwritten')
})

test('-v and mistakes', () => {
  for (const script of ['run.js', 'notepack.js']) {
    assert.deepEqual(benchmark(script, '-v'), { status: 0, stdout: `ferropack ${version}\n`, stderr: '' })
    const wrong = benchmark(script, 'nosuchrow')
    assert.equal(wrong.status, 2)
    assert.equal(wrong.stderr, 'No row has a name with one of these words\n')
    assert.equal(benchmark(script, '--nosuch').status, 2)
  }
})

test("notepack's tables have four sizes of eight libraries", () => {
  const rows = linesOf(benchmark('notepack.js', '0.01', 'Ferropack', '--json'))
  assert.deepEqual(
    rows.map(({ data, operation, direction }) => [data, operation, direction].join(' ')),
    ['tiny', 'small', 'medium', 'large'].flatMap((size) =>
      ['pack', 'unpack'].flatMap((direction) =>
        ['Ferropack', 'Ferropack records'].map((name) => `${size} ${name} ${direction}`),
      ),
    ),
  )
  const sizes = rows.filter(({ operation, direction }) => operation === 'Ferropack' && direction === 'pack')
  assert.deepEqual(
    sizes.map(({ size }) => size),
    [16, 123, 2624, 2238484],
  )
  const { stdout } = benchmark('notepack.js', '0.01', 'ferropack')
  assert.match(stdout, /Encoding:[\s\S]*\| tiny +\| small +\| medium +\| large +\|[\s\S]*Decoding:/)
})

/** The package as it is published, in a project that has one of the peers. */
function projectOf(peer) {
  const project = join(folder, 'project')
  const installed = join(project, 'node_modules', 'ferropack')
  mkdirSync(installed, { recursive: true })
  for (const file of [...files, 'package.json', 'ferropack.node']) {
    if (file === 'Cargo.lock' || file === 'CHANGELOG.md') continue
    const target = join(installed, file)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, file), target, { recursive: true })
  }
  symlinkSync(join(root, 'node_modules', peer), join(project, 'node_modules', peer), 'junction')
  return project
}

test("a user's own file, from the package as it is published", () => {
  const project = projectOf('msgpack-lite')
  const cli = join(project, 'node_modules', 'ferropack', 'src', 'js', 'cli', 'index.js')
  const messages = [
    { a: 1, b: ['x', 2.5] },
    { a: 2, b: [] },
  ]
  const content = {
    'own.json': JSON.stringify(messages),
    'own.ndjson': `${messages.map((message) => JSON.stringify(message)).join('\n')}\n\n`,
    'own.msgpack': Buffer.concat(messages.map((message) => pack(message))),
  }
  for (const [name, bytes] of Object.entries(content)) {
    writeFileSync(join(project, name), bytes)
    const rows = linesOf(node([cli, 'bench', name, '0.01', '--json'], { cwd: project }))
    const measured = rows.filter(({ fault }) => !fault)
    assert.deepEqual(
      [...new Set(measured.map(({ engine }) => engine))],
      [
        'ferropack',
        'ferropack structures',
        'ferropack tape',
        'ferropack structures tape',
        'JSON',
        'msgpack-lite',
      ],
      name,
    )
    assert.equal(rows.length, codecs.flatMap(({ usage }) => Object.keys(usage)).length)
    const { size } = measured[0]
    assert.equal(size, name === 'own.json' ? 30 : 29)
  }
  const { stdout } = node([cli, 'bench', 'own.json', '0.01'], { cwd: project })
  assert.match(stdout, /Not installed here; for their rows: npm install --no-save msgpackr cbor-x /)
  assert.match(stdout, /pack: ferropack does [\d.]+ times /)
})

test('files that can not be measured are a line and exit 2', () => {
  const cli = join(root, 'src', 'js', 'cli', 'index.js')
  writeFileSync(join(folder, 'bad.json'), '{')
  writeFileSync(join(folder, 'empty.ndjson'), '\n')
  writeFileSync(join(folder, 'empty.msgpack'), '')
  writeFileSync(join(folder, 'line.ndjson'), '{}\n\n{"a":\n')
  writeFileSync(join(folder, 'cut.msgpack'), Buffer.from([0x92, 1]))
  for (const [args, message] of [
    [['bench', 'bad.json'], /^ferropack: bad\.json cannot be read: .+\n$/],
    [['bench', 'none.json'], /^ferropack: none\.json cannot be read: ENOENT.+\n$/],
    [['bench', 'cut.msgpack'], /^ferropack: cut\.msgpack cannot be read: .+\n$/],
    [['bench', 'empty.ndjson'], /^ferropack: empty\.ndjson has no messages\n$/],
    [['bench', 'empty.msgpack'], /^ferropack: empty\.msgpack has no messages\n$/],
    [['bench', 'line.ndjson'], /^ferropack: line\.ndjson cannot be read: line 3: .+\n$/],
    [['bench', 'a.txt'], /^ferropack: a\.txt is none of \.json, \.ndjson, \.msgpack\n$/],
    [['bench'], /^ferropack: bench takes a file/],
    [['bench', 'bad.json', '--nosuch'], /^ferropack: Unknown option '--nosuch'/],
    [['nosuch'], /^ferropack: There is no command "nosuch"/],
    [['toString'], /^ferropack: There is no command "toString"/],
  ]) {
    const { status, stderr, stdout } = node([cli, ...args], { cwd: folder })
    assert.equal(status, 2, args.join(' '))
    assert.match(stderr, message)
    assert.equal(stdout, '')
  }
  assert.equal(node([cli, '--version']).stdout, `ferropack ${version}\n`)
  assert.match(node([cli]).stdout, /bench FILE/)
  assert.match(node([cli, 'bench', '--help']).stdout, /FILE +messages/)
})

test('a file of npm run bench is looked for where npm was called', () => {
  writeFileSync(join(folder, 'here.json'), '\ufeff{"a":1}')
  const options = { cwd: root, env: { ...process.env, INIT_CWD: folder } }
  const run = (...args) => node([join(root, 'benchmark', 'run.js'), '0.01', 'ferropack")', ...args], options)
  const rows = linesOf(run('here.json', '--json'))
  assert.deepEqual(
    rows.map(({ data, size }) => [data, size]),
    [
      ['here.json', 6],
      ['here.json', 6],
    ],
  )
  for (const [args, message] of [
    [['typo.json'], /typo\.json cannot be read: ENOENT/],
    [['here.json', 'here.json'], /one file only/],
    [['here.json', '--data=tiny'], /not both/],
  ]) {
    const { status, stderr, stdout } = run(...args)
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, message)
  }
})

test('rows of packages that are not there, and nothing else', () => {
  const cli = join(root, 'src', 'js', 'cli', 'index.js')
  writeFileSync(join(folder, 'big.json'), '[1,2,3]')
  const { status, stdout } = node([cli, 'bench', 'big.json', '0.01', 'msgpack5'], { cwd: folder })
  assert.equal(status, 0)
  assert.match(
    stdout,
    /The packages of these rows are not installed\.\n\nNot installed here; for their rows: npm install --no-save msgpack5\n$/,
  )
})

test('values that JSON does not have are no fault of other engines', () => {
  for (const name of ['what-the-pack', 'cbor']) {
    const codec = codecs.find((each) => each.name === name)
    const { fault } = prepare(codec, 'pack', [{ a: 2n ** 40n }])
    assert.doesNotMatch(String(fault), /serialize a BigInt/)
  }
})
