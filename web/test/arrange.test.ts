// How planes lie in a drawing.

import './window'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bounds, inRooms, stacked, unbounded, wells } from '../src/board/arrange'
import { boardPlanes, trayOf } from '../src/board/planes'
import { centre, type Cell } from '../src/board/geometry'
import type { Mark, Plane, Position } from '../src/base/wire'

const squares: Cell[] = Array.from({ length: 64 }, (_, i) => [i % 8, Math.floor(i / 8)])
const board: Plane = { name: 'board', lattice: 'square', box: [-0.75, -7.75, 7.75, 0.75], wells: squares, main: true, coordinates: true }
const own: Plane = { name: 'own', lattice: 'square', box: [0, 0, 12, 3], x: 10, framed: true, seats: [0], title: 'own' }
const other: Plane = { ...own, name: 'other', y: 4, seats: [1] }
const field: Plane = { name: 'field', lattice: 'hexagon', box: [-1, -1, 1, 1], main: true }
const all = [board, own, other]
const laid: Mark[] = [{ plane: 'own', sprite: 'S', cell: [5, -1] }]

const frameOf = ({ box: [a, b, c, d], x = 0, y = 0, scale = 1 }: Plane): number[] => [x + scale * a, y + scale * b, x + scale * c, y + scale * d]
const apart = (one: Plane, two: Plane): boolean => {
  const [[a, b, c, d], [e, f, g, h]] = [frameOf(one), frameOf(two)] as [number[], number[]]
  return c! <= e! + 1e-9 || g! <= a! + 1e-9 || d! <= f! + 1e-9 || h! <= b! + 1e-9
}

test('where there is width, planes lie as the game says', () => {
  assert.equal(stacked(all, laid, 2), all)
  assert.equal(stacked([board], [], 0.3)[0], board, 'and the board alone always')
})

test('where there is height, what lies beside the board goes below it, of one size, a column for each seat', () => {
  const found = stacked(all, laid, 0.5)
  assert.deepEqual(found.map(({ name }) => name), ['board', 'own', 'other'])
  const [, first, second] = found as [Plane, Plane, Plane]
  assert.equal(first.scale, second.scale)
  assert.ok(frameOf(first)[1]! > board.box[3])
  assert.ok(found.every((one, i) => found.slice(i + 1).every((two) => apart(one, two))))
})

test('a frame is as large whatever comes to lie in it', () => {
  const size = (marks: Mark[]): number[] => {
    const [left, top, right, bottom] = frameOf(stacked(all, marks, 0.5)[1]!) as [number, number, number, number]
    return [right - left, bottom - top].map((length) => Math.round(length * 100))
  }
  assert.deepEqual(size(laid), size([...laid, { plane: 'own', sprite: 'S', cell: [6, -2] }]))
})

test('in rooms the board fills its own, and nothing lies on it', () => {
  const rooms = { board: { x: 0, y: 0, w: 424, h: 424 }, aside: { x: 0, y: 440, w: 424, h: 160 } }
  const { planes, unit } = inRooms(all, laid, rooms)
  const [left, top, right, bottom] = frameOf(planes[0]!).map((length) => length * unit) as [number, number, number, number]
  assert.ok(left >= 0 && top >= 0 && right <= 424 && bottom <= 424)
  assert.ok(right - left > 350)
  for (const plane of planes.slice(1)) {
    const frame = frameOf(plane).map((length) => length * unit) as [number, number, number, number]
    assert.ok(frame[1] >= 440 && frame[3] <= 600.001 && frame[0] >= 0 && frame[2] <= 424.001, String(frame))
  }
})

test('in rooms without a size, as before a page is laid out, nothing is turned inside out', () => {
  const none = { x: 0, y: 0, w: 0, h: 0 }
  const { planes, unit } = inRooms(all, laid, { board: none, aside: none })
  assert.ok(unit > 0)
  for (const { box: [left, top, right, bottom], scale = 1 } of planes) assert.ok(right > left && bottom > top && scale > 0)
})

test('bounds have room for titles and the names of cells; a small field is not shown too large', () => {
  const plain = bounds([{ ...board, coordinates: false }])
  const named = bounds([board])
  assert.ok(named.w > plain.w && named.h > plain.h)
  assert.ok(bounds([own]).h > bounds([{ ...own, title: '' }]).h)
  assert.ok(bounds([field]).w >= 9)
  assert.ok(unbounded(field) && !unbounded(board))
})

test('every well is drawn once, where its cell is', () => {
  assert.equal(wells(board).match(/M/g)?.length, 64)
  const [x] = centre('hexagon', [3, 2])
  assert.match(wells({ ...field, wells: [[3, 2]] }), new RegExp(`^M${(x + 0.55 * Math.cos(-Math.PI / 6)).toFixed(3)} `))
})

test('the board is what has wells or frames or tiles; a hand and what one seat has beside it are not', () => {
  const tray: Plane = { name: 'tray', lattice: 'square', box: [0, 0, 1, 1], tray: true, seats: [0] }
  const next: Plane = { ...tray, name: 'next', active: true }
  const pile: Plane = { name: 'pile', lattice: 'square', box: [0, 0, 1, 1], seats: [0] }
  const stock: Plane = { name: 'stock', lattice: 'square', box: [0, 0, 1, 1] }
  const position = { planes: [board, own, tray, next, pile, stock], marks: [{ plane: 'stock', sprite: 'S', cell: [0, 0] }], turn: 0 } as unknown as Position
  assert.deepEqual(boardPlanes(position).map(({ name }) => name), ['board', 'own', 'stock'])
  assert.deepEqual(boardPlanes(null), [])
  assert.equal(trayOf(position)?.name, 'next')
  assert.equal(trayOf({ ...position, turn: 1 }), undefined)
})
