// The sub-paths as a CommonJS program sees them.

import ferropack = require('ferropack')
import fromPack = require('ferropack/pack')
import fromUnpack = require('ferropack/unpack')
import noEval = require('ferropack/index-no-eval')
import reader = require('ferropack/unpack-no-eval')

import { expectType } from './type-equality'

expectType<typeof ferropack>()(fromPack)
expectType<typeof ferropack>()(fromUnpack)
const stream: ferropack.PackrStream = new fromUnpack.PackrStream()
const packr: ferropack.Packr = new noEval.Encoder()
const unpackr: fromPack.Unpackr = new reader.Decoder()
// @ts-expect-error it only reads
new reader.Packr()

export = { packr, stream, unpackr }
