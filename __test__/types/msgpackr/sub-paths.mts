// The sub-paths as ES modules: each name that msgpackr declares for them.

import {
  addExtension,
  Decoder,
  decode,
  Encoder,
  encode,
  FLOAT32_OPTIONS,
  Packr,
  pack,
  RESERVE_START_SPACE,
  RESET_BUFFER_MODE,
  REUSE_BUFFER_MODE,
  Unpackr,
  unpack,
} from 'msgpackr/pack'
import * as readers from 'msgpackr/unpack'
import { clearSource, type Options, roundFloat32, unpackMultiple } from 'msgpackr/unpack'

const options: Options = { useFloat32: FLOAT32_OPTIONS.NEVER }
const instances: readers.Unpackr[] = [new Packr(options), new Encoder(), new Unpackr(), new Decoder()]
const same: Unpackr = new readers.Decoder()
addExtension({ type: 1, unpack: (data: Uint8Array) => data.length })
readers.addExtension({ type: 1, unpack: (data: Uint8Array) => data.length })
const bytes = pack(encode(1, REUSE_BUFFER_MODE), RESET_BUFFER_MODE + RESERVE_START_SPACE)
const values: number[] = [unpack(bytes), decode(bytes), readers.unpack(bytes), readers.decode(bytes, 1)]
values.push(roundFloat32(readers.FLOAT32_OPTIONS.ALWAYS), ...unpackMultiple(bytes))
clearSource()

export { instances, same, values }
