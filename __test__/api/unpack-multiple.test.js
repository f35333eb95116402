'use strict'

// unpackMultiple: several values one after the other in one input.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { pack, unpack, unpackMultiple, Unpackr } = require('../helpers/ferropack')
const { fromHex } = require('../helpers/hex')
const { assertSame } = require('../helpers/same')

const unpackr = new Unpackr({ useRecords: false })
const FORMS = [
  ['module', unpackMultiple],
  ['instance', (...args) => unpackr.unpackMultiple(...args)],
]
const VALUES = [1, { a: 2 }, ['three', null], 'text '.repeat(30), 4.5, undefined, 6n]
const messages = VALUES.map((value) => Buffer.from(pack(value)))
const joined = Buffer.concat(messages)

for (const [label, run] of FORMS) {
  test(`${label}: returns all values`, () => {
    assertSame(run(joined), VALUES)
    assertSame(run(new Uint8Array(joined)), VALUES)
    assertSame(run(new Uint8Array(joined).buffer), VALUES)
    assertSame(run(fromHex('01')), [1])
  })

  test(`${label}: a callback gets each value with its bounds`, () => {
    const seen = []
    const result = run(joined, (value, start, end) => {
      seen.push({ value, start, end })
    })
    assert.equal(result, undefined)
    let position = 0
    const expected = VALUES.map((value, i) => {
      const start = position
      position += messages[i].length
      return { value, start, end: position }
    })
    assertSame(seen, expected)
  })

  test(`${label}: only false stops`, () => {
    for (const [answer, count] of [
      [false, 1],
      [0, 3],
      [null, 3],
      ['', 3],
      [undefined, 3],
      [true, 3],
    ]) {
      let calls = 0
      assert.equal(
        run(fromHex('010203'), () => {
          calls++
          return answer
        }),
        undefined,
      )
      assert.equal(calls, count, String(answer))
    }
  })

  test(`${label}: what follows a stop is not looked at`, () => {
    for (const rest of ['a3', 'd45000', 'ddffffffff', 'd9', 'c7']) {
      const seen = []
      run(fromHex(`0102${rest}`), (value) => {
        seen.push(value)
        return value !== 2
      })
      assert.deepEqual(seen, [1, 2], rest)
    }
  })

  test(`${label}: a byte after a string that looks like a string header`, () => {
    for (const trailer of [0xbe, 0xbf, 0xa5, 0xd9, 0xda, 0xdb, 0xc4, 0xc7]) {
      for (const length of [1, 20, 31, 32, 33, 64, 130, 400]) {
        const text = 'x'.repeat(length)
        const bytes = Buffer.concat([pack(text), Buffer.from([trailer])])
        let seen
        run(bytes, (value, start, end) => {
          seen = [value, start, end]
          return false
        })
        assert.deepEqual(seen, [text, 0, bytes.length - 1])
      }
    }
  })

  test(`${label}: an empty input is incomplete`, () => {
    for (const forEach of [undefined, () => {}]) {
      assert.throws(() => run(Buffer.alloc(0), forEach), {
        message: 'Unexpected end of MessagePack data',
        incomplete: true,
        lastPosition: 0,
        values: undefined,
      })
    }
  })

  test(`${label}: an error says how far reading came`, () => {
    assert.throws(
      () => run(fromHex('01 a161 920203 da0005 61')),
      (error) => {
        assertSame(error.values, [1, 'a', [2, 3]])
        assert.equal(error.lastPosition, 6)
        assert.equal(error.incomplete, true)
        assert.equal(error.missingBytes, 4)
        return true
      },
    )
    assert.throws(
      () => run(fromHex('01 d45000')),
      (error) => {
        assertSame(error.values, [1])
        assert.equal(error.lastPosition, 1)
        assert.ok(!('incomplete' in error))
        return true
      },
    )
    assert.throws(() => run(fromHex('9201')), { lastPosition: 0, values: undefined, incomplete: true })
  })

  test(`${label}: with a callback, an error has a position and no values`, () => {
    const seen = []
    assert.throws(
      () => run(fromHex('01 02 a3'), (value) => void seen.push(value)),
      (error) => {
        assert.equal(error.lastPosition, 2)
        assert.equal(error.values, undefined)
        assert.equal(error.incomplete, true)
        return true
      },
    )
    assert.deepEqual(seen, [1, 2])
  })

  test(`${label}: an error of the callback comes out itself`, () => {
    const mine = new RangeError('mine')
    const throwing = (value) => {
      if (value === 2) throw mine
    }
    assert.throws(
      () => run(fromHex('a161 02 03'), throwing),
      (error) => error === mine && error.lastPosition === 2 && error.incomplete === undefined,
    )
    for (const thrown of ['text', 7, null, undefined]) {
      let caught = 'nothing'
      try {
        run(fromHex('0102'), () => {
          throw thrown
        })
      } catch (error) {
        caught = error
      }
      assert.equal(caught, thrown)
    }
    assertSame(run(joined), VALUES)
  })

  test(`${label}: the callback may unpack and pack`, () => {
    const seen = []
    run(joined, (value, start, end) => {
      assertSame(unpack(joined.subarray(start, end)), value)
      assertSame(run(joined), VALUES)
      assert.throws(() => unpack(fromHex('a3')), { incomplete: true })
      seen.push(unpack(pack([value])))
    })
    assertSame(
      seen,
      VALUES.map((value) => [value]),
    )
  })

  test(`${label}: binary values are views of the input`, () => {
    const [first, second] = run(fromHex('c40101 c40102'))
    assert.ok(Buffer.isBuffer(first))
    assert.equal(first.buffer, second.buffer)
    assert.equal(second.byteOffset - first.byteOffset, 3)
  })
}

test('the options of the instance hold for every value', () => {
  const maps = new Unpackr({ useRecords: false, mapsAsObjects: false, int64AsType: 'number' })
  assertSame(maps.unpackMultiple(fromHex('81a16101 d30000000000000007')), [new Map([['a', 1]]), 7])
})

test('thousands of values', () => {
  const values = Array.from({ length: 5000 }, (_, i) => ({ id: i, name: `name ${i}` }))
  const bytes = Buffer.concat(values.map((value) => Buffer.from(pack(value))))
  assertSame(unpackMultiple(bytes), values)
})
