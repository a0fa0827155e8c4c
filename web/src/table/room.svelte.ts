// A room as this browser knows it: the fold of the messages received.

import { freshen } from '../base/fresh'
import { Socket } from '../base/net'
import { patched } from '../base/delta'
import { prefs } from '../base/prefs.svelte'
import type { News } from '../base/names'
import type { Error, Event, Incoming, Mark, Offer, Outgoing, Plane, Resting, Room } from '../base/wire'

const TOLD = 4000 // milliseconds that a refusal is told
const SHUT = ['missing', 'damaged'] // a room that says so is not asked for again

export class RoomModel {
  room = $state.raw<Room | null>(null)
  offer = $state.raw<Offer | null>(null)
  resting = $state.raw<Resting | null>(null) // why nothing goes on, for the sake of another game
  events = $state.raw<Event[]>([])
  news = $state.raw<News | null>(null) // what happened since the last move
  error = $state.raw<Error | null>(null)
  online = $state(true)
  pending = $state(false) // a move was sent and not answered yet
  refusals = $state(0)
  lost = $state.raw<Error | null>(null) // there is no such room, or it can't be opened
  here = $state.raw<number[]>([])
  met = $state(false) // it was told who is here
  gone = $state.raw<Record<string, number>>({}) // by seat, until when one must wait for its player
  watchers = $state(0)
  reaction = $state.raw<{ seat: number; key: string; at: number } | null>(null)
  received = $state(0) // when the clocks were last told
  private readonly socket: Socket<Incoming, Outgoing>

  constructor(readonly id: string) {
    this.socket = new Socket<Incoming, Outgoing>(
      `/rooms/${id}/socket`,
      () => ({ t: 'join', since: this.room?.ply ?? -1 }),
      (message) => this.receive(message),
      (on) => {
        this.online = on
        this.pending = false
        if (on) {
          if (this.error?.code === 'offline') this.error = null
          freshen()
        }
      },
    )
  }

  get planes(): Plane[] {
    return this.room?.planes ?? []
  }

  get marks(): Mark[] {
    return this.room?.marks ?? []
  }

  get you(): number[] {
    return this.room?.you ?? []
  }

  get yourTurn(): boolean {
    return this.room !== null && !this.room.over && this.you.includes(this.room.turn)
  }

  /** Whether others are to move, so that one may plan: at a table by eye nothing is laid but to
   * be tried. */
  get waiting(): boolean {
    const room = this.room
    return !!room?.begun && !room.over && !room.task && !room.eye && this.you.length > 0 && !this.yourTurn
  }

  send(message: Incoming): void {
    this.error = null
    if (!this.socket.send(message)) {
      this.error = { t: 'error', code: 'offline', text: '' }
    }
  }

  move(text: string): void {
    if (!this.room || this.pending) return
    this.pending = true
    this.send({ t: 'move', ply: this.room.ply, move: text })
    if (this.error) this.pending = false
  }

  /** Say whether the table is looked at: a clock that counts up runs while it is. */
  look(on: boolean): void {
    this.socket.send({ t: 'look', on })
  }

  close(): void {
    this.socket.close()
  }

  private receive(message: Outgoing): void {
    switch (message.t) {
      case 'room':
        this.pending = false
        if (this.room && message.ply < this.room.ply) return
        // What is told to everybody at once says nothing about you.
        if (this.room && message.moves.length < this.room.moves.length) {
          this.events = []
          this.news = { event: 'takeback', seat: -1, asker: -1 }
        }
        this.room = { ...message, you: message.you?.length ? message.you : (this.room?.you ?? []) }
        this.received = Date.now()
        if (this.offer && this.offer.ply !== message.ply) this.offer = null
        for (const seat of message.held ?? []) this.send({ t: 'sit', seat, name: prefs.name })
        break
      case 'moved': {
        const room = this.room
        if (!room || message.ply <= room.ply) return
        if (message.ply !== room.ply + 1) {
          this.socket.send({ t: 'join', since: room.ply })
          return
        }
        this.offer = null
        this.error = null
        this.pending = false
        this.events = message.events
        this.news = null
        this.received = Date.now()
        this.room = {
          ...room,
          ply: message.ply,
          turn: message.turn,
          colour: message.colour,
          scores: message.scores,
          gained: message.gained ?? [],
          marks: patched(room.marks, message.marks),
          planes: patched(room.planes, message.planes),
          moves: [...room.moves, { ply: room.ply, seat: message.seat, move: message.move }],
          over: message.result !== undefined,
          ...(message.clocks && { clocks: message.clocks }),
          ...(message.result && { result: message.result }),
        }
        break
      }
      case 'happened': {
        const room = this.room
        if (!room || message.ply <= room.ply) return
        const { t: _, event, seat, ...rest } = message
        this.news = { event, seat, asker: room.ask?.seat ?? -1 }
        this.received = Date.now()
        // Who has not sat down was told for themselves; once it has begun, it is so for all.
        const unrated = rest.unrated ?? (rest.begun ? '' : room.unrated)
        this.room = { ...room, ...rest, unrated, ask: rest.ask ?? undefined } as Room
        break
      }
      case 'you':
        if (this.room) this.room = { ...this.room, you: message.seats }
        break
      case 'offer':
        this.offer = message
        break
      case 'resting':
        this.resting = message.code ? message : null
        break
      case 'presence':
        this.here = message.here
        this.met = true
        this.gone = Object.fromEntries(
          Object.entries(message.gone ?? {}).map(([seat, since]) => [seat, Date.now() - since + (message.grace ?? 0)]),
        )
        this.watchers = message.watchers
        break
      case 'reaction':
        this.reaction = { seat: message.seat, key: message.key, at: Date.now() }
        break
      case 'error':
        if (!this.room && SHUT.includes(message.code)) {
          this.lost = message
          this.close()
          return
        }
        this.error = message
        setTimeout(() => {
          if (this.error === message) this.error = null
        }, TOLD)
        this.pending = false
        this.refusals++
        break
      case 'pong':
        break
    }
  }
}
