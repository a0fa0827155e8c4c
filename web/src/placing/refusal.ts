// What a refusal speaks of: its cells, called as the board calls them.

import type { Error, Plane } from '../base/wire'
import type { Args } from '../base/words.svelte'
import { boardOf, type Place } from '../board/planes'
import { written, type Cell, type Point } from '../board/geometry'

export interface Spoken {
  cell: Cell
  name: string // what it is called; empty: the board shows its name
  plane?: string // none: the board
}

/** The cells that a refusal is about, and its arguments. Where the board shows no names, cells are
 * lettered there and the sentence names the letters; and so is the place that was tried. */
export function spokenOf(error: Error, planes: Plane[], template: string, tried: Place | null): { cells: Spoken[]; args: Args } {
  const board = boardOf(planes)
  const plain = board?.coordinates === true
  const cells: Spoken[] = (error.cells ?? []).map((cell, i) => ({ cell, name: plain ? '' : letter(i) }))
  const args = { ...error.args }
  if (!plain && cells.length && typeof args.at === 'string') args.at = cells.map(quoted).join(', ')
  const place = tried && tried.plane !== board?.name ? written(template.split('@')[1] ?? '', '', 0, tried.cell) : ''
  const key = place && Object.keys(args).find((one) => args[one] === place)
  if (key) {
    const here = { cell: tried!.cell, name: letter(plain ? 0 : cells.length), plane: tried!.plane }
    args[key] = quoted(here)
    cells.push(here)
  }
  return { cells, args }
}

const quoted = ({ name }: Spoken): string => `“${name}”`
const letter = (i: number): string => String.fromCharCode(65 + (i % 26))

interface Rect {
  left: number
  top: number
  right: number
  bottom: number
}

const GAP = 6 // pixels between a note and what it does not cover
const MOST = 48 // boxes whose edges are tried

/** The upper left of a note of a size within an area: as near to a point as it can be without
 * covering any of the boxes; none if it must. */
export function standing([w, h]: Point, [wide, high]: Point, boxes: Rect[], [x, y]: Point): Point | null {
  const some = boxes.slice(0, MOST)
  const put = (at: number, most: number): number => Math.min(Math.max(at, 0), Math.max(most, 0))
  const across = new Set([x - w / 2, ...some.flatMap((one) => [one.left - w - GAP, one.right + GAP])].map((at) => put(at, wide - w)))
  const down = new Set([y - h / 2, ...some.flatMap((one) => [one.top - h - GAP, one.bottom + GAP])].map((at) => put(at, high - h)))
  let best: Point | null = null
  let least = Infinity
  for (const left of across)
    for (const top of down) {
      const far = (left + w / 2 - x) ** 2 + (top + h / 2 - y) ** 2
      const over = (one: Rect): boolean =>
        left < one.right && left + w > one.left && top < one.bottom && top + h > one.top
      if (far < least && !boxes.some(over)) [best, least] = [[left, top], far]
    }
  return best
}
