// Packs every text of the built page beside itself, once: the server sends what lies there.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** A step of the build. */
export function pack() {
  let folder = ''
  return {
    name: 'pack',
    apply: 'build',
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true })) {
        if (!/\.(js|css|html|svg|json|webmanifest)$/.test(name)) continue
        const text = readFileSync(join(folder, name))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }))
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
      }
    },
  }
}
