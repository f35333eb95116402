'use strict'

// Bytes as hex text, the notation of the expectations in the suites.

const toHex = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

function fromHex(hex) {
  const text = hex.replace(/\s+/g, '')
  const bytes = Buffer.from(text, 'hex')
  if (bytes.length * 2 !== text.length) throw new Error(`not hex: ${hex}`)
  return bytes
}

module.exports = { toHex, fromHex }
