// Looking for somebody to play with: one search for the whole page, which goes on while one plays a
// bot or solves a puzzle, and ends with the window. If whoever was found does not come to the table,
// it goes on by itself: the server knows how long one has waited.

import { open } from '../base/route.svelte'
import type { Found, Looking, Seek } from '../base/wire'
import { refusal, t } from '../base/words.svelte'

const KEPT = 'tegel-search'
const PAIRED = 'tegel-paired'

interface Paired {
  room: string // that was found last
  wish: Seek
  since: number
}
const PATIENCE = [500, 1000, 2000, 4000] // milliseconds between one try and the next
const PAUSE = 1600 // before the table opens, where one is elsewhere

interface Search {
  wish: Seek | null // what is looked for; null: nothing
  since: number // when that began
  told: Looking | null // how it stands
  found: string // the room, while it is told that there is one
  again: boolean // whoever was found did not come
  trouble: string
}

export const search = $state<Search>({ wish: null, since: 0, told: null, found: '', again: false, trouble: '' })
let socket: WebSocket | null = null
let timer = 0

/** Look for somebody; whoever is found comes to the table that opens. */
export function look(wish: Omit<Seek, 't' | 'ticket'>): void {
  stop()
  search.wish = { ...wish, t: 'seek', ticket: ticket() }
  search.since = Date.now()
  sessionStorage.setItem(KEPT, JSON.stringify(search.wish))
  connect()
}

/** Look no more, at once. */
export function stop(): void {
  Object.assign(search, { wish: null, told: null, found: '', again: false, trouble: '' })
  sessionStorage.removeItem(KEPT)
  clearTimeout(timer)
  const old = socket
  socket = null
  old?.close()
}

/** After the page was loaded again, go on looking. */
export function resume(): void {
  const kept = sessionStorage.getItem(KEPT)
  if (!kept || search.wish) return
  search.wish = JSON.parse(kept) as Seek
  search.since = Date.now()
  connect()
}

/** Whether somebody is still to come to a room where one was paired. */
export const awaits = (room: string): boolean => paired()?.room === room

/** Somebody did not come to a room: if one was paired to play there, go on looking. */
export function goOn(room: string): void {
  const last = paired()
  if (last?.room !== room) return
  sessionStorage.removeItem(PAIRED)
  look(last.wish)
  Object.assign(search, { since: last.since, again: true })
  open('/find')
}

function paired(): Paired | null {
  const kept = sessionStorage.getItem(PAIRED)
  return kept ? (JSON.parse(kept) as Paired) : null
}

const ticket = (): string => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => (byte % 36).toString(36)).join('')

function connect(tries = 0): void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const mine = new WebSocket(`${scheme}://${location.host}/api/search`)
  socket = mine
  mine.onopen = () => {
    tries = 0
    mine.send(JSON.stringify(search.wish))
  }
  mine.onmessage = (event) => {
    if (socket === mine) receive(JSON.parse(event.data as string) as Found)
  }
  mine.onclose = () => {
    if (socket !== mine || !search.wish) return
    timer = window.setTimeout(() => connect(tries + 1), PATIENCE[Math.min(tries, PATIENCE.length - 1)])
  }
}

function receive(message: Found): void {
  switch (message.t) {
    case 'looking':
      search.told = message
      search.since = Math.min(search.since, Date.now() - message.waited)
      break
    case 'paired': {
      const here = location.pathname === '/find'
      sessionStorage.setItem(PAIRED, JSON.stringify({ room: message.room, wish: search.wish, since: search.since }))
      stop()
      search.found = message.room
      timer = window.setTimeout(
        () => {
          search.found = ''
          open(`/r/${message.room}`)
        },
        here ? 0 : PAUSE,
      )
      break
    }
    case 'stopped':
      stop()
      search.trouble = t('find.elsewhere')
      break
    case 'error':
      stop()
      search.trouble = refusal(message.code, message.text)
      break
    case 'pong':
      break
  }
}
