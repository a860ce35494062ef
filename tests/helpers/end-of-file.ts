import { afterAll } from 'vitest';

const open: (() => unknown)[] = [];

/**
 * Runs `close` at the end of the test file, in reverse order of registration. `afterAll` isn't sufficient, because
 * helpers open most of their resources in hooks, and Vitest drops an `afterAll` that is registered while a hook runs.
 */
export function atEndOfFile(close: () => unknown): void {
  open.push(close);
}

/**
 * Registers the `afterAll` hook that runs everything passed to `atEndOfFile`. The setup of every test file calls it.
 */
export function closeAtEndOfFile(): void {
  afterAll(async () => {
    for (let close = open.pop(); close; close = open.pop()) await close();
  });
}
