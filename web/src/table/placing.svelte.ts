// Placing a tile, the heart of the page: a mouse places by a click or a drag, a finger shows
// first and then confirms; keys do all of it too. Shared by tables and guides; knows no game.

import type { Choice, Mark, Offer, Plane, Sprite } from '../wire'
import { said, type Words } from '../words.svelte'
import { cellAt, cellName, centre, type Cell, type Point } from './geometry'
import { Hand, SNAP } from './hand.svelte'
import { Keys } from './keys.svelte'

export interface Ground {
  planes: () => Plane[]
  marks: () => Mark[]
  sprites: () => Record<string, Sprite>
  template: () => string
  words: () => Words
  play: (move: string) => void
}

/** What the drawing of the table tells about itself. */
export interface View {
  locate: (x: number, y: number) => { plane: Plane; point: Point } | null
  cellSize: (plane?: string) => number
  contains: (x: number, y: number) => boolean
  focus: () => void
}

export interface Spot {
  plane: string
  cell: Cell
}

/** A tile picked up from where it lies: it comes to hand with the next offer. */
interface Lifted {
  tile: string
  turn: number
  spot: Spot
}

const FAR = 8 // pixels: a press that moves farther is a drag

export class Placing {
  readonly hand: Hand
  readonly keys: Keys
  view = $state.raw<View | undefined>()
  tray = $state.raw<HTMLElement | undefined>()
  float = $state.raw<SVGSVGElement | undefined>() // the tile that follows the pointer
  following = $state(false)
  size = $state(30) // pixels a cell, of the tile that follows
  hinted = $state('') // a choice that a hint named
  private lifted: Lifted | null = null // on its way into the hand
  private dragging = false
  private pointer: Point = [0, 0]

  constructor(private readonly ground: Ground) {
    this.hand = new Hand(ground.sprites, ground.template, (plane) => this.lattice(plane))
    this.keys = new Keys(this, ground)
  }

  get byEye(): boolean {
    return this.hand.offer?.any === true
  }

  /** Take over what may be done now. */
  offered(offer: Offer | null): void {
    this.hinted = ''
    this.hand.offer = offer
    this.hand.drop()
    this.following = false
    if (offer && this.lifted) this.received(this.lifted)
  }

  /** What was picked up is in hand now, as it lay. */
  private received({ tile, turn, spot }: Lifted): void {
    const hand = this.hand
    this.lifted = null
    const mark = this.ground.marks().find((one) => one.tile === tile)
    if (!mark) return
    hand.take(mark)
    hand.turn = turn
    hand.place = hand.places.find((place) => place.plane === spot.plane && String(place.cell) === String(spot.cell)) ?? null
    hand.legal = hand.place !== null
    if (this.dragging) this.hoverAt(...this.pointer)
  }

  place(): void {
    if (this.hand.place) this.ground.play(this.hand.text)
  }

  /** The move did not come about: the tile goes back to the hand. */
  refused(): void {
    this.hand.place = null
    this.lifted = null
  }

  // Pointers

  hover = (plane: string, point: Point, event?: PointerEvent): void => {
    if (this.byEye || !this.hand.holding) return
    this.hand.near(plane, this.anchor(plane, point))
    if (event?.pointerType === 'mouse') this.follow(event.clientX, event.clientY)
    this.keys.used = false
  }

  /** A cell was clicked or tapped, or a tile let go over it. */
  choose = (plane: string, cell: Cell, point: Point, touch: boolean): void => {
    const hand = this.hand
    if (!hand.holding) {
      this.pickUp({ plane, cell })
      return
    }
    if (this.byEye) {
      hand.at(plane, [cell[0] - hand.spot[0], cell[1] - hand.spot[1]])
      this.place()
      return
    }
    if (!hand.places.some((place) => place.plane === plane)) return
    if (!hand.near(plane, this.anchor(plane, point), touch ? 2 * SNAP : SNAP)) {
      hand.at(plane, cellAt(this.lattice(plane), this.anchor(plane, point))) // the answer says why not
    }
    if (!touch) this.place()
  }

  /** A tile was pressed: a mouse takes it up, a finger when it lets go or moves away. */
  press = (mark: Mark, event: PointerEvent | null): boolean => {
    if (!mark.tile || !this.hand.takes(mark.tile)) return false
    if (!event || event.pointerType === 'mouse') this.take(mark)
    if (event && event.button > 0) return false
    if (event) this.drag(event, () => this.hand.source !== mark && this.take(mark), event.pointerType !== 'mouse')
    else this.view?.focus()
    return true
  }

  /** A cell was pressed where a tile may lie that can be picked up. */
  grab = (plane: string, cell: Cell, event: PointerEvent): boolean => {
    const choice = this.hand.holding ? undefined : this.lifting({ plane, cell })
    if (!choice || event.button > 0) return false
    // A finger on a tile that stays may want to scroll: it is answered if it only taps.
    if (!choice.tile && event.pointerType !== 'mouse') return false
    this.drag(event, () => this.pickUp({ plane, cell }), true)
    return true
  }

