// Clocks in words.

import { t } from './words.svelte'

/** A clock as briefly as one reads it: 5 min + 5 s, or so many days a move. */
export function clockText(clock: string): string {
  const [kind, first = 0, adds = 0] = clock.split(' ').map((word, i) => (i ? Number(word) : word)) as [string, number?, number?]
  if (kind === 'days') return t('clock.days', { n: first })
  if (kind !== 'bank') return t('clock.none')
  const bank = first % 60 ? `${first}\u00a0s` : `${first / 60}\u00a0min`
  return adds ? `${bank} +\u00a0${adds}\u00a0s` : bank
}
