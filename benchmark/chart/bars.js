'use strict'

// Owns the drawing of bar charts. A chart is data: a title, a subtitle, a description for those who
// do not see it, a caption, and panels of bars; `charts.js` says which. Bars lie, so that labels can
// be as long as the operations they name.
//
// chart: { title, subtitle, description, caption, columns, labels, shared, reference, format, panels }
//   columns     panels side by side
//   labels      { font, size, width }: of the column that holds the labels of bars
//   shared      true where all panels have one scale; else each has its own, and an axis of its own
//   reference   a value that has a line of its own behind all bars, or undefined
//   format      { value, tick }: numbers as text
//   panels      [{ title, note, bars: [{ label, value, tone, fault }] }]; a bar without value says
//               why with `fault`

const { scaleOf } = require('./scale')
const { element } = require('./svg')
const { fitted, fonts, themes, widthOf } = require('./theme')

const WIDTH = 800
const MARGIN = 24
const COLUMN_GAP = 32
const HEADER = 84
const PANEL_TITLE = 24
const BAR = { height: 12, pitch: 18 }
/** From the top of a bar to the line that its text stands on. */
const BASELINE = 10
const AXIS = 20
const PANEL_GAP = 18
const FOOTER = 36
const GAP = 6
const SMALL = 11
const NORMAL = 13

const isMeasured = (bar) => typeof bar.value === 'number'

/** Sizes and scales that the drawing of all panels shares. */
function layoutOf(chart) {
  const { columns, labels, panels, format } = chart
  const width = (WIDTH - 2 * MARGIN - (columns - 1) * COLUMN_GAP) / columns
  const measured = (list) => list.flatMap(({ bars }) => bars.filter(isMeasured).map(({ value }) => value))
  const numbers = measured(panels).map((value) => widthOf(format.value(value), SMALL, 'digits'))
  const room = width - labels.width - GAP - Math.max(0, ...numbers) - GAP
  const axes = (index) => !chart.shared || index >= panels.length - columns
  let top = HEADER
  const placed = []
  for (let first = 0; first < panels.length; first += columns) {
    const row = panels.slice(first, first + columns)
    const heights = row.map(
      ({ bars }, at) => PANEL_TITLE + bars.length * BAR.pitch + (axes(first + at) ? AXIS : 0),
    )
    row.forEach((panel, at) => {
      placed.push({
        ...panel,
        width,
        left: MARGIN + at * (width + COLUMN_GAP),
        top,
        zero: labels.width + GAP,
        scale: scaleOf(measured(chart.shared ? panels : [panel]), room),
        axis: axes(first + at),
      })
    })
    top += Math.max(...heights) + PANEL_GAP
  }
  return { placed, height: top - PANEL_GAP + FOOTER }
}

function gridOf({ scale, bars, zero, axis }, chart, theme) {
  const bottom = PANEL_TITLE + bars.length * BAR.pitch
  const line = (value, colour, extra) => {
    const x = zero + scale.width(value)
    return element('line', { x1: x, x2: x, y1: PANEL_TITLE - 2, y2: bottom, stroke: colour, ...extra })
  }
  const marks = scale.ticks.filter((tick) => tick > 0).map((tick) => line(tick, theme.grid))
  const numbers = scale.ticks.map((tick) =>
    element(
      'text',
      {
        x: zero + scale.width(tick),
        y: bottom + 14,
        'text-anchor': 'middle',
        fill: theme.text,
        'font-size': 10,
      },
      chart.format.tick(tick),
    ),
  )
  const reference = chart.reference === undefined ? [] : [line(chart.reference, theme.reference)]
  return [...marks, ...(axis ? numbers : []), ...reference, line(0, theme.axis)]
}

/** Text behind the end of a bar, on a ground of its own: lines would cross it. */
function textBehind(text, x, top, advance, theme, look) {
  const ground = {
    x: x - GAP / 2,
    y: top,
    width: widthOf(text, SMALL, advance) + GAP / 2,
    height: BAR.height,
  }
  return [
    element('rect', { ...ground, fill: theme.background }),
    element('text', { x, y: top + BASELINE, 'font-size': SMALL, ...look }, text),
  ]
}

function labelOf(bar, top, { font, size, width }, look) {
  const family = font === 'mono' ? fonts.mono : undefined
  const place = { x: width, y: top + BASELINE, 'text-anchor': 'end' }
  const text = fitted(bar.label, width, size, font)
  return element('text', { ...place, 'font-family': family, 'font-size': size, ...look }, text)
}

function barOf(bar, index, panel, chart, theme) {
  const top = PANEL_TITLE + index * BAR.pitch + (BAR.pitch - BAR.height) / 2
  const { zero, scale } = panel
  const look = bar.tone === 'other' ? { fill: theme.text } : { fill: theme.title, 'font-weight': 600 }
  const label = labelOf(bar, top, chart.labels, look)
  if (!isMeasured(bar)) {
    const text = fitted(bar.fault, panel.width - zero - GAP, SMALL, 'sans')
    const faint = { 'font-style': 'italic', fill: theme.text }
    return [label, ...textBehind(text, zero + GAP, top, 'sans', theme, faint)]
  }
  const length = scale.width(bar.value)
  const fill = theme.bars[bar.tone]
  // Beyond the line of the reference, which a number would lie on else.
  const end = zero + Math.max(length, scale.width(chart.reference || 0))
  return [
    label,
    element('rect', { class: 'bar', x: zero, y: top, width: length, height: BAR.height, fill }),
    ...textBehind(chart.format.value(bar.value), end + GAP, top, 'digits', theme, {
      class: 'value',
      ...look,
    }),
  ]
}

function panelOf(panel, chart, theme) {
  const title = { y: 14, 'font-size': NORMAL, 'font-weight': 600, fill: theme.title }
  const note = { x: panel.width, y: 14, 'text-anchor': 'end', 'font-size': SMALL, fill: theme.text }
  return element('g', { transform: `translate(${panel.left} ${panel.top})` }, [
    element('text', title, panel.title),
    ...(panel.note ? [element('text', note, panel.note)] : []),
    ...gridOf(panel, chart, theme),
    ...panel.bars.flatMap((bar, index) => barOf(bar, index, panel, chart, theme)),
  ])
}

/** The text of the SVG, the same for the same chart. */
function drawBars(chart, themeName) {
  const theme = themes[themeName]
  const { placed, height } = layoutOf(chart)
  const line = (text, y, size, look) => element('text', { x: MARGIN, y, 'font-size': size, ...look }, text)
  const room = WIDTH - 2 * MARGIN
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: WIDTH,
    height,
    viewBox: `0 0 ${WIDTH} ${height}`,
    role: 'img',
    'aria-labelledby': 'title description',
    'font-family': fonts.sans,
    style: 'font-variant-numeric: tabular-nums',
  }
  const frame = { x: 0.5, y: 0.5, width: WIDTH - 1, height: height - 1, rx: 6 }
  const drawing = element('svg', root, [
    element('title', { id: 'title' }, chart.title),
    element('desc', { id: 'description' }, chart.description),
    element('rect', { ...frame, fill: theme.background, stroke: theme.border }),
    line(chart.title, 38, 18, { 'font-weight': 600, fill: theme.title }),
    line(chart.subtitle, 60, NORMAL, { fill: theme.text }),
    ...placed.map((panel) => panelOf(panel, chart, theme)),
    line(fitted(chart.caption, room, SMALL, 'sans'), height - 16, SMALL, { fill: theme.text }),
  ])
  return `${drawing}\n`
}

module.exports = { drawBars }
