'use strict'
// encodeIter and decodeIter: values to Buffers and chunks of bytes to values, as they are asked for.

const { ChunkReader } = require('./chunk-reader.js')
const { packrOf } = require('./packr-stream.js')
const { unpackrOf } = require('./unpackr-stream.js')

const isIterable = (source) => typeof source[Symbol.iterator] === 'function'
const isAsyncIterable = (source) => typeof source[Symbol.asyncIterator] === 'function'
const isPromise = (source) => typeof source.then === 'function'

/** The generator that `kind` makes of `source`, which is iterable or the promise of something that is. */
function iterate(kind, source, options, coder) {
  if (source === null || typeof source !== 'object') throw new Error(kind.notAnObject)
  if (isIterable(source)) return kind.sync(source, coder(options))
  if (isAsyncIterable(source)) return kind.async(source, coder(options))
  if (isPromise(source)) return kind.async(promised(kind, source), coder(options))
  throw new Error(kind.notIterable)
}

async function* promised(kind, promise) {
  const source = await promise
  if (source === null || typeof source !== 'object') throw new Error(kind.notAnObject)
  if (!isIterable(source) && !isAsyncIterable(source)) throw new Error(kind.notIterable)
  for await (const item of source) yield item
}

const encoding = {
  notAnObject: 'first argument must be an Iterable, Async Iterable, or a Promise for an Async Iterable',
  notIterable: 'first argument must be an Iterable, Async Iterable, Iterator, Async Iterator, or a Promise',
  *sync(source, packr) {
    for (const value of source) yield packr.pack(value)
  },
  async *async(source, packr) {
    for await (const value of source) yield packr.pack(value)
  },
}

const decoding = {
  notAnObject: 'first argument must be an Iterable, Async Iterable, Iterator, Async Iterator, or a promise',
  notIterable: 'first argument must be an Iterable, Async Iterable, Iterator, Async Iterator, or a promise',
  *sync(source, reader) {
    try {
      for (const chunk of source) {
        reader.give(chunk)
        yield* reader.values()
      }
      yield* reader.lastValues()
    } finally {
      reader.release()
    }
  },
  async *async(source, reader) {
    try {
      for await (const chunk of source) {
        reader.give(chunk)
        yield* reader.values()
      }
      yield* reader.lastValues()
    } finally {
      reader.release()
    }
  },
}

const optionsOf = (options) => (options !== null && typeof options === 'object' ? options : {})

/** A generator of a Buffer for each value of `source`; asynchronous if `source` is. */
function encodeIter(source, options) {
  return iterate(encoding, source, optionsOf(options), (own) => packrOf(own, false))
}

/** A generator of the values in the chunks of `source`; asynchronous if `source` is. */
function decodeIter(source, options) {
  return iterate(decoding, source, optionsOf(options), (own) => {
    return new ChunkReader(unpackrOf(own), own.maxIncompleteBufferSize)
  })
}

module.exports = { encodeIter, decodeIter }
