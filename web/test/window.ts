// What modules of the page ask a browser for when they load, so that they load without one: to be
// imported first.

const nobody = { matches: false, addEventListener: () => undefined }
const empty = { getItem: () => null, setItem: () => undefined }
const all = {
  navigator: { languages: ['en'] },
  localStorage: empty,
  sessionStorage: empty,
  matchMedia: () => nobody,
  location: { pathname: '/', search: '', hostname: 'localhost', host: 'localhost' },
  addEventListener: () => undefined,
  document: { hidden: false, addEventListener: () => undefined, querySelector: () => null },
}
for (const [name, value] of Object.entries(all)) if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true })

// Browsers group by themselves; node does from its version 21 on.
Map.groupBy ??= <K, T>(all: Iterable<T>, keyOf: (one: T, index: number) => K): Map<K, T[]> => {
  const found = new Map<K, T[]>()
  let index = 0
  for (const one of all) {
    const key = keyOf(one, index++)
    found.set(key, [...(found.get(key) ?? []), one])
  }
  return found
}
