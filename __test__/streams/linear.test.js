'use strict'

// A value that comes in small pieces costs no more than its bytes: each is looked at once, and the value is read
// once. Counted, not timed.

const test = require('node:test')
const assert = require('node:assert/strict')
const { join } = require('node:path')
const { root } = require('../helpers/entry')
const { UnpackrStream, Packr, pack } = require('../helpers/ferropack')
const { through, pieces } = require('../helpers/streams')

const { UnfinishedValue } = require(join(root, 'src', 'js', 'unfinished-value.js'))
const { BoundaryScan } = require(join(root, 'src', 'js', 'binding.js'))

/** Counts what the functions of `prototype` are called for while `run` does. */
async function counting(prototype, names, run) {
  const counts = Object.fromEntries(names.map((name) => [name, 0]))
  const originals = names.map((name) => prototype[name])
  names.forEach((name, i) => {
    prototype[name] = function counted(...args) {
      counts[name]++
      return originals[i].apply(this, args)
    }
  })
  try {
    return { result: await run(), counts }
  } finally {
    names.forEach((name, i) => {
      prototype[name] = originals[i]
    })
  }
}

const list = Array.from({ length: 2000 }, (_, i) => ({ id: i, name: `name ${i}`, tags: ['x', { deep: i }] }))

const messages = {
  maps: pack(list),
  records: new Packr().pack(list),
  text: pack('x'.repeat(60_000)),
  binary: pack(Buffer.alloc(60_000)),
  nested: Buffer.concat([Buffer.alloc(500, 0x91), pack(list)]),
}

for (const [name, bytes] of Object.entries(messages)) {
  for (const size of [1, 7, 512]) {
    test(`${name} in pieces of ${size}`, async () => {
      const chunks = pieces(bytes, () => size)
      let looks = 0
      let reads = 0
      const { look } = UnfinishedValue.prototype
      UnfinishedValue.prototype.look = function counted(mode) {
        looks++
        const outlook = look.call(this, mode)
        if (outlook !== 0) reads++
        return outlook
      }
      try {
        const { output, error } = await through(
          new UnpackrStream({ useRecords: name !== 'maps' && undefined }),
          chunks,
        )
        assert.equal(error, null)
        assert.equal(output.length, 1)
      } finally {
        UnfinishedValue.prototype.look = look
      }
      assert.ok(looks <= chunks.length + 1, `${looks} looks at ${chunks.length} chunks`)
      assert.equal(reads, 1)
    })
  }
}

test('a look goes on where the last one ended', async () => {
  const bytes = messages.records
  const search = new BoundaryScan()
  let position = 0
  for (let length = 1; length < bytes.length; length += 100) {
    assert.ok(search.scan(bytes, length, 0) < 0)
    assert.ok(search.position >= position)
    position = search.position
  }
  assert.equal(search.scan(bytes, bytes.length, 0), bytes.length)
  // What was looked at is not looked at again.
  const changed = Buffer.from(bytes)
  const again = new BoundaryScan()
  again.scan(changed, changed.length - 1, 0)
  changed.fill(0xc1, 0, changed.length - 10)
  assert.equal(again.scan(changed, changed.length, 0), bytes.length)
})

test('bytes are copied a few times at most', async () => {
  const bytes = pack(Buffer.alloc(1 << 20))
  const { result, counts } = await counting(Buffer, ['allocUnsafeSlow'], () =>
    through(
      new UnpackrStream(),
      pieces(bytes, () => 1000),
    ),
  )
  assert.equal(result.output[0].length, 1 << 20)
  assert.ok(counts.allocUnsafeSlow < 20, `${counts.allocUnsafeSlow} times`)
})

test('what a header announces is not allocated', async () => {
  const { result, counts } = await counting(Buffer, ['allocUnsafeSlow'], () =>
    through(new UnpackrStream(), [Buffer.from([0xdb, 0x7f, 0xff, 0xff, 0xff]), Buffer.alloc(100)]),
  )
  assert.equal(result.error.incomplete, true)
  assert.ok(counts.allocUnsafeSlow <= 2)
})
