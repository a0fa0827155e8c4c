// What a person prefers, kept in this browser.

export const LANGUAGES = { en: 'English', nl: 'Nederlands', fr: 'Français', de: 'Deutsch', it: 'Italiano' }
export type Language = keyof typeof LANGUAGES
export type Theme = 'auto' | 'light' | 'dark'

/** How a card was set last: which start of a game, against bots of which level. */
export interface CardChoice {
  start: string
  level: number
}

/** A game won against bots. */
export interface Win {
  game: string
  level: number
}

interface Kept {
  language: Language
  theme: Theme
  patterns: boolean
  sound: boolean
  notify: boolean
  name: string
  cards: Record<string, CardChoice> // by game
  latest: string // the game that was played last
  won: Win | null // the latest, while it is the latest game that ended
  sought: { game: string; clock: string } // with somebody to play with, the last time
  muted: string[] // players who are not heard: see phrases.ts
  engine: boolean // whether it thinks in studies
}

function spoken(): Language {
  for (const tag of navigator.languages) {
    const short = tag.slice(0, 2) as Language
    if (short in LANGUAGES) return short
  }
  return 'en'
}

function stored(): Partial<Kept> {
  try {
    return JSON.parse(localStorage.getItem('tegel') ?? '{}') as Partial<Kept>
  } catch {
    return {}
  }
}

export const prefs = $state<Kept>({
  language: spoken(),
  theme: 'auto',
  patterns: false,
  sound: false,
  notify: false,
  name: '',
  cards: {},
  latest: '',
  won: null,
  sought: { game: '', clock: 'bank 300 5' },
  muted: [],
  engine: true,
  ...stored(),
})

const night = matchMedia('(prefers-color-scheme: dark)')
const page = $state({ night: night.matches })
night.addEventListener('change', () => (page.night = night.matches))

export function dark(): boolean {
  return prefs.theme === 'auto' ? page.night : prefs.theme === 'dark'
}

/** Keep the preferences and show them; to be called once, inside an effect root. */
export function keepPrefs(): void {
  $effect(() => {
    localStorage.setItem('tegel', JSON.stringify(prefs))
    document.documentElement.dataset.theme = dark() ? 'dark' : 'light'
    document.documentElement.lang = prefs.language
  })
}
