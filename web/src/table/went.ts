// Where a tile went, for ears.

import { lyingAt } from '../placing/model'
import type { Room, Sprite } from '../base/wire'
import { labelOf, t, type Words } from '../base/words.svelte'
import { around, squareName, type Cell } from '../board/geometry'
import { nameOf } from '../base/names'
import { markOf } from './since'

/** Where the latest move laid a tile, in words: the squares it covers or, where the board shows no
 * names, the tiles beside it. */
export function wentTo(room: Room, template: string, words: Words, sprites: Record<string, Sprite>): string {
  const played = room.moves.findLast(({ seat }) => seat >= 0)
  const mark = played && markOf(room, template, words, played)
  const plane = room.planes.find(({ name }) => name === mark?.plane)
  if (!mark || !plane) return ''
  const cells = (sprites[mark.sprite]?.cells ?? [[0, 0]]).map(([c, r]): Cell => [mark.cell[0] + c, mark.cell[1] + r])
  const tile = `${nameOf(room, played.seat)}: ${labelOf(words, mark, sprites)}`
  if (plane.coordinates) return t('went.on', { tile, at: cells.map(squareName).join(' ') })
  const ground = { ...room, sprites, template }
  const beside = cells.flatMap((cell) => around(plane.lattice, cell)).flatMap((cell) => lyingAt(ground, { plane: plane.name, cell }))
  const names = [...new Set(beside.filter((one) => one !== mark && one.role !== 'due').map((one) => labelOf(words, one, sprites)))]
  return names.length ? t('went.beside', { tile, at: names.join(', ') }) : ''
}
