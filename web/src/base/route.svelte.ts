// Which page: the address, without reloading.

const route = $state({ path: location.pathname, query: location.search })
addEventListener('popstate', follow)

function follow(): void {
  route.path = location.pathname
  route.query = location.search
}

/** What the page is about, said beside our name at the top, and more of it where there is room. */
export const heading = $state({ text: '', more: '' })

export function path(): string {
  return route.path
}

/** What the address asks of its page. */
export function query(): URLSearchParams {
  return new URLSearchParams(route.query)
}

/** Ask the page shown something else; what is empty is asked no more. */
export function ask(changes: Record<string, string>): void {
  const next = new URLSearchParams(location.search)
  for (const [key, value] of Object.entries(changes)) {
    if (value) next.set(key, value)
    else next.delete(key)
  }
  history.replaceState(null, '', `${location.pathname}${next.size ? `?${next}` : ''}`)
  follow()
}

/** Go to another page of this site. */
export function open(to: string): void {
  if (to === location.pathname) return
  history.pushState(null, '', to)
  follow()
  scrollTo(0, 0)
}

/** The page shown has another address now: it can be kept or sent, but is not loaded anew. */
export function address(to: string): void {
  if (to !== location.pathname) history.replaceState(null, '', to)
}

/** For links: the same without reloading, unless a new tab is wanted. */
export function go(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
  event.preventDefault()
  open((event.currentTarget as HTMLAnchorElement).pathname)
}
