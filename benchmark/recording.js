'use strict'

// Owns the making of a record: runs benchmark scripts, collects the rows they print, and says on
// what they were measured. A record is published, so nothing in it tells of the machine's folders.

const { execFileSync, spawn } = require('node:child_process')
const { existsSync, readFileSync } = require('node:fs')
const { cpus, homedir } = require('node:os')
const { basename, join } = require('node:path')
const { createInterface } = require('node:readline')
const { pathToFileURL } = require('node:url')

const root = join(__dirname, '..')
const peersFolder = join(__dirname, 'peers')

/** Peers that are in the root's dependencies, and the native helpers that two of all load. */
const ROOT_PEERS = [
  'msgpackr',
  'msgpackr-extract',
  'cbor-extract',
  'msgpack-lite',
  '@msgpack/msgpack',
  'notepack.io',
]

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'))

/** What the binary says of itself: it need not be the one that runs this. */
function describeNode(node) {
  const script = `const { arch, platform, versions: { node, v8 } } = process
    console.log(JSON.stringify({ platform, arch, node, v8 }))`
  return JSON.parse(execFileSync(node, ['-e', script], { encoding: 'utf8' }))
}

/** Of what is installed, not of what was asked for. Peers that are not installed are left out. */
function installedVersions() {
  const { version, name } = readJson(root, 'package.json')
  const versions = { [name]: version }
  const optional = Object.keys(readJson(peersFolder, 'package.json').optionalDependencies)
  for (const peer of [...ROOT_PEERS, ...optional].sort()) {
    const folder = [peersFolder, root].find((base) =>
      existsSync(join(base, 'node_modules', peer, 'package.json')),
    )
    if (folder) versions[peer] = readJson(folder, 'node_modules', peer, 'package.json').version
  }
  return versions
}

/** Undefined outside of a repository. Ends with "-dirty" where files differ from the commit. */
function currentCommit() {
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

/** Absolute paths, of which the last part alone says what a reader can use. */
const PATHS = /(?<![\w.@~/\\-])(?:file:\/\/)?(?:[A-Za-z]:[\\/]|\/)(?:[^\s/\\:'"()]+[\\/])+[^\s/\\:'"()]*/g

function withoutPaths(text) {
  const known = [pathToFileURL(root).href, root, homedir()].filter((path) => path.length > 1)
  const short = known.reduce((rest, path) => rest.split(path).join('.'), text)
  return short.replace(PATHS, (path) => basename(path.replace(/\\/g, '/')))
}

/** Only what is free text may hold a path: the labels of operations look like some. */
function published(row) {
  const free = ['fault', 'note'].filter((key) => typeof row[key] === 'string')
  return { ...row, ...Object.fromEntries(free.map((key) => [key, withoutPaths(row[key])])) }
}

/** The row of a line, or null: a line may hold a summary, which is not a row. */
function rowOf(line) {
  try {
    const row = JSON.parse(line)
    return typeof row?.table === 'string' ? published(row) : null
  } catch {
    return null
  }
}

/**
 * Runs one script and resolves to `{ rows, problem }`; a problem is text, and the rows that came
 * before it are kept. What the script says while it runs goes to the terminal.
 */
function runScript({ node, script, args }) {
  if (!existsSync(script)) return Promise.resolve({ rows: [], problem: `there is no ${basename(script)}` })
  return new Promise((resolve) => {
    const rows = []
    const child = spawn(node, [script, '--json', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    createInterface({ input: child.stdout }).on('line', (line) => {
      const row = rowOf(line)
      if (row) rows.push(row)
    })
    child.on('error', (error) => resolve({ rows, problem: error.message }))
    child.on('close', (code, signal) => {
      const problem = code === 0 ? null : `${basename(script)} ended with ${signal || `exit code ${code}`}`
      resolve({ rows, problem: problem || (rows.length ? null : `${basename(script)} printed no row`) })
    })
  })
}

function recordOf(rows, { node, quick, date }) {
  const { platform, arch, ...versions } = describeNode(node)
  const [cpu] = cpus()
  return {
    date,
    cpu: cpu ? cpu.model.trim() : 'unknown CPU',
    cores: cpus().length,
    platform,
    arch,
    ...versions,
    versions: installedVersions(),
    commit: currentCommit(),
    quick: quick || undefined,
    rows,
  }
}

/** A row a line: what changed between two records shows in a diff. */
function textOf({ rows, ...head }) {
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n')
  const start = JSON.stringify(head, null, 2).replace(/\n}$/, ',')
  return `${start}\n  "rows": [\n${lines}\n  ]\n}\n`
}

function nameOf({ date, node }) {
  return `${date}-node${node.split('.')[0]}.json`
}

module.exports = { nameOf, recordOf, runScript, textOf }
