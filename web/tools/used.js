// Passes on, of the server's description, what the page uses: the schemas that some file of the page
// imports from wire.ts, and those that they speak of.
//
//     python -m tegel.server.web.schema | node tools/used.js
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WEB = join(dirname(fileURLToPath(import.meta.url)), '..')
const IMPORT = /import (?:type )?\{([^}]*)\} from '[./\w]*\/wire'/g

/** Return the names that some texts import from wire.ts. */
export function imported(texts) {
  const names = texts.flatMap((text) => [...text.matchAll(IMPORT)].flatMap(([, list]) => list.split(',')))
  return new Set(names.map((name) => name.replace(/^\s*(type\s)?|\sas\s.*$|\s+$/g, '')).filter(Boolean))
}

/** Return a description with no more than the schemas of some names and what they refer to. */
export function used(description, names) {
  const all = description.components.schemas
  const kept = new Set()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (kept.has(name)) continue
    if (!(name in all)) throw new Error(`The page imports ${name} from wire.ts, which the server does not describe.`)
    kept.add(name)
    for (const [, other] of JSON.stringify(all[name]).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) waiting.push(other)
  }
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => kept.has(name)))
  return { ...description, paths: {}, components: { schemas } }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const texts = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(WEB, folder), { recursive: true })
      .filter((path) => /\.(svelte|ts)$/.test(path))
      .map((path) => readFileSync(join(WEB, folder, path), 'utf8')),
  )
  console.log(JSON.stringify(used(JSON.parse(readFileSync(0, 'utf8')), imported(texts))))
}
