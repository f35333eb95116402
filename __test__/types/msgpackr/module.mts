// An ES module that uses all that msgpackr declares.
// biome-ignore-all lint/suspicious/noExplicitAny: msgpackr declares so
// biome-ignore-all lint/complexity/noBannedTypes: msgpackr declares so
// biome-ignore-all lint/suspicious/noConfusingVoidType: msgpackr declares so

import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as everything from 'msgpackr'
import {
  addExtension,
  C1,
  clearSource,
  Decoder,
  DecoderStream,
  decode,
  decodeIter,
  Encoder,
  EncoderStream,
  encode,
  encodeIter,
  FLOAT32_OPTIONS,
  isNativeAccelerationEnabled,
  type Options,
  Packr,
  PackrStream,
  pack,
  RESERVE_START_SPACE,
  RESET_BUFFER_MODE,
  REUSE_BUFFER_MODE,
  roundFloat32,
  type UnpackOptions,
  Unpackr,
  UnpackrStream,
  unpack,
  unpackMultiple,
} from 'msgpackr'

interface Row {
  id: number
  name: string
}

// Options, as they are given.

const every: Options = {
  useFloat32: FLOAT32_OPTIONS.DECIMAL_ROUND,
  useRecords: (value: { kind: string }) => value.kind === 'row',
  structures: [],
  moreTypes: true,
  useToJSON: false,
  sequential: true,
  maxIncompleteBufferSize: 1000,
  structuredClone: true,
  mapsAsObjects: true,
  variableMapSize: true,
  coercibleKeyAsNumber: true,
  copyBuffers: true,
  bundleStrings: true,
  useTimestamp32: true,
  largeBigIntToFloat: true,
  largeBigIntToString: true,
  useBigIntExtension: true,
  encodeUndefinedAsNil: true,
  maxSharedStructures: 100,
  maxOwnStructures: 10,
  mapAsEmptyObject: true,
  setAsEmptyObject: true,
  allowArraysInMapKeys: true,
  writeFunction: () => 'function',
  int64AsNumber: true,
  int64AsType: 'number',
  shouldShareStructure: (keys: string[]) => keys.length > 1,
  getStructures() {
    return [['id', 'name']]
  },
  saveStructures(structures) {
    return structures.length < 100
  },
  onInvalidDate: () => null,
}
const modes: Options[] = [{ useFloat32: 0 }, { useFloat32: 1 }, { useFloat32: 3 }, { useFloat32: 4 }]
const mode: number = FLOAT32_OPTIONS.ALWAYS
modes.push({ useFloat32: mode }, { useRecords: true }, { int64AsType: 'bigint' }, { int64AsType: 'string' })

const plain: {}[] = [['id'], { 0: 'id' }]
const lists: string[][] = [['id']]
const anything: any[] = [['id']]
for (const structures of [plain, lists, anything]) new Packr({ structures })
new Packr({ structures: lists, getStructures: () => lists, saveStructures: () => {} })
new Packr({
  getStructures: () => anything,
  saveStructures: (structures: string[][]) => structures.length > 1,
})
new Packr({
  getStructures: () => plain,
  saveStructures: (structures: {}[]): void => void plain.push(...structures),
})
new Packr({ saveStructures: (structures: { length: number }[]) => structures[0]?.length === 2 })
new Packr({ useRecords: () => true, useFloat32: 4 })
new Packr(every as Readonly<Options>)

// Options, as they are read.

const structures: {}[] | undefined = every.structures
const load: (() => {}[]) | undefined = every.getStructures
const save: ((structures: {}[]) => boolean | void) | undefined = every.saveStructures
const share: ((keys: string[]) => boolean) | undefined = every.shouldShareStructure
const onDate: (() => any) | undefined = every.onInvalidDate
const onFunction: (() => any) | undefined = every.writeFunction
const float: FLOAT32_OPTIONS | undefined = every.useFloat32
every.structures?.push({}, ...(every.getStructures?.() ?? []))
every.saveStructures?.(structures ?? [])
every.shouldShareStructure?.(['id'])
every.onInvalidDate?.().valueOf()
every.writeFunction?.().valueOf()
if (typeof every.useRecords === 'function') every.useRecords({ kind: 'row' })

