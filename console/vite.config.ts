/** Builds the console into dist/console, where the server looks for it. */
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/', // pages lie at several depths, assets at one place
  plugins: [react()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the page's policy lets no data: URL in
    modulePreload: { polyfill: false },
  },
})
