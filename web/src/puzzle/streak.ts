// Days in a row: plain data, tested without a page.

/** How many days in a row one has solved the puzzle of the day, until now and at most: a
 * day that is not over yet does not end it. Days are written as 2026-11-16. */
export function streak(solved: string[], today: string): { now: number; most: number } {
  const number = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000)
  const days = [...new Set(solved.map(number))].sort((a, b) => a - b)
  let [most, run, last] = [0, 0, NaN]
  for (const day of days) {
    run = day === last + 1 ? run + 1 : 1
    most = Math.max(most, run)
    last = day
  }
  return { now: number(today) - last <= 1 ? run : 0, most }
}
