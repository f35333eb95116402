'use strict'

// Random values of every kind that plain MessagePack carries, built from a seeded source.

const SPECIAL_NUMBERS = [
  0,
  1,
  -1,
  31,
  32,
  63,
  64,
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
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  0.1,
  0.5,
  -1.5,
  7.99,
  1e-7,
  1e300,
  5e-324,
  NaN,
  Infinity,
  -Infinity,
  -0,
]
const CHARACTERS = [
  'a',
  'b',
  ' ',
  '0',
  '\0',
  '\u007f',
  '\u0080',
  '\u00e9',
  '\u07ff',
  '\u0800',
  '\u20ac',
  '\u4f60',
  '\ufeff',
  '\uffff',
  '\u{1f600}',
  '\u{10ffff}',
  '\ud800',
  '\udfff',
]
const COMMON_KEYS = [
  'id',
  'name',
  'value',
  'items',
  'a',
  'b',
  'c',
  'long key with spaces',
  '\u00e9t\u00e9',
  '\u4f60',
  '0',
  '1',
  '17',
  '-1',
  '',
]

function randomNumber(random) {
  switch (random.below(6)) {
    case 0:
      return random.pick(SPECIAL_NUMBERS)
    case 1:
      return random.below(300) - 50
    case 2:
      return random.uint32()
    case 3:
      return random.below(2 ** 31) - 2 ** 30
    case 4:
      return random.below(100_000) / 100
    default:
      return (random.fraction() - 0.5) * 10 ** (random.below(40) - 20)
  }
}

function randomString(random) {
  const length = random.chance(0.05) ? random.below(700) : random.below(random.chance(0.2) ? 80 : 20)
  if (random.chance(0.6)) return 'the quick brown fox jumps over it '.repeat(21).slice(0, length)
  return Array.from({ length }, () => random.pick(CHARACTERS)).join('')
}

function randomBigInt(random) {
  const bits = BigInt(random.below(64))
  const magnitude =
    ((BigInt(random.uint32()) << 32n) | BigInt(random.uint32())) & ((1n << bits) | ((1n << bits) - 1n))
  return random.chance(0.5) && magnitude <= 2n ** 63n ? -magnitude : magnitude
}

function randomObject(random, depth, makeKey) {
  const object = random.chance(0.05) ? Object.create(null) : {}
  const count = random.chance(0.05) ? random.below(40) : random.below(7)
  for (let i = 0; i < count; i++) object[makeKey(random)] = randomValue(random, depth - 1)
  return object
}

const randomKey = (random) =>
  random.chance(0.8) ? random.pick(COMMON_KEYS) : randomString(random).slice(0, 40)

function randomRows(random, depth) {
  const keys = Array.from({ length: 1 + random.below(5) }, () => randomKey(random))
  return Array.from({ length: random.below(12) }, () =>
    Object.fromEntries(keys.map((key) => [key, randomValue(random, depth - 1)])),
  )
}

function randomArray(random, depth) {
  const length = random.chance(0.05) ? random.below(60) : random.below(8)
  switch (random.below(4)) {
    case 0:
      return Array.from({ length }, () => randomNumber(random))
    case 1: {
      const array = Array.from({ length }, () => randomValue(random, depth - 1))
      if (length > 1 && random.chance(0.2)) delete array[random.below(length)]
      return array
    }
    case 2:
      return randomRows(random, depth)
    default:
      return Array.from({ length }, () => randomString(random))
  }
}

const randomScalarKey = (random) => random.pick([randomString, randomNumber, () => null, () => true])(random)

const LEAVES = [
  randomNumber,
  randomNumber,
  randomString,
  randomString,
  () => null,
  () => true,
  () => false,
  () => undefined,
  randomBigInt,
  (random) => new Date(Math.floor((random.fraction() - 0.3) * 10 ** (8 + random.below(8)))),
  (random) => random.bytes(random.below(random.chance(0.1) ? 400 : 12)),
  (random) => new Float32Array([randomNumber(random)]),
  () => /a+b/gi,
  (random) => new RangeError(randomString(random)),
  () => () => 1,
]

const BRANCHES = [
  randomArray,
  randomArray,
  (random, depth) => randomObject(random, depth, randomKey),
  (random, depth) => randomObject(random, depth, randomKey),
  (random, depth) =>
    new Map(
      Array.from({ length: random.below(6) }, () => [
        randomScalarKey(random),
        randomValue(random, depth - 1),
      ]),
    ),
  (random, depth) => new Set(Array.from({ length: random.below(6) }, () => randomValue(random, depth - 1))),
]

function randomValue(random, depth) {
  if (depth <= 0 || random.chance(0.35)) return random.pick(LEAVES)(random)
  return random.pick(BRANCHES)(random, depth)
}

module.exports = { randomValue }
