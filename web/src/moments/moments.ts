// Moments, positions in which one must find the move: what is asked of the server about them.

import { api } from '../base/net'
import type { MomentResults, Moments, MomentTask, MomentTried, Position } from '../base/wire'

/** What there is of each game, and how one does. */
export const overview = (): Promise<Moments> => api<Moments>('/moments')

const isDay = (which: string): boolean => /^\d{4}-\d\d-\d\d$/.test(which)

/** A moment to solve: the one of a name or of a day; without either the next, of a grade or, for 0,
 * at one's level. */
export function task(game: string, which: string, grade: number): Promise<MomentTask> {
  if (!which) return api(`/moments/${game}/next?grade=${grade}`)
  return api(isDay(which) ? `/moments/${game}/days/${which}` : `/moments/${game}/${which}`)
}

/** Try a move; without one, ask to see it. */
export function attempt({ game, id, day }: MomentTask, move?: string): Promise<MomentTried> {
  const path = `/moments/${game}/${id}`
  const of = day || null
  return move === undefined ? api(`${path}/answer`, { day: of }) : api(`${path}/tries`, { move, day: of })
}

/** The position after some moves of the answer. */
export const after = ({ game, id }: MomentTask, step: number): Promise<Position> => api(`/moments/${game}/${id}/line/${step}`)

export const results = (game: string, day: string): Promise<MomentResults> => api(`/moments/${game}/days/${day}/results`)

/** Where a moment is found again. */
export const addressOf = ({ game, id, day }: Pick<MomentTask, 'game' | 'id' | 'day'>): string => `/moments/${game}/${day || id}`

/** How it went, for eyes: a mark for each try. */
export const marks = (tries: number, found: boolean): string => '✕'.repeat(Math.min(tries - Number(found), 9)) + (found ? '✓' : '')
