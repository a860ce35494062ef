import { mkdirSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildWeb, isWebBuilt } from '../../scripts/build-web.ts';

const lock = fileURLToPath(new URL('../../node_modules/.cache/pacekeeper-building-web', import.meta.url));
/** Longer than any build: whoever holds the lock since then has gone. */
const patienceMs = 120_000;

/**
 * Builds the web page unless it is newer than its sources. To be called before a server is started, which reads the
 * page when it starts. Of several test files at once one builds, and the others wait.
 */
export async function ensureWebPage(): Promise<void> {
  while (!isWebBuilt()) {
    if (!takeLock()) {
      await sleep(200);
      continue;
    }
    try {
      await buildWeb();
      return;
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
}

function takeLock(): boolean {
  try {
    mkdirSync(lock, { recursive: false });
    return true;
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > patienceMs)
      rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
