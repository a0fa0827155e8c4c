// What the page says of a table: who is who, what has happened, why a move is refused.

import './window'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockText } from '../src/base/clocks'
import { actingSeat, inOrder, nameOf, newsOf, partnersOf, statusOf, toldOf } from '../src/base/names'
import { labelOf, number, refusal, said, t, type Key, type Words } from '../src/base/words.svelte'
import de from '../src/base/words/de.json'
import en from '../src/base/words/en.json'
import fr from '../src/base/words/fr.json'
import it from '../src/base/words/it.json'
import nl from '../src/base/words/nl.json'
import { spoken } from '../src/board/moving'
import type { Plane, Room, Sprite } from '../src/base/wire'

const words: Words = {
  game: { name: 'Blokus' },
  colours: { blue: 'blue', red: 'red' },
  marks: { tile: '{colour} {name}', king: 'King' },
  choices: { pass: 'Pass' },
  events: { scored: '{who} scores {points}.', over: 'Nothing is left.' },
  planes: { seat: 'player {number}' },
}
type Seat = Room['seats'][number]
const seat = (side: number, more: Partial<Seat> = {}): Seat => ({ kind: 'person', name: '', side, ...more }) as Seat
const room = (seats: Seat[], more: Partial<Room> = {}): Room =>
  ({ id: 'x', game: 'blokus', seats, you: [0], turn: 0, begun: true, over: false, moves: [], planes: [], marks: [], colour: '', ...more }) as unknown as Room

test('a seat is you, a name, a bot with its level, free, or a guest with a number where there are several', () => {
  const bot = seat(1, { kind: 'bot', level: 4 })
  assert.equal(nameOf(room([seat(0), bot]), 0), 'You')
  assert.equal(nameOf(room([seat(0), bot]), 1), 'Tegel 4')
  assert.equal(nameOf(room([seat(0), seat(1, { name: 'Mara' })]), 1), 'Mara')
  assert.equal(nameOf(room([seat(0), seat(1, { kind: 'open' })]), 1), 'free seat')
  assert.equal(nameOf(room([seat(0), seat(1)]), 1), 'Guest')
  assert.equal(nameOf(room([seat(0), seat(1), seat(2)]), 2), 'Guest 3')
  assert.equal(nameOf(room([seat(0), seat(1)], { you: [0, 1] }), 1), 'Seat 2', 'who plays alone at one screen')
  assert.equal(nameOf(room([seat(0)]), 7), '')
})

test('seats stand with your own first, teams together; the next of your seats acts', () => {
  const four = [0, 1, 0, 1].map((side) => seat(side))
  assert.deepEqual(inOrder(room(four, { you: [1] })), [1, 3, 2, 0])
  assert.deepEqual(partnersOf(room(four), 1), [3])
  assert.equal(actingSeat(room(four, { you: [0, 2], turn: 1 })), 2)
  assert.equal(actingSeat(room(four, { you: [0, 2], turn: 3 })), 0)
  assert.equal(actingSeat(room(four, { you: [] })), -1)
})

test('the status says what is expected of whom', () => {
  const bot = seat(1, { kind: 'bot', level: 4 })
  assert.equal(statusOf(room([seat(0), bot]), words), 'Your turn')
  assert.equal(statusOf(room([seat(0), bot], { turn: 1 }), words), 'Tegel 4 thinks')
  assert.equal(statusOf(room([seat(0), bot], { turn: 1 }), words, true), 'Tegel 4 rests')
  assert.equal(statusOf(room([seat(0), seat(1, { name: 'Mara' })], { turn: 1 }), words), 'Mara to move')
  assert.equal(statusOf(room([seat(0), seat(1, { kind: 'open' })], { begun: false }), words), 'Waiting for players')
  const tray = { name: 'hand', lattice: 'square', box: [0, 0, 1, 1], tray: true } as Plane
  assert.equal(statusOf(room([seat(0), bot], { planes: [tray], colour: 'blue' }), words), 'Your turn · blue')
})

test('the end says who won, and who left before it', () => {
  const two = [seat(0), seat(1, { name: 'Mara' })]
  const end = (winners: number[], reason = '', seats = two): string => statusOf(room(seats, { over: true, result: { winners, reason } as Room['result'] }), words)
  assert.equal(end([0]), 'You win')
  assert.equal(end([1]), 'Mara wins')
  assert.equal(end([0, 1]), 'It is a draw.')
  assert.equal(end([0], 'resign', [seat(0), seat(1, { name: 'Mara', left: 'resign' })]), t('end', { why: 'Mara resigned', who: 'you win' }))
  assert.equal(end([1], 'flag', [seat(0, { left: 'flag' }), seat(1, { name: 'Mara' })]), t('end', { why: 'Your time ran out', who: 'Mara wins' }))
})

