'use strict'

// Owns which rows of a record make which chart, and what the charts say beside the bars.

const { relativeSpeed } = require('./relative')
const { widthOf } = require('./theme')

/** The bars of a data set, in this order, and how their speeds come about. */
const ENGINES = [
  { engine: 'ferropack', label: 'Ferropack', tone: 'own' },
  { engine: 'ferropack structures', label: 'Ferropack structures', tone: 'ownSoft' },
  { engine: 'msgpackr', label: 'msgpackr', tone: 'other' },
  { engine: 'msgpackr structures', label: 'msgpackr structures', tone: 'other' },
  { engine: 'cbor-x', label: 'cbor-x', tone: 'other' },
  { engine: 'JSON', label: 'JSON', tone: 'other' },
]

/** Operations are long: a smaller size leaves the bars more room. */
const LABEL_SIZE = { sans: 11, mono: 10.5 }
const WIDEST_LABEL = 376

/** The comparison of streams is one of ways to send the data, not of the data sets. */
const STREAMS = 'streams'

function captionOf({ node, cpu, date, quick, versions }) {
  const msgpackr = versions?.msgpackr
  const parts = [
    `Node.js ${node}`,
    cpu.replace(/\((R|TM)\)/g, ''),
    date,
    msgpackr && `msgpackr ${msgpackr}`,
    quick && 'quick run',
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Two digits, as more of them would not be seen again by who measures. */
function times(value) {
  const digits = value === 1 || value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2
  return `${value.toFixed(digits)}×`
}

function thousands(value) {
  return value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',')
}

function shortened(value) {
  const [size, unit] = value >= 1e6 ? [1e6, ' M'] : value >= 1e3 ? [1e3, ' k'] : [1, '']
  return `${Number((value / size).toPrecision(3))}${unit}`
}

function describe({ title, panels, format }) {
  const said = ({ label, value, fault }) => `${label} ${fault ? 'not measured' : format.value(value)}`
  return [title, ...panels.map((panel) => `${panel.title}: ${panel.bars.map(said).join(', ')}`)].join('. ')
}

/** Null where there is nothing to show. */
function chartOf(record, { labels, ...chart }) {
  const bars = chart.panels.flatMap((panel) => panel.bars)
  if (!bars.length) return null
  const widths = bars.map(({ label }) => widthOf(label, LABEL_SIZE[labels], labels))
  return {
    ...chart,
    labels: { font: labels, size: LABEL_SIZE[labels], width: Math.min(WIDEST_LABEL, Math.max(...widths)) },
    description: describe(chart),
    caption: captionOf(record),
  }
}

function barsOfDataSet(rows) {
  return ENGINES.flatMap(({ engine, label, tone }) => {
    const speed = relativeSpeed(engine, rows)
    return speed ? [{ label, tone, ...speed }] : []
  })
}

function ratioChart(record, direction, title, subtitle) {
  const rows = record.rows.filter(
    (row) => row.table === 'ratio' && row.direction === direction && row.comparison !== STREAMS,
  )
  const names = [...new Set(rows.map(({ data }) => data))]
  const panels = names
    .map((name) => ({ title: name, bars: barsOfDataSet(rows.filter(({ data }) => data === name)) }))
    .filter(({ bars }) => bars.length)
  return chartOf(record, {
    title,
    subtitle,
    columns: 2,
    labels: 'sans',
    shared: true,
    reference: 1,
    format: { value: times, tick: (value) => `${value}×` },
    panels,
  })
}

function barOfRow({ engine, operation, opPerSecond, fault }) {
  const tone = engine.startsWith('ferropack') ? 'own' : 'other'
  if (fault || !(opPerSecond > 0)) return { label: operation, tone, fault: fault || 'not measured' }
  return { label: operation, tone, value: opPerSecond }
}

/** Fastest first; what has no number comes last. */
function fastestFirst(one, other) {
  return (other.value || 0) - (one.value || 0) || (one.label < other.label ? -1 : 1)
}

function tableChart(record, table, title, subtitle) {
  const all = record.rows.filter((row) => row.table === table)
  const rows = all.filter(({ data }) => data === all[0].data)
  const panels = Object.entries({ pack: 'Pack', unpack: 'Unpack' })
    .map(([direction, name]) => ({
      title: name,
      note: 'operations a second',
      bars: rows
        .filter((row) => row.direction === direction)
        .map(barOfRow)
        .sort(fastestFirst),
    }))
    .filter(({ bars }) => bars.length)
  return chartOf(record, {
    title,
    subtitle,
    columns: 1,
    labels: 'mono',
    shared: false,
    format: { value: thousands, tick: shortened },
    panels,
  })
}

const RATIO_SUBTITLE =
  'By data set, msgpackr = 1. Longer bars are faster; "structures" are shared structures.'

const charts = [
  {
    name: 'pack',
    make: (record) => ratioChart(record, 'pack', 'Speed of packing', RATIO_SUBTITLE),
  },
  {
    name: 'unpack',
    make: (record) => ratioChart(record, 'unpack', 'Speed of unpacking', RATIO_SUBTITLE),
  },
  {
    name: 'table',
    make: (record) =>
      tableChart(
        record,
        'msgpack-lite',
        'The benchmark of msgpack-lite',
        'All engines on the same message in one process. Longer bars are faster.',
      ),
  },
  {
    name: 'stream',
    make: (record) =>
      tableChart(
        record,
        'stream',
        'Streams',
        'A small message again and again through each kind of stream. Longer bars are faster.',
      ),
  },
]

module.exports = { charts }
