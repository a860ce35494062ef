import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongTestsFirst } from './tests/helpers/long-tests-first.ts';

/**
 * Programs that are killed, and what belongs to a whole process: its environment, its threads, what it trusts. All other
 * files share a worker, which then loads the modules of the server once and not for each of them.
 */
const isolated = [
  'tests/faults/**/*.test.ts',
  'tests/program/**/*.test.ts',
  'src/agent/**/*.test.ts',
  'src/platform/**/*.test.ts',
  'src/server/**/*.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: ['tests/helpers/global-setup.ts'],
    setupFiles: ['tests/helpers/set-up-file.ts'],
    // One more than the processors of the smallest machine: tests wait for programs, browsers, and timers.
    maxWorkers: 3,
    // Every server starts threads, and every isolated file a process: they load several hundred modules each.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    sequence: { sequencer: LongTestsFirst },
    // The limits end what hangs. How long something takes on a busy machine is no fault.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    // Of 11,000 tests with real processes, one may meet a busy machine. The report lists what was retried.
    retry: process.env['CI'] ? 1 : 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'scripts/**/*.test.ts', 'web/src/**/*.test.ts'],
          exclude: isolated,
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
  },
});
