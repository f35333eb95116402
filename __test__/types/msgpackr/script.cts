// CommonJS programs, in each way to import there is, and the sub-paths.

import msgpackr = require('msgpackr')
import fromPack = require('msgpackr/pack')

import { Encoder, type FLOAT32_OPTIONS as Mode, pack } from 'msgpackr'
import { FLOAT32_OPTIONS, Packr, RESERVE_START_SPACE, unpack } from 'msgpackr/pack'
import {
  clearSource,
  Decoder,
  decode,
  type Options,
  roundFloat32,
  type Unpackr,
  unpackMultiple,
} from 'msgpackr/unpack'

const options: Options = { useFloat32: FLOAT32_OPTIONS.DECIMAL_FIT }
const mode: Mode = FLOAT32_OPTIONS.ALWAYS
const instances: msgpackr.Unpackr[] = [
  new Packr(options),
  new Decoder(options),
  new fromPack.Encoder(options),
]
const same: Packr = new msgpackr.Packr({ useFloat32: mode })
const base: Unpackr = new Encoder()
const bytes: Buffer = msgpackr.pack([fromPack.unpack(pack(1, RESERVE_START_SPACE + 1)), unpack(same.pack(1))])
roundFloat32(decode(bytes)[0])
unpackMultiple(bytes, (value) => value)
clearSource()

async function later(): Promise<msgpackr.Packr> {
  const main = await import('msgpackr')
  const sub = await import('msgpackr/unpack')
  return sub.unpack(main.pack(base))
}

export = { instances, later }
