'use strict'

// What comes out of a stream for given chunks or values, and ways to cut bytes into chunks.

/** All that `stream` gives for `inputs`, and the error that it ends with, if it does. */
async function through(stream, inputs) {
  const output = []
  let error = null
  stream.on('data', (value) => output.push(value))
  stream.on('error', (reason) => {
    error = reason
  })
  const event = (name) => new Promise((resolve) => stream.once(name, resolve))
  const closed = event('close')
  for (const input of inputs) {
    if (!stream.write(input) && !stream.destroyed) {
      await Promise.race([event('drain'), closed])
    }
    if (stream.destroyed) break
  }
  if (!stream.destroyed) stream.end()
  await closed
  return { output, error }
}

/** `bytes` in pieces of the sizes that `nextSize` gives. Each is a copy. */
function pieces(bytes, nextSize) {
  const result = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + nextSize()
    result.push(Buffer.from(bytes.subarray(at, end)))
    at = end
  }
  return result
}

/** `bytes` in two, at every place. */
function halves(bytes) {
  return Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)])
}

module.exports = { through, pieces, halves }
