// The tile in hand: which, how turned, where it would go. Knows offers, not games.

import type { Choice, Mark, Offer, Sprite } from '../wire'
import { ahead, cellsOf, centre, moved, readMove, written, type Cell, type Point } from './geometry'

export const SNAP = 2.4 // cells: how far a legal place may lie from the pointer

interface Place {
  plane: string
  cell: Cell
}

export class Hand {
  offer = $state.raw<Offer | null>(null)
  tile = $state('')
  turn = $state(0)
  place = $state.raw<Place | null>(null)
  legal = $state(false) // whether the place is one of the offer's
  source = $state.raw<Mark | null>(null) // the mark that was taken up
  spot = $state.raw<Cell>([0, 0]) // by eye: which square of the tile goes where one points

  constructor(
    private readonly sprites: () => Record<string, Sprite>,
    private readonly template: () => string,
    private readonly lattice: (plane: string) => string,
  ) {}

  /** Whether tiles of this game can be turned, and flipped. */
  get turnable(): boolean {
    return this.template().includes('{turn}')
  }

  readonly flips = $derived.by(() =>
    Object.entries(this.sprites()).some(([key, sprite]) => sprite.cells.length > 1 && /\.[4-7]$/.test(key)),
  )

  get holding(): boolean {
    return this.tile !== ''
  }

  get sprite(): string {
    const turned = `${this.tile}.${this.turn}`
    return turned in this.sprites() ? turned : (this.source?.sprite ?? '')
  }

  /** The square of the form that counts as its middle, in cells from its lower left. */
  get middle(): Point {
    const cells = this.sprites()[this.sprite]?.cells ?? [[0, 0]]
    const across = cells.map(([c]) => c)
    const up = cells.map(([, r]) => r)
    return [(Math.min(...across) + Math.max(...across)) / 2, (Math.min(...up) + Math.max(...up)) / 2]
  }

  /** Where the form in hand may go. */
  readonly places = $derived.by(() => this.placesOf(this.tile, this.turn))

  placesOf(tile: string, turn: number): Place[] {
    return (this.offer?.slots ?? [])
      .filter((slot) => slot.tile === tile && slot.turn === turn)
      .flatMap((slot) => cellsOf(slot.box, slot.cells).map((cell) => ({ plane: slot.plane, cell })))
  }

  /** Where the form in hand may go; with empty hands, each form of each tile. */
  reach(): (Place & { sprite: string })[] {
    if (this.holding) return this.places.map((place) => ({ ...place, sprite: this.sprite }))
    return (this.offer?.slots ?? []).flatMap(({ tile, turn, plane, box, cells }) =>
      cellsOf(box, cells).map((cell) => ({ plane, cell, sprite: `${tile}.${turn}` })),
    )
  }

  /** Whether a tile may be taken up: it has a place, or nobody says. */
  takes(tile: string): boolean {
    if (!tile || !this.offer) return false
    return this.offer.any === true || (this.offer.slots ?? []).some((slot) => slot.tile === tile)
  }

  take(mark: Mark): void {
    if (!mark.tile || !this.takes(mark.tile)) return
    const [, turn] = mark.sprite.split('.')
    this.tile = mark.tile
    this.source = mark
    this.turn = mark.sprite.startsWith(`${mark.tile}.`) ? Number(turn) : this.turns()[0]!
    if (!this.offer?.any && !this.places.length) {
      this.turn = this.turns().find((t) => this.placesOf(this.tile, t).length) ?? this.turn
    }
    const [only, ...others] = this.places
    this.place = only && !others.length ? only : null // where there is no choice it lies already
    this.legal = this.place !== null
    this.spot = this.sprites()[this.sprite]?.cells[0] ?? [0, 0]
  }

  drop(): void {
    this.tile = ''
    this.place = null
    this.source = null
  }

  /** The turns that the tile has, in their order. */
  turns(): number[] {
    const prefix = `${this.tile}.`
    const own = Object.keys(this.sprites()).filter((key) => key.startsWith(prefix))
    return own.length ? own.map((key) => Number(key.slice(prefix.length))) : [0]
  }

  /** Turn clockwise, or flip; by the shape where a tile has one, else by number. */
  change(how: 'turn' | 'flip', back = false): void {
    const turns = this.turns()
    const steps = back ? 3 : 1
    const cells = this.sprites()[this.sprite]?.cells ?? []
    if (cells.length > 1) {
      let shape = cells
      for (let i = 0; i < (how === 'turn' ? steps : 1); i++) shape = moved(shape, how)
      const same = (key: number) =>
        String(moved(moved(this.sprites()[`${this.tile}.${key}`]!.cells, 'flip'), 'flip')) === String(shape)
      this.turn = turns.find(same) ?? this.turn
    } else if (how === 'turn') {
      const at = turns.indexOf(this.turn)
      this.turn = turns[(at + (back ? turns.length - 1 : 1)) % turns.length]!
    }
    const held = this.place
    this.place = null
    this.spot = this.sprites()[this.sprite]?.cells[0] ?? [0, 0]
    if (held && !this.offer?.any) this.near(held.plane, centre(this.lattice(held.plane), held.cell))
  }

  /** Snap to the legal place nearest to a point of a plane; returns whether there is one. */
  near(plane: string, [x, y]: Point, reach = SNAP): boolean {
    const lattice = this.lattice(plane)
    let best: Place | null = null
    let least = reach * reach
    for (const place of this.places) {
      if (place.plane !== plane) continue
      const [u, v] = centre(lattice, place.cell)
      const distance = (u - x) ** 2 + (v - y) ** 2
      if (distance < least) {
        least = distance
        best = place
      }
    }
    const same = best && this.place && String(best.cell) === String(this.place.cell) && best.plane === this.place.plane
    if (!same) this.place = best
    this.legal = best !== null
    return best !== null
  }

  /** Put it down on a cell whatever the offer says: the answer explains why not. */
  at(plane: string, cell: Cell): void {
    this.place = { plane, cell }
    this.legal = false
  }

  /** With the arrow keys: the nearest legal place in a direction (right and down positive). */
  step(direction: Point): void {
    if (!this.places.length) return
    const at = ({ plane, cell }: Place): Point => centre(this.lattice(plane), cell)
    this.place = this.place
      ? (ahead(this.places, at, at(this.place), direction) ?? this.place)
      : this.places[Math.floor(this.places.length / 2)]!
    this.legal = true
  }

  /** The text of the move that the hand would make now. */
  get text(): string {
    return this.place ? written(this.template(), this.tile, this.turn, this.place.cell) : ''
  }

  /** What a move's text puts where, if it puts a tile. */
  read(text: string): { tile: string; turn: number; cell: Cell } | null {
    return readMove(this.template(), text)
  }

  choices(): Choice[] {
    return this.offer?.choices ?? []
  }

  /** The choice that picks up the tile on a cell of the board, if that can be done. */
  lifting(plane: string, [c, r]: Cell): Choice | undefined {
    if (plane !== 'board') return undefined
    return this.choices().find((choice) => choice.tile && choice.cells?.some(([a, b]) => a === c && b === r))
  }
}
