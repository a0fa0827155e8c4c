import { defineConfig } from 'vite'

// The tests of what needs no page, made into a file each for node's own runner.
export default defineConfig({
  build: {
    ssr: true,
    rolldownOptions: { input: ['test/placing.test.ts', 'test/cells.test.ts', 'test/graph.test.ts', 'test/analysis.test.ts'] },
    outDir: 'node_modules/.tests',
    emptyOutDir: true,
    target: 'node20',
  },
})
