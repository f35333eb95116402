// biome-ignore-all lint/suspicious/noExplicitAny: msgpackr's users may give callbacks parameters of their own types
// biome-ignore-all lint/complexity/noBannedTypes: msgpackr declares lists of structures as {}[]
// biome-ignore-all lint/suspicious/noConfusingVoidType: msgpackr declares so
import type { Packr, Unpackr } from '../../../index.js'

/** How numbers that are no 32-bit integers are written and read; see {@link PackrOptions.useFloat32}. */
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

/** The key lists of records, at the places of their ids. null and holes keep their place. */
export type Structures = (readonly string[] | null)[]

/** Options that instances show as they were given; see {@link PackrOptions}. */
export interface KeptOptions {
  // Records

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
  useRecords?: boolean | ((object: any) => boolean)
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
   * @defaultValue `false`; `true` for a {@link PackrStream}
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
   * @returns the key lists, or null or undefined where there are none
   * @throws TypeError out of `pack` or `unpack` when the result is anything else, such as a promise
   */
  getStructures?(this: Unpackr): readonly ({} | null)[] | null | undefined
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
    structures: any[],
    isCompatible: (existing: readonly ({} | null)[] | null | undefined) => boolean,
  ): unknown
  /** Accepted for msgpackr's users and without effect: records are numbered in one order. */
  progressiveRecords?: boolean

  // Objects and maps

  /**
   * Whether maps are read as objects (`true`) or as `Map` (`false`). At any time.
   *
   * As objects: string keys stay, numbers, booleans and bigints turn into text, null and undefined into `'null'` and
   * `'undefined'`; any other key is an error. `__proto__` becomes an own property, as with `JSON.parse`.
   * @defaultValue `true` with `useRecords: false`, else `false`
   */
  mapsAsObjects?: boolean
  /**
   * Where maps are read as objects: a key that is an array of strings, numbers, booleans and bigints, or of arrays of
   * these, becomes its text, parted by commas. Otherwise such a key is an error. At any time.
   * @defaultValue `false`
   */
  allowArraysInMapKeys?: boolean
  /**
   * Objects get the smallest map header for their number of keys. Otherwise they get the 16-bit header, or the 32-bit
   * one above 65,535 keys. Read once.
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
   * Values, such as `[undefined]`: a property that holds one of them is left out of an object that is written as a
   * map. Anything with a method `includes` will do. Implies `variableMapSize`. Not applied to records, `Map`s and
   * arrays. Whether there is any is read once, what it includes at any time. Instances with it pack by the tape walker
   * alone.
   */
  skipValues?: { includes(value: any): boolean } | undefined
  /**
   * Every `Map` is written as an empty map. At any time.
   * @defaultValue `false`
   */
  mapAsEmptyObject?: boolean
  /**
   * Every `Set` is written as an empty object, also with `moreTypes`. At any time.
   * @defaultValue `false`
   */
  setAsEmptyObject?: boolean
  /**
   * `false`: the `toJSON` method of class instances is never called. At any time.
   * @defaultValue `true`
   */
  useToJSON?: boolean
  /**
   * Gives what is written in place of a function. Called with the instance as `this`. At any time.
   * @defaultValue none: functions are written as undefined
   */
  writeFunction?(this: Packr, fn: (...parameters: any[]) => any): any
  /**
   * undefined, and functions without `writeFunction`, are written as nil. At any time.
   * @defaultValue `false`, which writes extension type 0, read as undefined
   */
  encodeUndefinedAsNil?: boolean
  /**
   * Arrays that are read, and objects that were written as records, are frozen; those of maps are not. At any time.
   * @defaultValue `false`
   */
  freezeData?: boolean

  // Numbers and dates

  /**
   * Whether numbers may be written as 32-bit floats; one of {@link FLOAT32_OPTIONS}, `true` meaning `ALWAYS`. Above 2,
   * 32-bit floats are rounded to decimal digits when read; NaN and infinities stay. At any time.
   * @defaultValue `FLOAT32_OPTIONS.NEVER`
   */
  useFloat32?: FLOAT32_OPTIONS | number | boolean
  /**
   * What 64-bit integers are read as: `'bigint'`, `'number'` (may lose precision), `'string'` (decimal), or `'auto'`:
   * number from -2^53 to 2^53, else bigint. At any time.
   * @defaultValue `'bigint'`
   */
  int64AsType?: 'bigint' | 'number' | 'string' | 'auto'
  /** @deprecated Use `int64AsType: 'number'`. */
  int64AsNumber?: boolean
  /**
   * A bigint beyond 64 bits is written as a 64-bit float, and loses digits. At any time.
   * @defaultValue `false`: without one of these three and `moreTypes`, such a bigint is a RangeError
   */
  largeBigIntToFloat?: boolean
  /**
   * A bigint beyond 64 bits is written as its decimal text, if not as a float. At any time.
   * @defaultValue `false`
   */
  largeBigIntToString?: boolean
  /**
   * A bigint beyond 64 bits is written as extension type 0x42, if not as float or text, and read as a bigint.
   * `moreTypes` does this too. At any time.
   * @defaultValue `false`
   */
  useBigIntExtension?: boolean
  /**
   * Dates are written in whole seconds where these fit 32 bits (1970 to 2106): milliseconds are dropped. At any time.
   * @defaultValue `false`
   */
  useTimestamp32?: boolean
  /**
   * Gives what is written in place of an invalid date. Called with the instance as `this`. At any time.
   * @defaultValue none: an extension that is read as an invalid date
   */
  onInvalidDate?(this: Packr): any

  // More types, references, strings, binary

  /**
   * `Set`, `Error`, `RegExp`, `ArrayBuffer`, typed arrays and `DataView` are written as extensions and come back as
   * what they are, and so do bigints of any size. No option is needed to read them. At any time.
   * @defaultValue `true` with `structuredClone`, else `false`: arrays and binary are written
   */
  moreTypes?: boolean
  /**
   * Objects that are met again in a message, in cycles too, are written as references and come back as one object.
   * An explicit `false` refuses references when reading. At any time, but only a constructor that is given `true` sets `moreTypes`.
   * @throws Error `Structured clone extension is disabled` out of `unpack`, when `false`
   * @defaultValue off for writing; references are read
   */
  structuredClone?: boolean
  /**
   * The strings of a message (those of 4 to 4095 UTF-16 units) are written together behind its data. Only msgpackr and
   * this package read that, no option is needed for it. At any time.
   * @defaultValue `false`
   */
  bundleStrings?: boolean
  /**
   * Binary is read as a copy instead of a view of the source. At any time.
   * @defaultValue `false`
   */
  copyBuffers?: boolean

  // Streams, and how this package works

  /**
   * Streams and iterators that read: how many bytes of an unfinished value are held, at most. More is the error
   * `Maximum incomplete buffer size exceeded`.
   * @defaultValue 67108864 (64 MiB)
   */
  maxIncompleteBufferSize?: number
  /**
   * `false`: this instance packs by the tape walker alone, see {@link acceleration}. Read once, by the constructor.
   * @defaultValue `true`
   */
  heap?: boolean
}

/**
 * What the constructors accept. The object given is only read and may be frozen. Every option also becomes a property
 * of the instance; those marked "at any time" may be changed there between calls.
 *
 * Functions among the options may pack and unpack themselves. What they throw comes out of the call as it is.
 */
export interface PackrOptions extends KeptOptions {
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
  structures?: readonly ({} | null)[] | undefined
}

/**
 * Options with the types that msgpackr declares for what can be read out of them. Where callbacks should know their
 * `this` and all parameters, annotate with {@link PackrOptions}.
 */
export interface Options extends PackrOptions {
  structures?: {}[]
  getStructures?(): {}[]
  saveStructures?(structures: any[], isCompatible?: any): boolean | void
  shouldShareStructure?: (keys: string[]) => boolean
  writeFunction?: (fn?: any) => any
  onInvalidDate?: () => any
  useFloat32?: FLOAT32_OPTIONS
}
