'use strict'
// Builds the native addon: cargo to ferropack.node in the package's folder. Needs Node and Rust only.
//
//   node src/js/compile.js [--debug | --profile=<cargo profile>]

const { spawnSync } = require('node:child_process')
const { copyFileSync, renameSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '..', '..')
const target = join(root, 'ferropack.node')

function profile(args) {
  if (args.includes('--debug')) return []
  const named = args.find((arg) => arg.startsWith('--profile='))
  return named ? ['--profile', named.slice('--profile='.length)] : ['--release']
}

/** Path of the library that cargo built, from its messages. */
function builtLibrary(messages) {
  return messages
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((message) => message.reason === 'compiler-artifact' && message.target.kind.includes('cdylib'))
    .flatMap((message) => message.filenames)
    .filter((file) => /\.(so|dylib|dll)$/.test(file))
    .at(-1)
}

function compile(args) {
  const cargo = spawnSync(
    'cargo',
    [
      'rustc',
      '--lib',
      '--crate-type',
      'cdylib',
      '--locked',
      '--message-format=json-render-diagnostics',
      ...profile(args),
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  if (cargo.error) {
    console.error('ferropack: cannot run cargo; install Rust 1.88 or later (https://rustup.rs)')
    return 1
  }
  if (cargo.status !== 0) return cargo.status ?? 1
  // A process that has the old file mapped keeps it.
  copyFileSync(builtLibrary(cargo.stdout), `${target}.tmp`)
  renameSync(`${target}.tmp`, target)
  return 0
}

process.exitCode = compile(process.argv.slice(2))
