// biome-ignore-all lint/suspicious/noExplicitAny: what is read may be anything, and msgpackr's users rely on it
/// <reference types="node" />

/** What `unpack` reads: bytes of any realm, or the memory under them. */
export type Source = Uint8Array | Uint8ClampedArray | ArrayBuffer

/** How numbers that are no 32-bit integers are written and read; see {@link Options.useFloat32}. */
export enum FLOAT32_OPTIONS {
  /** Always 64 bits. */
  NEVER = 0,
  /** 32 bits whenever the number lies in -2^31 <= n < 2^32; digits may be lost. */
  ALWAYS = 1,
  /** As `ALWAYS`, and what is read is rounded to the decimal digits that 32 bits keep. */
  DECIMAL_ROUND = 3,
  /** 32 bits only when they keep the decimal digits of the number, which comes back unchanged. */
  DECIMAL_FIT = 4,
}

/** The same as {@link FLOAT32_OPTIONS.NEVER}. */
export const NEVER: FLOAT32_OPTIONS.NEVER
/** The same as {@link FLOAT32_OPTIONS.ALWAYS}. */
export const ALWAYS: FLOAT32_OPTIONS.ALWAYS
/** The same as {@link FLOAT32_OPTIONS.DECIMAL_ROUND}. */
export const DECIMAL_ROUND: FLOAT32_OPTIONS.DECIMAL_ROUND
/** The same as {@link FLOAT32_OPTIONS.DECIMAL_FIT}. */
export const DECIMAL_FIT: FLOAT32_OPTIONS.DECIMAL_FIT

/** The key lists of records, at the places of their ids. null and holes keep their place. */
export type Structures = (readonly string[] | null)[]

/**
 * Options of {@link Packr} and {@link Unpackr}. The object given is only read and may be frozen. Every option also
 * becomes a property of the instance; those marked "at any time" may be changed there between calls.
 */
