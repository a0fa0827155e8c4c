// The way of a rating as a drawing: plain data, tested without a page.

import type { RatingPoint } from '../base/wire'

export interface Graph {
  low: number // what the lower edge stands for,
  high: number // and the upper
  ticks: number[]
  x: (at: number) => number // both from 0 to 1
  y: (value: number) => number // downward
  band: string // a path, as are
  firm: string
  doubtful: string // while provisional
}

const STEPS = [50, 100, 200, 500, 1000]

/** A rating's way in a box of some size. Games stand at equal distances: days without any say
 * nothing. */
export function graphOf(points: RatingPoint[], width: number, height: number): Graph {
  const values = points.flatMap(({ rating, doubt }) => [rating - doubt, rating + doubt])
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const step = STEPS.find((one) => (most - least) / one <= 4) ?? STEPS.at(-1)!
  const [low, high] = [Math.floor(least / step) * step, Math.ceil(most / step) * step]
  const last = Math.max(1, points.length - 1)
  const x = (place: number): number => place / last
  const y = (value: number): number => (high - value) / (high - low || 1)
  const spot = (place: number, value: number): string => `${(x(place) * width).toFixed(1)} ${(y(value) * height).toFixed(1)}`
  const upper = points.map(({ rating, doubt }, i) => spot(i, rating + doubt))
  const lower = points.map(({ rating, doubt }, i) => spot(i, rating - doubt)).reverse()
  const path = (provisional: boolean): string =>
    points.flatMap((point, i) => {
      const before = points[i - 1]
      return before && point.provisional === provisional ? [`M${spot(i - 1, before.rating)} L${spot(i, point.rating)}`] : []
    }).join(' ')
  const ticks = Array.from({ length: (high - low) / step + 1 }, (_, i) => low + i * step)
  return { low, high, ticks, x, y, band: `M${[...upper, ...lower].join(' L')} Z`, firm: path(false), doubtful: path(true) }
}
