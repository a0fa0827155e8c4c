// Games to print: where their sheets are.

import { prefs } from './prefs.svelte'

export const PAPERS = { a4: 'A4', letter: 'Letter' }
export type Paper = keyof typeof PAPERS

// Where people print on Letter; everybody else has A4.
const LETTER = /-(US|CA|MX|PH|CL|CO|CR|GT|PA|SV|VE|DO|PR)$/i

export function usualPaper(): Paper {
  return LETTER.test(navigator.language) ? 'letter' : 'a4'
}

/** The address of the sheets of a game, in the language chosen. */
export function sheets(game: string, variant: string, paper: Paper = usualPaper(), mono = false): string {
  const asked = new URLSearchParams({ language: prefs.language, paper, ...(mono ? { mono: 'true' } : {}) })
  return `/api/games/${game}/sheets/${variant}.pdf?${asked}`
}
