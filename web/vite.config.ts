/**
 * How the app is built: `web/` → `server/build/web/`, which the service hands out itself.
 *
 * The SDK is taken from its sources, so that there is nothing to build first.
 */
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogs } from './catalogs.ts'
import { firstStyles } from './styles.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const start = at('src/main.tsx')

export default defineConfig({
  root: at('.'),
  plugins: [react(), firstStyles({ start, page: at('index.html') }), tailwind(), catalogs(at('messages'), start)],
  resolve: {
    alias: [
      { find: '@namewright/client', replacement: at('../sdk/src/index.ts') },
      { find: /^use-sync-external-store\/shim$/, replacement: at('src/sync-store.ts') },
    ],
  },
  build: {
    outDir: process.env['WEB_OUT'] ?? at('../server/build/web'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of our pages allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { app: at('index.html'), 'service-worker': at('service-worker/service-worker.ts') },
      output: {
        // A service worker is known by its address.
        // One file for all that is needed at once: it compresses better, and needs one request.
        codeSplitting: { groups: [{ name: 'first', test: /^(?!.*service-worker)/, tags: ['$initial'] }] },
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
})
