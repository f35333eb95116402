// biome-ignore-all lint/suspicious/noExplicitAny: what is read may be anything, and msgpackr's users rely on it
// biome-ignore-all lint/complexity/noBannedTypes: msgpackr's users may give a class as any function
/// <reference types="node" />
import type { FLOAT32_OPTIONS, KeptOptions, PackrOptions, Structures } from './src/js/entries/options.js'

export * from './src/js/entries/options.js'
export * from './src/js/entries/streams.js'
// The global name in scripts that are no modules, and the one under which msgpackr's users know it.
export as namespace ferropack
export as namespace msgpackr

/** What `unpack` reads: bytes of any realm, or the memory under them. */
export type Source = Uint8Array | Uint8ClampedArray | ArrayBuffer

/** The same as {@link FLOAT32_OPTIONS.NEVER}. */
export const NEVER: FLOAT32_OPTIONS.NEVER
/** The same as {@link FLOAT32_OPTIONS.ALWAYS}. */
export const ALWAYS: FLOAT32_OPTIONS.ALWAYS
/** The same as {@link FLOAT32_OPTIONS.DECIMAL_ROUND}. */
export const DECIMAL_ROUND: FLOAT32_OPTIONS.DECIMAL_ROUND
/** The same as {@link FLOAT32_OPTIONS.DECIMAL_FIT}. */
export const DECIMAL_FIT: FLOAT32_OPTIONS.DECIMAL_FIT

/**
 * Which part of the source holds the value: a number is the end of it in bytes, an object may also give a start. An
 * end beyond the source means its length. As the number 0 it means an empty input; as property `end` the value 0
 * counts as absent. `lazy` has no effect.
 */
export type UnpackOptions = number | { start?: number; end?: number; lazy?: boolean }

/** What errors thrown while reading carry beside their message. */
export interface UnpackError extends Error {
  /** `true` when the input ended inside the value, so that more bytes could complete it; otherwise absent. */
  incomplete?: boolean
  /** How many bytes are missing at least, where a length in the input tells. */
  missingBytes?: number
  /** `unpackMultiple` only: the offset in bytes of the value that could not be read or delivered. */
  lastPosition?: number
  /** `unpackMultiple` without a callback only: the values read before the error, unless it was the first that failed. */
  values?: any[]
}

/** Reads MessagePack. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: an instance has the options that it was given
export class Unpackr {
  /**
   * `false`: the hooks by which the package structon writes and reads structs of its own are not called, as values
   * are packed and scanned outside JavaScript.
   */
  static SUPPORTS_STRUCT_HOOKS: boolean

  /** @param options Read once; null and values that are no object mean no options. */
  constructor(options?: PackrOptions | null)

  /**
   * Reads one value. Detached from its instance it has the options of the module-level {@link unpack}.
   *
   * Binary values are views of the source, of its own class (`Buffer` for a `Buffer` or `ArrayBuffer`). Text, numbers
   * and typed arrays are copies.
   * @throws {@link UnpackError} when the input ends early, goes on behind the value, or holds an unknown extension
   * @throws RangeError when values are nested too deeply
   * @throws TypeError when the source is null or undefined, or `options` is null
   */
  unpack<T = any>(source: Source, options?: UnpackOptions): T
  /** Lets subclasses give their own type of value. */
  unpack<_T = any>(source: Source, options?: UnpackOptions): any
  /** The same as {@link Unpackr.unpack}, which it calls on its `this`. */
  decode<T = any>(source: Source, options?: UnpackOptions): T
  /** Lets subclasses give their own type of value. */
  decode<_T = any>(source: Source, options?: UnpackOptions): any

  /**
   * Reads values that follow one another.
   * @throws {@link UnpackError} with `lastPosition` and `values`; an empty source is an error
   */
  unpackMultiple<T = any>(source: Source): T[]
  /**
   * Calls back for each value with its bounds in bytes. A result of `false` stops, and the rest is not looked at.
   * @throws {@link UnpackError} with `lastPosition`; what the callback throws comes out as it is
   */
  unpackMultiple<T = any>(source: Source, forEach: (value: T, start: number, end: number) => unknown): void
}
/** The options of an instance are its properties. */
export interface Unpackr extends KeptOptions {
  /** The key lists of shared records, live: it grows as they are met. See {@link PackrOptions.structures}. */
  structures?: Structures | undefined
  /** {@link Packr.clearSharedData}. Every instance has it; it is optional as msgpackr declares it of a `Packr` only. */
  clearSharedData?(): void
}

