import { readdirSync } from 'node:fs'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// The tests of what needs no page, made into a file each for node's own runner.
export default defineConfig({
  plugins: [svelte()],
  publicDir: false,
  build: {
    ssr: true,
    rolldownOptions: { input: readdirSync('test').filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`) },
    outDir: 'node_modules/.tests',
    emptyOutDir: true,
    target: 'node20',
  },
})
