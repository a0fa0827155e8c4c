// Walking in a tree, lines in their slots, the graph of a game.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ghostsOf } from '../src/board/ghosts'
import { graphOf, movesOf, plyAt } from '../src/analysis/graph'
import { short, steady } from '../src/analysis/lines'
import { back, beside, end, forward, nearest, numberOf, pathOf, played, plyOf, rows, start, stepAt, stepsTo, written } from '../src/analysis/tree'
import { streak } from '../src/puzzle/streak'
import type { Judged, StudyStep, ThoughtLine } from '../src/base/wire'

const step = (move: string, seat = 0, ...others: StudyStep[][]): StudyStep => ({ move, seat, others })

// A game of two in which chance draws after every move: a +1 b (x +3 y (z)) +2 c
const LINE = [
  step('+0', -1),
  step('a', 0),
  step('+1', -1),
  step('b', 1, [step('x', 1), step('+3', -1), step('y', 0, [step('z', 0)])]),
  step('+2', -1),
  step('c', 0),
]

test('a path and its text are the same', () => {
  for (const text of ['-', '0', '3.0.1', '3.0.2.0.0']) assert.equal(written(pathOf(text)), text)
  for (const text of ['x', '3.0', '-1', '3.', '']) assert.deepEqual(pathOf(text), [])
})

test('one walks from decision to decision, past what chance draws', () => {
  assert.deepEqual(start(LINE), [0])
  const there = [start(LINE)]
  while (written(forward(LINE, there.at(-1)!)) !== written(there.at(-1)!)) there.push(forward(LINE, there.at(-1)!))
  assert.deepEqual(there, [[0], [2], [4], [5]])
  const home = [there.at(-1)!]
  while (written(back(LINE, home.at(-1)!)) !== written(home.at(-1)!)) home.push(back(LINE, home.at(-1)!))
  assert.deepEqual(home, [[5], [4], [2], [0], []])
  assert.deepEqual(end(LINE, [2]), [5])
})

test('variations are walked too, and left where they began', () => {
  assert.deepEqual(beside(LINE, [3], 1), [3, 0, 1], 'with what was drawn in it')
  assert.deepEqual(beside(LINE, [3, 0, 0], -1), [4])
  assert.deepEqual(beside(LINE, [5], 1), [5], 'there is none')
  assert.deepEqual(forward(LINE, [3, 0, 1]), [3, 0, 2])
  assert.deepEqual(back(LINE, [3, 0, 2]), [3, 0, 1])
  assert.deepEqual(back(LINE, [3, 0, 1]), [2])
  assert.deepEqual(back(LINE, [3, 0, 2, 0, 0]), [3, 0, 1])
  assert.deepEqual(stepsTo(LINE, [3, 0, 2, 0, 0])!.map(({ move }) => move), ['+0', 'a', '+1', 'x', '+3', 'z'])
  assert.equal(stepsTo(LINE, [3, 1, 0]), null)
  assert.deepEqual(nearest(LINE, [3, 1, 0]), [2])
})

test('a move that was played is found, as the next or as another', () => {
  assert.deepEqual(played(LINE, [2], 'b'), [4])
  assert.deepEqual(played(LINE, [2], 'x'), [3, 0, 1])
  assert.deepEqual(played(LINE, [3, 0, 1], 'z'), [3, 0, 2, 0, 0])
  assert.deepEqual(played(LINE, [2], 'nothing'), [2])
})

test('moves are counted and listed without draws, a column each', () => {
  assert.equal(numberOf(LINE, [5]), 3)
  assert.equal(numberOf(LINE, [3, 0, 2]), 3)
  assert.equal(plyOf([3, 0, 2]), 3, 'where it leaves the game')
  const listed = rows(LINE, 2)
  assert.deepEqual(listed.map(({ cells }) => cells.map((cell) => cell?.step.move ?? '')), [['a', 'b'], ['c', '']])
  assert.deepEqual(listed[0]!.after.map(({ number }) => number), [2])
  assert.equal(stepAt(LINE, listed[1]!.cells[0]!.path)!.move, 'c')
})

const lined = (move: string, chance: number, doubt = 0.01): ThoughtLine => ({
  steps: [{ move, seat: 0 }], chance: [chance, 1 - chance], scores: [0, 0], margin: 0, simulations: 1, exact: false, doubt,
})

