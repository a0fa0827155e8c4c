// The puzzles there are, how far one is with them, and what they are called.

import { api } from '../base/net'
import { prefs } from '../base/prefs.svelte'
import { createRoom } from '../base/rooms'
import type { Puzzles, Sitting, Task } from '../base/wire'
import { said, t, type Words } from '../base/words.svelte'

/** How far one is with a puzzle: the table to go on at, and the best time. */
export interface Progress {
  open: Sitting | undefined
  solved: Sitting | undefined
  last: Sitting | undefined
}

/** Every puzzle that is listed. */
export const listed = ({ today, days, groups }: Puzzles): Task[] => [
  today,
  ...days,
  ...groups.flatMap(({ tasks }) => tasks),
]

export const puzzles = (): Promise<Puzzles> => api<Puzzles>('/puzzles')
export const sittings = (): Promise<Sitting[]> => api<Sitting[]>('/my/puzzles')

export function progress(all: Sitting[], task: Task): Progress {
  const own = all.filter(({ game, variant }) => game === task.game && variant === task.variant)
  return {
    open: own.find((one) => !one.over),
    solved: own.filter(isSolved).sort((a, b) => a.spent - b.spent)[0],
    last: own[0],
  }
}

export const isSolved = (one: Sitting): boolean => one.over && !one.closed

/** Begin a puzzle; gives the name of its table. */
export function begin(game: string, variant: string, options: Record<string, string> = {}): Promise<string> {
  const seats = [{ kind: 'person' as const }]
  return createRoom({ game, variant, options, seats, clock: 'up', name: prefs.name })
}

/** A day as people write it. */
export function dated(day: string, how: 'long' | 'short' = 'long'): string {
  const style: Intl.DateTimeFormatOptions =
    how === 'long' ? { dateStyle: 'long' } : { weekday: 'short', day: 'numeric', month: 'short' }
  return new Intl.DateTimeFormat(prefs.language, { ...style, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

/** What a puzzle is called: by its maker, by its day, or by the game's words. */
export function called(words: Words, { name, own, day, variant }: Pick<Task, 'name' | 'own' | 'day' | 'variant'>): string {
  const title = own || said(words, 'variants', name, { count: variant })
  return day ? `${title} · ${dated(day)}` : title
}

/** What there is to do. */
export function goal(words: Words, { rule, tiles, colour }: Pick<Task, 'rule' | 'tiles'> & { colour?: string }): string {
  return words.goals?.[rule] ? said(words, 'goals', rule, { count: String(tiles), colour: colour ?? '' }) : ''
}

/** A time spent: minutes and seconds, hours where there are any. */
export function time(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** In what time it was solved, and with how much help. */
export function feat(spent: number, hints: number): string {
  const solved = t('puzzle.solved.in', { time: time(spent) })
  return hints ? `${solved} · ${t('puzzle.hints', { n: hints })}` : solved
}

export const starred = (stars: number): string => '★'.repeat(stars) + '☆'.repeat(5 - stars)
