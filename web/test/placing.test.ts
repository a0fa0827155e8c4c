// Placing a tile, without a page: what comes to hand, where it goes, what would be sent.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  change, choose, drop, EMPTY, hover, letGo, lifting, lyingAt, moveOf, offered, pickUp, refused, show, step, take,
  takes, walk, type Ground, type State,
} from '../src/placing/model'
import { cellsOf, type Cell } from '../src/table/geometry'
import type { Mark, Offer, Plane } from '../src/wire'

// A board of five by five, a domino D that lies or stands, and a single square S.

const cells: Cell[] = Array.from({ length: 25 }, (_, i) => [i % 5, Math.floor(i / 5)])
const board: Plane = { name: 'ground', lattice: 'square', box: [-1, -5, 5, 1], wells: cells, main: true }
const tray: Plane = { name: 'tray', lattice: 'square', box: [0, 0, 5, 2], tray: true }
const domino: Mark = { plane: 'tray', sprite: 'D.0', cell: [0, 0], tile: 'D' }
const single: Mark = { plane: 'tray', sprite: 'S.0', cell: [3, 0], tile: 'S' }
const ground: Ground = {
  planes: [board, tray],
  marks: [domino, single],
  sprites: {
    'D.0': { layers: [], cells: [[0, 0], [1, 0]], name: 'D' },
    'D.1': { layers: [], cells: [[0, 0], [0, 1]], name: 'D' },
    'S.0': { layers: [], cells: [[0, 0]], name: 'S' },
  },
  template: '{tile}.{turn}@{square}',
}

/** Cells as the bits of a slot over the board. */
function bits(places: Cell[]): string {
  return places.reduce((sum, [c, r]) => sum | (1n << BigInt(r * 5 + c)), 0n).toString(16)
}

function slot(tile: string, turn: number, ...places: Cell[]): NonNullable<Offer['slots']>[number] {
  return { tile, turn, plane: 'ground', box: [0, 0, 5, 5], cells: bits(places) }
}

const offer: Offer = {
  t: 'offer', ply: 0, seat: 0,
  slots: [slot('D', 0, [0, 0], [3, 4]), slot('D', 1, [2, 2]), slot('S', 0, [4, 4])],
}
const begun = offered(EMPTY, ground, offer)
const held = take(begun, ground, domino)

/** A click at the middle of a cell. */
function click(state: State, cell: Cell, touch = false): { state: State; move: string } {
  return choose(state, ground, { plane: 'ground', cell }, [cell[0], -cell[1]], touch)
}

test('the bits of a slot are its cells', () => {
  assert.deepEqual(cellsOf([0, 0, 5, 5], bits([[0, 0], [3, 4]])), [[0, 0], [3, 4]])
})

test('a tile with a place can be taken up, another can not', () => {
  assert.ok(takes(begun, 'D'))
  assert.ok(!takes(begun, 'X'))
  assert.equal(take(begun, ground, { ...single, tile: 'X' }), begun)
  assert.equal(takes(EMPTY, 'D'), false)
})

test('a tile in hand knows its places, and lies already where there is one only', () => {
  assert.deepEqual(held.places.map(({ cell }) => cell), [[0, 0], [3, 4]])
  assert.equal(held.place, null)
  const small = take(begun, ground, single)
  assert.deepEqual(small.place, { plane: 'ground', cell: [4, 4] })
  assert.equal(moveOf(small, ground), 'S.0@e5')
})

test('a tile comes to hand in a turn that has a place', () => {
  const standing = offered(EMPTY, ground, { ...offer, slots: [slot('D', 1, [2, 2], [0, 0])] })
  assert.equal(take(standing, ground, domino).turn, 1)
})

test('it snaps to the nearest legal place, and to none that is far', () => {
  const close = hover(held, ground, 'ground', [0.9, -0.4])
  assert.deepEqual(close.place, { plane: 'ground', cell: [0, 0] })
  assert.ok(close.legal)
  assert.equal(hover(close, ground, 'ground', [0.8, -0.3]), close) // nothing has changed
  assert.equal(hover(close, ground, 'ground', [30, 30]).place, null)
})

test('a mouse places by a click, a finger shows first and then confirms', () => {
  assert.equal(click(held, [0, 0]).move, 'D.0@a1')
  const shown = click(held, [0, 0], true)
  assert.equal(shown.move, '')
  assert.equal(letGo(shown.state, ground).move, 'D.0@a1')
})

