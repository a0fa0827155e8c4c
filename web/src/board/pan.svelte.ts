// Moving about on a field without bounds: a pointer pans, the wheel and two fingers zoom.

import type { Box } from './arrange'
import type { Point } from './geometry'

const SLACK = 6 // pixels: a press that moves less is a click
const CLOSEST = 3 // cells across, at the least
const FARTHEST = 3 // times what shows everything

export class Pan {
  view = $state.raw<Box | null>(null) // none: everything is shown
  dragged = false // since the last press
  private readonly pointers = new Map<number, Point>()
  private pinch = 0
  private room: Box | null = null // what is magnified: the view stays in it

  /** `everything` is what is shown at first; `toDrawing` leads from the screen to the drawing. */
  constructor(
    private readonly everything: () => Box,
    private readonly toDrawing: () => DOMMatrix | null,
  ) {}

  /** What is shown unless one moves about. */
  get all(): Box {
    return this.everything()
  }

  get shown(): Box {
    return this.view ?? this.everything()
  }

  refit(): void {
    this.view = this.room = null
  }

  zoom(factor: number, [clientX, clientY]: Point): void {
    const matrix = this.toDrawing()
    if (!matrix) return
    const at = new DOMPoint(clientX, clientY).matrixTransform(matrix)
    const { x, y, w, h } = this.shown
    const scale = Math.min(Math.max(w * factor, CLOSEST), this.everything().w * FARTHEST) / w
    this.view = { x: at.x - (at.x - x) * scale, y: at.y - (at.y - y) * scale, w: w * scale, h: h * scale }
  }

  /** Show so many cells around a point, of what lies in a room. */
  magnify([x, y]: Point, across: number, ratio: number, room: Box): void {
    const [w, h] = [across * Math.max(1, ratio), across * Math.max(1, 1 / ratio)]
    this.room = room
    this.view = within({ x: x - w / 2, y: y - h / 2, w, h }, room)
  }

  down(event: PointerEvent): void {
    this.dragged = false
    this.pointers.set(event.pointerId, [event.clientX, event.clientY])
  }

  /** Follow a pressed pointer; says whether it is one. */
  move(event: PointerEvent): boolean {
    const before = this.pointers.get(event.pointerId)
    if (!before) return false
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]]
    if (!this.dragged && Math.hypot(dx, dy) <= SLACK) return true
    this.dragged = true
    this.pointers.set(event.pointerId, [event.clientX, event.clientY])
    if (this.pointers.size === 2) this.spread()
    else {
      const scale = this.toDrawing()?.a ?? 1
      const view = { ...this.shown, x: this.shown.x - dx * scale, y: this.shown.y - dy * scale }
      this.view = this.room ? within(view, this.room) : view
    }
    return true
  }

  private spread(): void {
    const [a, b] = [...this.pointers.values()] as [Point, Point]
    const apart = Math.hypot(a[0] - b[0], a[1] - b[1])
    if (this.pinch) this.zoom(this.pinch / apart, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2])
    this.pinch = apart
  }

  /** A pointer was let go or went away; says whether it was pressed here. */
  up(event: PointerEvent): boolean {
    this.pinch = 0
    return this.pointers.delete(event.pointerId)
  }
}

/** A box brought into another, as far as it is not larger. */
function within(box: Box, room: Box): Box {
  const put = (at: number, size: number, low: number, all: number): number =>
    size > all ? low + (all - size) / 2 : Math.min(Math.max(at, low), low + all - size)
  return { ...box, x: put(box.x, box.w, room.x, room.w), y: put(box.y, box.h, room.y, room.h) }
}
