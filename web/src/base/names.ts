// Who is who at a table: a seat has one name, wherever it is spoken of.

import type { Event, Plane, Room } from './wire'
import { said, t, titleOf, type Args, type Words } from './words.svelte'

/** A seat in words: you, a player's name, also when a bot plays on for them, or a bot with its
 * level. */
export function nameOf(room: Room, seat: number): string {
  const chair = room.seats[seat]
  const you = room.you ?? []
  if (!chair) return ''
  if (you.includes(seat)) return you.length === 1 ? t('you') : t('seat', { n: seat + 1 })
  if (chair.kind === 'bot') return chair.name || `Tegel ${chair.level}`
  if (chair.kind === 'open') return t('open')
  if (chair.kind === 'held') return chair.name || t('held')
  return chair.name || guest(room, seat)
}

/** Somebody without a name; by the number of the seat where there are several. */
function guest(room: Room, seat: number): string {
  const others = room.seats.filter(({ kind, name }, i) => kind === 'person' && !name && !(room.you ?? []).includes(i))
  return others.length > 1 ? `${t('guest')} ${seat + 1}` : t('guest')
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

const WHY = { resign: 'end.resign', flag: 'end.flag', absent: 'end.absent' } as const

/** Why somebody has left the game, in words; empty if nobody has for such a reason. */
export function leaving(room: Room, seats: number[], reason: string): string {
  const key = WHY[reason as keyof typeof WHY]
  if (!key || !seats.length) return ''
  if (room.you?.length === 1 && seats.length === 1 && room.you[0] === seats[0]) return t(`${key}.you`)
  return t(key, { name: seats.map((seat) => nameOf(room, seat)).join(', ') })
}

/** How it ended: who won and, if somebody left, that they did. */
function ended(room: Room): string {
  const { winners, reason } = room.result!
  if (reason === 'noshow') return t('end.noshow')
  const you = room.you?.length === 1 && winners.length === 1 && winners[0] === room.you[0]
  const left = room.seats.flatMap((chair, seat) => (chair.left === reason && !winners.includes(seat) ? [seat] : []))
  const why = leaving(room, left, reason)
  if (!winners.length || winners.length === room.seats.length) return why || t('draw')
  const who = t('wins', { name: winners.map((seat) => nameOf(room, seat)).join(', '), n: winners.length })
  return why ? t('end', { why, who: you ? t('end.you') : who }) : you ? t('you.win') : who
}

/** Whether a game counts for ratings, in words; empty if its table is not rated. */
export function ratedOf(room: Room): string {
  return room.rated ? t(room.unrated ? 'rated.network' : 'rated.text') : ''
}

/** Something else than a move that has just happened; `asker`: whose question stood before it. */
export interface News {
  event: string
  seat: number
  asker: number
}

/** What has just happened, in words; empty if it is seen elsewhere. */
export function newsOf(room: Room, { event, seat, asker }: News): string {
  const yours = (room.you ?? []).includes(seat)
  const name = nameOf(room, seat)
  const why = leaving(room, [seat], event)
  if (why) return room.over ? '' : t('news.left', { why })
  switch (event) {
    case 'bot':
      return room.seats[seat]?.kind === 'person' ? `${t('turn.for', { name })}.` : ''
    case 'takeback':
      return t('news.takeback')
    case 'sit':
      return yours ? '' : t('news.sat', { name })
    case 'ask':
      return room.you?.length ? '' : t('news.ask', { name }) // players are asked themselves
    case 'agree':
    case 'hint':
      return yours ? '' : t(`news.${event}`, { name })
    case 'refuse':
      return yours ? '' : t(seat === asker ? 'news.withdraw' : 'news.refuse', { name })
  }
  return ''
}

/** What is expected of whom, or how it ended. */
export function statusOf(room: Room, words: Words, resting = false): string {
  const you = room.you ?? []
  if (room.result) return ended(room)
  if (!room.begun) return t('waiting')
  const yours = you.length === 1 && you.includes(room.turn)
  const chair = room.seats[room.turn]
  const how = !chair?.level ? 'turn.theirs' : resting ? 'turn.rests' : chair.kind === 'bot' ? 'turn.thinks' : 'turn.for'
  const who = yours && !chair?.level ? t('turn.yours') : t(how, { name: nameOf(room, room.turn) })
  // Of games without tiles in hand the colours are but sides.
  const colour = room.planes.some((plane) => plane.tray) && words.colours?.[room.colour]
  return colour ? `${who} · ${colour}` : who
}