function withDefaults(options: Options = {}): Packr {
  return new Packr({ maxSharedStructures: 100, ...options, structures: options.structures ?? [] })
}
const partly: Partial<Options> & { label: string } = { label: 'x', moreTypes: true }
withDefaults(partly)

// Functions.

const bytes: Buffer = pack({ id: 1 })
const flags = [encode(1, RESERVE_START_SPACE + 4), pack(2, REUSE_BUFFER_MODE | RESET_BUFFER_MODE)]
let flag = REUSE_BUFFER_MODE
flag = RESET_BUFFER_MODE
flag = 5
const row: Row = unpack(bytes)
const named = unpack(new Uint8Array(1), { start: 1, end: 2, lazy: true }).name.first as string
const last: string = decode(Buffer.alloc(1), 1).at(-1)
const where: UnpackOptions = { start: 1 }
const values = unpackMultiple(bytes)
values.push(values[0].id)
const none: void = unpackMultiple(bytes, (value, start, end) => [value.id, start, end])
unpackMultiple(bytes, (value: Row, start?: number) => value.id !== start)
unpackMultiple(bytes, () => {})
clearSource()
const rounded: number = roundFloat32(0.1)
const c1: {} = C1
const native: boolean = isNativeAccelerationEnabled
const copies = [1, 2].map((value) => encode(value)).map((source) => decode(source))

type Value = ReturnType<typeof unpack>
const value: Value = 5
value.id.name
const readers: ((source: Buffer, options?: UnpackOptions) => any)[] = [unpack, decode, everything.unpack]
const writers: ((value: any, flags?: number) => Buffer)[] = [pack, encode, everything.encode]
const mock: typeof unpack = () => ({ id: 1 })
const packMock: typeof pack = (value: Row) => Buffer.from([value.id])
const untyped: typeof unpack = (source, options) => [source, options]

// Extensions.

class Point {
  private secret = 1
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}
  sum(): number {
    return this.x + this.y + this.secret
  }
}
addExtension({
  Class: Point,
  type: 1,
  pack(point) {
    return Buffer.from([point.x, point.secret, point.nothing])
  },
  unpack(data) {
    return data.length === 1 ? null : new Point(data[0] ?? 0, data[1] ?? 0)
  },
})
addExtension({
  Class: Point,
  type: 2,
  write: (point: Point) => [point.x, point.y],
  read: ([x, y]) => ({ x, y }),
})
addExtension({
  Class: Point,
  type: 3,
  pack: (point: Row) => new Uint8Array([point.id]),
  read: (x: string) => x,
})
addExtension({ Class: Point as Function, write: (point) => point.x })
addExtension({ type: 4, unpack: (data: Uint8Array) => data.length })
addExtension({ type: 4, unpack: (data: Buffer) => data.readUInt8(0) })
addExtension({ type: 4, read: (values: number[]) => new Set(values) })
class Registered {
  Class = Point
  type = 5
  label = 'x'
  pack(point: Point) {
    return Buffer.from(this.label + point.x)
  }
}
addExtension(new Registered())
addExtension({})

// Classes.

const packr = new Packr()
packr.offset = packr.position
packr.position += 8
packr.useBuffer(Buffer.alloc(8192))
packr.useBuffer(new Uint8Array(8192))
packr.clearSharedData()
const packed: Buffer = packr.pack(packr.unpack(packr.encode([1], 1024)).list)
const { pack: bound } = packr
bound(1)
const unpackr: Unpackr = new Packr(every)
const number: number = unpackr.decode(packed, 5)
unpackr.unpackMultiple(packed).sort()
unpackr.unpackMultiple(packed, (_value, start) => start)
const encoder: Encoder = new Packr()
const decoder: Decoder = new Unpackr()
const exchanged: [Packr, Unpackr] = [new Encoder(every), new Decoder(every)]
if (unpackr instanceof Packr) unpackr.pack(1)

