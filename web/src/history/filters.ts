// What a list of finished games is asked for, as it stands in the address.

import { gameInfo } from '../base/games.svelte'
import { titleOf } from '../base/lists'
import { said, t, type Key } from '../base/words.svelte'

export const FILTERS = ['game', 'variant', 'how', 'against', 'level', 'opponent', 'time'] as const
export type Filter = (typeof FILTERS)[number]
export type Chosen = Record<Filter, string>

export const HOWS = ['won', 'lost', 'drawn', 'shared']
export const TIMES: Record<string, number> = { week: 7, month: 30, year: 365 } // days

/** What an address asks for. */
export const chosenIn = (query: URLSearchParams): Chosen =>
  Object.fromEntries(FILTERS.map((key) => [key, query.get(key) ?? ''])) as Chosen

export const anyOf = (chosen: Chosen): boolean => FILTERS.some((key) => chosen[key])

/** The same as a question to the server. */
export function questionOf(chosen: Chosen, before: string): string {
  const { time, ...plain } = chosen
  const asked = new URLSearchParams(Object.entries(plain).filter(([, value]) => value))
  const days = TIMES[time]
  if (days) asked.set('since', new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10))
  if (before) asked.set('before', before)
  return asked.size ? `?${asked}` : ''
}

/** What is chosen by a filter, in words; the server calls the time `since`. */
export function chosenName(filter: string, chosen: Chosen): string {
  switch (filter) {
    case 'game':
      return gameInfo(chosen.game)?.words.game?.name ?? chosen.game
    case 'variant':
      return variantName(chosen.game, chosen.variant)
    case 'how':
      return t(`how.${chosen.how}` as Key)
    case 'against':
      return t(`games.${chosen.against}` as Key)
    case 'level':
      return t('level', { n: Number(chosen.level) })
    case 'since':
      return t(`games.${chosen.time}` as Key)
    default:
      return chosen.opponent
  }
}

/** A variant as a card calls it, without the game. */
export function variantName(game: string, variant: string): string {
  const info = gameInfo(game)
  if (!info) return variant
  const start = info.card.find((one) => one.variant === variant && !Object.keys(one.options).length)
  return start ? (titleOf({ game, variant, options: {} }).split(' · ')[1] ?? variant) : said(info.words, 'variants', variant)
}
