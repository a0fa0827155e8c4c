import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

// So that the styles of a large component can stand in files beside it, which its <style> imports.
export default { preprocess: vitePreprocess() }
