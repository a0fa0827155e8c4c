// Placing a tile, without a page: what comes to hand, where it goes, what would be sent.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  change, choose, drop, due, EMPTY, hover, letGo, lifting, lyingAt, moveOf, offered, pickUp, planned, refused, release,
  show, SNAP, step, take, takes, walk, type Done, type Ground, type State,
} from '../src/placing/model'
import { cellsOf, type Cell, type Point } from '../src/board/geometry'
import { spokenOf, standing } from '../src/placing/refusal'
import { laidSince } from '../src/table/since'
import type { Mark, Offer, Plane, Room } from '../src/base/wire'

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

const at = (cell: Cell): Point => [cell[0], -cell[1]]
const over = (state: State, [x, y]: Point): State => hover(state, ground, 'ground', [x, y])

/** A click at a point, as a mouse makes it: it has come there before. */
function click(state: State, [x, y]: Point): Done {
  return choose(over(state, [x, y]), ground, { plane: 'ground', cell: [Math.round(x), Math.round(-y)] }, [x, y], false)
}

/** A tap at the middle of a cell. */
const tap = (state: State, cell: Cell): Done => choose(state, ground, { plane: 'ground', cell }, at(cell), true)

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
  assert.equal(tap(small, [4, 4]).move, '', 'a finger must show it first all the same')
})

test('a tile comes to hand in a turn that has a place', () => {
  const standing = offered(EMPTY, ground, { ...offer, slots: [slot('D', 1, [2, 2], [0, 0])] })
  assert.equal(take(standing, ground, domino).turn, 1)
})

test('a tile goes where one points, or to a legal place right beside that', () => {
  const close = over(held, [0.9, -0.4]) // its middle is half a cell to the right of its lower left
  assert.deepEqual([close.place?.cell, close.legal], [[0, 0], true])
  assert.equal(over(close, [0.8, -0.3]), close) // nothing has changed
  const farther = over(close, [2.2, 0])
  assert.deepEqual([farther.place?.cell, farther.legal], [[2, 0], false], 'it does not fit there, and is shown there')
  assert.equal(hover(close, ground, 'tray', [0, 0]).place, null, 'it is not laid on a plane without places')
})

test('it never snaps farther than to the next cell', () => {
  for (let x = -1; x < 6; x += 0.1)
    for (let y = -6; y < 2; y += 0.1) {
      const { place } = over(held, [x, y])
      const [u, v] = [place!.cell[0] + 0.5, -place!.cell[1]]
      assert.ok(Math.hypot(u - x, v - y) <= SNAP, `${x} ${y} ${place!.cell}`)
    }
})

test('where one points at the middle of a legal place it goes there, whatever lies beside', () => {
  const both = offered(EMPTY, ground, { ...offer, slots: [slot('S', 0, [1, 1], [2, 1], [2, 2])] })
  for (const cell of [[1, 1], [2, 1], [2, 2]] as Cell[]) {
    const { state, move } = click(take(both, ground, single), at(cell))
    assert.deepEqual([state.place?.cell, move], [cell, `S.0@${'abc'[cell[0]]}${cell[1] + 1}`])
  }
})

test('a mouse lays a tile by a click, at the very place where it is shown', () => {
  assert.equal(click(held, [0.5, 0]).move, 'D.0@a1')
  const elsewhere = choose(over(held, [3.5, -4]), ground, { plane: 'ground', cell: [0, 0] }, [0.5, 0], false)
  assert.deepEqual([elsewhere.move, elsewhere.state.place?.cell], ['', [0, 0]], 'it was shown elsewhere: now it is here')
})

test('a finger shows a tile first, and confirms by a tap on it; a tap elsewhere moves it', () => {
  const shown = tap(held, [0, 0])
  assert.deepEqual([shown.move, shown.state.legal, shown.state.laid], ['', true, true])
  assert.equal(tap(shown.state, [1, 0]).move, 'D.0@a1')
  assert.equal(letGo(shown.state, ground).move, 'D.0@a1')
  const moved = tap(shown.state, [4, 4])
  assert.deepEqual([moved.move, moved.state.place?.cell], ['', [3, 4]])
})

test('what is let go where it does not fit is asked for: the answer says why not, and it stays there', () => {
  const { state, move } = click(held, [4, -2])
  assert.equal(move, 'D.0@e3')
  assert.equal(state.legal, false)
  assert.deepEqual([refused(state).tile, refused(state).place], ['D', state.place])
  const tapped = tap(held, [2, 1])
  assert.deepEqual([tapped.move, tapped.state.laid], ['D.0@c2', true])
})

test('what is dragged is played where it is let go, or shown to be confirmed', () => {
  const there = over(held, [0.5, 0])
  assert.equal(release(there, ground, false).move, 'D.0@a1')
  assert.deepEqual([release(there, ground, true).move, release(there, ground, true).state.laid], ['', true])
  assert.equal(release(over(held, [2.5, 0]), ground, true).move, 'D.0@c1', 'to hear why not')
})

test('a plane on which the tile has no place is left alone', () => {
  assert.deepEqual(choose(held, ground, { plane: 'tray', cell: [0, 0] }, [0, 0], false), { state: held, move: '' })
})

test('turning goes by the shape, around where it is', () => {
  const here = over(held, [2.2, -2.4])
  const turned = change(here, ground, 'turn')
  assert.deepEqual([turned.turn, turned.place?.cell, turned.legal], [1, [2, 2], true])
  assert.deepEqual(change(turned, ground, 'turn').place, here.place)
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
  assert.equal(click({ ...eye, spot: [1, 0] }, at([3, 3])).move, 'D.0@c4')
  const aimed = tap({ ...eye, spot: [1, 0] }, [3, 3])
  assert.deepEqual([aimed.move, aimed.state.place, aimed.state.cursor?.cell], ['', null, [3, 3]], 'a finger points first')
  assert.equal(letGo(aimed.state, ground).move, 'D.0@c4')
  assert.equal(letGo(eye, ground).move, '', 'nothing was pointed at')
  assert.equal(letGo(change(aimed.state, ground, 'turn'), ground).move, 'D.1@d4')
})

