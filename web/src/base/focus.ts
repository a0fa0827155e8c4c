// The keys are never nowhere: when what has the focus goes away or can't be used any more, the
// board has it, or the page where there is none.

/** Watch over the focus of the page. */
export function keepFocus(): void {
  let last: Element | null = null
  const came = (event: FocusEvent): void => {
    last = event.target as Element
  }
  // Whoever leaves a thing that is still there meant it.
  const left = ({ target }: FocusEvent): void =>
    queueMicrotask(() => {
      if (last && target === last && usable(last) && document.activeElement !== last) last = null
    })
  const look = (): void => {
    if (!last || usable(last)) return
    const next = document.querySelector<HTMLElement>('main svg.scene') ?? document.querySelector<HTMLElement>('main')
    if (!next) return
    last = null
    if (!next.hasAttribute('tabindex')) next.tabIndex = -1
    next.focus({ preventScroll: true })
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', came)
  document.addEventListener('focusout', left)
}

const usable = (element: Element): boolean => element.isConnected && !element.matches(':disabled')
