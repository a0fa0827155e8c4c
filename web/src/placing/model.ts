// Placing a tile as plain data: what is in hand, how it is turned, where it would go, and what
// that would send. No page, no events, no game: the gestures call these functions, each of which
// gives the next state.

import { ahead, cellAt, cellsOf, centre, moved, readMove, written, type Cell, type Point } from '../table/geometry'
import type { Choice, Mark, Offer, Plane, Sprite } from '../wire'

export const SNAP = 2.4 // cells: how far a legal place may lie from the pointer

/** What lies on the table, and how moves that place a tile are written. */
export interface Ground {
  planes: Plane[]
  marks: Mark[]
  sprites: Record<string, Sprite>
  template: string
}

export interface Place {
  plane: string
  cell: Cell
}

export interface State {
  offer: Offer | null
  tile: string // in hand; empty: none is
  turn: number
  source: Mark | null // the mark that was taken up
  places: Place[] // where the tile may go as it is turned
  place: Place | null // where it would go now
  legal: boolean // whether that is one of `places`
  spot: Cell // by eye: which square of the tile goes where one points
  cursor: Place | null // where the keys are, on the board
  lifted: Lifted | null
  hinted: string // a choice that a hint named
}

/** A tile picked up from where it lies: it comes to hand with the next offer. */
interface Lifted {
  tile: string
  turn: number
  place: Place
}

/** What was done leads to a state, and to a move to send, if any. */
export interface Done {
  state: State
  move: string
}

export const EMPTY: State = {
  offer: null,
  tile: '',
  turn: 0,
  source: null,
  places: [],
  place: null,
  legal: false,
  spot: [0, 0],
  cursor: null,
  lifted: null,
  hinted: '',
}

// What is on the table

/** The plane that is the board. */
export const boardOf = (planes: Plane[]): Plane | undefined => planes.find((plane) => plane.main)

export function latticeOf(ground: Pick<Ground, 'planes'>, plane: string): string {
  return ground.planes.find((one) => one.name === plane)?.lattice ?? 'square'
}

/** What lies on a cell: tiles and stones, and the small signs upon them. */
export function lyingAt(ground: Ground, { plane, cell }: Place): Mark[] {
  return ground.marks.filter((mark) => {
    const sprite = ground.sprites[mark.sprite]
    if (mark.plane !== plane || !sprite || !(mark.label || sprite.name)) return false
    const [c, r] = [cell[0] - Math.round(mark.cell[0]), cell[1] - Math.round(mark.cell[1])]
    return sprite.cells.length ? sprite.cells.some(([a, b]) => a === c && b === r) : !c && !r
  })
}

// What is in hand

export const byEye = (state: State): boolean => state.offer?.any === true

/** The drawing of the tile in hand, as it is turned. */
export function spriteOf({ tile, turn, source }: State, { sprites }: Ground): string {
  const turned = `${tile}.${turn}`
  return turned in sprites ? turned : (source?.sprite ?? '')
}

const cellsIn = (state: State, ground: Ground): Cell[] => ground.sprites[spriteOf(state, ground)]?.cells ?? []

/** The middle of the tile in hand, in cells from its lower left. */
export function middleOf(state: State, ground: Ground): Point {
  const cells = ground.sprites[spriteOf(state, ground)]?.cells ?? [[0, 0]]
  const across = cells.map(([c]) => c)
  const up = cells.map(([, r]) => r)
  return [(Math.min(...across) + Math.max(...across)) / 2, (Math.min(...up) + Math.max(...up)) / 2]
}

/** The turns that a tile has, in their order. */
export function turnsOf(tile: string, { sprites }: Ground): number[] {
  const prefix = `${tile}.`
  const own = Object.keys(sprites).filter((key) => key.startsWith(prefix))
  return own.length ? own.map((key) => Number(key.slice(prefix.length))) : [0]
}

function placesOf(offer: Offer | null, tile: string, turn: number): Place[] {
  return (offer?.slots ?? [])
    .filter((slot) => slot.tile === tile && slot.turn === turn)
    .flatMap((slot) => cellsOf(slot.box, slot.cells).map((cell) => ({ plane: slot.plane, cell })))
}

/** Where the tile in hand may go; with empty hands, each form of each tile. */
export function reach(state: State, ground: Ground): (Place & { sprite: string })[] {
  if (state.tile) return state.places.map((place) => ({ ...place, sprite: spriteOf(state, ground) }))
  return (state.offer?.slots ?? []).flatMap(({ tile, turn, plane, box, cells }) =>
    cellsOf(box, cells).map((cell) => ({ plane, cell, sprite: `${tile}.${turn}` })),
  )
}

/** Whether a tile may be taken up: it has a place, or nobody says. */
export function takes({ offer }: State, tile: string): boolean {
  if (!tile || !offer) return false
  return offer.any === true || (offer.slots ?? []).some((slot) => slot.tile === tile)
}

