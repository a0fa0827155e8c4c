// What the server sends and takes; docs/api.md says it in words.

import type { Cell, Point } from './table/geometry'

export interface Layer {
  d?: string
  fill?: string
  stroke?: string
  width?: number
  opacity?: number
  text?: string
  at?: Point
  size?: number
  dash?: string
  sign?: boolean // drawn only where patterns are wanted
}

export interface Sprite {
  layers: Layer[]
  cells: Cell[]
  name?: string
}

export interface Paint {
  fill: [string, string]
  edge: [string, string]
  pattern: string
  letter: string
}

export interface Mark {
  plane: string
  sprite: string
  cell: Point
  colour?: string
  role?: string
  label?: string
  path?: string
  tile?: string
}

export interface Plane {
  name: string
  lattice: string
  box: [number, number, number, number]
  wells?: Cell[]
  x?: number
  y?: number
  scale?: number
  coordinates?: boolean
  framed?: boolean
  title?: string
  note?: string
  colour?: string
  active?: boolean
  out?: boolean
  seats?: number[]
  tray?: boolean
}

export interface Slot {
  tile: string
  turn: number
  plane: string
  box: [number, number, number, number]
  cells: string
}

export interface Choice {
  move: string
  cells?: Cell[]
  tile?: string // comes to hand by it
}

export type Args = Record<string, string | number | boolean | null>

export interface GameEvent {
  key: string
  cells?: Cell[]
  args?: Args
}

export interface Item {
  seat: number
  key: string
  points: number
  cells?: Cell[]
  args?: Args
}

export interface Chair {
  kind: 'person' | 'open' | 'held' | 'bot'
  side: number
  name?: string
  level?: number
  left?: string
  yours?: boolean
}

export interface Clocks {
  left: number[]
  turn: number
  up?: boolean // it counts the time spent
}

export interface Result {
  winners: number[]
  reason: string
  ranks: number[]
}

export interface Played {
  ply: number
  seat: number
  move: string
}

/** A move, and what a search thinks follows from it, by seat: the chance to win, the score at
 * the end; none where it does not know. */
export interface Opinion {
  move: string
  wins: number[]
  scores: number[]
}

/** A position of a game after some of its moves. */
export interface Position {
  game: string
  variant: string
  ply: number
  plies: number
  turn: number
  colour: string
  scores: number[]
  winners: number[]
  reason: string
  move: string
  events: GameEvent[]
  account: Item[]
  planes: Plane[]
  marks: Mark[]
}

export interface RoomMessage {
  t: 'room'
  ply: number
  id: string
  game: string
  variant: string
  options: Record<string, string>
  clock: string
  listed: boolean
  seats: Chair[]
  begun: boolean
  over: boolean
  turn: number
  colour: string
  scores: number[]
  planes: Plane[]
  marks: Mark[]
  moves: Played[]
  clocks?: Clocks
  ask?: { seat: number; keep: number }
  result?: Result
  hints?: number
  rematch?: string
  you?: number[]
}

type Delta<T> = (T | [number, number])[]

export interface MovedMessage {
  t: 'moved'
  ply: number
  move: string
  seat: number
  events: GameEvent[]
  marks: Delta<Mark>
  planes: Delta<Plane>
  turn: number
  colour: string
  scores: number[]
  clocks?: Clocks
  result?: Result
}

export interface HappenedMessage {
  t: 'happened'
  ply: number
  event: string
  seat: number
  seats: Chair[]
  begun: boolean
  over: boolean
  turn: number
  clocks?: Clocks
  ask?: { seat: number; keep: number }
  result?: Result
  hints?: number
  rematch?: string
}

export interface OfferMessage {
  t: 'offer'
  ply: number
  seat: number
  slots?: Slot[]
  choices?: Choice[]
  any?: boolean
}

export interface ErrorMessage {
  t: 'error'
  code: string
  text: string
  ply?: number
  rule?: string
  args?: Args
  cells?: Cell[]
}

export type Incoming =
  | RoomMessage
  | MovedMessage
  | HappenedMessage
  | OfferMessage
  | ErrorMessage
  | { t: 'you'; seats: number[] }
  | { t: 'presence'; here: number[]; watchers: number; gone?: Record<string, number>; grace?: number }
  | { t: 'reaction'; seat: number; key: string }
  | { t: 'pong'; at: number }

export type Words = Record<string, Record<string, string>>

/** A list that a delta describes in terms of the old one. */
export function patched<T extends object>(old: T[], delta: Delta<T>): T[] {
  return delta.flatMap((entry) =>
    Array.isArray(entry) ? old.slice(entry[0], entry[0] + entry[1]) : [entry],
  )
}
