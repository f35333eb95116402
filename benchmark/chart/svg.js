'use strict'

// Owns the text of SVG: elements, their attributes, and the escaping of both.

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text) {
  return String(text)
    .replace(/[&<>"]/g, (character) => ENTITIES[character])
    .replace(/[^\t\n -\ufffd]/g, '')
}

/** Hundredths of a pixel: finer ones are not seen. */
function number(value) {
  return String(Number(value.toFixed(2)))
}

function attribute([name, value]) {
  return ` ${name}="${escaped(typeof value === 'number' ? number(value) : value)}"`
}

/** `content` is either text, or a list of elements; an attribute that is undefined is left out. */
function element(name, attributes, content) {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
  const start = `<${name}${given.map(attribute).join('')}`
  if (content === undefined) return `${start}/>`
  if (typeof content === 'string') return `${start}>${escaped(content)}</${name}>`
  return `${start}>\n${content.join('\n')}\n</${name}>`
}

module.exports = { element }