/** The text of the move that letting go would send. */
export function moveOf({ tile, turn, place }: State, { template }: Ground): string {
  return place ? written(template, tile, turn, place.cell) : ''
}

// Taking up and putting back

/** Take over what may be done now; what was picked up is in hand then, as it lay. */
export function offered(state: State, ground: Ground, offer: Offer | null): State {
  const empty = { ...drop(state), offer, hinted: '' }
  if (!offer || !state.lifted) return empty
  const { tile, turn, place } = state.lifted
  const mark = ground.marks.find((one) => one.tile === tile)
  const received = { ...empty, lifted: null }
  return mark ? put(turnedTo(take(received, ground, mark), ground, turn), place) : received
}

export function take(state: State, ground: Ground, mark: Mark): State {
  const tile = mark.tile ?? ''
  if (!takes(state, tile)) return state
  const turns = turnsOf(tile, ground)
  let turn = mark.sprite.startsWith(`${tile}.`) ? turnIn(mark.sprite) : turns[0]!
  if (!byEye(state) && !placesOf(state.offer, tile, turn).length) {
    turn = turns.find((one) => placesOf(state.offer, tile, one).length) ?? turn
  }
  const held = turnedTo({ ...state, tile, source: mark }, ground, turn)
  const [only, ...others] = held.places
  const place = only && !others.length ? only : null // where there is no choice it lies already
  return { ...held, place, legal: place !== null }
}

export function drop(state: State): State {
  return { ...state, tile: '', source: null, places: [], place: null }
}

/** The move did not come about: the tile goes back to the hand. */
export function refused(state: State): State {
  return { ...state, place: null, lifted: null }
}

const turnIn = (sprite: string): number => Number(sprite.split('.')[1] ?? 0)

function turnedTo(state: State, ground: Ground, turn: number): State {
  const held = { ...state, turn, places: placesOf(state.offer, state.tile, turn) }
  return { ...held, spot: cellsIn(held, ground)[0] ?? [0, 0] }
}

/** At one of the places of the offer, if it is one. */
export function put(state: State, wanted: Place): State {
  const place = state.places.find((one) => same(one, wanted)) ?? null
  return { ...state, place, legal: place !== null }
}

const same = (a: Place, b: Place): boolean => a.plane === b.plane && String(a.cell) === String(b.cell)

/** Turn clockwise, or flip; by the shape where a tile has one, else by number. */
export function change(state: State, ground: Ground, how: 'turn' | 'flip', back = false): State {
  const { tile, place } = state
  const turned = { ...turnedTo(state, ground, nextTurn(state, ground, how, back)), place: null }
  if (!tile || !place || byEye(state)) return turned
  return near(turned, ground, place.plane, centre(latticeOf(ground, place.plane), place.cell))
}

function nextTurn(state: State, ground: Ground, how: 'turn' | 'flip', back: boolean): number {
  const { tile, turn } = state
  const turns = turnsOf(tile, ground)
  const cells = cellsIn(state, ground)
  if (cells.length > 1) {
    let shape = cells
    for (let i = 0; i < (how === 'turn' && back ? 3 : 1); i++) shape = moved(shape, how)
    const alike = (one: number): boolean =>
      String(moved(moved(ground.sprites[`${tile}.${one}`]!.cells, 'flip'), 'flip')) === String(shape)
    return turns.find(alike) ?? turn
  }
  if (how === 'flip') return turn
  return turns[(turns.indexOf(turn) + (back ? turns.length - 1 : 1)) % turns.length]!
}

/** By eye: point with the next square of the tile. */
export function nextSpot(state: State, ground: Ground): State {
  const cells = cellsIn(state, ground)
  const at = cells.findIndex((cell) => String(cell) === String(state.spot))
  return { ...state, spot: cells[(at + 1) % cells.length] ?? [0, 0] }
}

// Where it would go

/** Snap to the legal place nearest to a point of a plane, if one is near enough. */
export function near(state: State, ground: Ground, plane: string, [x, y]: Point, within = SNAP): State {
  const lattice = latticeOf(ground, plane)
  let best: Place | null = null
  let least = within * within
  for (const place of state.places) {
    if (place.plane !== plane) continue
    const [u, v] = centre(lattice, place.cell)
    const distance = (u - x) ** 2 + (v - y) ** 2
    if (distance < least) {
      least = distance
      best = place
    }
  }
  const legal = best !== null
  if (legal === state.legal && (best === state.place || (best && state.place && same(best, state.place)))) return state
  return { ...state, place: best, legal }
}

/** Where a pointer is while a tile is in hand; by eye that tells nothing. */
export function hover(state: State, ground: Ground, plane: string, point: Point): State {
  if (byEye(state) || !state.tile) return state
  return near(state, ground, plane, cornerAt(state, ground, plane, point))
}

