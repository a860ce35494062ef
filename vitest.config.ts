import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { isLong, longFiles } from './tests/helpers/long-tests.ts';
import { DurationReporter } from './tests/helpers/run/duration-reporter.ts';
import { LongestFirst } from './tests/helpers/run/longest-first.ts';

/**
 * Tests of what belongs to a whole process: its global functions, clock, memory, signals, and threads. All other files
 * share a worker, so that it loads the modules of the server, and starts a server and a browser, only once.
 */
const isolated = '**/*.isolated.test.ts';

/**
 * Tests that take more than about one percent of the time of `npm test`, so that it ends within minutes. They are in
 * projects of their own, which `npm run test:slow` selects.
 */
const slow = ['**/*.slow.test.ts', '**/*.slow.isolated.test.ts'];

const folders = ['src', 'tests', 'scripts', 'web/src'];
const testFiles = (ending: string) => folders.map((folder) => `${folder}/**/*${ending}`);

const excluded = isLong ? [] : [...longFiles];

export default defineConfig({
  test: {
    globalSetup: ['tests/helpers/global-setup.ts'],
    setupFiles: ['tests/helpers/set-up-file.ts'],
    reporters: ['default', new DurationReporter()],
    // One more than the processors of the smallest machine, because tests wait for programs, browsers, and timers.
    maxWorkers: 3,
    // Every server starts threads, and every isolated file a process. Each of them loads several hundred modules.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    sequence: { sequencer: LongestFirst },
    // These limits end tests that hang. Taking long on a busy machine isn't a fault.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: testFiles('.test.ts'),
          exclude: [isolated, ...slow, ...excluded],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'quick-isolated',
          include: testFiles('.isolated.test.ts'),
          exclude: [...slow, ...excluded],
        },
      },
      {
        extends: true,
        test: { name: 'slow', include: testFiles('.slow.test.ts'), exclude: excluded, isolate: false },
      },
      {
        extends: true,
        test: { name: 'slow-isolated', include: testFiles('.slow.isolated.test.ts'), exclude: excluded },
      },
    ],
  },
});
