'use strict'

// Owns the list of engines: how each is loaded and called. `load` runs only
// when an engine is wanted and may throw. `usage` is what a reader would write.
//
// twin: the engine whose bytes this one must write and read, once both have
// packed the same messages.
// carriesDates: false when a Date comes back as what JSON makes of it.

const codecs = [
  {
    name: 'JSON',
    carriesDates: false,
    usage: {
      pack: 'buf = Buffer.from(JSON.stringify(obj))',
      unpack: 'obj = JSON.parse(buf.toString())',
    },
    load: () => ({
      pack: (value) => Buffer.from(JSON.stringify(value)),
      unpack: (buffer) => JSON.parse(buffer.toString()),
    }),
  },
  {
    name: 'ferropack',
    twin: 'msgpackr',
    carriesDates: true,
    usage: {
      pack: 'buf = require("ferropack").pack(obj)',
      unpack: 'obj = require("ferropack").unpack(buf)',
    },
    load() {
      const { pack, unpack } = require('..')
      return { pack, unpack }
    },
  },
  {
    // Its README has these two as the basic usage. It is at its fastest with
    // shared structures, the entry `msgpackr structures`, and needs its optional
    // dependency msgpackr-extract for native acceleration.
    // https://github.com/kriszyp/msgpackr#performance
    name: 'msgpackr',
    carriesDates: true,
    usage: {
      pack: 'buf = require("msgpackr").pack(obj)',
      unpack: 'obj = require("msgpackr").unpack(buf)',
    },
    load() {
      const { pack, unpack } = require('msgpackr')
      return { pack, unpack }
    },
  },
  {
    name: 'ferropack structures',
    twin: 'msgpackr structures',
    carriesDates: true,
    usage: {
      pack: 'buf = /* ferropack, shared structures */ packr.pack(obj)',
      unpack: 'obj = /* ferropack, shared structures */ packr.unpack(buf)',
    },
    load() {
      const { Packr } = require('..')
      const packr = new Packr({ structures: [] })
      return {
        pack: packr.pack,
        unpack: (buffer) => packr.unpack(buffer),
      }
    },
  },
  {
    // Without the heap walker, as objects with getters and the like are packed.
    name: 'ferropack tape',
    twin: 'msgpackr structures',
    carriesDates: true,
    usage: {
      pack: 'buf = /* ferropack, shared structures, tape */ packr.pack(obj)',
      unpack: 'obj = /* ferropack, shared structures, tape */ packr.unpack(buf)',
    },
    load() {
      const { Packr } = require('..')
      const packr = new Packr({ structures: [], heap: false })
      return {
        pack: packr.pack,
        unpack: (buffer) => packr.unpack(buffer),
      }
    },
  },
  {
    // https://github.com/kriszyp/msgpackr#shared-record-structures
    name: 'msgpackr structures',
    carriesDates: true,
    usage: {
      pack: 'buf = /* msgpackr, shared structures */ packr.pack(obj)',
      unpack: 'obj = /* msgpackr, shared structures */ packr.unpack(buf)',
    },
    load() {
      const { Packr } = require('msgpackr')
      const packr = new Packr({ structures: [] })
      return {
        pack: packr.pack,
        unpack: (buffer) => packr.unpack(buffer),
      }
    },
  },
  {
    // Its README measures encode and decode with the built-in codec.
    // https://github.com/kawanet/msgpack-lite#speed-comparison
    name: 'msgpack-lite',
    carriesDates: true,
    usage: {
      pack: 'buf = require("msgpack-lite").encode(obj)',
      unpack: 'obj = require("msgpack-lite").decode(buf)',
    },
    load() {
      const { encode, decode } = require('msgpack-lite')
      return { pack: encode, unpack: decode }
    },
  },
  {
    // Its README names instances that are used again as the faster way.
    // https://github.com/msgpack/msgpack-javascript#reusing-encoder-and-decoder-instances
    name: '@msgpack/msgpack',
    carriesDates: true,
    usage: {
      pack: 'buf = /* @msgpack/msgpack */ encoder.encode(obj)',
      unpack: 'obj = /* @msgpack/msgpack */ decoder.decode(buf)',
    },
    load() {
      const { Encoder, Decoder } = require('@msgpack/msgpack')
      const encoder = new Encoder()
      const decoder = new Decoder()
      return {
        pack: (value) => encoder.encode(value),
        unpack: (buffer) => decoder.decode(buffer),
      }
    },
  },
  {
    // Its README knows one usage.
    // https://github.com/darrachequesne/notepack#usage
    name: 'notepack.io',
    carriesDates: true,
    usage: {
      pack: 'buf = require("notepack.io").encode(obj)',
      unpack: 'obj = require("notepack.io").decode(buf)',
    },
    load() {
      const { encode, decode } = require('notepack.io')
      return { pack: (value) => encode(value), unpack: decode }
    },
  },
]

function named(name) {
  return codecs.find((codec) => codec.name === name)
}

// What the ratios are between: an engine of Ferropack and its twin, without
// structures, with shared ones, and with these when the heap walker is off.
const comparisons = [
  { name: 'plain', ours: 'ferropack', theirs: 'msgpackr' },
  { name: 'structures', ours: 'ferropack structures', theirs: 'msgpackr structures' },
  { name: 'tape', ours: 'ferropack tape', theirs: 'msgpackr structures' },
]

module.exports = { codecs, named, comparisons }
