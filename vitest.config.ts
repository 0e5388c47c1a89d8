import { defineConfig } from 'vitest/config'

export default defineConfig({
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
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
