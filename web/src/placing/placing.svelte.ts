// The tile in hand of a table or a guide: the model's state, for the page to follow.

import { untrack } from 'svelte'
import type { Choice, Mark, Offer, Plane, Sprite } from '../base/wire'
import type { Point } from '../board/geometry'
import * as model from './model'
import { boardOf, type Place } from '../board/planes'
import type { Done, Ground, State } from './model'

/** Where tiles are placed: what lies there, and where moves go. */
export interface Table {
  planes: () => Plane[]
  marks: () => Mark[]
  sprites: () => Record<string, Sprite>
  template: () => string
  seat?: () => number // whose hand this is
  play: (move: string) => void
}

const TOLD = 4000 // milliseconds

export class Placing {
  private state: State = model.EMPTY
  private readonly ground = $derived.by((): Ground => {
    const { planes, marks, sprites, template, seat } = this.table
    return { planes: planes(), marks: marks(), sprites: sprites(), template: template(), seat: seat?.() ?? -1 }
  })

  // Each by itself, so that a page looks again at no more than what changed: while a tile follows
  // a pointer that is its place alone.
  offer = $state.raw(model.EMPTY.offer)
  tile = $state.raw(model.EMPTY.tile)
  private turn = $state.raw(model.EMPTY.turn)
  source = $state.raw(model.EMPTY.source)
  place = $state.raw(model.EMPTY.place)
  legal = $state.raw(model.EMPTY.legal)
  laid = $state.raw(model.EMPTY.laid)
  waiting = $state.raw(model.EMPTY.waiting) // others are to move: tiles are laid as a plan
  armed = $state.raw(model.EMPTY.armed)
  spot = $state.raw(model.EMPTY.spot)
  cursor = $state.raw(model.EMPTY.cursor)
  hinted = $state.raw(model.EMPTY.hinted)
  private readonly form = $derived({ ...model.EMPTY, tile: this.tile, turn: this.turn, source: this.source })
  readonly byEye = $derived(model.byEye({ ...model.EMPTY, offer: this.offer }))
  readonly sprite = $derived(model.spriteOf(this.form, this.ground))
  readonly middle = $derived(model.middleOf(this.form, this.ground))
  readonly turns = $derived(model.turnsOf(this.tile, this.ground))

  told = $state('') // why a tile can't be taken up, for a while
  private telling = 0
  lost = $state(false) // a plan could not be played, as another colour is to move

  constructor(private readonly table: Table) {}

  get holding(): boolean {
    return this.tile !== ''
  }

  get choices(): Choice[] {
    return this.offer?.choices ?? []
  }

  /** Whether tiles of this game can be turned, and flipped. */
  readonly turnable = $derived.by(() => this.ground.template.includes('{turn}'))
  readonly flips = $derived.by(() =>
    Object.entries(this.ground.sprites).some(([key, sprite]) => sprite.cells.length > 1 && /\.[4-7]$/.test(key)),
  )

  /** The text of the move that letting go would send. */
  get move(): string {
    void [this.tile, this.turn, this.place, this.cursor, this.spot]
    return model.moveOf(this.state, this.ground)
  }

  takes(tile = ''): boolean {
    return model.takes({ ...model.EMPTY, offer: this.offer, waiting: this.waiting }, tile)
  }

  /** Whether a tile lies in a tray whose turn it is. */
  inTurn(mark: Mark): boolean {
    return model.inTurn(mark, this.ground)
  }

  /** Whether the tile in hand lies on a cell, as it is shown. */
  covers(place: Place): boolean {
    return model.covers(this.state, this.ground, place)
  }

  reach(): (Place & { sprite: string })[] {
    void [this.offer, this.tile, this.turn]
    return model.reach(this.state, this.ground)
  }

  lifting(place: Place): Choice | undefined {
    return model.lifting({ ...model.EMPTY, offer: this.offer }, this.ground, place)
  }

  lyingAt(place: Place): Mark[] {
    return model.lyingAt(this.ground, place)
  }

  latticeOf(plane: string): string {
    return model.latticeOf(this.ground, plane)
  }

  get board(): Plane | undefined {
    return boardOf(this.ground.planes)
  }

  // What is done

  /** Take over what may be done now; with no offer, whether others are to move. A plan that was
   * to be played is. */
  offered(offer: Offer | null, waiting = false): void {
    this.go((state, ground) => model.offered(state, ground, offer, waiting))
    untrack(() => this.due())
  }

  /** A plan as it was kept. */
  planned(move: string, plane: string): void {
    this.go((state, ground) => model.planned(state, ground, move, plane))
    untrack(() => this.due())
  }

  private due(): void {
    this.lost = this.armed && !!this.offer && !this.play(model.due)
  }

  take(mark: Mark): void {
    if (this.source !== mark) this.go((state, ground) => model.take(state, ground, mark))
    else if (this.byEye) this.nextSpot()
  }

  /** Say why a tile can't be taken up. */
  tell(text: string): void {
    clearTimeout(this.telling)
    this.told = text
    this.telling = window.setTimeout(() => (this.told = ''), TOLD)
  }

  drop(): void {
    this.go(model.drop)
  }

  refused(): void {
    this.go(model.refused)
  }

  change(how: 'turn' | 'flip', back = false): void {
    this.go((state, ground) => model.change(state, ground, how, back))
  }

  nextSpot(): void {
    this.go(model.nextSpot)
  }

  point(spot: Place['cell']): void {
    this.go((state) => ({ ...state, spot }))
  }

  hover(plane: string, point: Point): void {
    this.go((state, ground) => model.hover(state, ground, plane, point))
  }

  /** What lies to be confirmed follows the pointer again. */
  loosen(): void {
    this.go((state) => ({ ...state, laid: false, armed: false }))
  }

  /** The pointer is nowhere on the table. */
  away(): void {
    this.go(model.away)
  }

  /** Lay the tile in hand at one of its places. */
  put(place: Place): void {
    this.go((state, ground) => model.put(state, ground, place))
  }

  step(direction: Point): void {
    this.go((state, ground) => model.step(state, ground, direction))
  }

  walk(direction: Point): void {
    this.go((state, ground) => model.walk(state, ground, direction))
  }

  show(move: string): void {
    this.go((state, ground) => model.show(state, ground, move))
  }

  choose(place: Place, point: Point, touch: boolean): void {
    this.play((state, ground) => model.choose(state, ground, place, point, touch))
  }

  letGo(): void {
    this.play(model.letGo)
  }

  /** A tile that was dragged is let go where it is, to be played or `shown`. */
  release(shown: boolean): void {
    this.play((state, ground) => model.release(state, ground, shown))
  }

  /** Pick up the tile on a cell; says whether one lies there that this can be asked of. */
  pickUp(place: Place): boolean {
    return this.play((state, ground) => model.pickUp(state, ground, place))
  }

  // Whoever calls these follows other things, and must not be called again by them.

  private go(next: (state: State, ground: Ground) => State): void {
    untrack(() => this.follow(next(this.state, this.ground)))
  }

  /** Let the page follow a state. */
  private follow(state: State): void {
    this.state = state
    const { offer, tile, turn, source, place, legal, laid, waiting, armed, spot, cursor, hinted } = state
    Object.assign(this, { offer, tile, turn, source, place, legal, laid, waiting, armed, spot, cursor, hinted })
  }

  private play(next: (state: State, ground: Ground) => Done): boolean {
    return untrack(() => {
      const { state, move } = next(this.state, this.ground)
      this.follow(state)
      if (move) this.table.play(move)
      return move !== ''
    })
  }
}
