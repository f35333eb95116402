'use strict'

// Owns the list of engines: how each is loaded and called, in the order of the table. `load` runs only when an
// engine is wanted and may throw; it gets a `require` for the peers and the messages to be packed.
//
// peer: the package it comes from, where that is not Ferropack or Node.js.
// twin: the engine whose bytes this one must write and read, once both have packed the same messages.
// carriesDates, carriesUndefined, givesInstances: see equality.js.
// usage: what a reader would write, as the published tables have it; one may be missing.

const { avroCodec } = require('./schema/avro')

/** Room for the largest message, for engines that must be told. */
function roomFor(messages) {
  const { pack } = require('..')
  return messages.reduce((room, message) => Math.max(room, 2 * pack(message).length), 0)
}

/** A package whose module has functions of these names. */
function encodeAndDecode(peer) {
  return {
    peer,
    usage: { pack: `buf = require("${peer}").encode(obj);`, unpack: `obj = require("${peer}").decode(buf);` },
    load(peers) {
      const { encode, decode } = peers(peer)
      return { pack: encode, unpack: decode }
    },
  }
}

const codecs = [
  {
    name: 'ferropack',
    twin: 'msgpackr',
    usage: { pack: 'require("ferropack").pack(obj);', unpack: 'require("ferropack").unpack(buf);' },
    load() {
      const { pack, unpack } = require('..')
      return { pack, unpack }
    },
  },
  {
    name: 'ferropack structures',
    twin: 'msgpackr structures',
    usage: {
      pack: 'ferropack w/ shared structures: packr.pack(obj);',
      unpack: 'ferropack w/ shared structures: packr.unpack(buf);',
    },
    load: () => withStructures(require('..').Packr),
  },
  {
    // Without the heap walker, as objects with getters and the like are packed. There is one way to read.
    name: 'ferropack tape',
    twin: 'msgpackr',
    usage: { pack: 'ferropack, tape: packr.pack(obj);' },
    load() {
      const packr = new (require('..').Packr)({ useRecords: false, heap: false })
      return { pack: packr.pack, unpack: (buffer) => packr.unpack(buffer) }
    },
  },
  {
    name: 'ferropack structures tape',
    twin: 'msgpackr structures',
    usage: { pack: 'ferropack w/ shared structures, tape: packr.pack(obj);' },
    load: () => withStructures(require('..').Packr, { heap: false }),
  },
  {
    // Its README has these two as the basic usage. It is at its fastest with shared structures, the entry
    // `msgpackr structures`, and uses its optional dependency msgpackr-extract for native acceleration.
    // https://github.com/kriszyp/msgpackr#performance
    name: 'msgpackr',
    peer: 'msgpackr',
    usage: { pack: 'require("msgpackr").pack(obj);', unpack: 'require("msgpackr").unpack(buf);' },
    load(peers) {
      const { pack, unpack } = peers('msgpackr')
      return { pack, unpack }
    },
  },
  {
    // https://github.com/kriszyp/msgpackr#shared-record-structures
    name: 'msgpackr structures',
    peer: 'msgpackr',
    usage: {
      pack: 'msgpackr w/ shared structures: packr.pack(obj);',
      unpack: 'msgpackr w/ shared structures: packr.unpack(buf);',
    },
    load: (peers) => withStructures(peers('msgpackr').Packr),
  },
  {
    // https://github.com/kriszyp/cbor-x#performance
    name: 'cbor-x',
    peer: 'cbor-x',
    usage: { pack: 'require("cbor-x").encode(obj);', unpack: 'require("cbor-x").decode(buf);' },
    load(peers) {
      const { encode, decode } = peers('cbor-x')
      return { pack: encode, unpack: decode }
    },
  },
  {
    // https://github.com/kriszyp/cbor-x#cbor-x-record-structures
    name: 'cbor-x structures',
    peer: 'cbor-x',
    usage: {
      pack: 'cbor-x w/ shared structures: encoder.encode(obj);',
      unpack: 'cbor-x w/ shared structures: encoder.decode(buf);',
    },
    load(peers) {
      const encoder = new (peers('cbor-x').Encoder)({ structures: [] })
      return { pack: (value) => encoder.encode(value), unpack: (buffer) => encoder.decode(buffer) }
    },
  },
  {
    name: 'JSON',
    carriesDates: false,
    usage: { pack: 'buf = Buffer(JSON.stringify(obj));', unpack: 'obj = JSON.parse(buf);' },
    load: () => ({
      pack: (value) => Buffer.from(JSON.stringify(value)),
      unpack: (buffer) => JSON.parse(buffer),
    }),
  },
  {
    // Its README measures encode and decode with the built-in codec.
    // https://github.com/kawanet/msgpack-lite#speed-comparison
    name: 'msgpack-lite',
    carriesUndefined: false,
    ...encodeAndDecode('msgpack-lite'),
  },
  {
    // Its README names instances that are used again as the faster way.
    // https://github.com/msgpack/msgpack-javascript#reusing-encoder-and-decoder-instances
    name: '@msgpack/msgpack',
    peer: '@msgpack/msgpack',
    carriesUndefined: false,
    usage: {
      pack: 'buf = require("@msgpack/msgpack").encode(obj);',
      unpack: 'obj = require("@msgpack/msgpack").decode(buf);',
    },
    load(peers) {
      const { Encoder, Decoder } = peers('@msgpack/msgpack')
      const encoder = new Encoder()
      const decoder = new Decoder()
      return { pack: (value) => encoder.encode(value), unpack: (buffer) => decoder.decode(buffer) }
    },
  },
  {
    // https://github.com/chakrit/msgpack-js#usage
    name: 'msgpack-js-v5',
    carriesDates: false,
    ...encodeAndDecode('msgpack-js-v5'),
  },
  {
    // https://github.com/creationix/msgpack-js#usage
    name: 'msgpack-js',
    carriesDates: false,
    ...encodeAndDecode('msgpack-js'),
  },
  {
    // https://github.com/mcollina/msgpack5#usage
    name: 'msgpack5',
    peer: 'msgpack5',
    usage: {
      pack: 'buf = require("msgpack5")().encode(obj);',
      unpack: 'obj = require("msgpack5")().decode(buf);',
    },
    load(peers) {
      const { encode, decode } = peers('msgpack5')()
      return { pack: encode, unpack: decode }
    },
  },
  {
    // Its README knows one usage.
    // https://github.com/darrachequesne/notepack#usage
    name: 'notepack.io',
    carriesUndefined: false,
    ...encodeAndDecode('notepack.io'),
  },
  {
    // The memory that it writes to is made once, as its README has it; the published table gave it a MiB.
    // https://www.npmjs.com/package/what-the-pack#usage
    name: 'what-the-pack',
    peer: 'what-the-pack',
    usage: {
      pack: 'require("what-the-pack")... encoder.encode(obj);',
      unpack: 'require("what-the-pack")... encoder.decode(buf);',
    },
    load(peers, messages) {
      const { encode, decode } = peers('what-the-pack').initialize(Math.max(2 ** 20, roomFor(messages)))
      return { pack: encode, unpack: decode }
    },
  },
  {
    // It only reads: what msgpack-lite writes, as in the published table.
    // https://github.com/nathan7/msgpack-unpack#api
    name: 'msgpack-unpack',
    peer: 'msgpack-unpack',
    twin: 'msgpack-lite',
    usage: { unpack: 'obj = require("msgpack-unpack").decode(buf);' },
    load(peers) {
      return { unpack: peers('msgpack-unpack') }
    },
  },
  {
    // The schema is made from the messages before anything is timed.
    // https://github.com/mtth/avsc#examples
    name: 'avsc',
    peer: 'avsc',
    carriesDates: false,
    carriesUndefined: false,
    givesInstances: true,
    usage: {
      pack: 'require("avsc")...make schema/type...type.toBuffer(obj);',
      unpack: 'require("avsc")...make schema/type...type.fromBuffer(obj);',
    },
    load: (peers, messages) => avroCodec(messages, peers),
  },
  {
    // Messages beyond its 16 KiB need a `highWaterMark`, which only encodeOne takes.
    // https://github.com/hildjj/node-cbor/tree/main/packages/cbor#highwatermark
    name: 'cbor',
    peer: 'cbor',
    usage: { pack: 'buf = require("cbor").encode(obj);', unpack: 'obj = require("cbor").decode(buf);' },
    load(peers, messages) {
      const { encode, encodeOne, decode } = peers('cbor')
      const options = { highWaterMark: roomFor(messages) }
      const isSmall = options.highWaterMark <= 2 ** 14
      return {
        pack: isSmall ? encode : (value) => encodeOne(value, options),
        unpack: decode,
      }
    },
  },
  {
    // https://github.com/ARMmbed/cbor-sync#usage
    name: 'cbor-sync',
    ...encodeAndDecode('cbor-sync'),
  },
]

/** An instance that shares structures between messages. */
function withStructures(Packr, options) {
  const packr = new Packr({ structures: [], ...options })
  return { pack: packr.pack, unpack: (buffer) => packr.unpack(buffer) }
}

function named(name) {
  return codecs.find((codec) => codec.name === name)
}

module.exports = { codecs, named }
