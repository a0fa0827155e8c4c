// Making and listing rooms.

import type { GameInfo } from './games.svelte'
import { api } from './net'
import { prefs } from './prefs.svelte'

export type NewSeat = { kind: 'person' | 'open' } | { kind: 'bot'; level: number }

export interface NewRoom {
  game: string
  variant: string
  seats: NewSeat[]
  options?: Record<string, string>
  clock?: string
  listed?: boolean
  shuffled?: boolean
  name?: string
}

export interface RoomLine {
  id: string
  game: string
  variant: string
  seats: number
  open: number // seats that are free
  ply: number
  yours: boolean // it waits for you
}

/** One click to a table, with the variant that suits it best: two seats if the game has it,
 * and the options that the game itself names. */
export async function quickRoom(game: GameInfo, how: 'bot' | 'friend' | 'here'): Promise<string> {
  const variant = game.variants.find((v) => v.seats === 2) ?? game.variants[0]!
  const seats = Array.from({ length: variant.seats }, (_, seat): NewSeat => {
    if (how === 'here' || seat === 0) return { kind: 'person' }
    return how === 'bot' ? { kind: 'bot', level: 3 } : { kind: 'open' }
  })
  return createRoom({ game: game.name, variant: variant.id, seats, options: game.quick, name: prefs.name })
}

export async function createRoom(room: NewRoom): Promise<string> {
  const { id } = await api<{ id: string }>('/rooms', room)
  return id
}
