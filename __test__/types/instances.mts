// The classes and their options, as an ES module in TypeScript sees them.
// biome-ignore-all lint/suspicious/noExplicitAny: any is what unpack returns unless told otherwise

import * as ferropack from 'ferropack'
import { Decoder, Encoder, FLOAT32_OPTIONS, type Options, Packr, type Structures, Unpackr } from 'ferropack'
import { expectType } from './type-equality.js'

const options: Options = {
  useRecords: false,
  mapsAsObjects: true,
  variableMapSize: true,
  coercibleKeyAsNumber: false,
  int64AsType: 'auto',
  int64AsNumber: false,
  useFloat32: FLOAT32_OPTIONS.DECIMAL_FIT,
  encodeUndefinedAsNil: true,
  useToJSON: false,
}
const frozen: Readonly<Options> = Object.freeze({ useRecords: false, useFloat32: 3 })

const stored: string[][] = [['a', 'b']]
const sharing: Options = {
  useRecords: (object) => 'id' in object,
  structures: stored,
  maxSharedStructures: 100,
  maxOwnStructures: 0,
  shouldShareStructure: (keys) => keys.length > 1,
  sequential: true,
  trusted: false,
}
new Packr({
  getStructures() {
    expectType<Unpackr>()(this)
    return stored
  },
  saveStructures(structures, isCompatible) {
    expectType<Packr>()(this)
    expectType<boolean>()(isCompatible(stored))
    return structures.length > 0
  },
})
new Unpackr({ getStructures: () => null })
new Packr({ saveStructures: async () => {} })
expectType<void>()(new Packr(sharing).clearSharedData())
const shared: Structures = []
new Packr({ structures: shared, saveStructures: (structures) => shared.push(...structures) })
new Packr({ structures: Object.freeze([['a']]) })
// @ts-expect-error a list of key lists is a list
new Packr({ structures: 'id' })
// @ts-expect-error structures are loaded at once
new Packr({ getStructures: async () => stored })
const kept: Structures | undefined = new Packr({ structures: shared }).structures
expectType<string | undefined>()(kept?.[0]?.[0])

const packr = new Packr(options)
const unpackr = new Unpackr(frozen)
new Packr()
new Packr({})
new Packr(null)
new Packr({ useFloat32: 4 })
new Packr({ useFloat32: true })
new Packr({ useFloat32: ferropack.ALWAYS })

// @ts-expect-error not one of the types
new Packr({ int64AsType: 'integer' })
// @ts-expect-error a switch is a boolean
new Packr({ variableMapSize: 'yes' })
// @ts-expect-error no such option
new Packr({ variableMapSizes: true })

expectType<Buffer>()(packr.pack({ a: 1 }))
expectType<Buffer>()(packr.encode({ a: 1 }))
expectType<any>()(packr.unpack(packr.pack(1)))
expectType<string>()(packr.unpack<string>(packr.pack('x')))
expectType<Map<string, number>>()(unpackr.decode<Map<string, number>>(new Uint8Array(1), { end: 1 }))
expectType<number[]>()(unpackr.unpackMultiple<number>(new Uint8Array(1)))
expectType<void>()(unpackr.unpackMultiple(new Uint8Array(1), (value, start, end) => value + start + end))

// @ts-expect-error an Unpackr does not pack
unpackr.pack(1)

packr.mapsAsObjects = false
packr.int64AsType = 'string'
unpackr.useFloat32 = FLOAT32_OPTIONS.DECIMAL_ROUND

const { pack, encode } = packr
const both: Buffer[] = [pack(1), encode(2)]

const reader: Unpackr = packr
const encoder: Encoder = new Encoder(options)
const decoder: Decoder = new Decoder(options)
const asPackr: Packr = encoder
const asUnpackr: Unpackr = decoder

class Wire extends Packr {
  constructor(readonly label: string) {
    super({ useRecords: false })
  }
  labelled(value: unknown): Buffer {
    return this.pack([this.label, value])
  }
}
class Reader extends Decoder {
  rows<T>(source: Uint8Array): T[] {
    return this.unpackMultiple<T>(source)
  }
}
expectType<Buffer>()(new Wire('w').labelled(1))
expectType<string[]>()(new Reader().rows<string>(both[0] ?? Buffer.alloc(0)))

expectType<Buffer>()(ferropack.pack(1))

new Packr({
  moreTypes: true,
  structuredClone: true,
  bundleStrings: true,
  useTimestamp32: true,
  largeBigIntToFloat: false,
  largeBigIntToString: false,
  useBigIntExtension: true,
  mapAsEmptyObject: false,
  setAsEmptyObject: false,
  allowArraysInMapKeys: true,
  freezeData: true,
  progressiveRecords: true,
  maxIncompleteBufferSize: 1 << 20,
  skipValues: [undefined, null],
  writeFunction(fn) {
    expectType<Packr>()(this)
    return fn.name
  },
  onInvalidDate() {
    return this.structures
  },
})
new Packr({ skipValues: new Uint8Array(1) })
// @ts-expect-error a value is no list of values
new Packr({ skipValues: 5 })

expectType<number>()(packr.position + packr.offset)
expectType<void>()(packr.useBuffer(new Uint8Array(8192)))
expectType<Buffer>()(packr.pack(1, ferropack.RESERVE_START_SPACE + 16))
const whole = packr.encode(1, ferropack.REUSE_BUFFER_MODE) as ferropack.ReusedBuffer
expectType<Buffer>()(whole.subarray(whole.start, whole.end))
expectType<boolean>()(Packr.SUPPORTS_STRUCT_HOOKS && Unpackr.SUPPORTS_STRUCT_HOOKS)
unpackr.clearSharedData?.()
// @ts-expect-error flags are a number
packr.pack(1, 'reuse')
// @ts-expect-error memory is given as bytes
packr.useBuffer(new ArrayBuffer(8192))

export { asPackr, asUnpackr, reader }
