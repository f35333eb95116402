// The sub-paths as ES modules, and what they leave out.
// biome-ignore-all lint/suspicious/noExplicitAny: what does not exist is of no type

import type * as main from 'ferropack'
import * as noEval from 'ferropack/index-no-eval'
import * as withoutStreams from 'ferropack/pack'
import * as same from 'ferropack/unpack'
import * as reader from 'ferropack/unpack-no-eval'
import { type Options, Unpackr, unpack } from 'ferropack/unpack-no-eval'
import { expectType } from './type-equality.js'

expectType<typeof main.Packr>()(withoutStreams.Packr)
expectType<typeof withoutStreams>()(same)
expectType<typeof main.encodeIter>()(noEval.encodeIter)
const options: Options = { useRecords: false }
const unpackr: main.Unpackr = new Unpackr(options)
expectType<number>()(unpack<number>(noEval.pack(1)))

// @ts-expect-error no streams
expectType<any>()(withoutStreams.PackrStream)
// @ts-expect-error no streams
expectType<any>()(noEval.DecoderStream)
// @ts-expect-error it only reads
expectType<any>()(reader.pack)

export { unpackr }
