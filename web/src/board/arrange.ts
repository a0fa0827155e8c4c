// How planes lie on the table: beside each other as the game says, or below each other where
// there is more height than width; the room they take, and the paths of their wells.

import { boardOf } from './planes'
import type { Mark, Plane } from '../base/wire'
import { centre } from './geometry'

export interface Box {
  x: number
  y: number
  w: number
  h: number
}

/** Where there is room in a drawing, in its pixels: for the board, and for what lies beside it. */
export interface Rooms {
  board: Box
  aside: Box
}

const PAD = 0.15
const HEAD = 30 // pixels above a plane with a title, in a room of its own
const NAMES = 24 // pixels for the names of cells, left and below
const TITLE = 1.05 // cells above a plane with a title
const WIDE = 1.25 // times the board, what lies below it
const FRAME = 0.62 // of the width of a column is the height of a frame in it
const LEAST = 1.4 // cells on either side of the middle of a plane with little in it

/** Where there is more height than the usual arrangement needs, what lies beside the board
 * goes below it, in a column for each seat, all of one size. What has a frame keeps it from
 * move to move, whatever comes to lie in it. */
export function stacked(all: Plane[], marks: Mark[], ratio: number): Plane[] {
  const board = boardOf(all)
  const usual = bounds(all)
  if (!board || all.length < 2 || !(ratio < (usual.w / usual.h) * 0.8)) return all
  const aside = all.filter((plane) => plane !== board).map((plane) => ({ ...plane, box: cropped(plane, marks) }))
  const columns = Map.groupBy(aside, (plane) => plane.seats?.[0] ?? -1)
  const [left, , right, bottom] = board.box
  const width = (WIDE * (right - left)) / columns.size
  const [wide, high] = [width - 2 * PAD, FRAME * width]
  const scale = Math.min(
    ...aside.map(({ box: [a, b, c, d], framed, scale = 1 }) =>
      Math.min(scale, wide / (c - a), framed ? high / (d - b) : Infinity),
    ),
  )
  const found = [board]
  let x = (left + right - width * columns.size) / 2
  for (const column of columns.values()) {
    let y = bottom + (board.coordinates ? 0.75 : 0.3)
    for (const plane of column) {
      const [a, b, c, d] = plane.box
      const across = (wide / scale - (c - a)) / 2
      const down = plane.framed ? (high / scale - (d - b)) / 2 : 0
      const box: Plane['box'] = [a - across, b - down, c + across, d + down]
      y += plane.title ? TITLE : 0.2
      found.push({ ...plane, box, scale, x: x + PAD - box[0] * scale, y: y - box[1] * scale })
      y += (box[3] - box[1]) * scale
    }
    x += width
  }
  return found
}

/** The board in its room, and what lies beside it in another, next to or below each other,
 * whichever is larger: planes in cells of the board, of so many pixels each, from the upper left. */
export function inRooms(all: Plane[], marks: Mark[], { board: large, aside: small }: Rooms): { planes: Plane[]; unit: number } {
  const board = boardOf(all)!
  const [left, top, right, bottom] = board.box
  // Slots have no size yet where a table is only about to be shown.
  const unit = Math.min(Math.max(1, large.w - NAMES) / (right - left), Math.max(1, large.h - NAMES) / (bottom - top))
  const x = (large.x + (large.w + NAMES) / 2) / unit - (left + right) / 2
  const y = (large.y + (large.h - NAMES) / 2) / unit - (top + bottom) / 2
  const planes: Plane[] = [{ ...board, x, y }]
  const others = all.filter((plane) => plane !== board).map((plane) => ({ ...plane, box: cropped(plane, marks) }))
  const most = Math.max(...others.map(({ box: [a, b, c, d] }) => Math.max(c - a, d - b)))
  const [across, down] = [small.w / others.length, small.h / others.length]
  const beside = Math.min(across, small.h - HEAD) >= Math.min(small.w, down - HEAD)
  const [w, h] = beside ? [across, small.h] : [small.w, down]
  const [wide, high] = [Math.max(1, w - 8) / unit, Math.max(1, h - HEAD) / unit]
  const scale = Math.min(1, wide / most, high / most)
  others.forEach((plane, i) => {
    const [from, under] = [small.x + (beside ? i * w + 4 : 4), small.y + (beside ? 0 : i * h) + HEAD]
    const [a, b, c, d] = plane.box
    const [dx, dy] = [(wide / scale - (c - a)) / 2, (high / scale - (d - b)) / 2]
    const box: Plane['box'] = [a - dx, b - dy, c + dx, d + dy]
    planes.push({ ...plane, box, scale, x: from / unit - box[0] * scale, y: under / unit - box[1] * scale })
  })
  return { planes, unit }
}

/** The part of a plane in which something lies, and some room around it. */
function cropped({ name, box, lattice }: Plane, marks: Mark[]): Plane['box'] {
  const points = marks.filter((mark) => mark.plane === name).map((mark) => centre(lattice, mark.cell))
  const [left, right] = span(points.map(([x]) => x), box[0], box[2])
  const [top, bottom] = span(points.map(([, y]) => y), box[1], box[3])
  return [left, top, right, bottom]
}

function span(values: number[], low: number, high: number): [number, number] {
  const middle = values.length ? (Math.min(...values) + Math.max(...values)) / 2 : (low + high) / 2
  const far = values.length ? (Math.max(...values) - Math.min(...values)) / 2 + 0.9 : 0
  const half = Math.max(far, LEAST)
  return [Math.max(middle - half, low), Math.min(middle + half, high)]
}

/** The room that planes take with their titles and the names of their cells. */
export function bounds(all: Plane[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const plane of all) {
    const s = plane.scale ?? 1
    const [a, b, c, d] = plane.box
    const [aside, below] = plane.coordinates ? [0.78, 0.7] : [0, 0]
    left = Math.min(left, (plane.x ?? 0) + s * (a - aside))
    top = Math.min(top, (plane.y ?? 0) + s * b - (plane.title ? TITLE : 0))
    right = Math.max(right, (plane.x ?? 0) + s * c)
    bottom = Math.max(bottom, (plane.y ?? 0) + s * (d + below))
  }
  if (all.some(unbounded)) {
    // A field that grows is not shown larger than this.
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    left = Math.min(left, x - 4.6)
    right = Math.max(right, x + 4.6)
    top = Math.min(top, y - 4)
    bottom = Math.max(bottom, y + 4)
  }
  return { x: left - PAD, y: top - PAD, w: right - left + 2 * PAD, h: bottom - top + 2 * PAD }
}

/** Whether a plane has no bounds, so that one moves about on it. */
export function unbounded(plane: Plane): boolean {
  return plane.lattice === 'hexagon'
}

/** One path for all wells of a plane. */
export function wells(plane: Plane): string {
  return (plane.wells ?? [])
    .map((cell) => {
      const [x, y] = centre(plane.lattice, cell)
      return plane.lattice === 'hexagon' ? hexagon(x, y) : square(x, y)
    })
    .join('')
}

function hexagon(x: number, y: number): string {
  const points = [0, 1, 2, 3, 4, 5].map((k) => {
    const angle = ((2 * k - 1) * Math.PI) / 6
    return `${(x + 0.55 * Math.cos(angle)).toFixed(3)} ${(y + 0.55 * Math.sin(angle)).toFixed(3)}`
  })
  return `M${points.join('L')}Z`
}

function square(x: number, y: number): string {
  return `M${x - 0.4} ${y - 0.465}h.8q.065 0 .065 .065v.8q0 .065-.065 .065h-.8q-.065 0-.065-.065v-.8q0-.065 .065-.065Z`
}
