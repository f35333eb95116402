'use strict'
// Errors of the addon are made in the realm that loaded it, which is the main one. Where these modules were evaluated
// in another (a vm context, as test runners have them), they are made anew, so that `instanceof Error` holds there.

const CLASSES = { __proto__: null, Error, RangeError, TypeError }

/** Whether this is the name of a class among the addon's exports. */
function isClass(name) {
  return /^[A-Z]/.test(name)
}

/** An error of the addon as one of this realm. */
function translated(error) {
  if (error === null || typeof error !== 'object' || error instanceof Error) return error
  const Class = CLASSES[error.name] ?? Error
  return Object.assign(new Class(error.message), error)
}

/** Whether the addon's errors are of another realm. */
function isForeign({ compileOptions }) {
  try {
    compileOptions(null)
  } catch (error) {
    return !(error instanceof Error)
  }
  return false
}

function translating(call) {
  return (...args) => {
    try {
      return call(...args)
    } catch (error) {
      throw translated(error)
    }
  }
}

/** The addon's exports, with functions that throw errors of this realm. Its classes throw none that users see. */
function inThisRealm(exports) {
  if (!isForeign(exports)) return exports
  const entries = Object.entries(exports).map(([name, value]) => [
    name,
    isClass(name) ? value : translating(value),
  ])
  return { ...Object.fromEntries(entries), exports }
}

module.exports = { inThisRealm, isClass }
