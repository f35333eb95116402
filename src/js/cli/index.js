#!/usr/bin/env node
'use strict'
// The command `ferropack`: which subcommands there are, and what becomes of their errors.

const { version } = require('../../../package.json')

/** Modules of the subcommands, each with `help`, and `run`, which gets the arguments behind its name. */
const commands = {
  bench: () => require('./bench.js'),
}

const help = `Usage: ferropack <command> [arguments]

  bench FILE      the benchmark table for data of your own
  --version, -v   print the version
  --help          this text, or that of the command`

function main([name, ...given]) {
  if (name === '--version' || name === '-v') {
    console.log(`ferropack ${version}`)
    return
  }
  if (name === undefined || name === '--help' || name === '-h') {
    console.log(help)
    return
  }
  if (!Object.hasOwn(commands, name)) throw new Error(`There is no command "${name}"\n\n${help}`)
  const command = commands[name]()
  if (given.includes('--help') || given.includes('-h')) console.log(command.help)
  else command.run(given)
}

try {
  main(process.argv.slice(2))
} catch (error) {
  // What a user did is told in a line; where it came from says nothing.
  console.error(`ferropack: ${error.message}`)
  process.exitCode = 2
}
