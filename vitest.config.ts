import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'console/src/**/*.test.ts'],
    pool: 'forks',
    // most tests wait for processes they started: a worker per core does not starve them
    maxWorkers: '100%',
    testTimeout: 20_000,
  },
})
