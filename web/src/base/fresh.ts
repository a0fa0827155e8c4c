// A page older than its server loads itself again: the server says which script it gives out.

import { me } from './net'

const own = document.querySelector<HTMLScriptElement>('script[src*="/assets/"]')?.src.split('/').pop() ?? ''

/** Ask which page is served now; if it is another than this one, load that, but only once. */
export async function freshen(): Promise<void> {
  const { page } = await me().catch(() => ({ page: '' }))
  if (!page || !own || page === own || sessionStorage.getItem('page') === page) return
  sessionStorage.setItem('page', page)
  location.reload()
}

addEventListener('visibilitychange', () => {
  if (!document.hidden) void freshen()
})