test('what is let go where it does not fit is sent all the same: the answer says why not', () => {
  const far = { ...ground, sprites: { ...ground.sprites } }
  const one = take(offered(EMPTY, far, { ...offer, slots: [slot('D', 0, [0, 0], [0, 4])] }), far, domino)
  const { state, move } = choose(one, far, { plane: 'ground', cell: [4, 2] }, [4.6, -2], false)
  assert.equal(move, 'D.0@e3')
  assert.equal(state.legal, false)
  assert.equal(refused(state).place, null)
  assert.equal(refused(state).tile, 'D')
})

test('a plane on which the tile has no place is left alone', () => {
  assert.deepEqual(choose(held, ground, { plane: 'tray', cell: [0, 0] }, [0, 0], false), { state: held, move: '' })
})

test('turning goes by the shape, and keeps near where it was', () => {
  const at = hover(held, ground, 'ground', [0.5, 0])
  const turned = change(at, ground, 'turn')
  assert.equal(turned.turn, 1)
  assert.equal(turned.place, null) // the only place is too far away
  assert.equal(change(change(turned, ground, 'turn'), ground, 'turn', true).turn, 1)
  assert.equal(change(held, ground, 'flip').turn, 0)
})

test('arrows go from place to place, and the cursor from cell to cell of the board', () => {
  const first = step(held, ground, [1, 0])
  assert.deepEqual(first.place?.cell, [3, 4])
  assert.deepEqual(step(first, ground, [0, 1]).place?.cell, [0, 0])
  assert.deepEqual(step(first, ground, [1, 0]).place?.cell, [3, 4])
  const middle = walk(begun, ground, [1, 0])
  assert.deepEqual(middle.cursor, { plane: 'ground', cell: [2, 2] })
  assert.deepEqual(walk(middle, ground, [0, -1]).cursor?.cell, [2, 3])
})

test('by eye a tile goes where its chosen square points, and nobody says whether it fits', () => {
  const eye = take(offered(EMPTY, ground, { ...offer, slots: [], any: true }), ground, domino)
  assert.equal(hover(eye, ground, 'ground', [1, 1]), eye)
  assert.equal(click({ ...eye, spot: [1, 0] }, [3, 3]).move, 'D.0@c4')
})

// Tiles that lie on the board

const laid: Mark = { plane: 'ground', sprite: 'D.1', cell: [2, 2] }
const fixed: Mark = { plane: 'ground', sprite: 'S.0', cell: [0, 4] }
const lying: Ground = { ...ground, marks: [single, laid, fixed] }
const lifts: Offer = {
  ...offer,
  choices: [{ move: 'lift@c3', cells: [[2, 2], [2, 3]], tile: 'D', key: 'lift' }],
  lifting: 'lift@{square}',
}

test('what lies on a cell is found by the cells that it covers', () => {
  assert.deepEqual(lyingAt(lying, { plane: 'ground', cell: [2, 3] }), [laid])
  assert.deepEqual(lyingAt(lying, { plane: 'ground', cell: [3, 3] }), [])
})

test('a tile is picked up where it lies, and comes to hand there with the next offer', () => {
  const before = offered(EMPTY, lying, lifts)
  const { state, move } = pickUp(before, lying, { plane: 'ground', cell: [2, 3] })
  assert.equal(move, 'lift@c3')
  assert.equal(state.tile, '')
  const after = offered(offered(state, lying, null), ground, offer)
  assert.deepEqual([after.tile, after.turn, after.place?.cell], ['D', 1, [2, 2]])
  assert.equal(after.lifted, null)
})

test('a tile that stays is asked for as the offer writes it, an empty cell is not', () => {
  const before = offered(EMPTY, lying, lifts)
  assert.deepEqual(lifting(before, lying, { plane: 'ground', cell: [0, 4] }), { move: 'lift@a5' })
  assert.equal(lifting(before, lying, { plane: 'ground', cell: [4, 0] }), undefined)
  assert.equal(lifting(before, lying, { plane: 'tray', cell: [3, 0] }), undefined)
  assert.equal(lifting(begun, lying, { plane: 'ground', cell: [0, 4] }), undefined)
})

// Hints

test('a hint takes the tile up at its place, of the tray whose turn it is', () => {
  const other: Plane = { ...tray, name: 'other', active: true }
  const theirs: Mark = { ...domino, plane: 'other' }
  const two = { ...ground, planes: [board, tray, other], marks: [domino, theirs] }
  const shown = show(begun, two, 'D.1@c3')
  assert.equal(shown.source, theirs)
  assert.equal(letGo(shown, two).move, 'D.1@c3')
})

test('a hint that is a word names the choice', () => {
  assert.equal(show(begun, ground, 'pass').hinted, 'pass')
  assert.equal(offered(show(begun, ground, 'pass'), ground, offer).hinted, '')
})

test('another offer empties the hand', () => {
  assert.deepEqual(offered(held, ground, offer), begun)
  assert.deepEqual(drop(held).places, [])
})
