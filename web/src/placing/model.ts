// Placing a tile as plain data: what is in hand, how it is turned, where it would go, and what
// that would send. No page, no events, no game: the gestures call these functions, each of which
// gives the next state.

import { ahead, around, cellAt, cellsOf, centre, moved, readMove, written, type Cell, type Point } from '../board/geometry'
import { boardOf, type Place } from '../board/planes'
import type { Choice, Mark, Offer, Plane, Sprite } from '../base/wire'

export const SNAP = 0.71 // cells: how far a legal place may lie from the pointer, so next to it at most

/** What lies on the table, how moves that place a tile are written, and whose hand this is. */
export interface Ground {
  planes: Plane[]
  marks: Mark[]
  sprites: Record<string, Sprite>
  template: string
  seat?: number
}

export interface State {
  offer: Offer | null
  tile: string // in hand; empty: none is
  turn: number
  source: Mark | null // the mark that was taken up
  places: Place[] // where the tile may go as it is turned,
  legalAt: ReadonlyMap<string, Place> // the same by their cells,
  goals: string[] // and the planes that it can be laid on at all
  at: Point // where its middle is, as it was pointed at or led there
  place: Place | null // where it would go now
  legal: boolean // whether that is one of `places`
  laid: boolean // it lies there to be confirmed: a pointer that passes leaves it
  waiting: boolean // others are to move: a tile is laid as a plan, and nobody says whether it fits
  armed: boolean // the plan is played as soon as it can be
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
  legalAt: new Map(),
  goals: [],
  at: [0, 0],
  place: null,
  legal: false,
  laid: false,
  waiting: false,
  armed: false,
  spot: [0, 0],
  cursor: null,
  lifted: null,
  hinted: '',
}

// What is on the table

/** The plane that is the board. */
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
export function takes({ offer, waiting }: State, tile: string): boolean {
  if (!tile || !offer) return !!tile && waiting
  return offer.any === true || (offer.slots ?? []).some((slot) => slot.tile === tile)
}

/** The text of the move that letting go would send. By eye the chosen square of the tile goes where
 * one points. */
export function moveOf(state: State, { template }: Ground): string {
  const { tile, turn, place, cursor, spot } = state
  if (!tile || !byEye(state)) return place ? written(template, tile, turn, place.cell) : ''
  return cursor ? written(template, tile, turn, [cursor.cell[0] - spot[0], cursor.cell[1] - spot[1]]) : ''
}

// Taking up and putting back

/** Take over what may be done now, or that others are to move. What was picked up is in hand
 * then, as it lay; and so is what was planned. */
export function offered(state: State, ground: Ground, offer: Offer | null, waiting = false): State {
  if (state.tile && !state.offer) return offer ? met(state, ground, offer) : { ...state, waiting }
  const empty = { ...drop(state), offer, waiting, hinted: '', cursor: byEye(state) ? null : state.cursor }
  if (!offer || !state.lifted) return empty
  const { tile, turn, place } = state.lifted
  const mark = ground.marks.find((one) => one.tile === tile)
  const received = { ...empty, lifted: null }
  return mark ? put(turnedTo(take(received, ground, mark), ground, turn), ground, place) : received
}

/** What was planned in the others' time, now that the turn has come: in hand where it lies. */
function met(state: State, ground: Ground, offer: Offer): State {
  const { tile, turn, place, source } = state
  const now = { ...state, offer, waiting: false, laid: false }
  const mark = ground.marks.find((one) => one.tile === tile && one.plane === source?.plane)
  if (!mark || !inTurn(mark, ground) || !takes(now, tile)) return state.armed ? now : drop(now)
  const held = turnedTo({ ...now, source: mark }, ground, turn)
  return place ? { ...held, legal: held.places.some((one) => same(one, place)) } : held
}

/** Play a plan that was to be played, if it may be. Else the tile goes home, and the move is asked
 * for all the same: the answer says why not. That of a colour which is not to move is not. */
export function due(state: State, ground: Ground): Done {
  const move = state.source && inTurn(state.source, ground) ? moveOf(state, ground) : ''
  const kept = { ...state, armed: false }
  return { state: state.legal ? kept : drop(kept), move }
}

/** A plan as it was kept: a move, with the tile from that plane. */
export function planned(state: State, ground: Ground, move: string, plane: string): State {
  const found = readMove(ground.template, move)
  const mark = found && ground.marks.find((one) => one.tile === found.tile && one.plane === plane)
  if (!found || !mark || !takes(state, found.tile)) return state
  const held = turnedTo(take(state, ground, mark), ground, found.turn)
  const [goal] = held.goals
  return goal ? { ...put(held, ground, { plane: goal, cell: found.cell }), laid: true, armed: true } : state
}

