'use strict'

// Owns what the commands of the benchmarks have in common: numbers and words among their arguments, --help, -v, and what
// becomes of errors.

const { version } = require('../package.json')

/** Options that every command has. */
const commonOptions = {
  version: { type: 'boolean', short: 'v' },
  help: { type: 'boolean' },
}

/** Whether an argument is a number of something. */
function isAmount(word) {
  return Number(word) > 0 && Number.isFinite(Number(word))
}

/** Those of the list whose name contains one of the words, in any case; without words, all. Throws if there are none. */
function chosenBy(words, list, nameOf) {
  const wanted = words.map((word) => word.toLowerCase())
  const chosen = list.filter((each) => {
    const name = nameOf(each).toLowerCase()
    return wanted.length === 0 || wanted.some((word) => name.includes(word))
  })
  if (chosen.length === 0) throw new RangeError('No row has a name with one of these words')
  return chosen
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

module.exports = { commonOptions, isAmount, chosenBy, runCommand }
