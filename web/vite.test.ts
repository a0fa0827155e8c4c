import { defineConfig } from 'vite'

// The tests of what needs no page, made into one file for node's own runner.
export default defineConfig({
  build: { ssr: 'test/placing.test.ts', outDir: 'node_modules/.tests', emptyOutDir: true, target: 'node20' },
})
