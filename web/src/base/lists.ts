// What lists of tables say: which game, with whom, how it stands.

import { games } from './games.svelte'
import { dark, prefs } from './prefs.svelte'
import type { Listed } from './wire'
import { said, t } from './words.svelte'
import { nameOf, startOf } from './cards'

/** The game and its variant, as the game's card calls it where it does. */
export function titleOf({ game, variant, options }: Pick<Listed, 'game' | 'variant' | 'options'>): string {
  const info = games().find(({ name }) => name === game)
  if (!info) return game
  const start = startOf(info, variant, options)
  const way = start ? nameOf(info.words, start) : said(info.words, 'variants', variant)
  return `${info.words.game?.name} · ${way}`
}

/** Whom one plays with: people by name, with their ratings where it counts for them, bots by level. */
export const withWhom = ({ names = [], levels = [], ratings = [] }: Listed): string =>
  [...names.map((name, i) => (ratings[i] ? `${name} (${ratings[i]})` : name)), ...(levels.length ? [`Tegel ${levels[0]}${levels.length > 1 ? ` × ${levels.length}` : ''}`] : [])].join(', ')

export const boardOf = ({ id, touched }: Pick<Listed, 'id' | 'touched'>): string =>
  `/api/rooms/${id}/board.svg?theme=${dark() ? 'dark' : 'light'}&at=${touched}`

/** How many moves were made, where that is known. */
export const length = ({ moves = -1 }: Listed): string => (moves < 0 ? '' : t('plies', { n: moves }))

const UNITS = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000]] as const

/** The time left until a flag falls, to the two largest units. */
export function timeLeft({ deadline = 0 }: Listed): string {
  let rest = deadline - Date.now()
  if (!deadline || rest <= 0) return ''
  const parts: string[] = []
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count && parts.length < 2)
      parts.push(new Intl.NumberFormat(prefs.language, { style: 'unit', unit, unitDisplay: 'narrow' }).format(count))
  }
  return parts.length ? t('time.left', { time: parts.join(' ') }) : ''
}
