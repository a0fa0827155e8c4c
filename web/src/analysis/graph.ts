// A game as a graph: chances above, who leads by how much below (of two sides the first upward, the
// second downward; of more all upward); plain data, tested without a page. It goes on by moves: what
// is drawn by lot has no width.

import type { Judged, JudgedPoint, Verdict } from '../base/wire'

export interface Graph {
  x: (ply: number) => number // in the units of the drawing, as are
  y: (chance: number) => number
  areas: string[] // paths by side, for two sides,
  ways: string[] // and lines by side
  bars: { ply: number; x: number; y: number; height: number; side: number }[]
  zero: number // where the margin is none
  most: number // the largest margin shown
  ticks: { move: number; x: number }[] // moves with a number
}

export interface Size {
  width: number
  chances: number // the height of the chances,
  margins: number // of the margins (0: none),
  gap: number // and between them
}

/** By ply, from none on, how many moves people or bots had made. */
export function movesOf(line: { seat: number }[]): number[] {
  const counts = [0]
  for (const { seat } of line) counts.push(counts.at(-1)! + (seat >= 0 ? 1 : 0))
  return counts
}

/** The graph of a report: what is not judged yet is left out. */
export function graphOf({ points, sides }: Judged, moves: number[], { width, chances, margins, gap }: Size): Graph {
  const last = Math.max(1, moves.at(-1) ?? 0)
  const x = (ply: number): number => ((moves[ply] ?? last) / last) * width
  const y = (chance: number): number => (1 - chance) * chances
  const count = new Set(sides).size
  const spot = (ply: number, chance: number): string => `${x(ply).toFixed(1)} ${y(chance).toFixed(1)}`
  const way = (side: number): string => points.map(({ ply, chance }, i) => `${i ? 'L' : 'M'}${spot(ply, chance[side] ?? 0)}`).join('')
  const ways = Array.from({ length: count }, (_, side) => way(side))
  const [from, to] = [points[0]?.ply ?? 0, points.at(-1)?.ply ?? 0]
  const shut = (base: number): string => `L${spot(to, base)}L${spot(from, base)}Z`
  const areas = count === 2 && points.length > 1 ? [`${ways[0]}${shut(0)}`, `${ways[0]}${shut(1)}`] : []
  const leads = points.map((point) => leadOf(point, sides))
  const most = Math.max(5, ...leads.map(({ by }) => Math.ceil(by)))
  const room = count === 2 ? margins / 2 : margins
  const zero = chances + gap + room
  const settled = leads.filter(({ ply }) => moves[ply] && moves[ply + 1] !== moves[ply])
  const bars = settled.map(({ ply, side, by }) => {
    const height = (by / most) * room
    return { ply, x: x(ply), y: count === 2 && side ? zero : zero - height, height, side }
  })
  return { x, y, areas, ways: count === 2 ? ways.slice(0, 1) : ways, bars, zero, most, ticks: ticksOf(last).map((move) => ({ move, x: (move / last) * width })) }
}

/** Which side is expected to lead, and by how much. */
function leadOf({ ply, margin, scores }: JudgedPoint, sides: number[]): { ply: number; side: number; by: number } {
  if (new Set(sides).size === 2) return { ply, side: margin >= 0 ? 0 : 1, by: Math.abs(margin) }
  const of = new Map(sides.map((side, seat) => [side, scores[seat] ?? 0]))
  const [first, second] = [...of].sort(([, a], [, b]) => b - a)
  return { ply, side: first?.[0] ?? 0, by: (first?.[1] ?? 0) - (second?.[1] ?? 0) }
}

/** Some moves at even distances, the first too. */
function ticksOf(last: number): number[] {
  const step = [5, 10, 20, 50, 100, 200].find((one) => last / one <= 8) ?? 500
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step)
}

/** How far up the mark of a decision stands: at the chance that was left of it. */
export const heightOf = ({ points, sides }: Judged, { ply, side }: Verdict): number => {
  const chance = points.find((point) => point.ply === ply)?.chance
  return chance?.[new Set(sides).size === 2 ? 0 : side] ?? 0.5
}

/** The ply that a place along the graph stands for: the last one after so many moves. */
export function plyAt(part: number, moves: number[]): number {
  const last = moves.at(-1) ?? 0
  return moves.lastIndexOf(Math.max(0, Math.min(last, Math.round(part * last))))
}
