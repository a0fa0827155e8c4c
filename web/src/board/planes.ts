// The planes of a position: which is the board, what is drawn beside it, and what is the hand of
// whoever is to move.

import type { Plane, Position } from '../base/wire'
import type { Cell } from './geometry'

/** A cell of a plane. */
export interface Place {
  plane: string
  cell: Cell
}

export const boardOf = (planes: Plane[]): Plane | undefined => planes.find((plane) => plane.main)

/** The planes of the board, and those beside it that have something on them. */
export function boardPlanes(position: Position | null): Plane[] {
  const { planes = [], marks = [] } = position ?? {}
  const filled = (plane: Plane): boolean => !!plane.wells?.length || !!plane.framed || marks.some((mark) => mark.plane === plane.name)
  const besides = (plane: Plane): boolean => plane.seats?.length === 1 && !plane.framed && !plane.wells?.length
  return planes.filter((plane) => !plane.tray && !besides(plane) && filled(plane))
}

/** The tiles of who is to move: of the colour that is next, where they have several. */
export function trayOf(position: Position | null): Plane | undefined {
  const own = (position?.planes ?? []).filter((plane) => plane.tray && plane.seats?.includes(position!.turn))
  return own.find(({ active }) => active) ?? own[0]
}
