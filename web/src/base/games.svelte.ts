// The games as the server tells them: words, variants, options, drawings.

import { api, lasting } from './net'
import { prefs } from './prefs.svelte'
import type { GameInfo, Sprites } from './wire'
import { naming } from './words.svelte'

export type Drawings = Sprites

const known = $state<{ games: GameInfo[]; solo: GameInfo[]; language: string }>({ games: [], solo: [], language: '' })
const drawings = new Map<string, Promise<Drawings>>()

export async function loadGames(missed: () => void): Promise<void> {
  const language = prefs.language
  if (known.language === language) return
  const found = await lasting(() => api<GameInfo[]>(`/games?language=${language}`), missed)
  if (prefs.language !== language) return
  known.games = found
  known.language = language
}

// As the cards call it ("Blokus Duo"); a variant that several of their chips begin has no name of its own.
naming.of = (name, variant) => {
  const info = gameInfo(name)
  const [start, other] = info?.card.filter((one) => one.variant === variant) ?? []
  const way = start && !other ? info?.words.starts?.[start.key] : ''
  return [info?.words.game?.name ?? name, way].filter(Boolean).join(' ')
}

export function games(): GameInfo[] {
  return known.games
}

export function gameInfo(name: string): GameInfo | undefined {
  return [...known.games, ...known.solo].find((game) => game.name === name)
}

/** The games for one that were loaded. */
export function soloGames(): GameInfo[] {
  return known.solo
}

/** Load a game for one, which is not among those to choose from, in the language chosen. */
export async function loadSolo(name: string): Promise<void> {
  if (known.games.some((game) => game.name === name)) return
  const found = await api<GameInfo>(`/games/${name}?language=${prefs.language}`)
  known.solo = [...known.solo.filter((game) => game.name !== name), found]
}

/** The sprites and paints of a game; fetched once. */
export function drawingsOf(name: string): Promise<Drawings> {
  let found = drawings.get(name)
  if (!found) {
    found = lasting(() => api<Drawings>(`/games/${name}/sprites`))
    drawings.set(name, found)
    found.catch(() => drawings.delete(name))
  }
  return found
}
