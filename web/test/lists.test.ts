// Lists: what they are asked for, what a line says, and how one is told in terms of another.

import './window'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patched } from '../src/base/delta'
import { length, withWhom } from '../src/base/lists'
import { anyOf, chosenIn, questionOf } from '../src/history/filters'
import { pointsOf, resultOf, toneOf, whomOf, whyOf } from '../src/history/lines'
import { clockChip } from '../src/meet/wanted'
import { addressOf, marks } from '../src/moments/moments'
import type { Finished, Listed } from '../src/base/wire'

const game = (more: Partial<Finished>): Finished => ({ how: 'won', by: 0, rank: 1, sides: 2, reason: '', points: [40, 31], others: [], ...more }) as Finished

test('a list keeps entries of the one before and puts others between them', () => {
  const old = [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]
  assert.deepEqual(patched(old, [[0, 2], { n: 9 }, [3, 1]]).map(({ n }) => n), [0, 1, 9, 3])
  assert.equal(patched(old, [[2, 1]])[0], old[2], 'the same objects, so that nothing is drawn again')
  assert.deepEqual(patched(old, []), [])
})

test('an address is a question, and what it does not name is not asked', () => {
  const chosen = chosenIn(new URLSearchParams('game=blokus&how=won&other=1'))
  assert.ok(anyOf(chosen))
  assert.equal(questionOf(chosen, ''), '?game=blokus&how=won')
  assert.equal(questionOf(chosen, '77'), '?game=blokus&how=won&before=77')
  assert.equal(questionOf(chosenIn(new URLSearchParams()), ''), '')
  assert.match(questionOf(chosenIn(new URLSearchParams('time=week')), ''), /^\?since=\d{4}-\d\d-\d\d$/)
  assert.equal(questionOf(chosenIn(new URLSearchParams('time=ever')), ''), '')
})

test('a line says how a game came out', () => {
  assert.equal(resultOf(game({ by: 9 })), 'Won by 9')
  assert.equal(resultOf(game({ how: 'lost' })), 'Lost')
  assert.equal(resultOf(game({ how: 'drawn' })), 'Drawn')
  assert.notEqual(resultOf(game({ sides: 4, rank: 1 })), resultOf(game({ sides: 4, rank: 3 })))
  assert.equal(resultOf(game({ how: 'shared' })), pointsOf(game({})))
  assert.equal(whyOf(game({ reason: 'stuck' })), '')
  assert.ok(whyOf(game({ reason: 'flag' })))
  assert.deepEqual(['won', 'lost', 'drawn'].map((how) => toneOf(game({ how } as Partial<Finished>))), ['good', 'bad', 'even'])
})

test('a line says against whom one played, and with whom', () => {
  const [mara, bot, partner] = [{ name: 'Mara' }, { bot: true, level: 5 }, { name: 'Ada', partner: true }] as Finished['others']
  assert.equal(whomOf(game({ others: [mara!, bot!] })), 'Mara, Tegel 5')
  assert.equal(whomOf(game({ others: [mara!, partner!] })), 'Mara · with Ada')
})

test('a table in a list names people with ratings, and how many bots', () => {
  assert.equal(withWhom({ names: ['Mara', 'Ada'], ratings: ['1500', ''] } as unknown as Listed), 'Mara (1500), Ada')
  assert.equal(withWhom({ levels: [3, 3] } as unknown as Listed), 'Tegel 3 × 2')
  assert.equal(length({} as Listed), '')
})

test('clocks on chips, addresses and marks of moments', () => {
  assert.equal(clockChip('bank 300 5'), '5 + 5')
  assert.equal(clockChip('days 3'), '3 days')
  assert.equal(addressOf({ game: 'blokus', id: 'duo-1', day: '' }), '/moments/blokus/duo-1')
  assert.equal(addressOf({ game: 'blokus', id: 'duo-1', day: '2026-11-18' }), '/moments/blokus/2026-11-18')
  assert.equal(marks(3, true), '✕✕✓')
  assert.equal(marks(20, false), '✕'.repeat(9))
})
