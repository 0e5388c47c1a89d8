import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { catalogs } from './web/catalogs.ts'

export default defineConfig({
  // The texts of the app, for those of its files that are tested without a browser.
  plugins: [catalogs(new URL('web/messages', import.meta.url).pathname)],
  test: {
    include: [
      'server/**/*.test.ts',
      'sdk/**/*.test.ts',
      'web/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
      'eval/**/*.test.ts',
    ],
    globalSetup: ['server/test/setup/services.ts'],
    setupFiles: ['server/test/setup/only-loopback.ts'],
    pool: 'forks',
    // Each file starts servers of its own; two at a time is what two cores carry.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
