'use strict'

// Owns the English vocabulary of the generated data sets, and the making of
// names, sentences and paragraphs from it.

const firstNames =
  'Ada Alan Amara Bela Carla Chen Dmitri Edith Farid Grace Hanna Idris Ines Jonas Kavya Leila Marco Nadia Omar Priya Quentin Rosa Samuel Tariq Uma Victor Wanda Ximena Yusuf Zoe'.split(
    ' ',
  )

const lastNames =
  'Abbott Banerjee Calloway Dimitrov Eriksen Fontaine Gallagher Hoffmann Ibrahim Jensen Kowalski Lindqvist Moreau Nakamura Okafor Petrov Quigley Rossi Schneider Tanaka Underwood Vasquez Whitaker Yamada Zimmerman'.split(
    ' ',
  )

const cities =
  'Aarhus Bergen Chicago Dublin Edinburgh Florence Geneva Helsinki Istanbul Jakarta Kyoto Lisbon Madrid Nairobi Oslo Prague Quito Rotterdam Seville Toronto Utrecht Vienna Warsaw Zagreb'.split(
    ' ',
  )

const words =
  'a after again all and another any as at available average because before between both by change clear close common complete current daily different during each early effect enough evening every expected few final first for found from full general given group half high in into is it known large last later less level light list little long lower main many measured more morning most near needed new next no normal not number of often on once one only open order other over part plan present previous quite range rate report result same second seen several short side simple since single small some stable start state step still system taken the then there these third this through time to total two under until usual value very was week well were when while with within work year'.split(
    ' ',
  )

function fullName(random) {
  return `${random.pick(firstNames)} ${random.pick(lastNames)}`
}

function email(random) {
  const first = random.pick(firstNames).toLowerCase()
  const last = random.pick(lastNames).toLowerCase()
  return `${first}.${last}${random.integer(1, 999)}@example.org`
}

function phrase(random, length) {
  return Array.from({ length }, () => random.pick(words)).join(' ')
}

function sentence(random, shortest, longest) {
  const text = phrase(random, random.integer(shortest, longest))
  return `${text[0].toUpperCase()}${text.slice(1)}.`
}

function paragraph(random, sentences) {
  return Array.from({ length: sentences }, () => sentence(random, 7, 14)).join(' ')
}

module.exports = {
  firstNames,
  lastNames,
  cities,
  words,
  fullName,
  email,
  phrase,
  sentence,
  paragraph,
}