// In the others' time

const idle = offered(EMPTY, ground, null, true)
const plan = tap(take(idle, ground, domino), [3, 4]).state

test('while others move a tile is laid as a plan, and nothing says whether it fits', () => {
  assert.ok(takes(idle, 'D'))
  assert.deepEqual([plan.place?.cell, plan.laid, plan.legal], [[3, 4], true, false])
  assert.equal(over(plan, [1, -1]), plan, 'a pointer that passes leaves it')
  assert.equal(tap(plan, [1, 1]).move, '', 'nothing is asked')
  assert.deepEqual(step(plan, ground, [-1, 0]).place?.cell, [2, 4])
  assert.equal(step(take(idle, ground, domino), ground, [1, 0]).place?.plane, 'ground')
})

test('a plan is played when the turn comes if the offer has it', () => {
  const armed = letGo(plan, ground).state
  assert.deepEqual([armed.armed, letGo(armed, ground).state.armed], [true, false], 'the same again takes it back')
  const mine = offered(offered(armed, ground, null, false), ground, offer)
  assert.equal(due(mine, ground).move, 'D.0@d5')
  assert.equal(due(mine, ground).state.armed, false)
  assert.equal(change(armed, ground, 'turn').armed, false, 'another form is another plan')
})

test('a plan that the offer does not have goes home, and is asked for: the answer says why', () => {
  const armed = letGo(tap(take(idle, ground, domino), [1, 1]).state, ground).state
  const { state, move } = due(offered(armed, ground, offer), ground)
  assert.deepEqual([state.tile, move], ['', 'D.0@b2'])
})

test('a plan of a colour that is not to move is not sent', () => {
  const two = { ...ground, planes: [board, tray, { ...tray, name: 'other', active: true }] }
  const armed = letGo(plan, ground).state
  assert.deepEqual(due(offered(armed, two, offer), two).move, '')
})

test('a plan that is not to be played yet is in hand when the turn comes, where it lies', () => {
  const mine = offered(plan, ground, offer)
  assert.deepEqual([mine.tile, mine.place?.cell, mine.legal, mine.armed], ['D', [3, 4], true, false])
})

test('a plan is kept as a move and taken up again', () => {
  const again = planned(idle, ground, 'D.1@c3', 'tray')
  assert.deepEqual([again.tile, again.turn, again.place?.cell, again.armed], ['D', 1, [2, 2], true])
  assert.equal(planned(idle, ground, 'X.0@a1', 'tray'), idle)
  assert.equal(planned(idle, ground, 'nonsense', 'tray'), idle)
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

// What is told beside the board

test('a note covers nothing that it speaks of, and stands as near as it can', () => {
  const cell = { left: 90, top: 90, right: 110, bottom: 110 }
  for (const [wide, high] of [[400, 400], [400, 130], [130, 400]] as Point[]) {
    const [left, top] = standing([60, 30], [wide, high], [cell], [100, 100])!
    assert.ok(left >= 0 && left + 60 <= wide && top >= 0 && top + 30 <= high)
    assert.ok(left >= 110 || left + 60 <= 90 || top >= 110 || top + 30 <= 90)
  }
  assert.equal(standing([60, 30], [70, 40], [{ left: 0, top: 0, right: 70, bottom: 40 }], [0, 0]), null)
})

test('a refusal names squares as the board does: by letters where the board has no names', () => {
  const error = { t: 'error' as const, code: 'illegal', text: '', rule: 'x', cells: [[1, 2], [3, 3]] as Cell[], args: { at: '1,2 3,3' } }
  assert.deepEqual(spokenOf(error, [board], '', null).args, { at: '“A”, “B”' })
  assert.deepEqual(spokenOf(error, [{ ...board, coordinates: true }], '', null), {
    cells: [{ cell: [1, 2], name: '' }, { cell: [3, 3], name: '' }], args: { at: '1,2 3,3' },
  })
  const beside = spokenOf({ ...error, cells: [], args: { place: '-1,0' } }, [board], '{tile}@{down},{column}', { plane: 'stock', cell: [0, 1] })
  assert.deepEqual(beside, { cells: [{ cell: [0, 1], name: 'A', plane: 'stock' }], args: { place: '“A”' } })
})

test('what others have laid since the own last move is numbered in order', () => {
  const moves = [[0, 'D.0@a1'], [1, 'S.0@c3'], [-1, '+3'], [2, 'D.1@d1'], [1, 'pass']].map(([seat, move], ply) => ({ ply, seat, move }))
  const lies = (sprite: string, cell: Cell): Mark => ({ plane: 'ground', sprite, cell })
  const marks = [lies('D.1', [3, 0]), lies('S.0', [2, 2]), lies('D.0', [0, 0])]
  const room = { planes: [board, tray], marks, moves } as unknown as Room
  const since = (seat: number): string[] => laidSince(room, ground.template, {}, seat).map(({ mark, number }) => `${number} ${mark.sprite}`)
  assert.deepEqual(since(0), ['1 S.0', '2 D.1'])
  assert.deepEqual(since(2), [])
  assert.deepEqual(since(3), ['1 D.0', '2 S.0', '3 D.1'])
  assert.deepEqual(since(-1), [])
})
