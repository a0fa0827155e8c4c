// How keys place a tile: a cursor walks over the board, the tile in hand is moved and turned.

import type { Point } from '../board/geometry'
import type { Gestures } from './gestures.svelte'

const ARROWS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function pressed(gestures: Gestures, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const target = event.target as HTMLElement
  if (target.matches('input, select, textarea')) return
  gestures.typing = true
  if (did(gestures, event, target)) event.preventDefault()
}

/** Do what a key says; says whether it said anything. */
function did(gestures: Gestures, event: KeyboardEvent, target: HTMLElement): boolean {
  const placing = gestures.placing
  const arrow = ARROWS[event.key]
  const onBoard = !!target.closest('.scene')
  const enter = (event.key === 'Enter' || event.key === ' ') && !target.closest('button, a, summary')
  if (!placing.holding) {
    if (onBoard && arrow) placing.walk(arrow)
    else if (onBoard && enter) takeHere(gestures)
    else return false
    return true
  }
  const letter = event.key.toLowerCase()
  if (arrow && placing.byEye) placing.walk(arrow)
  else if (arrow) placing.step(arrow)
  else if (letter === 'r') placing.change('turn', event.shiftKey)
  else if (letter === 'f') placing.change('flip')
  else if (letter === 's' && placing.byEye) placing.nextSpot()
  else if (event.key === 'Escape') putBack(gestures)
  else if (enter && (placing.byEye ? placing.cursor : placing.place)) placing.letGo()
  else return false
  return true
}

/** Take up what lies under the cursor; else go to the tray. */
function takeHere({ placing, tray }: Gestures): void {
  const cursor = placing.cursor
  const mark = cursor && placing.lyingAt(cursor).find((one) => placing.takes(one.tile))
  if (mark) placing.take(mark)
  else if (!cursor || !placing.pickUp(cursor)) tray?.querySelector<HTMLElement>('.tile:enabled')?.focus()
}

function putBack(gestures: Gestures): void {
  gestures.tray?.querySelector<HTMLElement>('.held')?.focus()
  gestures.placing.drop()
  gestures.following = false
}
