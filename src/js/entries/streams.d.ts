// biome-ignore-all lint/suspicious/noExplicitAny: what is packed and read may be anything
import { Transform, type TransformOptions } from 'node:stream'
import type { Packr, Unpackr } from '../../../index.js'
import type { PackrOptions } from './options.js'

/** Options of {@link PackrStream}: those of a {@link Packr} and of Node's `Transform`. */
export interface PackrStreamOptions extends PackrOptions, TransformOptions {
  /** Packs the values, with its own options. Without it, the stream makes one of the options it is given. */
  packr?: Packr
}

/** Options of {@link UnpackrStream}: those of an {@link Unpackr} and of Node's `Transform`. */
export interface UnpackrStreamOptions extends PackrOptions, TransformOptions {
  /** Reads the values, with its own options. Without it, the stream makes one of the options it is given. */
  unpackr?: Unpackr
}

/**
 * Packs the values that are written to it: objects in, one `Buffer` for each out. It is `sequential` unless the
 * options say otherwise, so that what reads it must read all of it in order, as {@link UnpackrStream} does.
 *
 * A value that can not be packed destroys the stream with an `'error'` event, behind the bytes of the values before it.
 * null can not be written, as in all of Node's object streams.
 */
export class PackrStream extends Transform {
  constructor(options?: PackrStreamOptions | null)
}

type NodeIterator = ReturnType<Transform[typeof Symbol.asyncIterator]>
type IteratorMethods = 'next' | 'return' | 'throw' | typeof Symbol.asyncIterator

/** The asynchronous iterator of a stream, with what the installed types of Node.js have besides the usual methods. */
export interface StreamIterator<T>
  extends AsyncIterator<T, undefined, any>,
    Omit<NodeIterator, IteratorMethods> {
  [Symbol.asyncIterator](): StreamIterator<T>
}

/**
 * Reads the values of a stream of bytes: chunks of any size in, values out, null as {@link UnpackrStream.getNullValue}.
 * Definitions of records hold for all later values.
 *
 * An `'error'` event comes behind the values that were read before: for bytes that can not be read, for an input that
 * ends within a value (`incomplete: true`), for chunks that are no bytes, and when `maxIncompleteBufferSize` is exceeded.
 */
export class UnpackrStream<T = any> extends Transform {
  constructor(options?: UnpackrStreamOptions | null)
  /** What stands for null, which no object stream of Node.js can carry: `Symbol.for(null)`. For subclasses to override. */
  getNullValue(): any
  [Symbol.asyncIterator](): StreamIterator<T>
}

export { PackrStream as EncoderStream, UnpackrStream as DecoderStream }

/** Values of a source that can be iterated at once. */
type Sync<T> = Iterable<T> | Iterator<T>
/** Values of a source that must be waited for. */
type Async<T> =
  | AsyncIterable<T>
  | AsyncIterator<T>
  | PromiseLike<Sync<T> | AsyncIterable<T> | AsyncIterator<T>>
/** `any` for a source whose type is any, else never. */
type IfAny<S> = 0 extends 1 & S ? unknown : never

/**
 * Packs the values of a source, one `Buffer` for each, when they are asked for. Not `sequential` unless the options say so.
 * @param source A type of any leaves open whether the result must be awaited.
 * @throws Error when the source is none of these; strings are not
 */
export function encodeIter<S>(
  source: S & IfAny<S>,
  options?: PackrOptions | null,
): IterableIterator<Buffer> | Promise<AsyncIterableIterator<Buffer>>
/** Packs the values of an iterable or iterator. */
export function encodeIter(source: Sync<any>, options?: PackrOptions | null): Generator<Buffer, void, any>
/** Packs the values of an async iterable or iterator, or of a promise of any source. */
export function encodeIter(
  source: Async<any>,
  options?: PackrOptions | null,
): AsyncGenerator<Buffer, void, any>
/** Packs the values of a source of which the type does not tell whether it is async: await the result, then iterate it. */
export function encodeIter(
  source: Sync<any> | Async<any>,
  options?: PackrOptions | null,
): IterableIterator<Buffer> | Promise<AsyncIterableIterator<Buffer>>

/**
 * Reads the values of chunks of bytes, which may end anywhere, when they are asked for; null stays null. The
 * result is a plain generator; it is declared as asynchronous too since msgpackr does so, and `for await` takes both.
 * @throws Error when the source is none of these; out of the generator, behind the values before it, what
 * {@link UnpackrStream} emits as errors
 */
export function decodeIter<T = any>(
  source: Sync<Uint8Array>,
  options?: PackrOptions | null,
): Generator<T, any, any> & AsyncGenerator<T, any, any>
/** Reads the values of chunks of an async iterable or iterator, such as a stream, or of a promise of any source. */
export function decodeIter<T = any>(
  source: Sync<Uint8Array> | Async<Uint8Array>,
  options?: PackrOptions | null,
): AsyncGenerator<T, any, any>
