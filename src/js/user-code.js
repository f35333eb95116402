'use strict'
// Calls of user code in the midst of a message: what it throws says nothing of where that message ends.

/** Errors of reading elsewhere in the message, which say of the message what they say. */
const ownErrors = new WeakSet()

/** Takes note that an error is about the message that is read. */
function noteOwnError(error) {
  if (error !== null && typeof error === 'object') ownErrors.add(error)
  return error
}

function seemsIncomplete(error) {
  return error !== null && typeof error === 'object' && error.incomplete === true && !ownErrors.has(error)
}

/** Runs a user's function. If it read bytes of its own that were cut, the message around them is not. */
function embedded(run) {
  try {
    return run()
  } catch (error) {
    if (!seemsIncomplete(error)) throw error
    Reflect.set(error, 'incomplete', false)
    // One that cannot be changed must not be taken for the end of the message either.
    throw seemsIncomplete(error) ? new Error(error.message, { cause: error }) : error
  }
}

module.exports = { embedded, noteOwnError }
