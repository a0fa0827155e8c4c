// What the cards of the games start, as it was set last in this browser, and how it went.

import { gameInfo } from './games.svelte'
import { prefs } from './prefs.svelte'
import { createRoom } from './rooms'
import type { GameInfo, Room, SeatWish, Start } from './wire'
import { said, t, type Key, type Words } from './words.svelte'

export const LEVELS = 9

/** What a card starts now, and the level of the bots. */
export function chosen(game: GameInfo): { start: Start; level: number } {
  const kept = prefs.cards[game.name]
  const start = game.card.find(({ key }) => key === kept?.start) ?? game.card[0]!
  return { start, level: bounded(kept?.level ?? start.level) }
}

/** Set a card; it is remembered. */
export function choose(game: GameInfo, start: string, level: number): void {
  prefs.cards[game.name] = { start, level: bounded(level) }
  prefs.latest = game.name
}

const bounded = (level: number): number => Math.min(LEVELS, Math.max(1, Math.round(level) || 1))

export const nameOf = (words: Words, { key, variant }: Start): string =>
  words.starts?.[key] ?? said(words, 'variants', variant)

/** What a card calls a table of a variant with some options, where it has it. */
export const startOf = (game: GameInfo, variant: string, options: Record<string, string>): Start | undefined =>
  game.card.find((one) => one.variant === variant && Object.entries(one.options).every(([key, value]) => options[key] === value))

/** How strong a level is, in a word. */
export const strength = (level: number): string => t(`level.${level}` as Key)

/** One click to a table: you at the first seat, at the others bots, whoever comes, or you too. */
export function begin(game: GameInfo, how: 'bot' | 'friend' | 'here'): Promise<string> {
  const { start, level } = chosen(game)
  choose(game, start.key, level)
  const count = game.variants.find(({ id }) => id === start.variant)?.seats ?? 2
  const seats = Array.from({ length: count }, (_, seat): SeatWish => {
    if (how === 'here' || seat === 0) return { kind: 'person' }
    return how === 'bot' ? { kind: 'bot', level } : { kind: 'open' }
  })
  return createRoom({ game: game.name, variant: start.variant, seats, options: start.options, name: prefs.name })
}

/** The same table again with stronger bots. */
export function beginHarder(room: Room, level: number): Promise<string> {
  const seats = room.seats.map((chair): SeatWish => (chair.level ? { kind: 'bot', level } : { kind: 'person' }))
  const info = gameInfo(room.game)
  if (info) choose(info, chosen(info).start.key, level)
  const { game, variant, options } = room
  return createRoom({ game, variant, options, seats, name: prefs.name })
}

/** Remember how a game against bots ended. */
export function ended(room: Room): void {
  const you = room.you ?? []
  const bots = room.seats.filter(({ level, left }) => level && !left)
  if (!room.result || you.length !== 1 || !bots.length || bots.length + 1 !== room.seats.length) return
  const won = room.result.winners.length < room.seats.length && room.result.winners.includes(you[0]!)
  prefs.won = won ? { game: room.game, level: Math.max(...bots.map(({ level }) => level ?? 1)) } : null
}

/** The level to try after a win in a game: the next, unless its card is set to it already. */
export function nextLevel(name: string): number | null {
  const game = gameInfo(name)
  const level = game && prefs.won?.game === name ? prefs.won.level + 1 : 0
  return game && level && level <= LEVELS && chosen(game).level < level ? level : null
}
