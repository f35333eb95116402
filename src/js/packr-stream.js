'use strict'
// PackrStream: values in, a Buffer for each of them out.

const { asError } = require('./chunk-reader.js')
const { Packr } = require('./pack.js')
const { ValueStream } = require('./value-stream.js')

/**
 * The packr that `options` name, or a new one. With `isSequential` that defines each structure once for all
 * values, unless the options say otherwise.
 */
function packrOf(options, isSequential) {
  const { packr, sequential } = options
  if (packr === undefined || packr === null) {
    return new Packr(isSequential ? { ...options, sequential: sequential ?? true } : options)
  }
  if (typeof packr.pack === 'function') return packr
  throw new TypeError('The option packr must be a Packr')
}

class PackrStream extends ValueStream {
  #packr

  constructor(options) {
    const own = options !== null && typeof options === 'object' ? options : {}
    super({ ...own, writableObjectMode: true })
    this.packr = this.#packr = packrOf(own, true)
  }

  _transform(value, _encoding, callback) {
    let bytes
    try {
      bytes = this.#packr.pack(value)
    } catch (error) {
      this._fail(asError(error, 'Packing'), callback)
      return
    }
    this.push(bytes)
    callback()
  }
}

module.exports = { PackrStream, packrOf }
