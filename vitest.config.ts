import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'console/src/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 20_000,
  },
})
