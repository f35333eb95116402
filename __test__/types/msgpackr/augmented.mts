// A program that adds to msgpackr's interfaces.

import { type Options, Packr, type Decoder as Reader } from 'msgpackr'

declare module 'msgpackr' {
  interface Options {
    label?: string
  }
  interface Packr {
    structures?: string[][]
  }
  interface Decoder {
    label: string
  }
}

const options: Options = { label: 'x' }
const packr = new Packr(options)
packr.structures?.[0]?.includes('id')

export function labelOf(reader: Reader): string {
  return reader.label
}
