// Who is who in a study: seats by name and colour, sides by their first seat.

import { coloursOf, nameOf } from '../base/names'
import type { Position, Room, Study } from '../base/wire'
import { t, type Words } from '../base/words.svelte'

export interface Seats {
  names: string[] // by seat, and so are
  colours: string[]
  sides: number[]
  sideNames: string[] // by side, and so are
  sideColours: string[]
}

/** The seats of a study: by the names at the table that it is from, those in the headers of its text,
 * or their colours. */
export function seatsOf(headers: Study['headers'], position: Position, sides: number[], room: Room | null, words: Words): Seats {
  const own = position.scores.map((_, seat) => coloursOf(position as unknown as Room, seat).map(({ colour }) => colour))
  const colours = own.map((all) => all[0] ?? '')
  const names = position.scores.map((_, seat) => {
    if (room) return nameOf(room, seat)
    const written = headers[`seat-${seat + 1}`]
    const colour = own[seat]!.map((one) => words.colours?.[one] ?? '').filter(Boolean).join(', ')
    return written || (colour && colour.charAt(0).toUpperCase() + colour.slice(1)) || t('seat', { n: seat + 1 })
  })
  const count = Math.max(...sides, 0) + 1
  const of = <T>(values: T[], side: number): T[] => values.filter((_, seat) => sides[seat] === side)
  const sideNames = Array.from({ length: count }, (_, side) => of(names, side).join(', '))
  const sideColours = Array.from({ length: count }, (_, side) => of(colours, side)[0] ?? '')
  return { names, colours, sides, sideNames, sideColours }
}
