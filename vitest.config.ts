import { defineConfig } from 'vitest/config'
import { testFilesOf, TIER } from './scripts/test/tiers.ts'
import { catalogs } from './web/catalogs.ts'

const { isolated, shared } = testFilesOf(TIER)

export default defineConfig({
  // The texts of the app, for those of its files that are tested without a browser.
  plugins: [
    catalogs(new URL('web/messages', import.meta.url).pathname, new URL('web/src/main.tsx', import.meta.url).pathname),
  ],
  // The SDK from its sources, as in the build of the app: without it, a test of the app needs what another file builds.
  resolve: {
    alias: [{ find: /^@namewright\/client$/, replacement: new URL('sdk/src/index.ts', import.meta.url).pathname }],
  },
  test: {
    globalSetup: ['server/test/setup/services.ts'],
    setupFiles: [
      'server/test/setup/no-test-mode.ts',
      'server/test/setup/only-loopback.ts',
      'server/test/setup/cpu-time.ts',
    ],
    pool: 'forks',
    // Node reads the service itself: it strips types in half the time, and keeps what it has compiled.
    server: { deps: { external: [/\/(?:server\/src|packages\/\w+)\/(?!.*\.test\.ts$).*\.ts$/] } },
    // Tests wait a third of their time. What is nightly may take the whole machine, and runs alone.
    maxWorkers: TIER === 'nightly' ? 1 : 3,
    // Tests that run side by side mostly wait, and must not keep each other's event loop from what they wait for.
    maxConcurrency: 3,
    // Who is only slow is not stopped by these: they are for what hangs.
    testTimeout: 180_000,
    // Whoever waits for a condition waits until it is true, or until this says that it never will be.
    expect: { poll: { timeout: 45_000 } },
    hookTimeout: 240_000,
    projects: [
      // A process for each file.
      { extends: true, test: { name: 'isolated', include: isolated, isolate: true } },
      // One process per worker for all files, which share its imports, its node and its browser.
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
    ],
  },
})
