// Streams and iterators.
// biome-ignore-all lint/suspicious/noExplicitAny: any is what is read unless told otherwise

import { type Duplex, Readable, type Transform } from 'node:stream'
import {
  DecoderStream,
  decodeIter,
  EncoderStream,
  encodeIter,
  Packr,
  PackrStream,
  Unpackr,
  UnpackrStream,
} from 'ferropack'
import { expectType } from './type-equality.js'

interface Row {
  id: number
}

new PackrStream({ packr: new Packr(), highWaterMark: 1 })
new EncoderStream({ useRecords: false, objectMode: true })
new UnpackrStream({
  unpackr: new Unpackr(),
  maxIncompleteBufferSize: 1000,
  signal: new AbortController().signal,
})
new DecoderStream<Row>({ int64AsType: 'auto' })
// @ts-expect-error a reader does not pack
new PackrStream({ packr: new Unpackr() })
// @ts-expect-error no such option
new UnpackrStream({ maxIncompleteSize: 5 })

class Nullable extends UnpackrStream<Row | undefined> {
  override getNullValue(): undefined {
    return undefined
  }
}
const streams: (Transform & Duplex)[] = [new Nullable(), new PackrStream()]

async function read(bytes: Buffer, chunks: AsyncIterable<Buffer>, later: Promise<Buffer[]>): Promise<void> {
  for await (const row of new UnpackrStream<Row>()) expectType<Row>()(row)
  for await (const value of new UnpackrStream()) expectType<any>()(value)
  for await (const row of new Nullable()) expectType<Row | undefined>()(row)
  const next = await new UnpackrStream<Row>()[Symbol.asyncIterator]().next()
  if (!next.done) expectType<Row>()(next.value)

  for (const packed of encodeIter([1, 'x', { id: 1 }])) expectType<Buffer>()(packed)
  for (const packed of encodeIter(new Set([1]).values(), { useRecords: false })) expectType<Buffer>()(packed)
  for await (const packed of encodeIter(Readable.from([1]))) expectType<Buffer>()(packed)
  for await (const packed of encodeIter(later)) expectType<Buffer>()(packed)
  for await (const packed of encodeIter(Promise.resolve(chunks))) expectType<Buffer>()(packed)

  for (const row of decodeIter<Row>([bytes])) expectType<Row>()(row)
  for (const value of decodeIter([bytes])) expectType<any>()(value)
  for await (const row of decodeIter<Row>(chunks)) expectType<Row>()(row)
  for await (const row of decodeIter<Row>(later)) expectType<Row>()(row)
  for await (const row of decodeIter<Row>(Readable.from([bytes]))) expectType<Row>()(row)
  const rows: Row[] = [...decodeIter<Row>([bytes])]
  const first: IteratorResult<Row> = decodeIter<Row>([bytes]).next()

  // @ts-expect-error text is no list of chunks
  decodeIter(['text'])
  // @ts-expect-error one chunk is no list of chunks
  decodeIter(bytes)
  // @ts-expect-error one value is no list of values
  encodeIter(5)
  // @ts-expect-error an asynchronous source is not iterated at once
  for (const row of decodeIter<Row>(chunks)) console.log(row, rows, first)
}

export { read, streams }
