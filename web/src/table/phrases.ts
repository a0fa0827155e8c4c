// What players may say to each other: a few phrases; and whom one does not want to hear.

import { prefs } from '../base/prefs.svelte'
import type { Room } from '../base/wire'

export const PHRASES = [
  'hello', 'luck', 'nice', 'wow', 'oops', 'thinking', 'moment', 'back', 'sorry', 'thanks', 'well-played', 'bye',
] // prettier-ignore
const MOST = 200 // people who are remembered as mute

/** The seats of the other people at a table. */
export const talkers = (room: Room): number[] =>
  room.seats.flatMap(({ kind }, seat) => (kind === 'person' && !room.you.includes(seat) ? [seat] : []))

/** By what this browser remembers a player: the name or, of somebody without one, the seat. */
const keyOf = (room: Room, seat: number): string => room.seats[seat]?.name || `${room.id} ${seat}`

export const isMuted = (room: Room, seat: number): boolean => prefs.muted.includes(keyOf(room, seat))

/** Hear a player no more, or again. */
export function mute(room: Room, seat: number, on: boolean): void {
  const others = prefs.muted.filter((one) => one !== keyOf(room, seat))
  prefs.muted = on ? [...others, keyOf(room, seat)].slice(-MOST) : others
}
