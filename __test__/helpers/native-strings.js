'use strict'

// Strings in every representation that V8 has for them: each function gives a new string with the text it is given.
// V8 joins and slices by reference from 13 units on, so shorter texts come out flat from all of them.

/** Node makes external strings of buffers from about this size on. */
const EXTERNAL_SIZE = 1_100_000

/** A sequential string that is no constant. One byte per unit where the text allows it. */
const flat = (text) => Buffer.from(text, 'utf16le').toString('utf16le')

const intern = (text) => Object.keys({ [text]: 0 }).length

const flatten = (text) => text.charCodeAt(text.length - 1)

function partsOf(text, size) {
  const parts = []
  for (let i = 0; i < text.length; i += size) parts.push(flat(text.slice(i, i + size)))
  return parts
}

const joinLeft = (parts) => parts.reduce((joined, part) => joined + part, '')

function joinRight(parts) {
  let joined = ''
  for (let i = parts.length - 1; i >= 0; i--) joined = parts[i] + joined
  return joined
}

function joinBalanced(parts) {
  if (parts.length < 2) return parts.join('')
  const middle = parts.length >> 1
  return joinBalanced(parts.slice(0, middle)) + joinBalanced(parts.slice(middle))
}

/** A slice of what `make` makes of the text with something around it. */
const sliceOf =
  (make, before = 'before ', after = ' after') =>
  (text) =>
    make(before + text + after).slice(before.length, before.length + text.length)

function thin(text) {
  intern(flat(text))
  const copy = flat(text)
  intern(copy)
  return copy
}

/** The parent turns thin after the slice was made. */
function sliceOfThin(text) {
  const whole = `before ${text} after`
  intern(flat(whole))
  const parent = flat(whole)
  const slice = parent.slice(7, 7 + text.length)
  intern(parent)
  return slice
}

function sliceOfExternal(text) {
  const wide = /[^\0-\xff]/.test(text)
  const buffer = Buffer.alloc(EXTERNAL_SIZE, wide ? 'b\0' : 'b')
  const encoding = wide ? 'utf16le' : 'latin1'
  buffer.write(text, 200, encoding)
  const at = wide ? 100 : 200
  return buffer.toString(encoding).slice(at, at + text.length)
}

const makers = {
  flat,
  'flat, two bytes a unit at any rate': (text) =>
    text.length < 13 ? `\u4f60${text}`.slice(1) : sliceOf(flat, '\u4f60')(text),
  'joined from the left': (text) => joinLeft(partsOf(text, 1 + Math.floor(text.length / 3000))),
  'joined from the right': (text) => joinRight(partsOf(text, 1 + Math.floor(text.length / 3000))),
  'joined in halves': (text) => joinBalanced(partsOf(text, 14)),
  'joined of two': (text) => joinLeft(partsOf(text, Math.max(1, Math.ceil(text.length / 2)))),
  'joined, then flattened': (text) => {
    const joined = joinLeft(partsOf(text, 14))
    if (text !== '') flatten(joined)
    return joined
  },
  sliced: sliceOf(flat),
  'sliced twice': sliceOf(sliceOf(flat)),
  'sliced of a joined one': sliceOf((text) => joinBalanced(partsOf(text, 14))),
  'joined of slices': (text) => {
    const middle = text.length >> 1
    return sliceOf(flat)(text.slice(0, middle)) + sliceOf(flat)(text.slice(middle))
  },
  internalized: (text) => Object.keys({ [flat(text)]: 0 })[0],
  thin,
  'joined, then used as a key': (text) => {
    const joined = joinLeft(partsOf(text, 7))
    intern(joined)
    return joined
  },
  'sliced of a thin one': sliceOfThin,
  'joined of thin ones': (text) => {
    const middle = text.length >> 1
    return thin(text.slice(0, middle)) + thin(text.slice(middle))
  },
}

/** These cost a megabyte each. */
const largeMakers = { 'sliced of an external one': sliceOfExternal }

const texts = {
  empty: '',
  'one letter': 'x',
  '8 letters': 'abcdefgh',
  '9 letters': 'abcdefghi',
  '13 letters': 'abcdefghijklm',
  '31 letters': 'the quick brown fox jumps over ',
  '32 letters': 'the quick brown fox jumps over i',
  '40 Latin-1 letters': '\u00e9t\u00e9 \u00ff\u0080'.repeat(6).slice(0, 40),
  '85 letters of three bytes': '\u4f60\u597d\u20ac\uffff\ufeff'.repeat(17),
  '256 letters': 'some text '.repeat(26).slice(0, 256),
  '700 mixed ones': 'a\u00e9\u4f60\u{1f600} '.repeat(117).slice(0, 700),
  'pairs only': '\u{1f600}\u{10ffff}\u{10000}'.repeat(12),
  'lone surrogates': '\ud800 a\udc00\udbff\udbff\udfff\udfff b'.repeat(4),
  'a high surrogate at the end': 'a text that ends too early \ud83d',
  'a low surrogate at the start': '\ude00 a text that starts too late',
  'the wide part at the end': `${'plain '.repeat(60)}\u4f60`,
  zeros: '\0'.repeat(20),
  '5,000 letters': 'longer than what is joined '.repeat(186).slice(0, 5000),
  '70,000 letters': 'seventy thousand '.repeat(4118).slice(0, 70_000),
  '40,000 wide ones': '\u4f60\u597d '.repeat(13_334).slice(0, 40_000),
}

