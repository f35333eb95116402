'use strict'

// Owns the `dates` and `classes` data sets, whose values JSON does not bring
// back as they were: Date objects and instances of classes.

const { Random } = require('./random')
const { cities, email, fullName, phrase } = require('./english')

function dates() {
  const random = new Random(86400)
  const record = (_, index) => ({
    id: index + 1,
    name: fullName(random),
    created: new Date(random.time()),
    updated: new Date(random.time()),
  })
  return [Array.from({ length: 100 }, record)]
}

class Customer {
  constructor(random) {
    this.id = random.integer(1, 1000000)
    this.name = fullName(random)
    this.email = email(random)
    this.city = random.pick(cities)
    this.premium = random.chance(0.2)
  }

  greeting() {
    return `Dear ${this.name}`
  }
}

class Product {
  constructor(random) {
    this.sku = `P-${random.hex(6)}`
    this.title = phrase(random, 4)
    this.price = random.fraction(1, 500, 2)
    this.stock = random.integer(0, 1000)
    this.tags = [phrase(random, 1), phrase(random, 1)]
    this.discontinued = null
  }

  available() {
    return this.stock > 0
  }
}

function classes() {
  const random = new Random(1995)
  const instance = () => (random.chance(0.5) ? new Customer(random) : new Product(random))
  return [Array.from({ length: 100 }, instance)]
}

module.exports = { dates, classes }