export interface Options {
  /**
   * Whether objects are written as records: their keys once, by which an id is defined, and from then on the id and
   * the values. `false`: as plain MessagePack maps; maps are then read as objects, and the integers 64 to 127 take one
   * byte instead of two. The module-level functions work this way. Records are read in either case.
   *
   * A function is asked about each object that is no array and no built-in, without a `this`, before its properties
   * are read: `true` for a record, `false` for a map. It may be called again for objects of a message that must be
   * walked once more. Instances with a function pack by the tape walker alone. Read once, by the constructor.
   * @defaultValue on
   */
  useRecords?: boolean | ((object: object) => boolean)
  /**
   * The key lists that records share across messages: their index is their id, so no message defines them, and both
   * sides need the same list. New ones are appended, up to `maxSharedStructures`, to the array given, unless it is frozen:
   * then to a copy. Instances that are given the same array share it. Do not change what is in the array; a new
   * array may be assigned at any time.
   *
   * Without its list an id can not be told from an integer: usually reading then fails with
   * `Data read, but end of buffer not reached`, but `unpackMultiple` gives integers.
   * @defaultValue none for an {@link Unpackr}; a {@link Packr} with records has an array of its own, which stays empty
   * unless structures are shared
   */
  structures?: Structures | readonly (readonly string[] | null)[] | undefined
  /**
   * How many structures may be shared, at most 8160. Above 32, ids from the 33rd on take two bytes. Read once.
   * @defaultValue 32 with `structures`, `getStructures` or `saveStructures`, else 0
   */
  maxSharedStructures?: number
  /**
   * How many records a message (with `sequential`: a sequence) may have defined at a time; with the shared ones at most
   * 8192. When there are more, the oldest is defined again where it is needed, by the tape walker. 0 writes unshared
   * objects as maps. Read once.
   * @defaultValue 64; 32 where structures are shared, or with `sequential`
   */
  maxOwnStructures?: number
  /**
   * Definitions stay in force for later messages, which must be read in the order in which they were written, by one
   * instance that also has this option. An instance may pack and unpack: what it sent and what it received are two
   * sequences. (msgpackr mixes them up: at its end use an instance for each direction.) Read once.
   * @defaultValue `false`
   */
  sequential?: boolean
  /**
   * Reading: definitions are kept for later messages. Has an effect only where `structures` is an array, as with
   * `sequential` and `getStructures`.
   * @defaultValue `true` with `sequential`, else `false`
   */
  trusted?: boolean
  /**
   * Says whether a new key list may be shared. Asked in each message about those that may not, as long as more can be
   * shared; these messages are packed by the tape walker. Called with the instance as `this`. At any time.
   */
  shouldShareStructure?(this: Packr, keys: string[]): boolean
  /**
   * Loads the shared structures: before the first message is packed if `structures` is not given, after a save that
   * failed, or was refused without `isCompatible`, and when a record is read that is not known. The result is copied.
   * Called with the instance as `this`. At any time.
   * @throws TypeError out of `pack` or `unpack` when the result is anything else, such as a promise
   */
  getStructures?(this: Unpackr): readonly (readonly string[] | null)[] | null | undefined
  /**
   * Saves the shared structures, once for a message that added any, before `pack` returns. `structures` is the live
   * array: store it or a copy, but do not change it. `false` means that they were not saved since others have changed
   * the store: the message is then packed again, with what `isCompatible` was given or `getStructures` loads; after
   * 100 times in a row `pack` throws. What it throws comes out of `pack`, and the structures are proposed again with
   * the next message. Any other result, a promise too, means that they were saved.
   *
   * With several writers: in one synchronous transaction read what is stored, return `false` if
   * `isCompatible(stored)` is false, and otherwise store `structures`. Called with the instance as `this`. At any time.
   */
  saveStructures?(
    this: Packr,
    structures: Structures,
    isCompatible: (existing: readonly (readonly string[] | null)[] | null | undefined) => boolean,
  ): unknown
  /**
   * Whether maps are read as objects (`true`) or as `Map` (`false`). At any time.
   *
   * As objects: string keys stay, numbers, booleans and bigints turn into text, null and undefined into `'null'` and
   * `'undefined'`; any other key is an error. `__proto__` becomes an own property, as with `JSON.parse`.
   * @defaultValue `true` with `useRecords: false`, else `false`
   */
  mapsAsObjects?: boolean
  /**
   * Objects get the smallest map header for their number of keys. Otherwise they get the 16-bit header, or the 32-bit
   * one above 65,535 keys.
   * @defaultValue `false`
   */
  variableMapSize?: boolean
  /**
   * Keys of objects that are the text of a number, as `String(number)` writes it, are written as that number. Implies
   * `variableMapSize`.
   * @defaultValue `false`
   */
  coercibleKeyAsNumber?: boolean
  /**
   * What 64-bit integers are read as: `'bigint'`, `'number'` (may lose precision), `'string'` (decimal), or `'auto'`:
   * number from -2^53 to 2^53, else bigint. At any time.
   * @defaultValue `'bigint'`
   */
  int64AsType?: 'bigint' | 'number' | 'string' | 'auto'
  /** @deprecated Use `int64AsType: 'number'`. */
  int64AsNumber?: boolean
  /**
   * Whether numbers may be written as 32-bit floats; one of {@link FLOAT32_OPTIONS}, `true` meaning `ALWAYS`. Above 2,
   * 32-bit floats are rounded to decimal digits when read; NaN and infinities stay. At any time.
   * @defaultValue `FLOAT32_OPTIONS.NEVER`
   */
  useFloat32?: FLOAT32_OPTIONS | number | boolean
  /**
   * undefined and functions are written as nil. At any time.
   * @defaultValue `false`, which writes extension type 0, read as undefined
   */
  encodeUndefinedAsNil?: boolean
  /**
   * `false`: the `toJSON` method of class instances is never called. At any time.
   * @defaultValue `true`
   */
  useToJSON?: boolean
  /**
   * `false`: this instance packs by the tape walker alone, see {@link acceleration}. Read once, by the constructor.
   * @defaultValue `true`
   */
  heap?: boolean
  /**
   * Binary is read as a copy instead of a view of the source. At any time.
   * @defaultValue `false`
   */
  copyBuffers?: boolean
}

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
  /** @param options Read once; null and values that are no object mean no options. */
  constructor(options?: Options | null)

  /**
   * Reads one value.
   *
   * Binary values are views of the source, of its own class (`Buffer` for a `Buffer` or `ArrayBuffer`). Text, numbers
   * and typed arrays are copies.
   * @throws {@link UnpackError} when the input ends early, goes on behind the value, or holds an unknown extension
   * @throws RangeError when values are nested too deeply
   * @throws TypeError when the source is null or undefined, or `options` is null
   */
  unpack<T = any>(source: Source, options?: UnpackOptions): T
  /** The same as {@link Unpackr.unpack}. */
  decode<T = any>(source: Source, options?: UnpackOptions): T

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

  /**
   * Forgets the shared structures, and what was defined in a sequence: `structures` becomes a new, empty array. The
   * other side must do so at the same message. Does nothing where there is no array.
   */
  clearSharedData(): void
}
/** The options of an instance are its properties. */
export interface Unpackr extends Options {}

/** Writes MessagePack, and reads it as {@link Unpackr} does. */
export class Packr extends Unpackr {
  /**
   * @param options Read once; null and values that are no object mean no options.
   * @throws Error when `maxSharedStructures` or its sum with `maxOwnStructures` is too large
   */
  constructor(options?: Options | null)

  /**
   * Writes one value and returns its bytes. It needs no `this`. The bytes are never written again; results of up to
   * 64 KiB may share their memory with others.
   * @throws RangeError when values are nested too deeply or contain themselves, or a bigint exceeds 64 bits
   * @throws Error when a symbol is met, when `structures` has more lists than may be shared, or when
   * `saveStructures` never accepts
   * @throws whatever a getter, a `toJSON` method, a proxy or one of the options' functions throws, as it is
   */
  pack(value?: unknown): Buffer
  /** The same as {@link Packr.pack}. */
  encode(value?: unknown): Buffer
}

export { Packr as Encoder, Unpackr as Decoder }

/** Writes one value as a `Packr` with `useRecords: false` does. See {@link Packr.pack} for what it throws. */
export function pack(value?: unknown): Buffer
/** The same as {@link pack}. */
export function encode(value?: unknown): Buffer

/** Reads one value; maps become objects. See {@link Unpackr.unpack} for what it throws. */
export function unpack<T = any>(source: Source, options?: UnpackOptions): T
/** The same as {@link unpack}. */
export function decode<T = any>(source: Source, options?: UnpackOptions): T

/** Reads values that follow one another. See {@link Unpackr.unpackMultiple}. */
export function unpackMultiple<T = any>(source: Source): T[]
/** Calls back for each value with its bounds in bytes; `false` stops. See {@link Unpackr.unpackMultiple}. */
export function unpackMultiple<T = any>(
  source: Source,
  forEach: (value: T, start: number, end: number) => unknown,
): void

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