  /** The choice that picks up the tile on a cell. If it can't be picked up that is not offered,
   * and asked for all the same, as other lifts are written: the answer says why not. */
  private lifting({ plane, cell }: Spot): Choice | undefined {
    const offered = this.hand.lifting(plane, cell)
    const other = this.hand.choices().find((choice) => choice.tile)
    if (offered || !other || plane !== 'board' || !this.at({ plane, cell }).length) return offered
    return { move: `${other.move.split('@')[0]}@${cellName(this.lattice(plane), cell)}` }
  }

  /** Pick up the tile on a cell; says whether one lies there that this can be asked of. */
  pickUp(spot: Spot): boolean {
    const choice = this.lifting(spot)
    if (!choice) return false
    const mark = this.at(spot)[0]
    if (mark && choice.tile) {
      const turn = Number(mark.sprite.split('.')[1] ?? 0)
      this.lifted = { tile: choice.tile, turn, spot: { plane: spot.plane, cell: [mark.cell[0], mark.cell[1]] } }
    }
    this.ground.play(choice.move)
    return true
  }

  take(mark: Mark): void {
    if (this.hand.holding && this.hand.source === mark) {
      if (this.byEye) this.nextSpot()
    } else this.hand.take(mark)
  }

  nextSpot(): void {
    const cells = this.ground.sprites()[this.hand.sprite]?.cells ?? []
    const at = cells.findIndex((cell) => String(cell) === String(this.hand.spot))
    this.hand.spot = cells[(at + 1) % cells.length] ?? [0, 0]
  }

  /** Show a move: its tile in hand at its place, or the choice that it is. */
  show(move: string): void {
    const hand = this.hand
    const found = hand.read(move)
    const mark = found && this.ground.marks().find((m) => m.tile === found.tile && this.owned(m))
    if (found && mark) {
      hand.take(mark)
      hand.turn = found.turn
      hand.place = hand.places.find((place) => String(place.cell) === String(found.cell)) ?? null
      hand.legal = true
    } else this.hinted = move
  }

  /** Of the same tile in several hands, the one whose turn it is; any where nobody's is. */
  private owned(mark: Mark): boolean {
    const planes = this.ground.planes()
    const plane = planes.find((p) => p.name === mark.plane)
    return !plane?.tray || plane.active === true || !planes.some((p) => p.tray && p.active)
  }

  /** Follow a pointer from where a tile was pressed until it is let go; `begin` takes the tile
   * up when it moves away, and with `click` also when it is let go where it was pressed. */
  private drag(start: PointerEvent, begin: () => void, click: boolean): void {
    const lift = start.pointerType === 'mouse' ? 0 : 1.8
    this.size = this.view?.cellSize(this.hand.offer?.slots?.[0]?.plane) ?? 30
    const where = (event: PointerEvent): Point => [event.clientX, event.clientY - lift * this.size]
    const move = (event: PointerEvent): void => {
      if (event.pointerId !== start.pointerId || this.byEye) return
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
        if (dragged) this.hand.drop()
      } else if (!dragged) {
        if (click) begin()
        return
      } else {
        const [x, y] = where(event)
        const found = this.hand.holding && this.view?.contains(x, y) ? this.view.locate(x, y) : null
        if (found) this.choose(found.plane.name, cellAt(found.plane.lattice, found.point), found.point, false)
        else this.hand.drop()
      }
      this.following = false
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
  }

  private hoverAt(x: number, y: number): void {
    const found = this.view?.contains(x, y) ? this.view.locate(x, y) : null
    if (found) this.hover(found.plane.name, found.point)
    else this.hand.place = null
    this.follow(x, y)
  }

  private follow(x: number, y: number): void {
    if (!this.following) {
      this.size = this.view?.cellSize(this.hand.offer?.slots?.[0]?.plane) ?? 30
      this.following = true
    }
    this.pointer = [x, y]
    if (!this.hand.place) this.carry() // where it snaps to a place, the ghost shows it
  }

  carry(): void {
    if (this.float) this.float.style.transform = `translate(${this.pointer[0]}px, ${this.pointer[1]}px)`
  }

  /** Where the lower left of the tile in hand would lie if its middle were at a point. */
  private anchor(plane: string, [x, y]: Point): Point {
    const [mx, my] = centre(this.lattice(plane), this.hand.middle)
    return [x - mx, y - my]
  }

  lattice(plane: string): string {
    return this.ground.planes().find((p) => p.name === plane)?.lattice ?? 'square'
  }

  /** What lies on a cell: tiles and stones, and the small signs upon them. */
  at({ plane, cell }: Spot): Mark[] {
    const sprites = this.ground.sprites()
    return this.ground.marks().filter((mark) => {
      const sprite = sprites[mark.sprite]
      if (mark.plane !== plane || !sprite || !(mark.label || sprite.name)) return false
      const [c, r] = [cell[0] - Math.round(mark.cell[0]), cell[1] - Math.round(mark.cell[1])]
      return sprite.cells.length ? sprite.cells.some(([a, b]) => a === c && b === r) : !c && !r
    })
  }

  /** A choice in the game's own words, without the cells that it is about. */
  readonly label = ({ move }: Choice): string => {
    const [key] = move.split('@')
    const words = this.ground.words()
    return words.choices?.[key!] ? said(words, 'choices', key!) : said(words, 'colours', move)
  }
}
