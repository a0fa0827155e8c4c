// Who is who at a table: a seat has one name, wherever it is spoken of.

import type { Event, Plane, Room } from '../wire'
import { said, t, titleOf, type Args, type Words } from '../words.svelte'

/** A seat in words: you, a player's name, a bot with its level, or the number of the seat. */
export function nameOf(room: Room, seat: number): string {
  const chair = room.seats[seat]
  const you = room.you ?? []
  if (!chair) return ''
  if (you.includes(seat)) return you.length === 1 ? t('you') : t('seat', { n: seat + 1 })
  if (chair.level && !chair.left) return `${chair.name || 'Tegel'} ${chair.level}`
  if (chair.kind === 'open') return t('open')
  if (chair.kind === 'held') return chair.name || t('held')
  return chair.name || t('seat', { n: seat + 1 })
}

/** The seats as they stand around the table: your own first, then in the order of play; where
 * there are teams, each of them together. */
export function inOrder(room: Room): number[] {
  const first = room.you?.length === 1 ? room.you[0]! : 0
  const order = room.seats.map((_, i) => (first + i) % room.seats.length)
  const sides = [...new Set(order.map((seat) => room.seats[seat]!.side))]
  return sides.flatMap((side) => order.filter((seat) => room.seats[seat]!.side === side))
}

/** Those who play with a seat. */
export function partnersOf(room: Room, seat: number): number[] {
  const side = room.seats[seat]?.side
  return room.seats.flatMap((chair, other) => (other !== seat && chair.side === side ? [other] : []))
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

/** A plane whose title is the name of the seat that it belongs to, where it belongs to one. */
export function named(room: Room, plane: Plane): Plane {
  if (!plane.title || plane.seats?.length !== 1) return plane
  const name = nameOf(room, plane.seats[0]!)
  return { ...plane, title: plane.out ? `${name}: ${t('out')}` : name }
}

/** What a tray is called: by its colour, else by its own title. */
export function handOf(words: Words, plane: Plane): string {
  const colour = words.colours?.[plane.colour ?? '']
  return colour ? colour.charAt(0).toUpperCase() + colour.slice(1) : titleOf(words, plane)
}

/** What a move brought about, in the game's words; players are called as at their seats. */
export function toldOf(room: Room, words: Words, events: Event[]): { text: string; persons: boolean } {
  const calls = (seat: number): string =>
    room.you?.length === 1 && room.you[0] === seat ? t('your.side') : nameOf(room, seat)
  let persons = false
  const sentences = events.map((event) => {
    const args: Args = { ...event.args }
    for (const key of ['number', 'player', 'opponent']) {
      const seat = key === 'number' ? Number(args[key]) - 1 : sideOf(room, args[key])
      if (!(key in args) || !room.seats[seat]) continue
      persons = true
      args[key === 'number' ? 'who' : key] = calls(seat)
    }
    return said(words, 'events', event.key, args)
  })
  return { text: sentences.join(' '), persons }
}

/** The same, and who did it unless it was you or somebody is named in it. */
export function told(room: Room, words: Words, events: Event[]): string {
  const mover = room.moves.at(-1)?.seat ?? -1
  const { text, persons } = toldOf(room, words, events)
  const others = mover >= 0 && !(room.you ?? []).includes(mover)
  return others && !persons && text ? `${nameOf(room, mover)}: ${text}` : text
}

const sideOf = (room: Room, value: unknown): number =>
  room.planes.find((plane) => plane.colour === value && plane.seats?.length === 1)?.seats?.[0] ?? -1

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
  const how = room.seats[room.turn]?.level ? 'turn.thinks' : 'turn.theirs'
  const who = yours ? t('turn.yours') : t(how, { name: nameOf(room, room.turn) })
  // Of games without tiles in hand the colours are but sides.
  const colour = room.planes.some((plane) => plane.tray) && words.colours?.[room.colour]
  return colour ? `${who} · ${colour}` : who
}
