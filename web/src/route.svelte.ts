// Which page: the address, without reloading.

const route = $state({ path: location.pathname })
addEventListener('popstate', () => (route.path = location.pathname))

/** What the page is about, said beside our name at the top, and more of it where there is room. */
export const heading = $state({ text: '', more: '' })

export function path(): string {
  return route.path
}

/** Go to another page of this site. */
export function open(to: string): void {
  if (to === location.pathname) return
  history.pushState(null, '', to)
  route.path = location.pathname
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
