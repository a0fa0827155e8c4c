// How tiles lie in a tray.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kept, rowsOf } from '../src/board/cells'

const FLAT = { w: 5.2, h: 3.2 }

test('all tiles of a colour lie in three rows where it is wide, else in five', () => {
  assert.deepEqual(rowsOf(21, { w: 358, h: 132 }, FLAT), [7, 7, 7])
  assert.deepEqual(rowsOf(21, { w: 272, h: 362 }, FLAT), [4, 4, 4, 5, 4])
  assert.deepEqual(rowsOf(21, { w: 270, h: 222 }, FLAT), [4, 4, 4, 5, 4], 'cells that a finger hits')
})

test('few tiles are drawn as large as can be, none alone in a row', () => {
  assert.deepEqual(rowsOf(6, { w: 360, h: 60 }, { w: 1.2, h: 1.2 }), [6])
  assert.deepEqual(rowsOf(6, { w: 270, h: 360 }, { w: 1.2, h: 1.2 }), [2, 2, 2])
  for (let count = 2; count < 30; count++)
    for (const rows of [rowsOf(count, { w: 300, h: 300 }, FLAT), rowsOf(count, { w: 100, h: 900 }, FLAT)]) {
      assert.equal(rows.reduce((a, b) => a + b), count)
      assert.ok(rows.every((row) => row > 1))
    }
})

test('a tile keeps its cell, and a new one takes the first that is free', () => {
  const first = kept([], ['a', 'b', 'c'])
  assert.deepEqual(first, ['a', 'b', 'c'])
  assert.deepEqual(kept(first, ['a', 'c']), ['a', '', 'c'])
  assert.deepEqual(kept(['a', '', 'c'], ['0', 'a', 'c']), ['a', '0', 'c'])
})
