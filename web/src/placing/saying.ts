// What the tile in hand does, in a sentence.

import type { Place } from '../board/planes'
import type { Placing } from './placing.svelte'
import { t } from '../base/words.svelte'
import { squareName } from '../board/geometry'

/** The name of a cell where the board shows names; empty where it shows none. */
export function nameAt(placing: Placing, { plane, cell }: Place): string {
  const { board } = placing
  return board?.name === plane && board.coordinates ? squareName(cell) : ''
}

/** Where the tile lies as a plan and what becomes of it, that it waits to be confirmed, or why
 * another can't be taken up; empty: there is nothing to say. */
export function sayingOf(placing: Placing): string {
  const { told, waiting, holding, armed, laid, legal, place } = placing
  if (told) return told
  const at = place ? nameAt(placing, place) : ''
  if (waiting && holding && armed) return at ? t('plan.armed.at', { at }) : t('plan.armed')
  if (waiting && holding && laid) return at ? t('plan.laid.at', { at }) : t('plan.laid')
  if (waiting) return t('plan')
  return holding && laid && legal ? t('place.fits') : ''
}