/** Where the lower left of the tile in hand would lie if its middle were at a point. */
function cornerAt(state: State, ground: Ground, plane: string, [x, y]: Point): Point {
  const [mx, my] = centre(latticeOf(ground, plane), middleOf(state, ground))
  return [x - mx, y - my]
}

/** While a board is set up one click is one piece, and a click on a piece takes it back. */
export const isSetup = ({ offer }: State): boolean => !!offer?.pieces?.length

/** A cell was clicked or tapped, or a tile let go over it: a finger shows first, and then
 * confirms. What does not fit is sent too: the answer says why not. */
export function choose(state: State, ground: Ground, { plane, cell }: Place, point: Point, touch: boolean): Done {
  if (!state.tile) return pickUp(state, ground, { plane, cell })
  const standing = isSetup(state) ? lifting(state, ground, { plane, cell }) : undefined
  if (standing) return { state, move: standing.move }
  if (byEye(state)) {
    const corner: Cell = [cell[0] - state.spot[0], cell[1] - state.spot[1]]
    return letGo({ ...state, place: { plane, cell: corner }, legal: false }, ground)
  }
  if (!state.places.some((place) => place.plane === plane)) return { state, move: '' }
  const corner = cornerAt(state, ground, plane, point)
  const snapped = near(state, ground, plane, corner, touch ? 2 * SNAP : SNAP)
  const shown = snapped.place
    ? snapped
    : { ...snapped, place: { plane, cell: cellAt(latticeOf(ground, plane), corner) }, legal: false }
  return touch && !isSetup(state) ? { state: shown, move: '' } : letGo(shown, ground)
}

export const letGo = (state: State, ground: Ground): Done => ({ state, move: moveOf(state, ground) })

/** With the arrow keys: the nearest legal place in a direction (right and down positive). */
export function step(state: State, ground: Ground, direction: Point): State {
  const { place, places } = state
  if (!places.length) return state
  const at = ({ plane, cell }: Place): Point => centre(latticeOf(ground, plane), cell)
  const next = place ? (ahead(places, at, at(place), direction) ?? place) : places[Math.floor(places.length / 2)]!
  return { ...state, place: next, legal: true }
}

/** Move the cursor to the nearest cell of the board in a direction. */
export function walk(state: State, { planes }: Ground, direction: Point): State {
  const board = boardOf(planes)
  const cells = board?.wells ?? []
  const from = state.cursor?.cell
  const at = (one: Cell): Point => centre(board!.lattice, one)
  const cell = from ? ahead(cells, at, at(from), direction) : cells[Math.floor(cells.length / 2)]
  return board && cell ? { ...state, cursor: { plane: board.name, cell } } : state
}

// Picking up what lies on the board

/** The choice that picks up the tile on a cell. If it can't be picked up that is not offered,
 * and asked for all the same: the answer says why not. */
export function lifting({ offer }: State, ground: Ground, place: Place): Choice | undefined {
  if (!offer?.lifting || place.plane !== boardOf(ground.planes)?.name) return undefined
  const [c, r] = place.cell
  const choice = offer.choices?.find((one) => one.tile && one.cells?.some(([a, b]) => a === c && b === r))
  if (choice || !lyingAt(ground, place).length) return choice
  return { move: written(offer.lifting, '', 0, place.cell) }
}

/** Pick up the tile on a cell, if one lies there that this can be asked of. */
export function pickUp(state: State, ground: Ground, place: Place): Done {
  const choice = lifting(state, ground, place)
  const mark = lyingAt(ground, place)[0]
  if (!choice) return { state, move: '' }
  if (!mark || !choice.tile) return { state, move: choice.move }
  const lay: Place = { plane: place.plane, cell: [mark.cell[0], mark.cell[1]] }
  return { state: { ...state, lifted: { tile: choice.tile, turn: turnIn(mark.sprite), place: lay } }, move: choice.move }
}

// Hints

/** Show a move: its tile in hand at its place, or the choice that it is. */
export function show(state: State, ground: Ground, move: string): State {
  const found = readMove(ground.template, move)
  const mark = found && ground.marks.find((one) => one.tile === found.tile && inTurn(one, ground))
  if (!found || !mark) return { ...state, hinted: move }
  const held = turnedTo(take(state, ground, mark), ground, found.turn)
  const place = held.places.find((one) => String(one.cell) === String(found.cell)) ?? null
  return { ...held, place, legal: true }
}

/** Of the same tile in several trays, the one whose turn it is; any where nobody's is. */
function inTurn(mark: Mark, { planes }: Ground): boolean {
  const plane = planes.find((one) => one.name === mark.plane)
  return !plane?.tray || plane.active === true || !planes.some((one) => one.tray && one.active)
}
