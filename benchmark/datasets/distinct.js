'use strict'

// Owns the `distinct` data set: 2,000 messages of a few shapes, as a queue of
// events carries them, in which hardly any text occurs twice.

const { Random } = require('./random')
const { cities, email, firstNames, lastNames, phrase, sentence } = require('./english')

// With two initials, so that few people bear the same name.
function longName(random) {
  const initial = () => String.fromCharCode(random.integer(65, 90))
  return `${random.pick(firstNames)} ${initial()}. ${initial()}. ${random.pick(lastNames)}`
}

function address(random) {
  return Array.from({ length: 4 }, () => random.integer(1, 254)).join('.')
}

function pageView(random) {
  return {
    type: 'page.view',
    id: random.uuid(),
    at: random.isoTime(),
    session: random.hex(24),
    path: `/${phrase(random, 3).replaceAll(' ', '/')}/${random.integer(1, 99999)}`,
    title: sentence(random, 6, 11),
    ip: address(random),
    duration: random.integer(20, 90000),
    screen: {
      width: random.integer(360, 2560),
      height: random.integer(640, 1440),
    },
    returning: random.chance(0.5),
  }
}

function order(random) {
  return {
    type: 'order.placed',
    id: random.uuid(),
    at: random.time(),
    customer: {
      id: random.integer(1, 9999999),
      name: longName(random),
      email: email(random),
    },
    lines: [
      {
        sku: `SKU-${random.hex(6)}`,
        quantity: random.integer(1, 9),
        price: random.fraction(1, 400, 2),
      },
      {
        sku: `SKU-${random.hex(6)}`,
        quantity: random.integer(1, 9),
        price: random.fraction(1, 400, 2),
      },
    ],
    coupon: random.chance(0.3) ? random.hex(8) : null,
    city: random.pick(cities),
  }
}

function signIn(random) {
  return {
    type: 'user.signin',
    id: random.uuid(),
    at: random.isoTime(),
    user: {
      id: random.integer(1, 9999999),
      name: longName(random),
      email: email(random),
    },
    token: random.hex(32),
    ip: address(random),
    agent: `client/${random.integer(1, 9)}.${random.integer(0, 40)} (${phrase(random, 4)})`,
    succeeded: random.chance(0.9),
    factor: random.chance(0.4) ? 'totp' : null,
  }
}

function reading(random) {
  return {
    type: 'sensor.reading',
    id: random.uuid(),
    at: random.time(),
    device: {
      serial: random.hex(16),
      firmware: `${random.integer(1, 9)}.${random.integer(0, 99)}`,
      uptime: random.integer(1, 9999999),
    },
    position: [random.fraction(-90, 90, 6), random.fraction(-180, 180, 6)],
    values: Array.from({ length: 6 }, () => random.fraction(-40, 120, 3)),
    battery: random.fraction(0, 1, 2),
    charging: random.chance(0.2),
    note: sentence(random, 5, 9),
  }
}

function failure(random) {
  return {
    type: 'job.failed',
    id: random.uuid(),
    at: random.isoTime(),
    host: `node-${random.hex(6)}`,
    message: sentence(random, 9, 17),
    code: random.integer(-2000, -1),
    attempts: random.integer(1, 5),
    retry: random.chance(0.5),
    tags: [random.hex(7), random.hex(9), random.pick(cities)],
    cause: { name: 'TimeoutError', after: random.integer(100, 60000) },
  }
}

const kinds = [pageView, order, signIn, reading, failure]

function distinct() {
  const random = new Random(52800)
  return Array.from({ length: 2000 }, () => random.pick(kinds)(random))
}

module.exports = { distinct }