test('a line keeps its slot until another is better beyond the noise', () => {
  const order = (before: string[], ...lines: ThoughtLine[]): string[] => steady(before, lines, 0).map(({ steps }) => steps[0]!.move)
  assert.deepEqual(order([], lined('a', 0.6), lined('b', 0.5)), ['a', 'b'])
  assert.deepEqual(order(['b', 'a'], lined('a', 0.52), lined('b', 0.5)), ['b', 'a'], 'within the noise')
  assert.deepEqual(order(['b', 'a'], lined('a', 0.6), lined('b', 0.5)), ['a', 'b'])
  assert.deepEqual(order(['b', 'a'], lined('c', 0.9), lined('a', 0.5)), ['c', 'a'], 'a new one comes')
  assert.deepEqual([900, 1200, 2000, 48_123, 2_000_000].map(short), ['900', '1.2 k', '2 k', '48 k', '2.0 M'])
})

test('a graph shows what was judged: areas for two sides, lines for more', () => {
  const point = (ply: number, ...chance: number[]) => ({ ply, chance, scores: [], margin: ply - 1, doubt: 0, exact: false, simulations: 1 })
  const report = (sides: number[], ...points: Judged['points']): Judged => ({
    t: 'judged', sides, plies: 4, points, verdicts: [], tallies: [], turning: [], part: 0, complete: false,
  })
  const size = { width: 100, chances: 50, margins: 20, gap: 10 }
  const moves = [0, 1, 2, 3, 4]
  const two = graphOf(report([0, 1], point(0, 0.5, 0.5), point(1, 1, 0), point(2, 0, 1)), moves, size)
  assert.equal(two.ways.length, 1)
  assert.match(two.ways[0]!, /^M0\.0 25\.0L25\.0 0\.0L50\.0 50\.0$/)
  assert.equal(two.areas.length, 2)
  assert.deepEqual(two.bars.map(({ side }) => side), [0, 0])
  const four = graphOf(report([0, 1, 2, 3], point(0, 0.25, 0.25, 0.25, 0.25), point(1, 1, 0, 0, 0)), moves, size)
  assert.deepEqual([four.ways.length, four.areas.length], [4, 0])
  const led = [{ ...point(1, 0.2, 0.2, 0.3, 0.3), scores: [-3, 4, 10, 0] }, { ...point(2, 0.2, 0.2, 0.3, 0.3), scores: [12, 4, 10, 0] }]
  const leads = graphOf(report([0, 1, 2, 3], ...led), moves, size)
  assert.deepEqual(leads.bars.map(({ side, y, height }) => [side, y + height]), [[2, 80], [0, 80]], 'whoever leads, upward')
  assert.equal(leads.most, 6)
  assert.deepEqual(graphOf(report([0, 1]), moves, size).areas, [], 'nothing is known yet')
  assert.deepEqual([plyAt(-1, moves), plyAt(0.5, moves), plyAt(2, moves)], [0, 2, 4])
  const drawn = movesOf([-1, -1, 0, -1, 1].map((seat) => ({ seat })))
  assert.deepEqual(drawn, [0, 0, 0, 1, 1, 2], 'what is drawn is no move')
  const dealt = graphOf(report([0, 1], ...[0, 1, 2, 3, 4, 5].map((ply) => point(ply, 0.5, 0.5))), drawn, size)
  assert.deepEqual(dealt.bars.map(({ ply, x }) => [ply, x]), [[4, 50], [5, 100]])
  assert.deepEqual([plyAt(0, drawn), plyAt(0.5, drawn), plyAt(1, drawn)], [2, 4, 5])
})

test('a line shows where its tiles go, and where each is taken from', () => {
  const mark = (role: string, plane: string) => ({ plane, sprite: 'r', cell: [0, 0] as [number, number], role })
  const step = (move: string, ...marks: ReturnType<typeof mark>[]) => ({ move, seat: 0, marks })
  const steps = [step('b3@0,1', mark('ghost', 'left'), mark('taken', 'board')), step('allow'), step('F.0@d9', mark('ghost', 'board'))]
  const shown = ghostsOf({ steps }, 3).map(({ text, kind, mark: { plane } }) => `${text} ${kind} ${plane}`)
  assert.deepEqual(shown, ['1 from board', '1 ghost left', '3 ghost board'])
  assert.equal(ghostsOf({ steps }, 1).length, 2)
  assert.deepEqual(ghostsOf(undefined, 3), [])
})

test('a streak is days in a row, and today is not over yet', () => {
  const days = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-02-28', '2026-01-01']
  assert.deepEqual(streak(days, '2026-03-01'), { now: 3, most: 3 })
  assert.deepEqual(streak(days, '2026-03-02'), { now: 3, most: 3 })
  assert.deepEqual(streak(days, '2026-03-03'), { now: 0, most: 3 })
  assert.deepEqual(streak([], '2026-03-03'), { now: 0, most: 0 })
})
