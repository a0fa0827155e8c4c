// How pointers place a tile: a mouse by a click or a drag; a finger drags it too, or taps where it
// shall lie and then confirms.
// What people do is told to the model, which decides; here are only events and pixels.

import { untrack } from 'svelte'
import type { Mark, Offer, Plane } from '../base/wire'
import { centre, type Point } from '../board/geometry'
import type { Pan } from '../board/pan.svelte'
import type { Place } from '../board/planes'
import type { Placing } from './placing.svelte'

/** What the drawing of the table tells about itself. */
export interface View {
  pan: Pan
  locate: (x: number, y: number) => { plane: Plane; point: Point } | null
  cellSize: (plane?: string) => number
  contains: (x: number, y: number) => boolean
  focus: () => void
}

const FAR = 8 // pixels: a press that moves farther is a drag
const ABOVE = 50 // pixels above a finger, so that it does not hide the tile

/** How a drag goes: `begin` takes the tile up when the pointer moves away, and with `click` also
 * when it is let go where it was pressed; the tile is held `above` the pointer, in pixels to the
 * left and up; `shown`: where it is let go it lies to be confirmed. */
interface Drag {
  begin: () => void
  click: boolean
  above: Point
  shown?: boolean
}

const aboveOf = (event: PointerEvent): Point => [0, event.pointerType === 'mouse' ? 0 : ABOVE]

export class Gestures {
  view = $state.raw<View | undefined>()
  tray = $state.raw<HTMLElement | undefined>()
  float = $state.raw<SVGSVGElement | undefined>() // the tile that follows the pointer
  following = $state(false)
  size = $state(30) // pixels a cell, of the tile that follows
  typing = $state(false) // keys are used rather than a pointer: say where the tile is
  dragging = false
  private pointer: Point = [0, 0]

  constructor(readonly placing: Placing) {}

  /** Take over what may be done now: a tile that was picked up may be in hand then, below the
   * pointer. */
  offered(offer: Offer | null, waiting = false): void {
    untrack(() => {
      this.placing.offered(offer, waiting)
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
    if (event) this.drag(event, { begin, click: event.pointerType !== 'mouse', above: aboveOf(event) })
    else this.view?.focus()
    return true
  }

  /** A cell was pressed where a tile may lie that can be picked up. */
  grab(place: Place, event: PointerEvent): boolean {
    const choice = this.placing.holding ? undefined : this.placing.lifting(place)
    if (!choice || event.button > 0) return false
    // A finger on a tile that stays may want to scroll: it is answered if it only taps.
    if (!choice.tile && event.pointerType !== 'mouse') return false
    this.drag(event, { begin: () => this.placing.pickUp(place), click: true, above: aboveOf(event) })
    return true
  }

  /** A finger was put on the board while a tile is in hand: it moves the tile that lies there, or
   * else brings it along above, unless that would move the board. It lies there then, to be
   * confirmed. */
  lead(place: Place, event: PointerEvent, free: boolean): boolean {
    const { placing } = this
    if (!placing.holding || placing.byEye || event.pointerType === 'mouse') return false
    const over = placing.laid && placing.covers(place) ? this.offset(event) : null
    if (!over && free) return false
    this.drag(event, { begin: () => placing.loosen(), click: false, above: over ?? [0, ABOVE], shown: true })
    return true
  }

  /** From the middle of the tile that lies on the board to a pointer on it, in pixels. */
  private offset(event: PointerEvent): Point | null {
    const { place, middle } = this.placing
    const found = place && this.view?.locate(event.clientX, event.clientY)
    if (!found || found.plane.name !== place.plane) return null
    const size = this.view!.cellSize(place.plane)
    const [[x, y], [mx, my]] = [centre(found.plane.lattice, place.cell), centre(found.plane.lattice, middle)]
    return [(found.point[0] - x - mx) * size, (found.point[1] - y - my) * size]
  }

  /** Follow a pointer from where a tile was pressed until it is let go. */
  private drag(start: PointerEvent, { begin, click, above, shown = false }: Drag): void {
    this.measure()
    const where = (event: PointerEvent): Point => [event.clientX - above[0], event.clientY - above[1]]
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
      } else this.release(...where(event), shown)
      this.following = false
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
  }

  /** A tile that was dragged is let go: over the table it is placed, or `shown` to be confirmed;
   * elsewhere it is put back. */
  private release(x: number, y: number, shown: boolean): void {
    if (!this.placing.holding || !this.located(x, y)) return this.placing.drop()
    this.hoverAt(x, y)
    this.placing.release(shown)
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
