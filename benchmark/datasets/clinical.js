'use strict'

// Owns the `clinical` data set: one record as a registry of clinical trials
// may hold it, with parts of many shapes.

const { Random } = require('./random')
const { cities, email, fullName, paragraph, sentence } = require('./english')

const arms = ['A1', 'B2', 'PB']

function person(random) {
  return {
    name: fullName(random),
    role: random.pick(['PI', 'CRA', 'coordinator', 'statistician']),
    email: email(random),
    phone: random.chance(0.5) ? `+${random.integer(10000000, 99999999)}` : null,
    blinded: random.chance(0.5),
  }
}

function site(random, index) {
  return {
    code: `S${100 + index}`,
    city: random.pick(cities),
    country: random.pick(['DK', 'IT', 'JP', 'KE', 'NO', 'PT']),
    location: [random.fraction(-60, 60, 4), random.fraction(-180, 180, 4)],
    postcode: `${random.integer(1000, 9999)}`,
    open: random.chance(0.8),
    remote: random.chance(0.3),
    closed: null,
    enrolled: random.integer(4, 180),
    attachments: [],
  }
}

function arm(random, code, index) {
  return {
    code,
    label: ['Low dose', 'High dose', 'Placebo'][index],
    drug: index < 2 ? 'velorabine' : null,
    dose: index < 2 ? random.fraction(1, 12, 1) : 0,
    unit: 'mg',
    day: random.pick(['Mo', 'Tu', 'We', 'Th', 'Fr']),
    active: index < 2,
  }
}

function estimate(random, code) {
  const mean = random.fraction(2, 40, 2)
  const low = Number((mean - random.fraction(0.1, 1, 2)).toFixed(2))
  return {
    arm: code,
    n: random.integer(20, 140),
    mean,
    interval: [low, Number((2 * mean - low).toFixed(2))],
  }
}

function outcome(random, index) {
  return {
    code: `OUT-${index + 1}`,
    title: sentence(random, 3, 5),
    primary: index === 0,
    weeks: random.pick([4, 12, 26, 52]),
    estimates: arms.slice(0, 2).map((code) => estimate(random, code)),
    notes: [],
  }
}

function measurement(random, code) {
  const low = random.integer(1, 5)
  return {
    code,
    value: random.fraction(1, 15, 2),
    unit: random.pick(['mg/dL', 'U/L', 'mmol/L', '%']),
    low,
    high: low + random.integer(4, 9),
    flags: random.chance(0.3) ? [random.pick(['H', 'L'])] : [],
  }
}

function visit(random, index) {
  const labs = random.sample(['ALT', 'CRP', 'HBA', 'LDL', 'TSH'], 2)
  return {
    name: index === 0 ? 'BL' : `V${index}`,
    date: random.isoDay(),
    pressure: [random.integer(98, 165), random.integer(58, 99)],
    fasting: random.chance(0.7),
    weight: random.fraction(48, 110, 1),
    labs: labs.map((code) => measurement(random, code)),
    device: random.pick(['OM-7', 'OM-9', 'SK-220']),
    medication: random.pick(['none', 'ASA', 'IBU', 'MTF']),
    comment: random.chance(0.3) ? sentence(random, 5, 9) : null,
  }
}

function adverseEvent(random, index) {
  const ended = random.chance(0.6)
  return {
    term: ['headache', 'nausea', 'rash', 'fatigue'][index],
    grade: random.pick(['mild', 'moderate', 'severe']),
    days: random.fraction(0.2, 9, 1),
    serious: random.chance(0.2),
    onset: random.isoTime(),
    ended: ended ? random.isoTime() : null,
    codes: [`10${random.integer(100000, 999999)}`, random.pick(['GI', 'NS'])],
    actions: [],
  }
}

function change(random) {
  return {
    at: random.isoTime(),
    by: random.hex(8),
    version: random.integer(2, 40),
    fields: random.sample(['arms', 'sites', 'status', 'title'], 2),
  }
}

function times(count, make) {
  return Array.from({ length: count }, (_, index) => make(index))
}

function clinical() {
  const random = new Random(20240117)
  return [
    {
      id: random.uuid(),
      registry: `NCT0${random.integer(1000000, 9999999)}`,
      acronym: 'VELO-3',
      title: sentence(random, 12, 16),
      phase: 'III',
      status: 'recruiting',
      language: 'en',
      randomized: true,
      blinded: false,
      withdrawn: null,
      registered: random.isoTime(),
      summary: paragraph(random, 7),
      description: paragraph(random, 9),
      conditions: ['hypertension', 'type 2 diabetes'],
      keywords: ['double dummy', 'parallel', 'superiority'],
      method: paragraph(random, 7),
      sponsor: {
        name: 'Northlight Institute',
        type: 'NP',
        lead: person(random),
      },
      eligibility: {
        age: [18, 75],
        sex: 'all',
        healthy: false,
        inclusion: times(3, () => sentence(random, 8, 14)),
        exclusion: times(3, () => sentence(random, 8, 14)),
      },
      staff: times(2, () => person(random)),
      arms: arms.map((code, index) => arm(random, code, index)),
      sites: times(5, (index) => site(random, index)),
      outcomes: times(3, (index) => outcome(random, index)),
      visits: times(6, (index) => visit(random, index)),
      events: times(4, (index) => adverseEvent(random, index)),
      history: times(4, () => change(random)),
    },
  ]
}

module.exports = { clinical }
