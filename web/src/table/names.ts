// Who is who at a table.

import type { Room } from '../wire'
import { t, type Words } from '../words.svelte'

/** A seat in words: you, a player's name, a bot with its level, or the number of the seat. */
export function nameOf(room: Room, seat: number): string {
  const chair = room.seats[seat]
  const you = room.you ?? []
  if (!chair) return ''
  if (you.includes(seat)) return you.length === 1 ? t('you') : t('seat', { n: seat + 1 })
  if (chair.level) return `${chair.name || 'Tegel'} ${chair.level}`
  if (chair.kind === 'open') return t('open')
  if (chair.kind === 'held') return chair.name || t('held')
  return chair.name || t('seat', { n: seat + 1 })
}

/** The one of your seats that acts: the one to move, else the one that is to move next; -1 if you
 * have none. */
export function actingSeat({ you = [], turn, seats }: Room): number {
  const after = (seat: number): number => (seat - turn + seats.length) % seats.length
  return you.length ? you.reduce((best, seat) => (after(seat) < after(best) ? seat : best)) : -1
}

/** The colours that are a seat's own, in the order of its planes. */
export function coloursOf(room: Room, seat: number): { colour: string; out: boolean }[] {
  const found = new Map<string, boolean>()
  for (const plane of room.planes)
    if (plane.colour && plane.seats?.length === 1 && plane.seats[0] === seat)
      found.set(plane.colour, (found.get(plane.colour) ?? true) && plane.out === true)
  return [...found].map(([colour, out]) => ({ colour, out }))
}

/** What is expected of whom, or how it ended. */
export function statusOf(room: Room, words: Words): string {
  const you = room.you ?? []
  if (room.result) {
    const winners = room.result.winners
    if (!winners.length || winners.length === room.seats.length) return t('draw')
    if (winners.length === 1 && you.length === 1 && you.includes(winners[0]!)) return t('you.win')
    return t('wins', { name: winners.map((seat) => nameOf(room, seat)).join(', '), n: winners.length })
  }
  if (!room.begun) return t('waiting')
  const yours = you.length === 1 && you.includes(room.turn)
  const who = yours ? t('turn.yours') : t('turn.theirs', { name: nameOf(room, room.turn) })
  const colour = words.colours?.[room.colour]
  return colour ? `${who} · ${colour}` : who
}
