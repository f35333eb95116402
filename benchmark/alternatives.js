'use strict'

// Owns the engines that one might pick instead of MessagePack, in the form of codecs.js. Those that need a schema get
// one that is made of the messages.

const v8 = require('node:v8')
const { avroCodec } = require('./schema/avro')
const { fastJsonCodec } = require('./schema/fast-json')
const { protobufCodec } = require('./schema/protobuf')
const { schemapackCodec } = require('./schema/schemapack')

const usage = { pack: 'encode', unpack: 'decode' }

/** BSON's documents are objects; anything else is the only property of one. */
function bsonCodec(messages, peers) {
  const { serialize, deserialize } = peers('bson')
  const options = { promoteBuffers: true }
  const isDocument = (value) => value !== null && Object.getPrototypeOf(value) === Object.prototype
  if (messages.every(isDocument)) {
    return { pack: (value) => serialize(value), unpack: (buffer) => deserialize(buffer, options) }
  }
  return {
    pack: (value) => serialize({ value }),
    unpack: (buffer) => deserialize(buffer, options).value,
  }
}

const alternatives = [
  {
    // https://nodejs.org/api/v8.html#v8serializevalue
    name: 'v8.serialize',
    load: () => ({ pack: v8.serialize, unpack: v8.deserialize }),
  },
  {
    // https://github.com/mongodb/js-bson#bson
    name: 'bson',
    peer: 'bson',
    carriesUndefined: false,
    load: (peers, messages) => bsonCodec(messages, peers),
  },
  {
    // https://github.com/fastify/fast-json-stringify#objectmechanism
    name: 'fast-json-stringify',
    peer: 'fast-json-stringify',
    carriesDates: false,
    load: (peers, messages) => fastJsonCodec(messages, peers),
  },
  {
    // https://github.com/protobufjs/protobuf.js#performance
    name: 'protobufjs',
    peer: 'protobufjs',
    carriesUndefined: false,
    carriesNull: false,
    givesInstances: true,
    hasDefaults: true,
    load: (peers, messages) => protobufCodec(messages, peers),
  },
  {
    // https://github.com/phretaddin/schemapack#api
    name: 'schemapack',
    peer: 'schemapack',
    load: (peers, messages) => schemapackCodec(messages, peers),
  },
  {
    // https://github.com/mtth/avsc#examples
    name: 'avsc',
    peer: 'avsc',
    carriesDates: false,
    carriesUndefined: false,
    givesInstances: true,
    load: (peers, messages) => avroCodec(messages, peers),
  },
].map((codec) => ({ ...codec, usage }))

module.exports = { alternatives }
