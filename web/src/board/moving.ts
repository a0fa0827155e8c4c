// A move as people write it.

import type { Plane, Sprite } from '../base/wire'
import { said, type Words } from '../base/words.svelte'
import { readMove, squareName } from './geometry'

/** What a move is called: the tile and, where the board has names, its square; or the word that it
 * is. With it the sprite of the tile as it lies, if there is one. */
export function spoken(
  move: string,
  template: string,
  planes: Plane[],
  sprites: Record<string, Sprite>,
  words: Words,
): { text: string; sprite: string } {
  const [what = '', where = ''] = move.split('@')
  if (words.choices?.[what]) return { text: said(words, 'choices', what), sprite: '' }
  const read = readMove(template, move)
  const sprite = read ? `${read.tile}.${read.turn}` : ''
  const named = planes.find(({ main }) => main)?.coordinates
  if (read && sprites[sprite]) return { text: named ? `${read.tile} ${squareName(read.cell)}` : read.tile, sprite }
  const square = /^[a-z]\d+$/.test(where) ? ` ${where}` : '' // of a piece that is set up
  return { text: `${words.marks?.[what] ?? what}${square}`, sprite: '' }
}