export function take(state: State, ground: Ground, mark: Mark): State {
  const tile = mark.tile ?? ''
  if (!takes(state, tile)) return state
  const turns = turnsOf(tile, ground)
  let turn = mark.sprite.startsWith(`${tile}.`) ? turnIn(mark.sprite) : turns[0]!
  if (!byEye(state) && !placesOf(state.offer, tile, turn).length) {
    turn = turns.find((one) => placesOf(state.offer, tile, one).length) ?? turn
  }
  const held = turnedTo({ ...drop(state), tile, source: mark }, ground, turn)
  const [only, ...others] = held.places
  return only && !others.length ? { ...put(held, ground, only), laid: false } : held // it is shown where it must go
}

export function drop(state: State): State {
  const { tile, source, places, legalAt, goals, place, legal, laid, armed } = EMPTY
  return { ...state, tile, source, places, legalAt, goals, place, legal, laid, armed }
}

/** The move did not come about: the tile is still in hand. */
export function refused(state: State): State {
  return { ...state, lifted: null }
}

const turnIn = (sprite: string): number => Number(sprite.split('.')[1] ?? 0)

function turnedTo(state: State, ground: Ground, turn: number): State {
  const places = placesOf(state.offer, state.tile, turn)
  const legalAt = new Map(places.map((place) => [keyOf(place), place]))
  const held = { ...state, turn, places, legalAt, goals: goalsOf(state, ground) }
  return { ...held, spot: cellsIn(held, ground)[0] ?? [0, 0] }
}

const keyOf = ({ plane, cell }: Place): string => `${plane} ${cell[0]} ${cell[1]}`

/** The planes on which the tile in hand can be laid: those of the offer; in the others' time the
 * board for a tile of a tray, and one's own beside it for what lies on the board. */
function goalsOf({ offer, tile, source }: State, { planes, seat = -1 }: Ground): string[] {
  if (offer) return [...new Set((offer.slots ?? []).filter((slot) => slot.tile === tile).map(({ plane }) => plane))]
  const tray = planes.find(({ name }) => name === source?.plane)?.tray
  const own = ({ main, tray: hand, framed, seats }: Plane): boolean =>
    tray ? main === true : !hand && framed === true && seats?.length === 1 && seats[0] === seat
  return planes.filter(own).map(({ name }) => name)
}

/** Laid at a place, whether it fits there or not. */
export function put(state: State, ground: Ground, place: Place): State {
  const lattice = latticeOf(ground, place.plane)
  const [[x, y], [mx, my]] = [centre(lattice, place.cell), centre(lattice, middleOf(state, ground))]
  return { ...state, place, at: [x + mx, y + my], legal: state.places.some((one) => same(one, place)), laid: true }
}

const same = (a: Place, b: Place): boolean => a.plane === b.plane && String(a.cell) === String(b.cell)

