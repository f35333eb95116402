'use strict'

// Owns what the commands of the benchmarks have in common: --help, -v, and what becomes of errors.

const { version } = require('../package.json')

/** Options that every command has. */
const commonOptions = {
  json: { type: 'boolean' },
  version: { type: 'boolean', short: 'v' },
  help: { type: 'boolean' },
}

async function answer({ help, readArguments, run }) {
  const chosen = readArguments()
  if (chosen.help) console.log(help)
  else if (chosen.version) console.log(`ferropack ${version}`)
  else await run(chosen)
}

/** Runs a command with what `readArguments` gives. An error is a line, and exit code 2. */
function runCommand(command) {
  answer(command).catch((error) => {
    console.error(error.message)
    process.exitCode = 2
  })
}

module.exports = { commonOptions, runCommand }
