// The module-level functions and constants, as a CommonJS program in TypeScript sees them.
// biome-ignore-all lint/suspicious/noExplicitAny: any is what unpack returns unless told otherwise
// biome-ignore-all lint/suspicious/noConfusingVoidType: the type is the subject
// biome-ignore-all lint/complexity/noBannedTypes: msgpackr declares C1 so, and its users may too

import {
  ALWAYS,
  acceleration,
  C1,
  clearSource,
  DECIMAL_FIT,
  DECIMAL_ROUND,
  decode,
  encode,
  FLOAT32_OPTIONS,
  isNativeAccelerationEnabled,
  mapsAsObjects,
  NEVER,
  pack,
  roundFloat32,
  type Source,
  type UnpackError,
  type UnpackOptions,
  unpack,
  unpackMultiple,
  useRecords,
} from 'ferropack'
import { expectType } from './type-equality'

interface Row {
  id: number
  name: string
}

const bytes = pack({ id: 1, name: 'x' })
expectType<Buffer>()(bytes)
expectType<Buffer>()(encode(null))
expectType<Buffer>()(pack())

expectType<any>()(unpack(bytes))
expectType<Row>()(unpack<Row>(bytes))
expectType<Row[]>()(decode<Row[]>(bytes, 10))
const row: Row = unpack(bytes, { start: 1, end: 5 })
unpack(bytes, { lazy: true })
unpack(new Uint8Array(row.id))
unpack(new Uint8ClampedArray(1))
unpack(new ArrayBuffer(1))
unpack(new Uint8Array(new SharedArrayBuffer(1)))

// @ts-expect-error text is no source
unpack('text')
// @ts-expect-error neither is an array of numbers
unpack([1, 2])
// @ts-expect-error nor nothing
unpack()
// @ts-expect-error null is no option
unpack(bytes, null)
// @ts-expect-error an offset is a number
unpack(bytes, { start: '1' })

expectType<any[]>()(unpackMultiple(bytes))
expectType<Row[]>()(unpackMultiple<Row>(bytes))
const nothing: void = unpackMultiple<Row>(bytes, (value, start, end) => {
  expectType<Row>()(value)
  expectType<number>()(start)
  expectType<number>()(end)
  return value.id !== 5
})
unpackMultiple(bytes, () => {})
unpackMultiple(bytes, (value: any, start?: number, end?: number) => [value, start, end])
// @ts-expect-error a callback is a function
unpackMultiple(bytes, 5)

const packAll: Buffer[] = [...[1, 2].map((value) => pack(value)), ...['a'].map(pack)]
const where: UnpackOptions[] = [5, { start: 1 }, { end: 2 }, {}]
const sources: Source[] = [bytes, new ArrayBuffer(1), ...packAll]

expectType<number>()(roundFloat32(0.1))
expectType<void>()(clearSource())

const mode: FLOAT32_OPTIONS = FLOAT32_OPTIONS.DECIMAL_FIT
const modes: number[] = [mode, NEVER, ALWAYS, DECIMAL_ROUND, DECIMAL_FIT]
const byte: {} = C1
expectType<string>()(C1.name)
expectType<boolean>()(isNativeAccelerationEnabled)
expectType<false>()(useRecords)
expectType<true>()(mapsAsObjects)

expectType<'heap' | 'tape'>()(acceleration.tier)
expectType<string>()(acceleration.v8)
expectType<string | null>()(acceleration.reason)
// @ts-expect-error it reports, it does not choose
acceleration.tier = 'tape'

try {
  unpack(bytes)
} catch (error) {
  const { incomplete, missingBytes, lastPosition, values, message } = error as UnpackError
  expectType<boolean | undefined>()(incomplete)
  expectType<number | undefined>()(missingBytes)
  expectType<number | undefined>()(lastPosition)
  expectType<any[] | undefined>()(values)
  expectType<string>()(message)
}

export { byte, modes, nothing, sources, where }
