// What the others have laid since one's own last move, in order.

import type { Mark, Plane, Room } from '../base/wire'
import type { Words } from '../base/words.svelte'
import { readMove } from '../board/geometry'
import type { Laid } from '../board/ghosts'

/** The tiles that others have laid since a seat last moved, as far as they still lie there. */
export function laidSince(room: Room, template: string, words: Words, seat: number): Laid[] {
  if (seat < 0) return []
  const last = room.moves.findLastIndex((played) => played.seat === seat)
  const found: Laid[] = []
  for (const played of room.moves.slice(last + 1)) {
    const mark = played.seat >= 0 && markOf(room, template, words, played)
    if (!mark) continue
    const own = new Set(room.planes.filter(({ seats }) => seats?.length === 1 && seats[0] === played.seat).flatMap(({ colour }) => colour ?? []))
    const colour = own.size === 1 ? [...own][0]! : (mark.colour ?? '')
    found.push({ mark, seat: played.seat, colour, move: played.move, number: found.length + 1 })
  }
  return found
}

/** The mark of the tile that a move laid: the form that the move names or, where tiles are called
 * otherwise than they look, what lies at that cell beside the board, on a plane of that seat. */
export function markOf({ planes, marks }: Room, template: string, words: Words, { seat, move }: Room['moves'][number]): Mark | undefined {
  const read = readMove(template, move)
  if (!read || words.choices?.[read.tile]) return undefined // a word is no tile
  const lies = new Map(planes.filter((plane) => !plane.tray).map((plane) => [plane.name, plane]))
  const there = marks.filter((mark) => lies.has(mark.plane) && mark.role !== 'ghost' && String(mark.cell) === String(read.cell))
  const own = ({ main, seats }: Plane): boolean => !main && seats?.length === 1 && seats[0] === seat
  return (
    there.find((mark) => mark.sprite === `${read.tile}.${read.turn}`) ??
    there.find((mark) => mark.sprite && !mark.label && own(lies.get(mark.plane)!))
  )
}
