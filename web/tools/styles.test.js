import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sources } from './floors.js'
import { SHARED, faults } from './styles.js'

const page = sources()
const styled = (path, css) => ({ ...page, [path]: page[path].replace('</style>', `${css}\n</style>`) })
const planted = (files) => faults(files).join('\n')

test('styles are scoped to their components', () => assert.deepEqual(faults(page), []))

test('of classes the global stylesheet defines those that all share, and every one of them', () => {
  assert.match(planted({ ...page, 'src/app.css': `${page['src/app.css']}\n.seat { color: red }` }), /app\.css: \.seat is no shared class/)
  for (const name of SHARED) assert.match(page['src/app.css'], new RegExp(`\\.${name}\\b`))
})

test('a stylesheet that a script imports is refused', () => {
  const script = page['src/table/Seats.svelte'].replace('<script lang="ts">', `<script lang="ts">\nimport './seats.css'`)
  assert.match(planted({ ...page, 'src/table/Seats.svelte': script }), /Seats\.svelte: its script imports \.\/seats\.css/)
})

test('a stylesheet that nobody imports is refused', () => {
  assert.match(planted({ ...page, 'src/table/odds.css': '.odds { color: red }' }), /odds\.css: no component's style imports it/)
})

test('a rule for the whole page is refused in a component, and in what its style imports', () => {
  assert.match(planted(styled('src/table/Seats.svelte', ':global(.menu) { color: red }')), /:global\(\.menu\) is not scoped/)
  assert.match(planted(styled('src/table/Seats.svelte', '@media print { :global(header), li { color: red } }')), /:global\(header\) is not scoped/)
  const css = `${page['src/table/phone.css']}\n:global(main .menu) { color: red }`
  assert.match(planted({ ...page, 'src/table/phone.css': css }), /phone\.css: .* is not scoped/)
})

test('a class of a child that no component has is refused', () => {
  assert.match(planted(styled('src/table/Seats.svelte', '.seats :global(.clok) { color: red }')), /names \.clok, which nothing has/)
})