class Rows extends Encoder {
  structures: any[] = []
  constructor(options?: Options) {
    super({ ...options, useRecords: true })
  }
  override pack(row: Row): Buffer {
    return super.pack(row, 0)
  }
  override unpack(source: Buffer, options?: UnpackOptions): Row {
    return super.unpack(source, options)
  }
  override decode(source: Buffer): Row[] {
    return [this.unpack(source)]
  }
  getStructures(): {}[] {
    return this.structures
  }
}
class Lists extends Decoder {
  override unpackMultiple(source: Uint8Array): any {
    return super.unpackMultiple(source)
  }
}
class Apart implements Unpackr {
  unpack(source: Uint8Array): any {
    return source
  }
  decode(source: Uint8Array): any {
    return source
  }
  unpackMultiple(): any {}
}
const fake: Unpackr = { unpack: () => 1, decode: () => 'x', unpackMultiple: () => [] }
const factories: (new (options?: Options) => Unpackr)[] = [
  Packr,
  Unpackr,
  Encoder,
  Decoder,
  Rows,
  Lists,
  Apart,
]
const typed: Packr & { structures: string[][] } = Object.assign(new Packr(), { structures: [['id']] })

// Streams and iterators.

const streams: Transform[] = [
  new PackrStream(),
  new UnpackrStream({ useRecords: false }),
  new EncoderStream({ highWaterMark: 1, emitClose: true, allowHalfOpen: false }),
  new DecoderStream({ highWaterMark: 1, emitClose: true, allowHalfOpen: false }),
  new PackrStream(every),
]
const given: Options | { highWaterMark: number; emitClose: boolean; allowHalfOpen: boolean } = every
const writable: PackrStream = new EncoderStream(given)
const readable: UnpackrStream = new DecoderStream(given)
class Filtering extends UnpackrStream {
  override _transform(chunk: Buffer, encoding: BufferEncoding, callback: () => void): void {
    if (chunk.length > 0) super._transform(chunk, encoding, callback)
  }
}
writable.write({ id: 1 })
writable.pipe(new Filtering()).on('data', (row: Row) => row.id)

async function run(source: AsyncIterable<Buffer>, items: Row[]): Promise<void> {
  await pipeline(Readable.from(items), writable, readable, new Filtering(every))
  for await (const item of readable) console.log(item.id.name)
  for await (const item of decodeIter(source)) console.log(item.id)
  for await (const item of decodeIter([bytes], { useRecords: false })) console.log(item.id)
  for (const buffer of encodeIter([bytes]) as IterableIterator<Buffer>) console.log(buffer.readUInt8(0))
  const result = encodeIter(items as any, every)
  for await (const buffer of await result) console.log(buffer.readUInt8(0))
  for await (const buffer of await (encodeIter(items as any) as Promise<AsyncIterableIterator<Buffer>>)) {
    console.log(buffer.readUInt8(0))
  }
  const generator: AsyncGenerator<any> = decodeIter([bytes])
  const asynchronous: AsyncGenerator<any> = decodeIter(source)
  const either: AsyncGenerator<any> = decodeIter(items.length > 1 ? source : [bytes])
  await Promise.all([generator.next(), asynchronous.return(null), either.next()])
  Readable.from(decodeIter([bytes])).pipe(new PackrStream())
  type Encoded = IterableIterator<Buffer> | Promise<AsyncIterableIterator<Buffer>>
  const sync: Encoded = encodeIter([bytes])
  const unknown: Encoded = encodeIter(items.length > 1 ? source : [bytes])
  console.log(sync, unknown)
}

export { apartOf, type Value }

function apartOf(): unknown[] {
  return [
    c1,
    copies,
    encoder,
    decoder,
    exchanged,
    factories,
    fake,
    flag,
    flags,
    float,
    last,
    load,
    mock,
    named,
  ]
    .concat([
      native,
      none,
      number,
      onDate,
      onFunction,
      packMock,
      readers,
      rounded,
      row,
      run,
      save,
      share,
      streams,
    ])
    .concat([typed, untyped, where, writers])
}
