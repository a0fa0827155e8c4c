// How marks come and go: a tile settles, a piece that changes its place flies there, what is
// taken away rises and fades. Nothing moves where people want less motion.

import { backOut, cubicInOut, cubicOut } from 'svelte/easing'
import { prefersReducedMotion } from 'svelte/motion'
import type { TransitionConfig } from 'svelte/transition'
import type { Mark, Plane, Sprite } from '../base/wire'
import { centre, type Point } from './geometry'

const SETTLE = 200 // milliseconds
const FLY = 340
const RISE = 300
const FADE = 160
const APART = 45 // between the first and the second of several that come at once
const SPREAD = 900 // for all of them
const STILL: TransitionConfig = { duration: 0 }

interface Scenery {
  planes: Plane[]
  marks: Mark[]
}

export class Motion {
  private before: Scenery = { planes: [], marks: [] }
  private now: Scenery = { planes: [], marks: [] }
  private order = 0

  constructor(private readonly sprites: () => Record<string, Sprite>) {}

  /** What is about to be drawn; to be told before it is. */
  next(planes: Plane[], marks: Mark[]): void {
    if (marks !== this.now.marks) [this.before, this.now] = [this.now, { planes, marks }]
    else this.now.planes = planes
  }

  readonly arrive = (_: Element, mark: Mark): TransitionConfig => {
    if (prefersReducedMotion.current || mark.role === 'ghost') return STILL
    if (!mark.sprite || mark.role === 'quiet') return faded
    const origin = this.elsewhere(mark, this.before, this.now)
    if (origin) {
      const [x, y, size] = this.way(origin, mark)
      return {
        duration: FLY,
        easing: cubicInOut,
        css: (_t, u) => `transform: translate(${u * x}px, ${u * y}px) scale(${1 + (size - 1) * u})`,
      }
    }
    const cells = this.sprites()[mark.sprite]?.cells.length ?? 0
    const large = cells > 1 ? 1.12 : cells ? 1.35 : 2.2 // what is no piece is a seal, and stamped
    return {
      delay: this.turn(),
      duration: SETTLE,
      easing: backOut,
      css: (t) => `opacity: ${Math.min(1, 1.5 * t)}; transform: scale(${large + (1 - large) * t})`,
    }
  }

  readonly leave = (_: Element, mark: Mark): TransitionConfig => {
    if (prefersReducedMotion.current) return STILL
    if (this.elsewhere(mark, this.now, this.before)) return hidden
    if (!this.piece(mark)) return faded
    return {
      delay: this.turn(),
      duration: RISE,
      easing: cubicOut,
      css: (t, u) => `opacity: ${t}; transform: scale(${1 + 0.35 * u})`,
    }
  }

  private piece(mark: Mark): boolean {
    const role = mark.role ?? ''
    const sprite = this.sprites()[mark.sprite]
    return !!sprite?.name && !!sprite.cells.length && (role === '' || role === 'last')
  }

  /** Where a piece like this one lies in `there`, but not in `here`. */
  private elsewhere(mark: Mark, there: Scenery, here: Scenery): Mark | undefined {
    if (!this.piece(mark)) return undefined
    const like = (other: Mark): boolean => other.sprite === mark.sprite && other.colour === mark.colour
    const kept = new Set(here.marks.filter(like).map(spot))
    const names = new Set(there.planes.map((plane) => plane.name))
    return there.marks.find((other) => like(other) && names.has(other.plane) && !kept.has(spot(other)))
  }

  /** From where a piece lies to where it lay: the way in cells of its plane, and its size there. */
  private way(origin: Mark, mark: Mark): [number, number, number] {
    const [[a, b], before] = placed(this.before.planes, origin)
    const [[c, d], after] = placed(this.now.planes, mark)
    return [(a - c) / after, (b - d) / after, before / after]
  }

  /** When the next of those that come or go at once does so. */
  private turn(): number {
    if (!this.order) requestAnimationFrame(() => (this.order = 0))
    const at = this.order++
    return SPREAD * (1 - Math.exp((-APART * at) / SPREAD))
  }
}

// Of those that leave together, Svelte forgets the ones that take no time at all.
const hidden: TransitionConfig = { duration: 1, css: () => 'opacity: 0' }
const faded: TransitionConfig = { duration: FADE, css: (t) => `opacity: ${t}` }

const spot = (mark: Mark): string => `${mark.plane} ${mark.cell}`

/** Where a mark lies in the drawing, and how large a cell is there. */
function placed(planes: Plane[], mark: Mark): [Point, number] {
  const plane = planes.find((one) => one.name === mark.plane)
  const scale = plane?.scale ?? 1
  const [x, y] = centre(plane?.lattice ?? 'square', mark.cell)
  return [[(plane?.x ?? 0) + scale * x, (plane?.y ?? 0) + scale * y], scale]
}
