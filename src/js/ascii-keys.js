'use strict'
// Key lists of records as nearly all are: short ASCII strings. Reading them here is several times faster
// than as a message of their own.

const FIXARRAY = 0x90
const FIXSTR = 0xa0
const STR8 = 0xd9
const ASCII = /^[\0-\x7f]*$/

/** The keys of a list as it is on the wire, a character for each byte; null if it holds anything else. */
function asciiKeys(list) {
  const count = list.charCodeAt(0) - FIXARRAY
  if (!(count >= 0 && count < 16)) return null
  const keys = new Array(count)
  let at = 1
  for (let i = 0; i < count; i++) {
    const lead = list.charCodeAt(at++)
    const length = lead === STR8 ? list.charCodeAt(at++) : lead - FIXSTR
    if (!(length >= 0 && (length < 32 || lead === STR8))) return null
    const key = list.slice(at, at + length)
    if (!ASCII.test(key)) return null
    keys[i] = key
    at += length
  }
  return keys
}

module.exports = { asciiKeys }
