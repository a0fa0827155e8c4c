// Making and listing rooms.

import { api } from './net'
import { prefs } from './prefs.svelte'
import type { GameInfo, Room, RoomWish, SeatWish } from './wire'

/** One click to a table, with the variant that suits it best: two seats if the game has it,
 * and the options that the game itself names. */
export async function quickRoom(game: GameInfo, how: 'bot' | 'friend' | 'here'): Promise<string> {
  const variant = game.variants.find((v) => v.seats === 2) ?? game.variants[0]!
  const seats = Array.from({ length: variant.seats }, (_, seat): SeatWish => {
    if (how === 'here' || seat === 0) return { kind: 'person' }
    return how === 'bot' ? { kind: 'bot', level: 3 } : { kind: 'open' }
  })
  return createRoom({ game: game.name, variant: variant.id, seats, options: game.quick, name: prefs.name })
}

export async function createRoom(room: RoomWish): Promise<string> {
  const { id } = await api<Room>('/rooms', room)
  return id
}
