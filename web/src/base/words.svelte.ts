// Words: the client's own in a catalogue a language; a game's come from the server.

import en from './words/en.json'
import { prefs } from './prefs.svelte'
import type { Event, GameInfo, Mark, Plane, Sprite } from './wire'

export type Key = keyof typeof en
export type Words = GameInfo['words'] // what a game says, by group and key
export type Args = NonNullable<Event['args']> // what a sentence speaks of

const catalogues = import.meta.glob<Record<Key, string>>(['./words/*.json', '!./words/en.json'], { import: 'default' })
const loaded = $state<Record<string, Record<string, string>>>({ en })

/** Load the catalogue of the chosen language; English serves until it is there. */
export async function loadWords(): Promise<void> {
  const language = prefs.language
  if (!(language in loaded)) loaded[language] = await catalogues[`./words/${language}.json`]!()
}

/** What we say, in the language chosen: `{name}` is filled in, and of `one|many` the form
 * that the number `n` takes. */
export function t(key: Key, args: Args = {}): string {
  let text = loaded[prefs.language]?.[key] ?? en[key]
  if (typeof args.n === 'number' && text.includes('|')) {
    const forms = text.split('|')
    text = new Intl.PluralRules(prefs.language).select(args.n) === 'one' ? forms[0]! : forms[1]!
  }
  return filled(text, args)
}

/** What a variant of a game is called; the games fill it in when they are loaded. */
export const naming = { of: (game: string, _variant: string): string => game }

/** Why the server said no, in the language chosen where we have words for its code. */
export function refusal(code: string, text: string, args: Args = {}): string {
  const key = code === 'rests' && !args.rated ? 'rests.eye' : `no.${code}`
  const game = typeof args.game === 'string' ? naming.of(args.game, String(args.variant)) : ''
  return key in en ? t(key as Key, { ...args, text, game }) : text
}

/** What a game says: a sentence of its own with arguments; colours, or a list of them, and tiles
 * that are called by a colour (blue-F) are said too; `who` is the player of a `number`, if nobody
 * calls them otherwise. */
export function said(words: Words, group: string, key: string, args: Args = {}): string {
  const text = words[group]?.[key]
  if (text === undefined) return key
  const colour = (word: string) => words.colours?.[word] ?? word
  const tile = (whole: string, first: string, name: string) =>
    words.colours?.[first] ? filled(words.marks?.tile ?? '', { colour: colour(first), name }) : whole
  const speak = (value: string) =>
    value.split(', ').map(colour).join(', ').replace(/\b([a-z]+)-(\w+)\b(?!\.)/g, tile)
  const who = args.number === undefined ? {} : { who: filled(words.planes?.seat ?? '', args) }
  const spoken = Object.fromEntries(Object.entries({ ...who, ...args }).map(([k, v]) => [k, typeof v === 'string' ? speak(v) : v]))
  const sentence = filled(text, spoken)
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** The title of a plane in the game's words. */
export function titleOf(words: Words, plane: Plane): string {
  const args = { colour: plane.colour ?? '', number: (plane.seats?.[0] ?? 0) + 1 }
  return plane.title ? said(words, 'planes', plane.title, args) : ''
}

/** What a mark is, in the game's words: by its label, else by the name of its sprite. */
export function labelOf(words: Words, mark: Mark, sprites: Record<string, Sprite>): string {
  const name = mark.label || sprites[mark.sprite]?.name || ''
  const colour = words.colours?.[(mark.colour ?? '').split('.')[0]!] ?? ''
  return name && filled(words.marks?.[name] ?? words.marks?.tile ?? '{name}', { colour, name }).trim()
}

export function number(value: number): string {
  return new Intl.NumberFormat(prefs.language).format(value).replace('-', '−')
}

/** A day, by its time in milliseconds. */
export function day(at: number): string {
  return new Intl.DateTimeFormat(prefs.language, { dateStyle: 'medium' }).format(at)
}

export function percent(value: number): string {
  return new Intl.NumberFormat(prefs.language, { style: 'percent' }).format(value)
}

function filled(text: string, args: Args): string {
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => {
    const value = args[key]
    return value === undefined ? whole : typeof value === 'number' ? number(value) : String(value)
  })
}
