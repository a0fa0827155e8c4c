// Making and listing rooms.

import { api } from './net'

export type NewSeat = { kind: 'person' | 'open' } | { kind: 'bot'; level: number }

export interface NewRoom {
  game: string
  variant: string
  seats: NewSeat[]
  options?: Record<string, string>
  clock?: string
  listed?: boolean
  shuffled?: boolean
  name?: string
}

export interface RoomLine {
  id: string
  game: string
  variant: string
  seats: number
  open: number // seats that are free
  ply: number
  waiting: boolean // for you
}

export async function createRoom(room: NewRoom): Promise<string> {
  const { id } = await api<{ id: string }>('/rooms', room)
  return id
}
