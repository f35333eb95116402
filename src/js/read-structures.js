'use strict'
// Stub.
function loadStructures(instance) {
  const loaded = instance.getStructures()
  instance.structures = loaded ? Array.from(loaded) : []
  return instance.structures
}
module.exports = { loadStructures }
