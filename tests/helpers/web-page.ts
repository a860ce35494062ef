import { mkdirSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildWeb, isWebBuilt } from '../../scripts/build-web.ts';

const lock = fileURLToPath(new URL('../../node_modules/.cache/pacekeeper-building-web', import.meta.url));
/** Age after which a lock is stale. No build takes this long, so the owner of the lock must have exited. */
const patienceMs = 120_000;

/**
 * Builds the web page unless the build is newer than its sources. Call it before starting a server, because
 * the server reads the page at startup. If several test files call it at the same time, one builds and the
 * others wait.
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
