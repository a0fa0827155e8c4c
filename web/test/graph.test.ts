// The way of a rating as a drawing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graphOf } from '../src/history/graph'
import type { RatingPoint } from '../src/base/wire'

const point = (rating: number, doubt: number, provisional = false): RatingPoint => ({ at: 0, rating, doubt, provisional, room: '' })

test('the band of doubt lies within the box, whatever the ratings', () => {
  const { low, high, ticks, y } = graphOf([point(1500, 250), point(1620, 150), point(1710, 60)], 300, 100)
  assert.ok(low <= 1250 && high >= 1770)
  assert.deepEqual([ticks[0], ticks.at(-1)], [low, high])
  assert.ok(ticks.length <= 7)
  assert.equal(y(high), 0)
  assert.equal(y(low), 1)
})

test('the way is dashed up to the last provisional game, and firm from there', () => {
  const { firm, doubtful } = graphOf([point(1500, 90, true), point(1600, 90, true), point(1500, 90), point(1600, 90)], 300, 100)
  const steps = (path: string): number => path.split('M').length - 1
  assert.deepEqual([steps(doubtful), steps(firm)], [1, 2])
  assert.ok(firm.startsWith('M100.0 '), 'it goes on where the other ends')
})

test('one game is a place, not a way', () => {
  const { firm, doubtful, x } = graphOf([point(1500, 0)], 300, 100)
  assert.deepEqual([firm, doubtful, x(0)], ['', '', 0])
})
