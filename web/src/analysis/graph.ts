// A game as a graph: chances above, the margin below; plain data, tested without a page.

import type { Judged, Verdict } from '../wire'

export interface Graph {
  x: (ply: number) => number // in the units of the drawing, as are
  y: (chance: number) => number
  areas: string[] // paths by side, for two sides,
  ways: string[] // and lines by side
  bars: { ply: number; x: number; y: number; height: number; side: number }[]
  zero: number // where the margin is none
  most: number // the largest margin shown
  ticks: number[] // plies with a number
}

export interface Size {
  width: number
  chances: number // the height of the chances,
  margins: number // of the margins (0: none),
  gap: number // and between them
}

/** The graph of a report: what is not judged yet is left out. */
export function graphOf({ points, plies, sides }: Judged, { width, chances, margins, gap }: Size): Graph {
  const last = Math.max(1, plies)
  const x = (ply: number): number => (ply / last) * width
  const y = (chance: number): number => (1 - chance) * chances
  const count = new Set(sides).size
  const spot = (ply: number, chance: number): string => `${x(ply).toFixed(1)} ${y(chance).toFixed(1)}`
  const way = (side: number): string => points.map(({ ply, chance }, i) => `${i ? 'L' : 'M'}${spot(ply, chance[side] ?? 0)}`).join('')
  const ways = Array.from({ length: count }, (_, side) => way(side))
  const [from, to] = [points[0]?.ply ?? 0, points.at(-1)?.ply ?? 0]
  const shut = (base: number): string => `L${spot(to, base)}L${spot(from, base)}Z`
  const areas = count === 2 && points.length > 1 ? [`${ways[0]}${shut(0)}`, `${ways[0]}${shut(1)}`] : []
  const most = Math.max(5, ...points.map(({ margin }) => Math.ceil(Math.abs(margin))))
  const zero = chances + gap + margins / 2
  const bars = points.slice(1).map(({ ply, margin }) => {
    const height = (Math.abs(margin) / most) * (margins / 2)
    return { ply, x: x(ply), y: margin >= 0 ? zero - height : zero, height, side: margin >= 0 || count > 2 ? 0 : 1 }
  })
  return { x, y, areas, ways: count === 2 ? ways.slice(0, 1) : ways, bars, zero, most, ticks: ticksOf(plies) }
}

/** Some plies at even distances, the first too. */
function ticksOf(plies: number): number[] {
  const step = [5, 10, 20, 50, 100, 200].find((one) => plies / one <= 8) ?? 500
  return Array.from({ length: Math.floor(plies / step) + 1 }, (_, i) => i * step)
}

/** How far up the mark of a decision stands: at the chance that was left of it. */
export const heightOf = ({ points, sides }: Judged, { ply, side }: Verdict): number => {
  const chance = points.find((point) => point.ply === ply)?.chance
  return chance?.[new Set(sides).size === 2 ? 0 : side] ?? 0.5
}

/** The ply that a place along the graph stands for. */
export function plyAt(part: number, plies: number): number {
  return Math.max(0, Math.min(plies, Math.round(part * plies)))
}
