// Games that ended lately, so that who was away learns how.

import { gameInfo } from '../base/games.svelte'
import { api } from '../base/net'
import { statusOf } from '../base/names'
import type { Listed, Room } from '../base/wire'

const LATELY = 86_400_000 // milliseconds
const FEW = 2
const known = new Map<string, Room>() // what is over stays as it is

/** A game that is over, in a list. */
export interface Finished extends Listed {
  room: Room
}

export async function finished(): Promise<Finished[]> {
  const all = await api<Listed[]>('/my/rooms?over=true')
  const lately = all.filter(({ touched }) => Date.now() - touched < LATELY).slice(0, FEW)
  return Promise.all(lately.map(async (line) => ({ ...line, room: await roomOf(line.id) })))
}

async function roomOf(id: string): Promise<Room> {
  const room = known.get(id) ?? (await api<Room>(`/rooms/${id}`))
  known.set(id, room)
  return room
}

/** Who won, and why, as it is said at the table. */
export const howItEnded = ({ room }: Finished): string => statusOf(room, gameInfo(room.game)?.words ?? {})
