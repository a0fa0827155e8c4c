// Where cells lie, and how moves that place a tile are written and read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ahead, around, cellAt, cellName, cellsOf, centre, courseOf, moved, readMove, squareName, written, type Cell, type Point } from '../src/board/geometry'

test('the cell at the centre of a cell is that cell, on both lattices', () => {
  for (const lattice of ['square', 'hexagon'])
    for (let u = -4; u <= 4; u++) for (let v = -4; v <= 4; v++) assert.deepEqual(cellAt(lattice, centre(lattice, [u, v])), [u, v])
})

test('near its centre a point lies in a cell, also towards a corner', () => {
  for (const [dx, dy] of [[0.4, 0], [-0.4, 0.2], [0.2, -0.3], [0, 0.45]] as Point[]) {
    const [x, y] = centre('hexagon', [2, -3])
    assert.deepEqual(cellAt('hexagon', [x + dx, y + dy]), [2, -3])
  }
  assert.deepEqual(cellAt('square', [2.49, -3.49]), [2, 3])
})

test('rows of squares go up, rows of hexagons down', () => {
  assert.ok(centre('square', [0, 1])[1] < 0)
  assert.ok(centre('hexagon', [0, 1])[1] > 0)
})

test('all that share a side with a cell lie at distance 1', () => {
  for (const [lattice, count] of [['square', 4], ['hexagon', 6]] as const) {
    const [x, y] = centre(lattice, [3, 5])
    const found = around(lattice, [3, 5])
    assert.equal(new Set(found.map(String)).size, count)
    for (const cell of found) {
      const [u, v] = centre(lattice, cell)
      assert.ok(Math.abs(Math.hypot(u - x, v - y) - 1) < 1e-9)
    }
  }
})

test('an arrow leads to the nearest ahead; what lies aside counts double, and what lies behind not at all', () => {
  const spots: Point[] = [[3, 0], [1, 1.5], [-1, 0], [2, 0.2]]
  const at = (one: Point): Point => one
  assert.deepEqual(ahead(spots, at, [0, 0], [1, 0]), [2, 0.2])
  assert.deepEqual(ahead(spots, at, [0, 0], [-1, 0]), [-1, 0])
  assert.equal(ahead(spots, at, [0, 0], [0, -1]), null)
})

test('squares have names of a letter and a number, and numbers alone beyond the letters', () => {
  assert.equal(squareName([0, 0]), 'a1')
  assert.equal(squareName([25, 13]), 'z14')
  assert.equal(squareName([26, 0]), '27,1')
  assert.equal(squareName([0, -1]), '1,0')
  assert.equal(cellName('hexagon', [-2, 3]), '-2,3')
})

test('a move is read as it was written, by the template of any game', () => {
  const cells: Cell[] = [[0, 0], [4, 11], [30, 2]]
  for (const template of ['{tile}.{turn}@{square}', '{tile}@{column},{row}.{turn}', '{tile}.{turn}@{column},{down}'])
    for (const cell of cells) assert.deepEqual(readMove(template, written(template, 'N', 3, cell)), { tile: 'N', turn: 3, cell })
  assert.deepEqual(readMove('{tile}@{square}', 'W@b2'), { tile: 'W', turn: 0, cell: [1, 1] })
  assert.equal(readMove('{tile}@{square}', 'pass'), null)
})

test('a slot is bits, row by row over its box', () => {
  assert.deepEqual(cellsOf([2, 5, 3, 2], '21'), [[2, 5], [4, 6]])
  assert.deepEqual(cellsOf([0, 0, 4, 1], '0'), [])
})

test('four quarter turns or two flips leave a shape as it is', () => {
  const shape: Cell[] = [[0, 0], [0, 1], [0, 2], [1, 0]]
  let turned = shape
  for (let i = 0; i < 4; i++) {
    turned = moved(turned, 'turn')
    assert.equal(turned.length, shape.length)
    assert.equal(Math.min(...turned.flat()), 0)
  }
  assert.deepEqual(turned, shape)
  assert.notDeepEqual(moved(shape, 'flip'), shape)
  assert.deepEqual(moved(moved(shape, 'flip'), 'flip'), shape)
})

test('an item with a path is a line over the board, in its colour', () => {
  assert.deepEqual(courseOf({ key: 'line', points: 3, path: 'M0 0', args: { colour: 'red' } }), [{ path: 'M0 0', colour: 'red' }])
  assert.deepEqual(courseOf({ key: 'line', points: 3 }), [])
})