test('news are told of others, not of yourself', () => {
  const two = room([seat(0), seat(1, { name: 'Mara' })])
  assert.equal(newsOf(two, { event: 'agree', seat: 1, asker: 0 }), 'Mara agrees.')
  assert.equal(newsOf(two, { event: 'agree', seat: 0, asker: 1 }), '')
  assert.equal(newsOf(two, { event: 'refuse', seat: 1, asker: 1 }), 'Mara withdrew the question.')
  assert.equal(newsOf(two, { event: 'refuse', seat: 1, asker: 0 }), 'Mara does not agree: the move stands.')
  assert.equal(newsOf(two, { event: 'resign', seat: 1, asker: -1 }), 'Mara resigned. A bot plays on.')
})

test('events name players as they are called at their seats', () => {
  const two = room([seat(0), seat(1, { name: 'Mara' })])
  assert.deepEqual(toldOf(two, words, [{ key: 'scored', args: { number: 2, points: 1200 } }]), { text: 'Mara scores 1,200.', persons: true })
  assert.deepEqual(toldOf(two, words, [{ key: 'over' }]), { text: 'Nothing is left.', persons: false })
})

test('a move is its tile and square, or the word that it is', () => {
  const board = [{ name: 'board', lattice: 'square', box: [0, 0, 1, 1], main: true, coordinates: true }] as Plane[]
  const sprites = { 'N.2': { layers: [], cells: [[0, 0]], name: 'N' } } as Record<string, Sprite>
  const say = (move: string, planes = board): { text: string; sprite: string } => spoken(move, '{tile}.{turn}@{square}', planes, sprites, words)
  assert.deepEqual(say('N.2@c4'), { text: 'N c4', sprite: 'N.2' })
  assert.deepEqual(say('N.2@c4', []), { text: 'N', sprite: 'N.2' })
  assert.deepEqual(say('pass'), { text: 'Pass', sprite: '' })
  assert.deepEqual(say('king@e1'), { text: 'King e1', sprite: '' })
})

test('sentences begin with a capital, colours and tiles in them are called by their names', () => {
  const speech = { ...words, refusals: { touch: '{colour} must touch {tile}' } }
  assert.equal(said(speech, 'refusals', 'touch', { colour: 'red', tile: 'blue-F' }), 'Red must touch blue F')
  assert.equal(said(speech, 'refusals', 'unknown'), 'unknown')
  assert.equal(labelOf(words, { plane: 'board', sprite: 'N.2', cell: [0, 0], colour: 'blue.dark' }, { 'N.2': { layers: [], cells: [], name: 'N' } }), 'blue N')
})

test('numbers have the minus and the groups of the language; one and many have words of their own', () => {
  assert.equal(number(-1234), '−1,234')
  assert.equal(t('wins', { name: 'Mara', n: 1 }), 'Mara wins')
  assert.equal(t('wins', { name: 'Mara, Ada', n: 2 }), 'Mara, Ada win')
})

test('a clock is told in minutes or seconds with what a move adds, or in days', () => {
  assert.equal(clockText('bank 300 5'), '5\u00a0min +\u00a05\u00a0s')
  assert.equal(clockText('bank 90'), '90\u00a0s')
  assert.equal(clockText('days 3'), t('clock.days', { n: 3 }))
  assert.equal(clockText('none'), t('clock.none'))
})

test('a refusal is said in our words where we have some, else in those of the server', () => {
  assert.equal(refusal('never heard of', 'It is too late.'), 'It is too late.')
  const known = Object.keys(en).find((key) => key.startsWith('no.') && !en[key as Key].includes('{'))! as Key
  assert.equal(refusal(known.slice(3), 'otherwise'), en[known])
})

test('every catalogue has the same keys and the same arguments', () => {
  const args = (text: string): string => [...new Set(text.match(/\{\w+\}/g))].sort().join()
  for (const catalogue of [de, fr, it, nl] as Record<string, string>[]) {
    assert.deepEqual(Object.keys(catalogue).sort(), Object.keys(en).sort())
    for (const [key, text] of Object.entries(en)) assert.equal(args(catalogue[key]!), args(text), key)
  }
})