/** Writes MessagePack, and reads it as {@link Unpackr} does. */
export class Packr extends Unpackr {
  /**
   * @param options Read once; null and values that are no object mean no options.
   * @throws Error when `maxSharedStructures` or its sum with `maxOwnStructures` is too large, RangeError when one is no
   * whole number of at least 0
   */
  constructor(options?: PackrOptions | null)

  /** The end of the last message in its buffer, in bytes; together with `REUSE_BUFFER_MODE` and {@link Packr.useBuffer}. */
  offset: number
  /**
   * Where the last message of any instance of the thread ends in its buffer, in bytes. The next one begins there, at a
   * multiple of 8; setting it sends the next one elsewhere, over what is there.
   */
  position: number

  /**
   * Writes one value and returns its bytes. It needs no `this`. Unless flags or {@link Packr.useBuffer} say otherwise
   * the bytes are never written again; results of up to 64 KiB may share their memory with others.
   * @param flags A sum of {@link REUSE_BUFFER_MODE}, {@link RESET_BUFFER_MODE} and {@link RESERVE_START_SPACE} with a
   * number of bytes below 256. As `map` passes an index there, write `values.map((value) => pack(value))`.
   * @throws RangeError when values are nested too deeply, contain themselves without `structuredClone`, or a bigint
   * exceeds 64 bits without an option that says what to do
   * @throws Error when a symbol is met, when `structures` has more lists than may be shared, when the `pack` of an
   * extension returns nothing, or when `saveStructures` never accepts
   * @throws whatever a getter, a `toJSON` method, a proxy, an extension or one of the options' functions throws, as it is
   */
  pack(value?: any, flags?: number): Buffer
  /** The same as {@link Packr.pack}. */
  encode(value?: any, flags?: number): Buffer

  /**
   * Messages of all instances of the thread are written into this memory from its start on, over what it holds. Their
   * results are views of it. What does not fit behind the messages before it is written elsewhere. Memory of less than
   * 2058 bytes, or that threads share, is not used.
   * @throws TypeError when it is not a `Uint8Array`
   */
  useBuffer(buffer: Buffer | Uint8Array): void

  /**
   * Forgets the shared structures, and what was defined in a sequence: `structures` becomes a new, empty array. The
   * other side must do so at the same message. Does nothing where there is no array.
   */
  clearSharedData(): void
}

/** The same class as {@link Packr}. */
export class Encoder extends Packr {}
/** The same class as {@link Unpackr}. */
export class Decoder extends Unpackr {}

/** What `pack` returns with {@link REUSE_BUFFER_MODE}: the whole buffer, with the bounds of the message in it. */
export interface ReusedBuffer extends Buffer {
  start: number
  end: number
}

/** Flag of `pack`: the result is the buffer that the message lies in, not a view of it; see {@link ReusedBuffer}. */
export const REUSE_BUFFER_MODE: number
/** Flag of `pack`: the next message overwrites this one. */
export const RESET_BUFFER_MODE: number
/** Flag of `pack`: as many zero bytes as the low 8 bits of the flags say come before the message, in the result too. */
export const RESERVE_START_SPACE: number

/** Writes one value as a `Packr` with `useRecords: false` does. See {@link Packr.pack} for flags and what it throws. */
export function pack(value?: any, flags?: number): Buffer
/** The same as {@link pack}. */
export function encode(value?: any, flags?: number): Buffer

/** Reads one value; maps become objects. See {@link Unpackr.unpack} for what it throws. */
export function unpack<T = any>(source: Source, options?: UnpackOptions): T
/** Lets functions take its place that give their own type of value. */
export function unpack<_T = any>(source: Source, options?: UnpackOptions): any
/** The same as {@link unpack}. */
export function decode<T = any>(source: Source, options?: UnpackOptions): T
/** Lets functions take its place that give their own type of value. */
export function decode<_T = any>(source: Source, options?: UnpackOptions): any

/** Reads values that follow one another. See {@link Unpackr.unpackMultiple}. */
export function unpackMultiple<T = any>(source: Source): T[]
/** Calls back for each value with its bounds in bytes; `false` stops. See {@link Unpackr.unpackMultiple}. */
export function unpackMultiple<T = any>(
  source: Source,
  forEach: (value: T, start: number, end: number) => unknown,
): void

