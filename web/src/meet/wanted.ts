// What was looked for last in this browser: a game, as its card is set, and a clock.

import { chosen } from '../base/cards'
import { games } from '../base/games.svelte'
import { prefs } from '../base/prefs.svelte'
import type { GameInfo, Seek, Start } from '../base/wire'

export const CLOCKS = ['bank 180 2', 'bank 300 5', 'bank 900 10', 'days 3']

export function wantedGame(): GameInfo | undefined {
  return games().find(({ name }) => name === prefs.sought.game) ?? games().find(({ name }) => name === prefs.latest) ?? games()[0]
}

/** What is to be looked for in a game with a clock. */
export function wishFor(game: GameInfo, clock: string): Omit<Seek, 't' | 'ticket'> {
  const { start }: { start: Start } = chosen(game)
  return { game: game.name, variant: start.variant, options: start.options, clock, name: prefs.name }
}

/** A clock on a chip: 5 + 5, in minutes and seconds, or days. */
export function clockChip(clock: string): string {
  const [kind, first, adds] = clock.split(' ')
  if (kind === 'bank') return `${Number(first) / 60} + ${adds}`
  return new Intl.NumberFormat(prefs.language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(Number(first))
}
