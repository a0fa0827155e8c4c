// How pointers place a tile: a mouse by a click or a drag, a finger shows first and then confirms.
// What people do is told to the model, which decides; here are only events and pixels.

import { untrack } from 'svelte'
import type { Mark, Offer, Plane } from '../wire'
import { cellAt, type Point } from '../table/geometry'
import type { Place } from './model'
import type { Placing } from './placing.svelte'

/** What the drawing of the table tells about itself. */
export interface View {
  locate: (x: number, y: number) => { plane: Plane; point: Point } | null
  cellSize: (plane?: string) => number
  contains: (x: number, y: number) => boolean
  focus: () => void
}

const FAR = 8 // pixels: a press that moves farther is a drag
const ABOVE = 1.8 // cells above a finger, so that it does not hide the tile

export class Gestures {
  view = $state.raw<View | undefined>()
  tray = $state.raw<HTMLElement | undefined>()
  float = $state.raw<SVGSVGElement | undefined>() // the tile that follows the pointer
  following = $state(false)
  size = $state(30) // pixels a cell, of the tile that follows
  typing = $state(false) // keys are used rather than a pointer: say where the tile is
  private dragging = false
  private pointer: Point = [0, 0]

  constructor(readonly placing: Placing) {}

  /** Take over what may be done now: a tile that was picked up may be in hand then, below the
   * pointer. */
  offered(offer: Offer | null): void {
    untrack(() => {
      this.placing.offered(offer)
      this.following = false
      if (this.dragging && this.placing.holding) this.hoverAt(...this.pointer)
    })
  }

  hover(plane: string, point: Point, event?: PointerEvent): void {
    if (this.placing.byEye || !this.placing.holding) return
    this.placing.hover(plane, point)
    if (event?.pointerType === 'mouse') this.follow(event.clientX, event.clientY)
    this.typing = false
  }

  /** A tile was pressed: a mouse takes it up, a finger when it lets go or moves away. */
  press(mark: Mark, event: PointerEvent | null): boolean {
    const placing = this.placing
    if (!placing.takes(mark.tile)) return false
    if (!event || event.pointerType === 'mouse') placing.take(mark)
    if (event && event.button > 0) return false
    const begin = (): void => {
      if (placing.source !== mark) placing.take(mark)
    }
    if (event) this.drag(event, begin, event.pointerType !== 'mouse')
    else this.view?.focus()
    return true
  }

  /** A cell was pressed where a tile may lie that can be picked up. */
  grab(place: Place, event: PointerEvent): boolean {
    const choice = this.placing.holding ? undefined : this.placing.lifting(place)
    if (!choice || event.button > 0) return false
    // A finger on a tile that stays may want to scroll: it is answered if it only taps.
    if (!choice.tile && event.pointerType !== 'mouse') return false
    this.drag(event, () => this.placing.pickUp(place), true)
    return true
  }

  /** Follow a pointer from where a tile was pressed until it is let go; `begin` takes the tile
   * up when it moves away, and with `click` also when it is let go where it was pressed. */
  private drag(start: PointerEvent, begin: () => void, click: boolean): void {
    this.measure()
    const above = start.pointerType === 'mouse' ? 0 : ABOVE
    const where = (event: PointerEvent): Point => [event.clientX, event.clientY - above * this.size]
    const move = (event: PointerEvent): void => {
      if (event.pointerId !== start.pointerId || this.placing.byEye) return
      const far = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY)
      if (!this.dragging) {
        if (far < FAR) return
        this.dragging = true
        begin()
      }
      this.hoverAt(...where(event))
    }
    const end = (event: PointerEvent): void => {
      if (event.pointerId !== start.pointerId) return
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', end)
      removeEventListener('pointercancel', end)
      const dragged = this.dragging
      this.dragging = false
      if (event.type === 'pointercancel') {
        if (dragged) this.placing.drop()
      } else if (!dragged) {
        if (click) begin()
        return
      } else this.release(...where(event))
      this.following = false
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
  }

  /** A tile that was dragged is let go: over the table it is placed, elsewhere put back. */
  private release(x: number, y: number): void {
    const found = this.placing.holding ? this.located(x, y) : null
    if (!found) return this.placing.drop()
    const { plane, point } = found
    this.placing.choose({ plane: plane.name, cell: cellAt(plane.lattice, point) }, point, false)
  }

  private hoverAt(x: number, y: number): void {
    const found = this.located(x, y)
    if (found) this.hover(found.plane.name, found.point)
    else this.placing.away()
    this.follow(x, y)
  }

  private located(x: number, y: number): { plane: Plane; point: Point } | null {
    return this.view?.contains(x, y) ? this.view.locate(x, y) : null
  }

  private measure(): void {
    this.size = this.view?.cellSize(this.placing.offer?.slots?.[0]?.plane) ?? 30
  }

  private follow(x: number, y: number): void {
    if (!this.following) {
      this.measure()
      this.following = true
    }
    this.pointer = [x, y]
    if (!this.placing.place) this.carry() // where it snaps to a place, the ghost shows it
  }

  carry(): void {
    if (this.float) this.float.style.transform = `translate(${this.pointer[0]}px, ${this.pointer[1]}px)`
  }
}