/** Turn clockwise, or flip; by the shape where a tile has one, else by number. */
export function change(state: State, ground: Ground, how: 'turn' | 'flip', back = false): State {
  const { tile, place } = state
  const turned = { ...turnedTo(state, ground, nextTurn(state, ground, how, back)), armed: false }
  if (!tile || !place || byEye(state)) return turned
  return near(turned, ground, place.plane, state.at)
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

/** Lead the middle of the tile in hand to a point of a plane. It goes to the legal place next to
 * that, and where there is none it is just there, and does not fit. */
export function near(state: State, ground: Ground, plane: string, at: Point): State {
  if (!state.goals.includes(plane)) return away(state)
  const lattice = latticeOf(ground, plane)
  const [mx, my] = centre(lattice, middleOf(state, ground))
  const [x, y]: Point = [at[0] - mx, at[1] - my]
  const here: Place = { plane, cell: cellAt(lattice, [x, y]) }
  let best = state.legalAt.get(keyOf(here))
  let least = SNAP
  for (const cell of best ? [] : around(lattice, here.cell)) {
    const place = state.legalAt.get(keyOf({ plane, cell }))
    const [u, v] = centre(lattice, cell)
    const far = place ? Math.hypot(u - x, v - y) : Infinity
    if (far <= least) [best, least] = [place, far]
  }
  const place = best ?? here
  const legal = best !== undefined
  if (legal === state.legal && state.place && same(place, state.place)) return state
  return { ...state, place, at, legal }
}

/** The pointer is where the tile can't be laid. */
export function away(state: State): State {
  return state.place && !state.laid ? { ...state, place: null, legal: false } : state
}

/** Where a pointer is while a tile is in hand; by eye that tells nothing, and a plan stays. */
export function hover(state: State, ground: Ground, plane: string, point: Point): State {
  if (byEye(state) || !state.tile || (state.laid && state.waiting)) return state
  return near(state.laid ? { ...state, laid: false } : state, ground, plane, point)
}

/** Whether the tile in hand lies on a cell, as it is shown. */
export function covers(state: State, ground: Ground, { plane, cell }: Place): boolean {
  const { place } = state
  if (!place || place.plane !== plane) return false
  return cellsIn(state, ground).some(([c, r]) => place.cell[0] + c === cell[0] && place.cell[1] + r === cell[1])
}

/** While a board is set up one click is one piece, and a click on a piece takes it back. */
export const isSetup = ({ offer }: State): boolean => !!offer?.pieces?.length

/** A cell was clicked or tapped: a mouse lays the tile where it is shown, a finger shows it there
 * and confirms by a tap on it. What does not fit is sent too: the answer says why not. */
export function choose(state: State, ground: Ground, place: Place, point: Point, touch: boolean): Done {
  if (!state.tile) return pickUp(state, ground, place)
  const standing = isSetup(state) ? lifting(state, ground, place) : undefined
  if (standing) return { state, move: standing.move }
  if (byEye(state)) {
    if (place.plane !== boardOf(ground.planes)?.name) return { state, move: '' }
    const aimed = { ...state, cursor: place }
    return touch ? { state: aimed, move: '' } : letGo(aimed, ground)
  }
  if (state.laid && covers(state, ground, place)) return letGo(state, ground)
  const shown = near({ ...state, armed: false }, ground, place.plane, point)
  if (!shown.place || !state.goals.includes(place.plane)) return { state, move: '' }
  if (isSetup(state)) return letGo(shown, ground)
  if (touch || state.waiting) return { state: { ...shown, laid: true }, move: asked(shown, ground) }
  const moved = !state.place || !same(shown.place, state.place)
  return moved ? { state: shown, move: '' } : letGo(shown, ground)
}

/** The move that is sent for a tile which lies where it does not fit, to hear why not. */
const asked = (state: State, ground: Ground): string => (state.legal || state.waiting ? '' : moveOf(state, ground))

/** A tile that was dragged is let go where it is: it is played, or `shown` to be confirmed; where
 * it does not fit the answer says why not. */
export function release(state: State, ground: Ground, shown: boolean): Done {
  const laid = { ...state, laid: true }
  return { state: laid, move: shown || state.waiting ? asked(state, ground) : moveOf(state, ground) }
}

/** Confirm: play the tile where it is; in the others' time, as soon as it can be, or no more. */
export function letGo(state: State, ground: Ground): Done {
  if (state.waiting) return { state: { ...state, armed: !state.armed && state.place !== null, laid: true }, move: '' }
  return { state, move: moveOf(state, ground) }
}

/** With the arrow keys: the nearest legal place in a direction (right and down positive); in the
 * others' time the next cell. */
export function step(state: State, ground: Ground, direction: Point): State {
  const { place, places, waiting } = state
  const at = ({ plane, cell }: Place): Point => centre(latticeOf(ground, plane), cell)
  const all = waiting ? beside(state, ground) : places
  if (!all.length) return state
  const next = place ? (ahead(all, at, at(place), direction) ?? place) : all[Math.floor(all.length / 2)]!
  return { ...put({ ...state, armed: false }, ground, next), laid: waiting }
}

/** The cells beside a plan, or where it can begin. */
function beside(state: State, ground: Ground): Place[] {
  const { place } = state
  if (place) return around(latticeOf(ground, place.plane), place.cell).map((cell) => ({ ...place, cell }))
  const [goal] = state.goals
  const plane = ground.planes.find(({ name }) => name === goal)
  return plane ? (plane.wells ?? [[0, 0] as Cell]).map((cell) => ({ plane: plane.name, cell })) : []
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
  const place = held.places.find((one) => String(one.cell) === String(found.cell))
  return place ? put(held, ground, place) : held
}

/** Of the same tile in several trays, the one whose turn it is; any where nobody's is. */
export function inTurn(mark: Mark, { planes }: Pick<Ground, 'planes'>): boolean {
  const plane = planes.find((one) => one.name === mark.plane)
  return !plane?.tray || plane.active === true || !planes.some((one) => one.tray && one.active)
}
