import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FLOORS, faults, sources } from './floors.js'

const page = sources()

const PLANTED = [
  ['src/board/Dot.svelte', "import Clock from '../table/Clock.svelte'", /board.*Dot.*table\/Clock.*board-may-import-only-base/],
  ['src/board/Glow.svelte', "import type { Again } from '../table/again.svelte'", /Glow.*board-may-import-only-base/],
  ['src/base/rooms.ts', "import { keepFocus } from '../main'", /base-may-import-only-itself/],
  ['src/puzzle/Card.svelte', "const page = import('../pages/About.svelte')", /puzzle-may-import-only/],
  ['src/analysis/Step.svelte', "import '../moments/Day.svelte'", /analysis-may-import-only/],
  ['src/board/geometry.ts', "import { boardOf } from './planes'", /geometry.*no-cycles/],
]

test('an import upwards is refused, also of a type or when a page is needed, and so are cycles', async () => {
  const files = { ...page }
  for (const [path, line] of PLANTED)
    files[path] = path.endsWith('.svelte') ? page[path].replace('<script lang="ts">', `<script lang="ts">\n${line}`) : `${line}\n${page[path]}`
  const found = await faults(files)
  for (const [path, line, rule] of PLANTED) assert.ok(found.some((fault) => fault.startsWith(path) && rule.test(fault)), `${path}: ${line}`)
})

test('a folder of no floor is refused', async () => {
  const files = { ...page, 'src/odds/ends.ts': "import { fillOf } from '../board/paint'" }
  assert.match((await faults(files)).join('\n'), /folder-without-a-floor/)
})

test('every floor is a folder, and one place makes a board to place tiles on', () => {
  const folders = new Set(Object.keys(page).map((path) => path.split('/')[1]))
  assert.deepEqual(FLOORS.filter((floor) => !folders.has(floor)), [])
  const makers = Object.entries(page).filter(([, text]) => /new (Placing|Gestures)\(/.test(text))
  assert.deepEqual(makers.map(([path]) => path), ['src/placing/board.svelte.ts'])
})
