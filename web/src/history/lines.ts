// What a line of a list of finished games says, in words.

import { prefs } from '../base/prefs.svelte'
import type { Finished, Opponent } from '../base/wire'
import { number, t, type Key } from '../base/words.svelte'

const EARLY = ['resign', 'flag', 'absent'] // reasons why a game ends before its end

/** How it came out, and by how much. */
export function resultOf(game: Finished): string {
  const { how, by, rank, sides } = game
  if (how === 'shared') return pointsOf(game)
  if (how === 'drawn') return t('how.drawn')
  if (sides > 2) return rank === 1 ? t('how.first', { of: sides }) : t('how.place', { n: rank, of: sides })
  if (by) return t(how === 'won' ? 'how.won.by' : 'how.lost.by', { n: by })
  return t(how === 'won' ? 'how.won' : 'how.lost')
}

/** Why it ended before its end, if it did. */
export const whyOf = ({ reason }: Finished): string => (EARLY.includes(reason) ? t(`how.${reason}` as Key) : '')

export const toneOf = ({ how }: Finished): 'good' | 'bad' | 'even' =>
  how === 'won' ? 'good' : how === 'lost' ? 'bad' : 'even'

export const pointsOf = ({ points }: Finished): string => points.map(number).join('\u00a0:\u00a0')

export function nameOf({ name, bot, level }: Opponent): string {
  return name || (bot ? `Tegel${level ? ` ${level}` : ''}` : t('games.somebody'))
}

/** Whom one played against and, in a team, with whom. */
export function whomOf({ others }: Finished): string {
  const [mine, theirs] = [others.filter(({ partner }) => partner), others.filter(({ partner }) => !partner)]
  const against = theirs.map(nameOf).join(', ') || t('how.shared')
  return mine.length ? `${against} · ${t('games.with', { name: mine.map(nameOf).join(', ') })}` : against
}

/** A day, with its year if that is another. */
export function dayOf(at: number): string {
  const [day, now] = [new Date(at), new Date()]
  const year = day.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return new Intl.DateTimeFormat(prefs.language, { day: 'numeric', month: 'short', year }).format(day)
}
