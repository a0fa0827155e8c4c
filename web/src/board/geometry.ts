// Where cells lie: the two lattices, the names of cells, the bits of an offer.

import type { Item } from '../base/wire'

export type Point = [number, number]
export type Cell = [number, number]

/** A line over the board to be shown as one: its path, and its colour. */
export interface Course {
  path: string
  colour: string
}

/** The line that an item of an account counts, if it is one. */
export function courseOf({ path, args }: Item): Course[] {
  return path ? [{ path, colour: String(args?.colour ?? '') }] : []
}

/** The centre of a cell in its plane: x to the right, y down, neighbours at distance 1. */
export function centre(lattice: string, [u, v]: Point): Point {
  return lattice === 'hexagon' ? [u + v / 2, (v * Math.sqrt(3)) / 2] : [u, -v]
}

/** The cell that a point of a plane lies in. */
export function cellAt(lattice: string, [x, y]: Point): Cell {
  if (lattice !== 'hexagon') return [Math.round(x) + 0, Math.round(-y) + 0]
  const v = (y * 2) / Math.sqrt(3)
  const u = x - v / 2
  const w = -u - v
  let [q, r, s] = [Math.round(u), Math.round(v), Math.round(w)]
  const [dq, dr, ds] = [Math.abs(q - u), Math.abs(r - v), Math.abs(s - w)]
  if (dq > dr && dq > ds) q = -r - s
  else if (dr > ds) r = -q - s
  return [q + 0, r + 0]
}

/** The cells that share a side with one. */
export function around(lattice: string, [u, v]: Cell): Cell[] {
  const steps: Cell[] = lattice === 'hexagon' ? SIX : FOUR
  return steps.map(([a, b]): Cell => [u + a, v + b])
}

const FOUR: Cell[] = [[1, 0], [0, 1], [-1, 0], [0, -1]]
const SIX: Cell[] = [...FOUR, [1, -1], [-1, 1]]

/** Of all that lies in a direction from a point the nearest; what lies aside counts double. */
export function ahead<T>(all: T[], at: (one: T) => Point, [x, y]: Point, [dx, dy]: Point): T | null {
  let best: T | null = null
  let least = Infinity
  for (const one of all) {
    const [u, v] = at(one)
    const along = (u - x) * dx + (v - y) * dy
    const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx)
    if (along > 0.01 && along + 2 * aside < least) {
      least = along + 2 * aside
      best = one
    }
  }
  return best
}

/** The name of a square; the same as on the server. */
export function squareName([column, row]: Cell): string {
  return column >= 0 && column < 26 && row >= 0
    ? String.fromCharCode(97 + column) + (row + 1)
    : `${column + 1},${row + 1}`
}

/** The name of a cell, as moves write it. */
export function cellName(lattice: string, cell: Cell): string {
  return lattice === 'hexagon' ? cell.join(',') : squareName(cell)
}

/** The cell that a name of a square means. */
function squareOf(name: string): Cell {
  const [, letter, row] = /^([a-z])(\d+)$/.exec(name) ?? []
  if (letter) return [letter.charCodeAt(0) - 97, Number(row) - 1]
  const [column, line] = name.split(',').map(Number)
  return [column! - 1, line! - 1]
}

/** The inverse of `written`: which tile a move puts where, if it does. */
export function readMove(template: string, text: string): { tile: string; turn: number; cell: Cell } | null {
  const shape = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+?)')
  const found = new RegExp(`^${shape}$`).exec(text)?.groups
  if (!found) return null
  const { tile = '', turn = '0', square, column, row, down } = found
  const cell: Cell = square ? squareOf(square) : [Number(column), row === undefined ? -Number(down) : Number(row)]
  return Number.isNaN(cell[0] + cell[1]) ? null : { tile, turn: Number(turn), cell: [cell[0] + 0, cell[1] + 0] }
}

/** The text of the move that puts a tile at a cell, by the game's own template. */
export function written(template: string, tile: string, turn: number, [column, row]: Cell): string {
  const parts: Record<string, string | number> = {
    tile,
    turn,
    column,
    row,
    down: -row,
    square: squareName([column, row]),
  }
  return template.replace(/\{(\w+)\}/g, (_, key: string) => String(parts[key]))
}

/** The cells of a slot: bits, as hexadecimal text, row by row over a box. */
export function cellsOf(box: [number, number, number, number], hex: string): Cell[] {
  const [left, low, width] = box
  const found: Cell[] = []
  for (let digit = 0; digit < hex.length; digit++) {
    const value = parseInt(hex[hex.length - 1 - digit]!, 16)
    for (let bit = 0; bit < 4; bit++) {
      if ((value >> bit) & 1) {
        const offset = digit * 4 + bit
        found.push([left + (offset % width), low + Math.floor(offset / width)])
      }
    }
  }
  return found
}

/** A shape of squares after a quarter turn clockwise, or mirrored left to right, brought back
 * to the origin. */
export function moved(cells: Cell[], how: 'turn' | 'flip'): Cell[] {
  const raw = cells.map(([c, r]): Cell => (how === 'turn' ? [r, -c] : [-c, r]))
  const left = Math.min(...raw.map(([c]) => c))
  const low = Math.min(...raw.map(([, r]) => r))
  return raw.map(([c, r]): Cell => [c - left, r - low]).sort((a, b) => a[0] - b[0] || a[1] - b[1])
}
