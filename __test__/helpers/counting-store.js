'use strict'

// A store of structures as users write one: it keeps JSON text, hands out copies, and counts its calls.

class StructureStore {
  constructor(structures = null) {
    this.text = structures === null ? null : JSON.stringify(structures)
    this.loads = 0
    this.saves = 0
  }

  get structures() {
    return this.text === null ? null : JSON.parse(this.text)
  }

  /** Options of an instance that takes and keeps its structures here; `extra` may replace either function. */
  options(extra) {
    return {
      getStructures: () => {
        this.loads++
        return this.structures
      },
      saveStructures: (structures) => {
        this.saves++
        this.text = JSON.stringify(structures)
      },
      ...extra,
    }
  }

  /** The same, refusing what was made from structures that have been replaced since. */
  checkedOptions(extra) {
    return this.options({
      saveStructures: (structures, isCompatible) => {
        this.saves++
        if (!isCompatible(this.structures)) return false
        this.text = JSON.stringify(structures)
        return true
      },
      ...extra,
    })
  }
}

module.exports = { StructureStore }
