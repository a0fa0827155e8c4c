import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imported, used } from './used.js'

const ref = (name) => ({ $ref: `#/components/schemas/${name}` })
const described = {
  paths: { '/api/rooms': {} },
  components: { schemas: { Room: { properties: { seats: { items: ref('Seat') } } }, Seat: { anyOf: [ref('Bot'), ref('Room')] }, Bot: {}, Wish: {} } },
}

test('what a page imports from wire.ts, from whichever folder', () => {
  const texts = ["import type { Bot, Room as Table } from '../base/wire'", "import { type Seat } from './wire'\nimport type { Place } from './planes'"]
  assert.deepEqual([...imported(texts)], ['Bot', 'Room', 'Seat'])
})

test('schemas stay with what they refer to, in the order of the server; paths go', () => {
  const { paths, components } = used(described, ['Room'])
  assert.deepEqual(paths, {})
  assert.deepEqual(Object.keys(components.schemas), ['Room', 'Seat', 'Bot'])
})

test('a type that the server does not describe is named', () => {
  assert.throws(() => used(described, ['Rome']), /imports Rome from wire\.ts/)
})
