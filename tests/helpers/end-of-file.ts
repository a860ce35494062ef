import { afterAll } from 'vitest';

const open: (() => unknown)[] = [];

/**
 * Runs `close` when the test file has ended, what was opened last first. Vitest loses an `afterAll` that is called while
 * a hook runs, which is where helpers open most of what they have to close.
 */
export function atEndOfFile(close: () => unknown): void {
  open.push(close);
}

/** For the set-up of every test file. */
export function closeAtEndOfFile(): void {
  afterAll(async () => {
    for (let close = open.pop(); close; close = open.pop()) await close();
  });
}
