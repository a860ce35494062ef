import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CacheKey, createRepositoryCache } from './repository-cache.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-cache-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keyOf = (url: string): CacheKey => ({ organizationId: 2, url, credentialName: null, kind: 'facts' });

test('a run keeps its files even if the cache is removing the same repository to free space', async () => {
  const cache = createRepositoryCache({ folder, maxBytes: 7_000_000 });
  const fill = async (gitDir: string): Promise<void> => {
    writeFileSync(path.join(gitDir, 'large'), '');
    truncateSync(path.join(gitDir, 'large'), 3_000_000);
  };
  let first = '';
  await cache.use(keyOf('first'), async (gitDir) => {
    first = gitDir;
    for (let index = 0; index < 300; index += 1) writeFileSync(path.join(gitDir, `file-${index}`), '');
  });
  const count = readdirSync(first).length;
  await cache.use(keyOf('second'), fill);
  const third = cache.use(keyOf('third'), fill);
  while (existsSync(first) && readdirSync(first).length === count) await setImmediate();
  const isKept = await cache.use(keyOf('first'), async (gitDir) => {
    mkdirSync(path.join(gitDir, 'refs'));
    await third;
    return existsSync(path.join(gitDir, 'refs'));
  });
  expect(isKept).toBe(true);
});
