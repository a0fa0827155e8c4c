// Lines that a search tells, in slots that keep their place: plain data, tested without a page.

import type { ThoughtLine } from '../base/wire'

const SURE = 2 // standard errors; less is noise

/** Lines in the order in which they are shown: one keeps its place until another is better beyond
 * the noise. The first moves that were shown are told in their order. */
export function steady(before: string[], now: ThoughtLine[], side: number): ThoughtLine[] {
  const kept = before.flatMap((move) => now.find(({ steps }) => steps[0]?.move === move) ?? [])
  const order = [...kept, ...now.filter((line) => !kept.includes(line))]
  for (let end = order.length; end > 1; end--)
    for (let i = 1; i < end; i++)
      if (better(order[i]!, order[i - 1]!, side)) [order[i - 1], order[i]] = [order[i]!, order[i - 1]!]
  return order
}

function better(one: ThoughtLine, other: ThoughtLine, side: number): boolean {
  const [mine, theirs] = [one.chance[side] ?? 0, other.chance[side] ?? 0]
  return mine - theirs > SURE * Math.hypot(one.doubt, other.doubt)
}

/** A number in few signs: 48 k. */
export function short(count: number): string {
  if (count < 1000) return String(count)
  if (count < 10_000) return `${(count / 1000).toFixed(1).replace(/\.0$/, '')} k`
  return count < 1_000_000 ? `${Math.round(count / 1000)} k` : `${(count / 1_000_000).toFixed(1)} M`
}
