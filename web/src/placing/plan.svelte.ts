// A plan that is to be played when the turn comes, kept in this tab: a page that is loaded again
// still has it.

import { untrack } from 'svelte'
import type { Placing } from './placing.svelte'

interface Kept {
  move: string
  plane: string // that the tile comes from
}

/** Keep the plan of a table, and take up the one that was kept as soon as the table is ready. */
export function keepPlan(table: string, placing: Placing, ready: () => boolean): void {
  const key = `plan ${table}`
  let taken = false
  $effect(() => {
    if (taken || !ready()) return
    taken = true
    const kept = stored(key)
    if (kept) untrack(() => placing.planned(kept.move, kept.plane))
  })
  $effect(() => {
    if (!taken) return void ready()
    if (placing.armed) sessionStorage.setItem(key, JSON.stringify({ move: placing.move, plane: placing.source?.plane }))
    else sessionStorage.removeItem(key)
  })
}

function stored(key: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null
  } catch {
    return null
  }
}
