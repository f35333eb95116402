'use strict'
// The headers of records on the packing tape. An object's shape is known only when all its keys were seen, so
// the walk leaves a plain object; when it is over, what each is written as is put over its header, in the order
// in which the objects begin.

const { table: known } = require('./known-shapes.js')
const { pack: tag, forms, known: what, TAG_BITS, SHAPE_BITS, FORM_BITS } = require('./tape.js')

const { OBJECT, RECORD, RECORD_DEFINED } = tag
const { AS_MAP, AS_RECORD, AS_DEFINITION } = forms
const { SLOT } = what
const TAG_MASK = (1 << TAG_BITS) - 1
const FORM_MASK = (1 << FORM_BITS) - 1

/**
 * Decides which records the objects are whose headers lie at `headers[start]` up to `headers[end]` among the
 * words of the tape. `listedKeys` has the keys of those without a shape, by header.
 *
 * Returns false if there are new maps for whose keys `isRewritten` holds, unless that is null: they are on the
 * tape as they are, and `structures` knows them from now on.
 *
 * The KEY_LISTs before objects whose lists the message has defined before, and those before the first ones, are
 * added to `repeatedLists`, unless that is null.
 */
function resolveRecords(structures, words, headers, start, end, listedKeys, isRewritten, repeatedLists) {
  const { numericMaps, isAlone } = structures
  const keyLists = repeatedLists === null ? null : new Map()
  const maps = numericMaps.size
  for (let i = start; i < end; i++) {
    const header = headers[i]
    const payload = words[header] >>> TAG_BITS
    const hasShape = (words[header] & TAG_MASK) === OBJECT
    if (hasShape && !isAlone && known[payload] >= SLOT) {
      words[header] = ((((known[payload] - SLOT) << SHAPE_BITS) | payload) << TAG_BITS) | RECORD
      continue
    }
    const structure = hasShape ? structures.ofShape(payload) : structures.ofKeys(listedKeys.get(header))
    const form = structures.formOf(structure)
    const kind = form & FORM_MASK
    if (kind === AS_MAP) {
      if (isRewritten?.(structure.keys)) numericMaps.add(structure.text)
    } else if (hasShape) {
      const which = kind === AS_RECORD ? RECORD : RECORD_DEFINED
      words[header] = ((((form >> FORM_BITS) << SHAPE_BITS) | payload) << TAG_BITS) | which
    } else {
      // The word behind that of KEYS, which lies `payload` words behind the header.
      words[header + payload + 1] = form
    }
    if (keyLists !== null && kind === AS_DEFINITION) {
      // The KEY_LIST stands before the header.
      const place = header - 1
      const target = keyLists.get(structure.text)
      if (target === undefined) keyLists.set(structure.text, place)
      else repeatedLists.push({ place, target })
    }
  }
  return numericMaps.size === maps
}

module.exports = { resolveRecords }
