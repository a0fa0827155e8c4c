// Making rooms.

import { api } from './net'
import type { Room, RoomWish } from './wire'

export async function createRoom(room: RoomWish): Promise<string> {
  const { id } = await api<Room>('/rooms', room)
  return id
}
