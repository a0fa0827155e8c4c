// Where one is in a tree of moves, and how one walks in it: plain data, tested without a page.
//
// A path is the number of a step in the main line, then perhaps which variation of that step and
// the number in it, and so on; the empty path is before the first move.

import type { StudyStep } from '../base/wire'

export type Path = number[]
export type Line = StudyStep[]

export const written = (path: Path): string => path.join('.') || '-'

/** The path that a text is; empty if it is none. */
export function pathOf(text: string): Path {
  return /^\d+(\.\d+\.\d+)*$/.test(text) ? text.split('.').map(Number) : []
}

/** The line in which the step of a path stands; null if there is none. */
export function lineOf(line: Line, path: Path): Line | null {
  let found: Line | undefined = line
  for (let i = 0; i + 1 < path.length; i += 2) found = found?.[path[i]!]?.others?.[path[i + 1]!]
  return found ?? null
}

/** The step that a path leads to. */
export function stepAt(line: Line, path: Path): StudyStep | null {
  return path.length ? (lineOf(line, path)?.[path.at(-1)!] ?? null) : null
}

/** The steps from the beginning up to that of a path; null if there is no such path. */
export function stepsTo(line: Line, path: Path): StudyStep[] | null {
  const found: StudyStep[] = []
  let here: Line | undefined = line
  for (let i = 0; i < path.length; i += 2) {
    const at = path[i]!
    const step: StudyStep | undefined = here?.[at]
    if (!here || !step) return null
    if (i + 1 >= path.length) return [...found, ...here.slice(0, at + 1)]
    found.push(...here.slice(0, at))
    here = step.others?.[path[i + 1]!]
  }
  return path.length ? null : []
}

/** A path that there is: as far as one goes towards another. */
export function nearest(line: Line, path: Path): Path {
  let here = path
  while (here.length && !stepAt(line, here)) here = parent(here)
  return here
}

/** The step before, whatever it is. */
function parent(path: Path): Path {
  const at = path.at(-1)!
  if (at > 0) return [...path.slice(0, -1), at - 1]
  // The first of a variation: before it is what is before the step it replaces.
  return path.length === 1 ? [] : parent(path.slice(0, -2))
}

/** The step after in the same line, whatever it is; null at its end. */
function child(line: Line, path: Path): Path | null {
  const next = path.length ? [...path.slice(0, -1), path.at(-1)! + 1] : [0]
  return stepAt(line, next) ? next : null
}

const drawn = (line: Line, path: Path): boolean => (stepAt(line, path)?.seat ?? 0) < 0

/** A path with what chance draws after it. */
export function settled(line: Line, path: Path): Path {
  let here = path
  for (let then = child(line, here); then && drawn(line, then); then = child(line, then)) here = then
  return here
}

/** Where one is after the next move and what chance draws then. */
export function forward(line: Line, path: Path): Path {
  const next = child(line, path)
  return next ? settled(line, next) : path
}

/** Where one was before the last move, with what chance had drawn. */
export function back(line: Line, path: Path): Path {
  if (!path.length) return path
  let here = path
  while (here.length && drawn(line, here)) here = parent(here)
  return here.length ? parent(here) : here
}

/** The end of the line that a path is in. */
export function end(line: Line, path: Path): Path {
  const own = path.length ? lineOf(line, path) : line
  return own?.length ? [...path.slice(0, -1), own.length - 1] : path
}

/** The beginning, after what chance draws first. */
export const start = (line: Line): Path => settled(line, [])

/** All that stands instead of the step of a path, and it: itself first if it is in the line. */
export function siblings(line: Line, path: Path): Path[] {
  if (!path.length) return []
  const at = path.at(-1)!
  const first = at === 0 && path.length > 1 ? path.slice(0, -2) : path
  const step = stepAt(line, first)
  return [first, ...(step?.others ?? []).map((_, i) => [...first, i, 0])]
}

/** The same ply in another variation. */
export function beside(line: Line, path: Path, by: 1 | -1): Path {
  const all = siblings(line, path)
  const at = all.findIndex((one) => written(one) === written(path))
  const next = all[at + by]
  return next ? settled(line, next) : path
}

/** Where a move leads that was played after a path: to it, and past what chance drew. */
export function played(line: Line, path: Path, move: string): Path {
  const next = child(line, path)
  if (!next) return path
  const found = siblings(line, next).find((one) => stepAt(line, one)?.move === move)
  return found ? settled(line, found) : path
}

/** The number of the move of a path, without what chance draws. */
export function numberOf(line: Line, path: Path): number {
  return (stepsTo(line, path) ?? []).filter(({ seat }) => seat >= 0).length
}

/** The ply in the main line that a path is at, or leaves it. */
export const plyOf = (path: Path): number => (path.length ? path[0]! + (path.length === 1 ? 1 : 0) : 0)

/** The path to a ply of the main line. */
export const mainPath = (ply: number): Path => (ply > 0 ? [ply - 1] : [])

export interface Cell {
  step: StudyStep
  path: Path
  number: number
}

export interface Row {
  cells: (Cell | null)[] // one for each seat,
  after: Cell[] // and those that have notes or variations
}

/** The moves of the main line in rows: with two seats, a column each. */
export function rows(line: Line, seats: number): Row[] {
  const found: Row[] = []
  let number = 0
  let row: Row | null = null
  let last = -1
  line.forEach((step, at) => {
    if (step.seat < 0) return
    const cell = { step, path: [at], number: ++number }
    if (!row || step.seat <= last || row.after.length) {
      row = { cells: Array<Cell | null>(seats).fill(null), after: [] }
      found.push(row)
    }
    row.cells[step.seat] = cell
    if (step.note || step.others?.length) row.after.push(cell)
    last = step.seat
  })
  return found
}
