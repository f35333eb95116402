'use strict'

// Records of benchmarks and the charts of them: what is measured is made up here, what comes out is
// compared with what has to.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { after, test } = require('node:test')
const { drawBars } = require('../../benchmark/chart/bars')
const { charts } = require('../../benchmark/chart/charts')
const { relativeSpeed } = require('../../benchmark/chart/relative')
const { scaleOf } = require('../../benchmark/chart/scale')
const { nameOf, recordOf, runScript, textOf } = require('../../benchmark/recording')
const { root } = require('../helpers/entry')

const fixture = join(root, '__test__', 'fixtures', 'benchmark-record.json')
const record = JSON.parse(readFileSync(fixture, 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'ferropack-record-'))

after(() => rmSync(folder, { recursive: true }))

const chartNamed = (name) => charts.find((chart) => chart.name === name).make(record)
const rowsOf = (data, direction) =>
  record.rows.filter((row) => row.table === 'ratio' && row.data === data && row.direction === direction)

/** Fails unless each start tag has its end tag, and no bare `&` or `<` is in the text. */
function requireWellFormed(xml) {
  const open = []
  const tag = /<(\/?)([a-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y
  let at = 0
  while (at < xml.length) {
    if (xml[at] === '<') {
      tag.lastIndex = at
      const [text, end, name, , alone] = tag.exec(xml) || assert.fail(`no tag: ${xml.slice(at, at + 60)}`)
      if (end) assert.equal(open.pop(), name)
      else if (!alone) open.push(name)
      at += text.length
    } else {
      const next = xml.indexOf('<', at)
      const content = xml.slice(at, next < 0 ? xml.length : next)
      if (!open.length) assert.equal(content.trim(), '')
      at += content.length
    }
  }
  assert.deepEqual(open, [])
  assert.doesNotMatch(xml, /&(?!(amp|lt|gt|quot);)/)
}

function barsOf(svg) {
  return [...svg.matchAll(/<rect class="bar"[^>]* width="([\d.]+)"/g)].map(([, width]) => Number(width))
}

function valuesOf(svg) {
  return [...svg.matchAll(/<text [^>]*class="value"[^>]*>([^<]*)</g)].map(([, text]) => text)
}

test('every chart is well-formed, has a title and a description, and is the same again', () => {
  for (const { name } of charts) {
    for (const theme of ['light', 'dark']) {
      const svg = drawBars(chartNamed(name), theme)
      requireWellFormed(svg)
      assert.match(svg, /<title id="title">[^<]+<\/title>/)
      assert.match(svg, /<desc id="description">[^<]*ferropack[^<]*<\/desc>/i)
      assert.match(svg, /Node\.js 20\.20\.2 · Example Processor @ 2\.10GHz · 2026-01-31/)
      assert.doesNotMatch(svg, /<script|NaN|undefined/)
      assert.equal(drawBars(chartNamed(name), theme), svg)
    }
  }
})

test('labels and faults are escaped', () => {
  const svg = drawBars(chartNamed('table'), 'light')
  assert.ok(svg.includes('>require(&quot;ferropack&quot;).pack(obj);<'))
  assert.ok(svg.includes('>&lt;Buffer&gt; &amp; &quot;text&quot; differ<'))
})

test('bars begin at zero and are as long as their values', () => {
  const svg = drawBars(chartNamed('table'), 'light')
  const [first, second, third, ...unpack] = barsOf(svg)
  assert.deepEqual(valuesOf(svg), ['160,000', '40,000', '20,000', '100,000', '80,000', '25,000'])
  assert.ok(Math.abs(second / first - 40 / 160) < 1e-3)
  assert.ok(Math.abs(third / first - 20 / 160) < 1e-3)
  assert.ok(Math.abs(unpack[1] / unpack[0] - 80 / 100) < 1e-3)
  assert.ok(Math.abs(unpack[2] / unpack[0] - 25 / 100) < 1e-3)
  assert.equal(unpack[0], first)
})

test('bars of all data sets have one scale', () => {
  const svg = drawBars(chartNamed('pack'), 'dark')
  assert.deepEqual(valuesOf(svg), ['6.0×', '7.5×', '1×', '1×', '1.3×', '1.5×', '2.0×', '1×', '0.50×'])
  const lengths = barsOf(svg)
  assert.ok(Math.abs(lengths[0] / lengths[1] - 6 / 7.5) < 1e-3)
  assert.ok(Math.abs(lengths[5] / lengths[1] - 1.5 / 7.5) < 1e-3)
  assert.ok(Math.abs(lengths[6] / lengths[1] - 2 / 7.5) < 1e-3)
})

test('nothing lies outside of the picture', () => {
  for (const { name } of charts) {
    const svg = drawBars(chartNamed(name), 'light')
    const [, width, height] = /viewBox="0 0 (\d+) ([\d.]+)"/.exec(svg)
    assert.equal(width, '800')
    for (const [, left, top] of svg.matchAll(/translate\(([\d.]+) ([\d.]+)\)/g)) {
      assert.ok(Number(left) < 800 && Number(top) < Number(height))
    }
    assert.doesNotMatch(svg, / (?:x|y|x1|y1|width|height)="-/)
  }
})

test('the time of JSON carries one comparison to the other', () => {
  const pack = rowsOf('clinical', 'pack')
  assert.deepEqual(relativeSpeed('msgpackr', pack), { value: 1 })
  assert.deepEqual(relativeSpeed('ferropack', pack), { value: 6 })
  assert.deepEqual(relativeSpeed('JSON', pack), { value: 1.5 })
  // Twice the time without structures, but JSON took twice its time as well: the machine was slow then.
  assert.deepEqual(relativeSpeed('msgpackr structures', pack), { value: 1 })
  assert.deepEqual(relativeSpeed('ferropack structures', pack), { value: 7.5 })
  assert.equal(relativeSpeed('bson', pack), null)
  const unpack = rowsOf('clinical', 'unpack')
  assert.deepEqual(relativeSpeed('ferropack structures', unpack), { value: 5 })
  assert.deepEqual(relativeSpeed('cbor-x', unpack), { fault: 'the decoded value differs at message 0' })
  assert.equal(relativeSpeed('ferropack', []), null)
})

test('grid lines are at round numbers from zero', () => {
  assert.deepEqual(scaleOf([14.2, 3], 100).ticks, [0, 5, 10])
  assert.deepEqual(scaleOf([6], 100).ticks, [0, 1, 2, 3, 4, 5, 6])
  assert.deepEqual(scaleOf([0.7], 100).ticks, [0, 0.2, 0.4, 0.6])
  assert.deepEqual(scaleOf([182345], 100).ticks, [0, 50000, 100000, 150000])
  assert.equal(scaleOf([4, 8], 100).width(4), 50)
  assert.equal(scaleOf([], 100).width(0), 0)
})

test('the command draws the record it is given', () => {
  const args = [join(root, 'benchmark', 'chart.js'), `--record=${fixture}`, `--out=${folder}`]
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(run.status, 0, run.stderr)
  const names = ['pack', 'stream', 'table', 'unpack'].flatMap((name) => [
    `${name}-dark.svg`,
    `${name}-light.svg`,
  ])
  assert.deepEqual(readdirSync(folder).sort(), names)
  const drawn = readFileSync(join(folder, 'stream-dark.svg'), 'utf8')
  assert.equal(drawn, drawBars(chartNamed('stream'), 'dark'))
})

test('rows of a script are collected, without paths', async () => {
  const script = join(folder, 'some.js')
  const printed = [
    { table: 'stream', operation: 'packr w/ shared/structures: a/b/c', fault: null },
    { table: 'ratio', operation: 'x', fault: `Cannot find module '${script}'\n- file://${script}:3:7` },
    { table: 'ratio', operation: 'y', fault: `no @msgpack/msgpack in ${root}, see https://example.com/a/b` },
    { lowest: {} },
  ]
  const lines = printed.map((row) => `console.log(${JSON.stringify(JSON.stringify(row))})`)
  writeFileSync(
    script,
    `${lines.join('\n')}\nconsole.log(process.argv.slice(2).join())\nprocess.exitCode = 1`,
  )
  const { rows, problem } = await runScript({ node: process.execPath, script, args: ['--quick'] })
  assert.equal(problem, 'some.js ended with exit code 1')
  assert.deepEqual(rows, [
    printed[0],
    { table: 'ratio', operation: 'x', fault: "Cannot find module 'some.js'\n- some.js:3:7" },
    { table: 'ratio', operation: 'y', fault: 'no @msgpack/msgpack in ., see https://example.com/a/b' },
  ])
})

test('a script that is missing or says nothing is a problem', async () => {
  const missing = await runScript({ node: process.execPath, script: join(folder, 'none.js'), args: [] })
  assert.deepEqual(missing, { rows: [], problem: 'there is no none.js' })
  const silent = join(folder, 'silent.js')
  writeFileSync(silent, '')
  const nothing = await runScript({ node: process.execPath, script: silent, args: [] })
  assert.deepEqual(nothing, { rows: [], problem: 'silent.js printed no row' })
})

test('a record says what it was measured on, and nothing of the folders there', () => {
  const made = recordOf(record.rows, { node: process.execPath, date: '2026-01-31' })
  const text = textOf(made)
  const read = JSON.parse(text)
  assert.deepEqual(read.rows, record.rows)
  assert.equal(read.node, process.versions.node)
  assert.equal(read.v8, process.versions.v8)
  assert.equal(read.arch, process.arch)
  assert.equal(read.platform, process.platform)
  assert.ok(read.cores > 0 && read.cpu.length > 0)
  assert.equal(read.versions.ferropack, require('../../package.json').version)
  assert.equal(read.versions.msgpackr, require('../../package.json').devDependencies.msgpackr)
  assert.equal('quick' in read, false)
  assert.equal(nameOf(made), `2026-01-31-node${process.versions.node.split('.')[0]}.json`)
  assert.ok(!text.includes(root))
  assert.ok(!text.includes(process.execPath))
})

test('options that are wrong are refused', () => {
  const run = (script, ...args) =>
    spawnSync(process.execPath, [join(root, 'benchmark', script), ...args], { encoding: 'utf8' })
  const unknown = run('record.js', '--only=nothing')
  assert.equal(unknown.status, 2)
  assert.match(unknown.stderr, /There is no table "nothing"; there are: msgpack-lite, stream/)
  const refused = (text, script, ...args) => {
    const { status, stderr } = run(script, ...args)
    assert.equal(status, 2)
    assert.equal(stderr, `${text}\n`)
  }
  refused('"1.5" is not a whole number above 0', 'ratio.js', 'tiny', '--rounds=1.5')
  refused('"Infinity" is not a number above 0', 'ratio.js', 'tiny', '--ms=Infinity')
  refused('There can be --alternatives or --only, not both', 'ratio.js', '--only=plain', '--alternatives')
  refused('There can be streams or --only, not both', 'ratio.js', 'streams', '--only=plain')
  refused('There can be streams or --alternatives, not both', 'ratio.js', 'streams', '--alternatives')
  assert.match(run('record.js', '--help').stdout, /--only=TABLE/)
})

test('what is no record, or a damaged one, is not drawn', () => {
  const record = JSON.parse(readFileSync(fixture, 'utf8'))
  const damaged = {
    'cut.json': readFileSync(fixture, 'utf8').slice(0, -20),
    'null.json': 'null',
    'no-rows.json': JSON.stringify({ ...record, rows: undefined }),
    'no-machine.json': JSON.stringify({ ...record, cpu: undefined }),
    'row.json': JSON.stringify({ ...record, rows: [...record.rows, null] }),
    'no-engine.json': JSON.stringify({ ...record, rows: [{ ...record.rows[0], engine: undefined }] }),
  }
  for (const [name, text] of Object.entries(damaged)) {
    const file = join(folder, name)
    writeFileSync(file, text)
    const args = [join(root, 'benchmark', 'chart.js'), `--record=${file}`, `--out=${folder}`]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [2, `${name} is not a record, or is damaged\n`])
  }
})