/** A chain of `count` joins, each holding the one before. */
function chain(count, side) {
  let text = 'the start of it '
  for (let i = 0; i < count; i++) text = side === 'left' ? `${text}${i % 10}` : `${i % 10}${text}`
  return text
}

function doubled(part, times) {
  let text = part
  for (let i = 0; i < times; i++) text += text
  return text
}

function external(encoding, unit = 'external text ') {
  const text = unit.repeat(Math.ceil(EXTERNAL_SIZE / unit.length))
  return Buffer.from(text, encoding).toString(encoding)
}

/** Strings that are more than a text in a representation. */
const special = {
  'a chain of 3,000 joins from the left': () => chain(3000, 'left'),
  'a chain of 3,000 joins from the right': () => chain(3000, 'right'),
  'one part 1,024 times': () => doubled('one part, shared ', 10),
  'one wide part 256 times': () => doubled('one part \u4f60 shared ', 8),
  'narrow and wide parts': () =>
    joinBalanced([
      'narrow, again',
      'wide \u4f60\u4f60\u4f60\u4f60\u4f60\u4f60\u4f60\u4f60',
      'narrow once more',
    ]),
  'a pair split between two parts': () => flat('first half \ud83d') + flat('\ude00 second half'),
  'a pair split between deep parts': () =>
    joinBalanced([
      flat('a'.repeat(20)),
      flat('b'.repeat(13)) + flat('\ud83d'),
      flat('\ude00') + flat('c'.repeat(13)),
    ]),
  'a high surrogate, then a letter, in two parts': () =>
    flat('first half of it \ud83d') + flat('x and the rest'),
  'a slice that starts within a pair': () => flat(`\u{1f600}${'and text '.repeat(3)}`).slice(1),
  'a slice that ends within a pair': () => flat(`${'text and '.repeat(3)}\u{1f600}`).slice(0, -1),
  'a wide join with one wide letter': () => flat('a'.repeat(300)) + flat('\u4f60') + flat('b'.repeat(300)),
  'a number as text': () => String(1234.5),
  'a template': () => `${chain(3, 'left')} and ${chain(4, 'right')}`,
}

const large = {
  'a chain of 8,000 joins from the left': () => chain(8000, 'left'),
  'a chain of 8,000 joins from the right': () => chain(8000, 'right'),
  'external Latin-1': () => external('latin1', 'external \u00e9\u00ff '),
  'external ASCII, read as Latin-1': () => external('latin1'),
  'external ASCII': () => external('ascii'),
  'external, two bytes a unit': () => external('utf16le', 'external \u4f60 '),
  'external UTF-8': () => external('utf8', 'external \u4f60\u{1f600} '),
  'external UTF-8 that is ASCII': () => external('utf8'),
  'external with lone surrogates': () => external('utf16le', '\ud83d external'),
  'joined with an external one': () => `${external('latin1')} and something more`,
  'sliced of a wide external one': () => external('utf16le', 'external \u4f60 ').slice(7, 5000),
  'internalized external': () => {
    const text = external('latin1')
    intern(text)
    return text
  },
}

/** What V8's own description of a string must contain. */
const shows = {
  flat: /type: (SEQ_)?(ONE_BYTE|TWO_BYTE)?_?STRING_TYPE/,
  'joined from the left': /type: CONS_/,
  'joined from the right': /type: CONS_/,
  'joined in halves': /type: CONS_/,
  'joined of two': /type: CONS_/,
  'joined, then flattened': /type: CONS_/,
  sliced: /type: SLICED_/,
  'sliced twice': /type: SLICED_/,
  'sliced of a joined one': /type: SLICED_/,
  'joined of slices': /type: CONS_/,
  internalized: /INTERNALIZED_/,
  thin: /type: THIN_/,
  'sliced of a thin one': /type: SLICED_/,
  'joined of thin ones': /type: CONS_/,
  'sliced of an external one': /type: SLICED_/,
  'a chain of 3,000 joins from the right': /type: CONS_/,
  'a pair split between two parts': /type: CONS_/,
}

module.exports = { chain, makers, largeMakers, texts, special, large, shows, flat, thin }
