'use strict'

// Owns how the charts look: the colours of each theme, the fonts, and how wide a text may become.

/**
 * The colours of GitHub's two themes, so that a chart looks like a part of the page. Bars have a
 * tone: `own` and `ownSoft` are Ferropack's, `other` everything else's.
 */
const themes = {
  light: {
    background: '#ffffff',
    border: '#d1d9e0',
    title: '#1f2328',
    text: '#59636e',
    grid: '#e9edf1',
    axis: '#afb8c1',
    reference: '#818b98',
    bars: { own: '#c2410c', ownSoft: '#eb9160', other: '#c3cad2' },
  },
  dark: {
    background: '#0d1117',
    border: '#3d444d',
    title: '#f0f6fc',
    text: '#9198a1',
    grid: '#1f252d',
    axis: '#565d67',
    reference: '#7d8590',
    bars: { own: '#f97a35', ownSoft: '#a9532a', other: '#464e59' },
  },
}

/** Fonts that systems have: a picture in a README can load none. */
const fonts = {
  sans: "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif",
  mono: "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace",
}

/**
 * Widths of a character by the font's size. Of the fonts above the widest counts, as nobody knows
 * which one the reader has; digits are bold sometimes, and then as wide as this.
 */
const ADVANCE = { sans: 0.6, mono: 0.61, digits: 0.7 }

function widthOf(text, size, font) {
  return text.length * size * ADVANCE[font]
}

/** The text, or as much of it as `width` has room for. */
function fitted(text, width, size, font) {
  if (widthOf(text, size, font) <= width) return text
  const room = Math.max(0, Math.floor(width / (size * ADVANCE[font])) - 1)
  return `${text.slice(0, room).trimEnd()}…`
}

module.exports = { themes, fonts, widthOf, fitted }
