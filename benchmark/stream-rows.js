'use strict'

// Owns the rows of the streaming table: which streams, fed with what, and how often their output has come.
//
// `prepare` loads what a row needs, and may throw. `start` of the result gets what to call for each output, at the end
// and on an error, and how many operations there are. Writers do not wait for 'drain', as in the published benchmark.

const { PassThrough } = require('node:stream')

/** One event in the form in which Fluentd forwards it. */
const MESSAGE = ['tag', [[1440949922, { message: 'hi there' }]]]
/** Messages in a chunk that decoders get. */
const JOINED = 100

const readable = (stream, { onData, onEnd, onError }) =>
  stream.on('data', onData).on('end', onEnd).on('error', onError)

function writeAll(stream, operations, write) {
  for (let i = 0; i < operations; i++) write(stream)
  stream.end()
}

/** A stream that takes values and gives bytes. */
function encodeStream(make) {
  return (events, operations) =>
    writeAll(readable(make(), events), operations, (stream) => stream.write(MESSAGE))
}

/** A stream that takes chunks of many messages and gives values. */
function decodeStream(make, chunk) {
  return (events, operations) =>
    writeAll(readable(make(), events), operations / JOINED, (stream) => stream.write(chunk))
}

/** A function for one value, whose results are written to a stream that passes them on. */
function encodeThrough(encode) {
  return (events, operations) =>
    writeAll(readable(new PassThrough(), events), operations, (stream) => stream.write(encode(MESSAGE)))
}

function decodeThrough(decode, bytes) {
  return (events, operations) =>
    writeAll(readable(new PassThrough({ objectMode: true }), events), operations, (stream) =>
      stream.write(decode(bytes)),
    )
}

/** An emitter of msgpack-lite, whose output is written to a stream that passes it on. */
function encodeBy(Encoder) {
  return (events, operations) => {
    const stream = readable(new PassThrough(), events)
    const encoder = new Encoder()
    encoder.on('data', (chunk) => stream.write(chunk))
    encoder.on('end', () => stream.end())
    for (let i = 0; i < operations; i++) encoder.encode(MESSAGE)
    encoder.end()
  }
}

function decodeBy(Decoder, chunk) {
  return (events, operations) => {
    const stream = readable(new PassThrough({ objectMode: true }), events)
    const decoder = new Decoder()
    decoder.on('data', (value) => stream.write(value))
    decoder.on('end', () => stream.end())
    for (let i = 0; i < operations; i += JOINED) decoder.decode(chunk)
    decoder.end()
  }
}

/** What a stream makes of so many messages, in one chunk. */
function outputOf(stream, count) {
  const chunks = []
  stream.on('data', (chunk) => chunks.push(chunk))
  for (let i = 0; i < count; i++) stream.write(MESSAGE)
  // Its output is there already; the end of the stream would come later.
  return Buffer.concat(chunks)
}

const joined = (bytes) => Buffer.concat(Array.from({ length: JOINED }, () => bytes))

// The class `PackrStream` writes a definition of its record once, and then only the record's values, so that its
// reader gets its own output.
function packrRows(engine, load, names) {
  return [
    {
      engine,
      direction: 'pack',
      label: names.pack,
      prepare(peers) {
        const { PackrStream } = load(peers)
        return { start: encodeStream(() => new PackrStream()) }
      },
    },
    {
      engine,
      direction: 'unpack',
      label: names.unpack,
      prepare(peers) {
        const { PackrStream, UnpackrStream } = load(peers)
        return { start: decodeStream(() => new UnpackrStream(), outputOf(new PackrStream(), JOINED)) }
      },
    },
  ]
}

// The functions of a package, which the labels call by a name of their own.
function functionRows(engine, name) {
  return [
    {
      engine,
      direction: 'pack',
      label: `stream.write(${name}.encode(obj));`,
      prepare: (peers) => ({ start: encodeThrough(peers(engine).encode) }),
    },
    {
      engine,
      direction: 'unpack',
      label: `stream.write(${name}.decode(buf));`,
      prepare(peers) {
        const { encode, decode } = peers(engine)
        return { start: decodeThrough(decode, encode(MESSAGE)) }
      },
    },
  ]
}

const rows = [
  ...packrRows('ferropack', () => require('..'), {
    pack: 'new (require("ferropack").PackrStream)().write(obj);',
    unpack: 'new (require("ferropack").UnpackrStream)().write(buf);',
  }),
  // https://github.com/kriszyp/msgpackr#streams
  ...packrRows('msgpackr', (peers) => peers('msgpackr'), {
    pack: 'new PackrStream().write(obj);',
    unpack: 'new UnpackrStream().write(buf);',
  }),
  ...functionRows('msgpack-lite', 'msgpack'),
  ...functionRows('notepack.io', 'notepack'),
  {
    // https://github.com/kawanet/msgpack-lite#streaming
    engine: 'msgpack-lite',
    direction: 'pack',
    label: 'msgpack.Encoder().on("data",ondata).encode(obj);',
    prepare: (peers) => ({ start: encodeBy(peers('msgpack-lite').Encoder) }),
  },
  {
    engine: 'msgpack-lite',
    direction: 'unpack',
    label: 'msgpack.createDecodeStream().write(buf);',
    prepare(peers) {
      const { createDecodeStream, encode } = peers('msgpack-lite')
      return { start: decodeStream(createDecodeStream, joined(encode(MESSAGE))) }
    },
  },
  {
    engine: 'msgpack-lite',
    direction: 'pack',
    label: 'msgpack.createEncodeStream().write(obj);',
    prepare: (peers) => ({ start: encodeStream(peers('msgpack-lite').createEncodeStream) }),
  },
  {
    engine: 'msgpack-lite',
    direction: 'unpack',
    label: 'msgpack.Decoder().on("data",ondata).decode(buf);',
    prepare(peers) {
      const { Decoder, encode } = peers('msgpack-lite')
      return { start: decodeBy(Decoder, joined(encode(MESSAGE))) }
    },
  },
]

module.exports = { rows, MESSAGE, JOINED }
