import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  averageDurations,
  durationsFile,
  readDurations,
  writeDurations,
} from '../tests/helpers/run/durations.ts';

/**
 * `npm run test:durations`: runs all tests twice on this machine, and writes the average duration of each
 * file and of its setup into tests/durations.json. Test runs use these durations to start the longest files
 * first. Don't run anything else at the same time.
 */
const runs = 2;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-durations-'));
const files = Array.from({ length: runs }, (_, index) => path.join(folder, `${index}.json`));
try {
  for (const file of files) {
    const { status } = spawnSync('npx', ['--no-install', 'vitest', 'run'], {
      cwd: root,
      stdio: 'inherit',
      // Record only the short forms, because the durations determine the order of the files in `npm test`.
      env: { ...process.env, PACEKEEPER_TEST_DURATIONS: file, PACEKEEPER_LONG_TESTS: '' },
    });
    if (status !== 0) throw new Error('A test failed, so tests/durations.json stays as it was.');
  }
  writeDurations(averageDurations(files.map((file) => readDurations(file))), durationsFile);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
