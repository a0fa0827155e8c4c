// A board on which tiles are placed: the one place that ties what lies there and what may be done
// to the tile in hand and to its gestures.

import type { Drawings } from '../base/games.svelte'
import type { Mark, Offer, Plane } from '../base/wire'
import { Gestures } from './gestures.svelte'
import { Placing } from './placing.svelte'

export interface Position {
  planes: Plane[]
  marks: Mark[]
}

export interface Wiring {
  position: () => Position | null | undefined // none yet: an empty board
  drawings: () => Drawings | null
  template: () => string | undefined // how the game writes a move that places a tile
  offer: () => Offer | null // what may be done now
  waiting?: () => boolean // whether others are to move, so that a tile is laid as a plan
  seat?: () => number // whose hand this is
  play: (move: string) => void
}

/** Return the gestures of a new board, which follow the offer as long as the component lives. */
export function placingBoard({ position, drawings, template, offer, waiting, seat, play }: Wiring): Gestures {
  const gestures = new Gestures(
    new Placing({
      planes: () => position()?.planes ?? [],
      marks: () => position()?.marks ?? [],
      sprites: () => drawings()?.sprites ?? {},
      template: () => template() ?? '',
      seat,
      play,
    }),
  )
  $effect(() => gestures.offered(offer(), waiting?.()))
  return gestures
}
