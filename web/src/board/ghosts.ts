// What is shown on the board besides the position: tiles of a line, numbered; marks of moves; what
// others have laid.

import type { Mark, StudyNode, ThoughtLine } from '../base/wire'

/** Something over the board: a tile that is not there (`ghost`), a ring where one is taken from
 * (`from`), the outline of one that was played (`outline`), or no more than a mark on one that is
 * (`badge`); with a word on it. */
export interface Ghost {
  mark: Mark
  text: string
  kind: 'ghost' | 'from' | 'outline' | 'badge'
}

/** A tile that somebody laid since one's own last move. */
export interface Laid {
  mark: Mark
  seat: number // who laid it,
  colour: string // and in which colour
  move: string
  number: number // from 1
}

/** The tiles of a line, so many at most, with their numbers in it; and where each is taken from, in
 * games that take from the board. */
export function ghostsOf(line: Pick<ThoughtLine, 'steps'> | undefined, most: number): Ghost[] {
  return (line?.steps ?? []).slice(0, most).flatMap(({ marks = [] }, i) => {
    const found: Ghost[] = []
    const taken = marks.find(({ role }) => role === 'taken')
    const put = marks.find(({ role }) => role !== 'taken')
    if (taken) found.push({ mark: taken, text: String(i + 1), kind: 'from' })
    if (put) found.push({ mark: put, text: String(i + 1), kind: 'ghost' })
    return found
  })
}

/** The mark of the latest move, on what it laid. */
export function badgeOf(node: StudyNode | null, mark: string): Ghost[] {
  const planes = node?.position.planes ?? []
  const last = node?.position.marks.find(({ role, plane }) => role === 'last' && !planes.some(({ name, tray }) => tray && name === plane))
  return last && mark ? [{ mark: last, text: mark, kind: 'badge' }] : []
}
