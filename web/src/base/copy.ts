// Copying a text.

/** Copy a text; whether that went well. Browsers have a clipboard only where a page came by https or
 * from this machine; in a house whose server is a laptop the older way is left. */
export async function copied(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // it is forbidden: try the other way
  }
  const before = document.activeElement as HTMLElement | null
  const box = document.createElement('textarea')
  box.value = text
  box.readOnly = true
  box.style.cssText = 'position: fixed; opacity: 0'
  document.body.append(box)
  box.select()
  const done = document.execCommand('copy')
  box.remove()
  before?.focus({ preventScroll: true })
  return done
}
