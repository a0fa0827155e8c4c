// Placing a tile by keys: a cursor walks over the board, the tile in hand is moved and turned; and
// what ears are told of it.

import { labelOf } from '../words.svelte'
import { ahead, cellName, centre, type Point } from './geometry'
import type { Ground, Placing, Spot } from './placing.svelte'

const ARROWS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export class Keys {
  cursor = $state.raw<Spot | null>(null) // where the keys are, on the board
  used = $state(false) // rather than a pointer: say where the tile is

  constructor(
    private readonly placing: Placing,
    private readonly ground: Ground,
  ) {}

  press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    if (target.matches('input, select, textarea')) return
    this.used = true
    if (this.pressed(event, target)) event.preventDefault()
  }

  private pressed(event: KeyboardEvent, target: HTMLElement): boolean {
    const hand = this.placing.hand
    const arrow = ARROWS[event.key]
    const onBoard = !!target.closest('.scene')
    const enter = (event.key === 'Enter' || event.key === ' ') && !target.closest('button, a, summary')
    if (!hand.holding) {
      if (onBoard && arrow) this.walk(arrow)
      else if (onBoard && enter) this.takeHere()
      else return false
      return true
    }
    const letter = event.key.toLowerCase()
    if (arrow && this.placing.byEye) this.walk(arrow)
    else if (arrow) hand.step(arrow)
    else if (letter === 'r') hand.change('turn', event.shiftKey)
    else if (letter === 'f') hand.change('flip')
    else if (letter === 's' && this.placing.byEye) this.placing.nextSpot()
    else if (event.key === 'Escape') this.putBack()
    else if (enter && this.placing.byEye) {
      if (this.cursor) this.placing.choose(this.cursor.plane, this.cursor.cell, [0, 0], false)
    } else if (enter && hand.place) this.placing.place()
    else return false
    return true
  }

  /** Move the cursor to the nearest cell in a direction. */
  private walk(direction: Point): void {
    const board = this.ground.planes().find((plane) => plane.name === 'board')
    if (!board) return
    const cells = board.wells ?? []
    const from = this.cursor?.cell
    const cell = from
      ? ahead(cells, (one) => centre(board.lattice, one), centre(board.lattice, from), direction)
      : cells[Math.floor(cells.length / 2)]
    if (cell) this.cursor = { plane: board.name, cell }
  }

  /** Take up what lies under the cursor; else go to the tray. */
  private takeHere(): void {
    const mark = this.cursor && this.placing.at(this.cursor).find((m) => m.tile && this.placing.hand.takes(m.tile))
    if (mark) this.placing.hand.take(mark)
    else if (!this.cursor || !this.placing.pickUp(this.cursor))
      this.placing.tray?.querySelector<HTMLElement>('.tile:enabled')?.focus()
  }

  private putBack(): void {
    this.placing.tray?.querySelector<HTMLElement>('.held')?.focus()
    this.placing.hand.drop()
    this.placing.following = false
  }

  /** The tile in hand at its place, or the cell under the cursor and what lies there. */
  readonly spoken = $derived.by(() => {
    const hand = this.placing.hand
    const words = this.ground.words()
    const tile = hand.source ? labelOf(words, hand.source, this.ground.sprites()) : ''
    if (!this.used) return tile
    if (hand.place) {
      const lattice = this.placing.lattice(hand.place.plane)
      return hand.place.plane === 'board' ? `${tile} ${cellName(lattice, hand.place.cell)}` : hand.text
    }
    if (!this.cursor) return tile
    const names = this.placing.at(this.cursor).map((mark) => labelOf(words, mark, this.ground.sprites()))
    return [cellName(this.placing.lattice(this.cursor.plane), this.cursor.cell), ...names].join(', ')
  })
}
