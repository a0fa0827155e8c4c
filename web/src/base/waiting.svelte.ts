// How many of one's games wait for a move, in the title of the tab and on the app's badge.

import { api } from './net'
import type { Listed } from './wire'

const OFTEN = 60_000 // milliseconds between looks, where no list is seen

let waiting = $state.raw<string[]>([]) // rooms

/** Note what a list of one's games says. */
export function noteWaiting(mine: Listed[]): void {
  waiting = mine.filter(({ yours }) => yours).map(({ id }) => id)
  if ('setAppBadge' in navigator) void navigator.setAppBadge(waiting.length).catch(() => undefined)
}

/** A title with the number of games that wait, one's own room left out. */
export function titled(title: string, room = ''): string {
  const count = waiting.filter((id) => id !== room).length
  return count ? `(${count}) ${title}` : title
}

/** Look now and then; what to call when nobody needs it any more. */
export function lookForWaiting(): () => void {
  const look = (): void => void api<Listed[]>('/my/rooms').then(noteWaiting).catch(() => undefined)
  const timer = setInterval(look, OFTEN)
  return () => clearInterval(timer)
}
