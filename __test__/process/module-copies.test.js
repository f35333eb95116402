'use strict'

// Several copies of the JavaScript modules on one addon, as test runners that evaluate modules anew for each file make
// them: in one realm, and in realms of their own.

const assert = require('node:assert/strict')
const { join } = require('node:path')
const { test } = require('node:test')
const { runScript } = require('../helpers/child')
const { entry, root } = require('../helpers/entry')
const { loadInNewRealm } = require('../helpers/realm-loader')

// Loads the package anew, with the addon left in the cache.
const LOAD = `
  const assert = require('node:assert/strict')
  const root = ${JSON.stringify(root)}
  function load() {
    for (const key of Object.keys(require.cache)) {
      if (key.startsWith(root) && !key.endsWith('.node')) delete require.cache[key]
    }
    return require(root)
  }
  const value = (i) => ({
    id: i, when: new Date(i), text: 'short', other: ['x', 'text ' + i, undefined], big: 2n ** 80n, set: new Set([i]),
  })
`

test('copies in one realm do not meet', () => {
  runScript(`${LOAD}
    const copies = [load(), load(), load()]
    class Own { constructor(by) { this.by = by } }
    copies.forEach(({ addExtension }, by) =>
      addExtension({ Class: Own, type: 9, write: () => by, read: (read) => new Own(read) }))
    for (let i = 0; i < 200; i++) {
      copies.forEach(({ Packr, pack, unpack }, by) => {
        const packr = new Packr({ structuredClone: true, structures: [] })
        assert.deepEqual(packr.unpack(packr.pack(value(i))), value(i))
        assert.deepEqual(unpack(pack({ ['key' + (i % 9)]: 'text ' + by, own: new Own(-1) })),
          { ['key' + (i % 9)]: 'text ' + by, own: new Own(by) })
      })
    }
    assert.equal(new Set(copies.map(({ acceleration }) => acceleration.tier)).size, 1)`)
})

test('one copy may read while another one does', () => {
  runScript(`${LOAD}
    const [one, other] = [load(), load()]
    const bytes = other.pack({ inner: 'text', list: [1, 'two'] })
    one.addExtension({ type: 7, unpack: () => other.unpack(bytes) })
    const outer = Buffer.from('93a46e616d65d40700a462696768', 'hex')
    for (let i = 0; i < 20; i++) {
      assert.deepEqual(one.unpack(outer), ['name', { inner: 'text', list: [1, 'two'] }, 'bigh'])
    }`)
})

test('addons of copies that are let go of give their memory back', () => {
  const printed = runScript(
    `
    const Module = require('node:module')
    const { setTimeout: sleep } = require('node:timers/promises')
    const binding = ${JSON.stringify(join(root, 'src', 'js', 'binding.js'))}
    async function grow(copies) {
      for (let i = 0; i < copies; i++) {
        delete require.cache[binding]
        // Whoever requires a module keeps it.
        const { packWords, packSide, unpackSlots } = new Module('parent').require(binding)
        for (const memory of [packWords, packSide, unpackSlots]) new Uint8Array(memory()).fill(1)
        if (i % 10 === 9) {
          global.gc()
          await sleep(2)
        }
      }
      global.gc()
      await sleep(5)
      return process.memoryUsage().rss
    }
    async function main() {
      const before = await grow(100)
      console.log((await grow(200)) - before)
    }
    main()`,
    { flags: ['--expose-gc'] },
  )
  // Without it they would keep 900 kB each.
  assert.ok(Number(printed) < 90e6, printed)
})

test('each realm gets values and errors of its own', () => {
  for (let i = 0; i < 3; i++) {
    const { library, global } = loadInNewRealm(entry)
    const { pack, unpack, Packr } = library
    const read = unpack(pack({ list: [new Date(5)], i, undefined }))
    assert.ok(read instanceof global.Object && read.list instanceof global.Array)
    assert.ok(read.list[0] instanceof global.Date && !(read instanceof Object))
    assert.equal(read.i, i)
    const cut = Buffer.from('92', 'hex')
    for (const call of [() => unpack(cut), () => new Packr().unpackMultiple(cut), () => pack(Symbol('s'))]) {
      assert.throws(call, (error) => error instanceof global.Error && !(error instanceof Error))
    }
    assert.throws(
      () => unpack(cut),
      (error) => error.incomplete === true,
    )
    assert.equal(library.acceleration.tier, require(entry).acceleration.tier)
  }
})
