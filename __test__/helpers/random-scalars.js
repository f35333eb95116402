'use strict'

// Random numbers, texts and keys, chosen for the boundaries of V8 as much as for those of the format.

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  127,
  128,
  255,
  256,
  65_535,
  65_536,
  -32,
  -33,
  -128,
  -129,
  -32_768,
  -32_769,
  2 ** 30 - 1,
  2 ** 30,
  -(2 ** 30) - 1,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  0.5,
  -1.5,
  7.99,
  1e-7,
  1e300,
  5e-324,
  NaN,
  Infinity,
  -Infinity,
]
const BIGINTS = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, 2n ** 64n - 1n]
const ALPHABETS = [
  [...'abcdefghijklmnopqrstuvwxyz 0123456789'],
  [...'abc \u00e9\u00ff\u0080'],
  ['a', '\u4f60', '\u20ac', '\uffff', '\u0800'],
  ['\u{1f600}', '\u{10ffff}', 'x'],
  ['\ud800', '\udfff', '\u{1f600}', 'b', '\u00e9'],
  ['\0', '\u007f', '"', '\\'],
]
const NAMES = ['id', 'name', 'value', 'items', 'a', 'b', 'c', 'x', 'y', 'createdAt', 'long key with spaces']
const ODD_KEYS = [
  '',
  '\u00e9t\u00e9',
  '\u4f60\u597d',
  '\ud83d',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'length',
  'k'.repeat(33),
  '4294967294',
  '4294967295',
  '9007199254740993',
  '-1',
  '01',
  '-0',
  '1.5',
  '1e5',
  '1e21',
  ' 1',
  '0x10',
  'NaN',
  'Infinity',
]

const randomInteger = (random) => random.below(2 ** (1 + random.below(30))) - random.below(2) * 40_000

function randomNumber(random) {
  switch (random.below(5)) {
    case 0:
      return random.pick(NUMBERS)
    case 1:
      return randomInteger(random)
    case 2:
      return random.below(100_000) / 100
    case 3:
      return (random.fraction() - 0.5) * 10 ** (random.below(40) - 20)
    default:
      return random.below(300) - 50
  }
}

function randomBigInt(random) {
  if (random.chance(0.5)) return random.pick(BIGINTS)
  const magnitude =
    ((BigInt(random.uint32()) << 32n) | BigInt(random.uint32())) >> BigInt(1 + random.below(63))
  return random.chance(0.5) ? -magnitude : magnitude
}

function randomLength(random) {
  const chosen = random.below(40)
  if (chosen === 0) return random.below(5000)
  if (chosen < 4) return random.below(300)
  return random.below(chosen < 20 ? 12 : 45)
}

function randomText(random) {
  const length = randomLength(random)
  const alphabet = random.chance(0.7) ? ALPHABETS[0] : random.pick(ALPHABETS)
  const part = Array.from({ length: Math.min(length, 60) }, () => random.pick(alphabet)).join('')
  return length > 60 ? part.repeat(Math.ceil(length / 60)) : part
}

function randomKey(random) {
  const chosen = random.below(20)
  if (chosen < 13) return random.pick(NAMES)
  if (chosen < 16) return `key${random.below(200)}`
  if (chosen === 16) return String(random.below(20))
  if (chosen === 17) return randomText(random).slice(0, 40)
  return random.pick(ODD_KEYS)
}

module.exports = { randomNumber, randomInteger, randomBigInt, randomText, randomKey }
