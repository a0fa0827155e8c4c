import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

import { pack } from './pack.js'

// Built into the package, where the server finds it. During development `vite` passes
// the API on to a server on the usual port.
export default defineConfig({
  plugins: [svelte(), pack()],
  build: { outDir: '../src/tegel/server/page', emptyOutDir: true, target: 'es2022' },
  server: { proxy: { '/api': { target: 'http://localhost:8000', ws: true } } },
})
