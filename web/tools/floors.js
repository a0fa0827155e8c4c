// Checks that imports go one way: node tools/floors.js
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'

const WEB = join(dirname(fileURLToPath(import.meta.url)), '..')

/** The folders of src: each imports only from itself and from those before it. What lies in src
 * itself is above them all. */
export const FLOORS = [
  'base', // the server, words, preferences, addresses
  'board', // draws planes, sprites and marks; knows no table
  'placing', // a tile in hand, on a board
  'account',
  'history',
  'meet',
  'table',
  'analysis',
  'puzzle',
  'moments',
  'front',
  'pages',
]

const upwards = FLOORS.map((floor, at) => ({
  name: `${floor}-may-import-only-${FLOORS.slice(0, at).join('-') || 'itself'}`,
  severity: 'error',
  from: { path: `^src/${floor}/` },
  to: { path: '^src/', pathNot: `^src/(${FLOORS.slice(0, at + 1).join('|')})/` },
}))

const forbidden = [
  ...upwards,
  { name: 'folder-without-a-floor', severity: 'error', from: { path: '^src/[^/]+/', pathNot: `^src/(${FLOORS.join('|')})/` }, to: {} },
  { name: 'no-cycles', severity: 'error', from: { pathNot: '^src/analysis/Variation' }, to: { circular: true } }, // which draws itself
]

/** Return what is wrong with the imports of some files, given by their paths under web. Of a
 * component the checker reads only the script: compiled, it has lost its imports of types. */
export async function faults(files) {
  const folder = mkdtempSync(join(tmpdir(), 'floors-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      const component = path.endsWith('.svelte')
      const target = join(folder, component ? `${path}.ts` : path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, component ? scripts(text) : text)
    }
    const { output } = await cruise(['src'], {
      baseDir: folder,
      validate: true,
      ruleSet: { forbidden },
      tsPreCompilationDeps: true,
      enhancedResolveOptions: { extensions: ['.ts', '.svelte.ts', '.js'] },
      outputType: 'json',
    })
    const { summary } = JSON.parse(output)
    if (summary.totalDependenciesCruised < Object.keys(files).length / 2) return ['no imports were found']
    return summary.violations.map(({ rule, from, to }) => `${from} -> ${to}: ${rule.name}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const scripts = (component) => [...component.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script).join('\n')

/** Return the page's own files by their paths under web. */
export function sources() {
  const found = readdirSync(join(WEB, 'src'), { recursive: true }).filter((path) => /\.(svelte|ts|css|json)$/.test(path))
  return Object.fromEntries(found.map((path) => [`src/${path}`, readFileSync(join(WEB, 'src', path), 'utf8')]))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await faults(sources())
  for (const fault of found) console.error(fault)
  process.exitCode = found.length ? 1 : 0
}
