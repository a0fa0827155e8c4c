// Packs every text of the built page beside itself, once: the server sends what lies there.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const BUILT = '../src/tegel/server/page'

for (const name of readdirSync(BUILT, { recursive: true })) {
  if (!/\.(js|css|html|svg|json|webmanifest)$/.test(name)) continue
  const file = join(BUILT, name)
  const text = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(text))
}