/**
 * How instances of a class are written and read: by `pack` and `unpack`, as bytes, or by `write` and `read`, as
 * another value. Without `Class` it only reads.
 *
 * What is read is no copy of what `write` returned: objects come back as plain ones, and so on.
 */
export interface Extension<T = any, Packed = any> {
  /** Instances of it, and of its subclasses, are written by this extension. The newest registration is asked first. */
  Class?: Function | (abstract new (...parameters: any) => T)
  /** A number that stands for the class in messages, 1 to 100. Needed by `pack`, `unpack` and `read`. */
  type?: number
  /**
   * Gives the bytes of a value. What is packed with its `this` is a message of its own.
   *
   * Instead it may write by itself, until it returns, and then return nothing: `allocate` gives zeroed memory of the
   * message, in which all bytes from `position` on are to be filled, and `packValue` packs a value into the message.
   * Header and type are up to the function then.
   * @throws Error out of `pack` when it neither returned nor wrote anything
   */
  pack?(
    this: Packr,
    value: T,
    allocate: (size: number) => { target: Buffer; targetView: DataView; position: number },
    packValue: (value: any) => void,
  ): ArrayBufferView | ArrayBufferLike | readonly number[] | null | undefined
  /**
   * Makes a value of its bytes, which are a view of the source. Takes precedence over `read`.
   * @param readAt Reads the value at an offset in bytes of the whole source. Absent where the bytes are one alone.
   */
  unpack?(data: Buffer | Uint8Array, readAt?: (position: number) => any): T
  /** Gives what is written in place of a value. Without a `type`, it is read as that. */
  write?(this: Packr, value: T): Packed
  /** Makes a value of what was written in its place. Called with the extension as `this`. */
  read?(value: Packed): T
}

/**
 * Registers an extension for all instances of the thread, through whichever entry of the package they were made. A
 * later one for the same `type` takes over reading; none can be removed.
 * @throws Error when `Class` comes without `pack` and `write`, or with `pack` and without `type`
 */
export function addExtension(extension: Extension): void
/** The same with types: `addExtension<Point, [number, number]>({ Class: Point, type: 1, write(point) { ... } })`. */
export function addExtension<T, Packed = any>(extension: Extension<T, Packed>): void

/** The one value that the byte `c1`, unused in MessagePack, is read as; it is written as that byte. */
export const C1: { readonly name: string }

/**
 * Rounds a number to the decimal digits that a 32-bit float keeps, as reading with `DECIMAL_ROUND` does. NaN,
 * infinities and -0 give 0.
 */
export function roundFloat32(float32Number: number): number

/** Forgets the input being read. There is none between calls, so it does nothing; it exists for msgpackr's users. */
export function clearSource(): void

/** What serves `pack` in this process. */
export interface Acceleration {
  /** `'heap'`: V8's objects are read directly; `'tape'`: JavaScript walks them first. The bytes are the same. */
  readonly tier: 'heap' | 'tape'
  /** The version of V8 found. */
  readonly v8: string
  /** Why the heap tier is off; null when it is on. */
  readonly reason: string | null
}

/** Which tier serves this process, and why. */
export const acceleration: Acceleration

/** What the walkers of a {@link Packr} did so far. */
export interface PackCounts {
  /** Messages that the heap walker packed. */
  readonly heap: number
  /** Messages that the tape walker took on, also those that could not be packed. */
  readonly tape: number
  /** How often the heap walker handed a message over, by reason (README lists them); only reasons that occurred. */
  readonly handovers: { readonly [reason: string]: number }
}

/**
 * Counts the messages that each walker packed. After some hand-overs in a row an instance does not try the heap walker
 * for a while; those messages count as `tape` alone.
 * @param packr The instance; without it, the module-level `pack`.
 * @throws TypeError when given anything else
 */
export function packCounts(packr?: Packr): PackCounts

/**
 * `true` unless the environment says no (`FERROPACK_HEAP=0` or `MSGPACKR_NATIVE_ACCELERATION_DISABLED=true`); it does not
 * tell which walker packs, see {@link acceleration}.
 */
export const isNativeAccelerationEnabled: boolean

/** The module object reads like options of its own functions: records are off ... */
export const useRecords: false
/** ... and maps are read as objects. */
export const mapsAsObjects: true
