// A list told in terms of the one before it.

/** What there is now: `[i, n]` stands for n entries of the old list from the i-th on. */
export type Delta<T> = (T | [number, number])[]

export function patched<T extends object>(old: T[], delta: Delta<T>): T[] {
  return delta.flatMap((entry) =>
    Array.isArray(entry) ? old.slice(entry[0], entry[0] + entry[1]) : [entry],
  )
}
