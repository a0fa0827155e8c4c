// How tiles lie in a tray that is never larger than it is: in rows of cells, each tile in one
// that it keeps.

interface Size {
  w: number
  h: number
}

const LEAST = 44 // pixels: what a finger hits
const WIDE = [7, 7, 7] // all tiles of a colour, where there is width,
const COLUMN = [4, 4, 4, 5, 4] // and where there is none

/** How many cells each row has, so that tiles of a size (in cells of theirs) are drawn as large
 * as can be; cells that a finger hits come first. */
export function rowsOf(count: number, room: Size, tile: Size): number[] {
  if (count === 21) return room.w > room.h && room.w >= 7 * LEAST ? WIDE : COLUMN
  const cell = (rows: number[]): Size => ({ w: room.w / Math.max(...rows), h: room.h / rows.length })
  const scale = (rows: number[]): number => Math.min(cell(rows).w / tile.w, cell(rows).h / tile.h)
  const all = ways(count)
  const wide = all.filter((rows) => Math.min(cell(rows).w, cell(rows).h) >= LEAST)
  return (wide.length ? wide : all).reduce((best, rows) => (scale(rows) > scale(best) + 1e-6 ? rows : best))
}

/** Rows of about the same length: never a single tile in a row below others. */
function ways(count: number): number[][] {
  const found: number[][] = []
  for (let rows = 1; rows === 1 || count / rows >= 2; rows++)
    found.push(Array.from({ length: rows }, (_, i) => Math.floor((count + rows - 1 - i) / rows)))
  return found
}

/** Keys in the cells that they had before; a new one takes the first that is free. */
export function kept(before: string[], keys: string[]): string[] {
  const cells = before.map((key) => (keys.includes(key) ? key : ''))
  for (const key of keys.filter((one) => !cells.includes(one))) {
    const free = cells.indexOf('')
    if (free < 0) cells.push(key)
    else cells[free] = key
  }
  return cells
}
