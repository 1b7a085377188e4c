import { defineConfig } from 'vitest/config'

const common = {
  pool: 'forks',
  // most tests wait for processes they started: a worker per core does not starve them
  maxWorkers: '100%',
  testTimeout: 20_000,
} as const

// what replaces a module for itself must not do so for others
const REPLACING = ['src/runtime/doctor.test.ts']

export default defineConfig({
  test: {
    projects: [
      // tests beside the code are pure or tidy up after themselves, so they share a worker and what it has loaded
      { test: { ...common, name: 'rooms', include: ['src/**/*.test.ts', 'console/src/**/*.test.ts'], exclude: REPLACING, isolate: false } },
      { test: { ...common, name: 'whole', include: ['tests/**/*.test.ts', ...REPLACING] } },
    ],
  },
})
