import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createRepository, hasGit } from '../../../tests/helpers/upstreams/git-server.ts';
import { localGitEnvironment } from './git-environment.ts';
import { openObjects } from './object-reader.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-objects-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (gitDir: string, signal: AbortSignal, what?: 'contents' | 'sizes') =>
  openObjects({ env: localGitEnvironment(folder, gitDir), cwd: folder, signal }, what);

test.runIf(hasGit)('concurrent reads each return the requested object', async () => {
  const repository = createRepository(path.join(folder, 'one.git'), 'https://git.example.org/one', 'sha1');
  // Include small objects, many of which fit into one chunk of output, large objects that need many chunks,
  // an empty object, and objects with and without a final newline.
  const contents = Array.from({ length: 300 }, (_, index) =>
    index % 60 === 7 ? `${index}\n`.repeat(50_000) : index === 30 ? '' : `${index}${index % 2 ? '\n' : ''}`,
  );
  repository.commit(Object.fromEntries(contents.map((content, index) => [`f${index}`, content])));
  const { signal } = new AbortController();
  const names = contents.map((_, index) => `refs/heads/main:f${index}`);
  const maxBytes = (index: number) => (index === 67 ? 1_000 : 1_000_000);
  for (const what of ['contents', 'sizes'] as const) {
    const objects = open(repository.folder, signal, what);
    const found = await Promise.all(
      [...names, 'refs/heads/none'].map((name, index) => objects.read(name, maxBytes(index))),
    );
    expect(found.pop()).toBeNull();
    expect(found.map((object) => [object?.type, object?.size])).toEqual(
      contents.map((content) => ['blob', content.length]),
    );
    expect(found.map((object) => object?.content?.toString() ?? null)).toEqual(
      contents.map((content, index) => (what === 'sizes' || index === 67 ? null : content)),
    );
    expect(await objects.read('refs/heads/main^{commit}', 0)).toMatchObject({
      type: 'commit',
      content: null,
    });
    objects.close();
  }
});

test.runIf(hasGit)('reads fail if git ends early, and so do later reads', async () => {
  const aborted = new AbortController();
  const objects = open(path.join(folder, 'none.git'), aborted.signal);
  const early = /git ended early: .*not a git repository/s;
  await expect(objects.read('HEAD', 100)).rejects.toThrow(early);
  await expect(objects.read('HEAD', 100)).rejects.toThrow(early);
  aborted.abort(new Error('stopped'));
  await expect(objects.read('HEAD', 100)).rejects.toThrow('stopped');
  objects.close();
});
