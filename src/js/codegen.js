'use strict'
// Makers: functions generated for shapes that recur, each an object literal whose values are read at
// constant distances. The only place that makes code from text; where that is forbidden there are no
// makers, and the builder's general path serves.

const { slot, kind } = require('./tape.js')

const INT_HIGH = (slot.INT << 16) | 0
const SINGLE_HIGH = (slot.SINGLE << 16) | 0
const { INT, STR, WIDE, OBJECT, ARRAY, SINGLE } = kind
/** Slots whose high word lies from here to -1 are no doubles. */
const FIRST_KIND = INT_HIGH

/** First byte of a string of up to 31 bytes, whose length is added. */
const FIXSTR = 0xa0

/** Most keys of a maker: V8 keeps larger literals as dictionaries. */
const MAX_KEYS = 512
/** Fields of a maker and of the objects that it makes in the place of a call. */
const MAX_INLINED = 120
/** Objects with objects in them that a maker makes before there is one for all of that. */
const USES_BEFORE_INLINING = 500

let allowed = true

/** Makes no more code in this thread, for hosts that must not. Makers that exist serve on. */
function forbidCode() {
  allowed = false
}

/**
 * A function from the position of an object's first value to the object, for these keys. Each value
 * is guarded by the kind that it has at `p`, and read in general where it has another. Null where no
 * code may be generated.
 *
 * `tape`, `strings` and `singles` hold what values are read from; `value`, `object` and `array` are
 * the builder's general functions. When an object with objects in it has been made often, `again` is called in the
 * maker's place.
 */
function compileMaker(keys, p, scope, again) {
  const source = new MakerSource(scope.tape.words)
  return source.compile(keys, p, { ...scope, again })
}

/**
 * The same for keys that were met often: it also makes the objects in its objects, as far as `keysOf` gives their keys
 * for a number.
 */
function compileInliningMaker(keys, p, scope, keysOf) {
  const source = new MakerSource(scope.tape.words, keysOf)
  return source.compile(keys, p, scope)
}

/** What a maker's text is put together of. */
class MakerSource {
  /** Reads kinds from the words of the tape. Without `keysOf`, nothing is made in the place of a call. */
  constructor(words, keysOf = null) {
    this.words = words
    this.keysOf = keysOf
    this.room = MAX_INLINED
    this.variables = ['h = 0', 's = 0']
    /** Whether there are objects that could be made in the place of a call. */
    this.hasCalls = false
  }

  compile(keys, p, scope) {
    if (!allowed || keys.length > MAX_KEYS) return null
    const literal = this.literal(keys, 'p', p)
    const count = this.hasCalls ? `if (++uses === ${USES_BEFORE_INLINING}) return again(p)` : ''
    const body = `const { words } = tape
  let ${this.variables.join(', ')}
  ${count}
  return ${literal}`
    return functionOf('p', body, scope, 'let uses = 0')
  }

  /** The literal of an object whose first value is at word `p`, and for the maker where `base` says. */
  literal(keys, base, p) {
    this.room -= keys.length
    const fields = keys.map((key, i) => `${literalKey(key)}: ${this.expression(base, p, 2 * i)}`)
    return `{ ${fields.join(',\n    ')} }`
  }

  /** The value at `offset` words behind the first. */
  expression(base, p, offset) {
    const high = this.words[p + offset + 1]
    const at = offset === 0 ? base : `${base} + ${offset}`
    if (high >> 16 === OBJECT) {
      const keys = this.keysOf === null ? null : this.keysOf(high & 0xffff)
      this.hasCalls ||= this.keysOf === null
      if (keys !== null && keys.length <= this.room) {
        const inner = `q${this.variables.length}`
        this.variables.push(`${inner} = 0`)
        const literal = this.literal(keys, inner, this.words[p + offset])
        return `words[${base} + ${offset + 1}] === ${high} ? (${inner} = words[${at}], ${literal}) : value(${at})`
      }
    }
    return guarded(high, at, `words[${base} + ${offset + 1}]`)
  }
}

/** A function of this body, which sees what is in `scope` and keeps `state`; null where no code may be generated. */
function functionOf(parameter, body, scope, state = '') {
  if (!allowed) return null
  const source = `'use strict'
${state}
return function make(${parameter}) {
  ${body}
}`
  try {
    return new Function(...Object.keys(scope), source)(...Object.values(scope))
  } catch (error) {
    // Anything else, such as a stack overflow, says nothing about the next time.
    if (error instanceof EvalError) allowed = false
    return null
  }
}

/**
 * For the quick reader: a function that makes an object with these keys of the next values of the message. Null where no
 * code may be generated.
 */
function compileQuickMaker(keys, scope) {
  return functionOf('', `return { ${keys.map((key) => `${literalKey(key)}: next()`).join(', ')} }`, scope)
}

/** The same for a map, whose `count` keys, of ASCII, lie between the values; with any others it gives up. */
function compileQuickMapMaker(count, keys, scope) {
  let fields = ''
  for (let i = 0; i < count; i++) {
    const key = keys[i]
    let isKey = `b[p] === ${FIXSTR | key.length}`
    for (let at = 0; at < key.length; at++) isKey += ` && b[p + ${at + 1}] === ${key.charCodeAt(at)}`
    fields += `${literalKey(key)}: (b = reader.bytes, p = reader.at, ${isKey})
      ? (reader.at = p + ${key.length + 1}, next()) : giveUp(),\n    `
  }
  return functionOf('', `let b = null, p = 0\n  return { ${fields} }`, scope)
}

/** A literal's key; in brackets, __proto__ is a property like any other. */
function literalKey(key) {
  return key === '__proto__' ? '["__proto__"]' : JSON.stringify(key)
}

/** What reads the value at `at`, whose high word is `head` and was `high`. */
function guarded(high, at, head) {
  switch (high >> 16) {
    case INT:
      return `${head} === ${INT_HIGH} ? words[${at}] : value(${at})`
    case STR:
      return `(h = ${head}) >> 16 === ${STR} ? strings.text.slice(s = words[${at}], s + (h & 65535)) : value(${at})`
    case WIDE:
      return `(h = ${head}) >> 16 === ${WIDE} ? strings.wide.slice(s = words[${at}], s + (h & 65535)) : value(${at})`
    case SINGLE:
      return `${head} === ${SINGLE_HIGH} ? singles[words[${at}]] : value(${at})`
    case OBJECT:
      return `(h = ${head}) >> 16 === ${OBJECT} ? object(h & 65535, words[${at}]) : value(${at})`
    case ARRAY:
      return `(h = ${head}) >> 16 === ${ARRAY} ? array(h & 65535, words[${at}]) : value(${at})`
    default:
      return high >= 0 || high < FIRST_KIND
        ? `(h = ${head}) >= 0 || h < ${FIRST_KIND} ? tape.doubles[(${at}) >> 1] : value(${at})`
        : `value(${at})`
  }
}

/** A function from bytes and a position to the text of so many bytes, or undefined if it is not ASCII. */
function compileTextMaker(length) {
  const characters = Array.from({ length }, (_, i) => `c${i}`)
  const body = `const ${characters.map((name, i) => `${name} = b[p + ${i}]`).join(', ')}
  return (${characters.join(' | ')}) > 0x7f ? undefined : fromCharCode(${characters.join(', ')})`
  return functionOf('b, p', body, { fromCharCode: String.fromCharCode })
}

module.exports = {
  compileMaker,
  compileInliningMaker,
  compileQuickMaker,
  compileQuickMapMaker,
  compileTextMaker,
  forbidCode,
}
