import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chooseTreeFiles } from '../../src/agent/discovery/scan-jobs.ts';
import {
  maxDocuments,
  maxFactsPerFile,
  maxItems,
  maxScannedFiles,
} from '../../src/domain/discovery/scan-limits.ts';
import { parseContentLimits } from '../../src/domain/parsers/content-limits.ts';
import { createDiscoveryAgent, type DiscoveryAgent } from '../helpers/discovery-agent.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import {
  type GitServer,
  hasGitHttpBackend,
  startGitServer,
  type TestRepository,
} from '../helpers/upstreams/git-server.ts';

const pod = (image: string, name = 'web') =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: web, image: ${image} }] }\n`;

const aliasBomb = `a0: &a0 { image: { repository: acme/web, tag: "1" } }\n${Array.from(
  { length: 12 },
  (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(', ')}]`,
).join('\n')}\n`;

describe.skipIf(!hasGitHttpBackend)('repositories designed to harm a scanner', () => {
  let git: GitServer;
  let agent: DiscoveryAgent;
  beforeAll(async () => {
    git = await startGitServer();
    // The time limit of a file has separate tests. Here, it is long, so that these files reach the other limits even on
    // a busy machine.
    agent = createDiscoveryAgent(temporaryFolder(), { ...parseContentLimits, deadlineMs: 60_000 });
  });
  afterAll(async () => {
    await agent.close();
    await git.close();
  });

  let count = 0;
  const newRepository = (): TestRepository => git.createRepository(`acme/hostile-${count++}.git`);

  test('don’t hide valid files, and skipped files are reported', async () => {
    const repository = newRepository();
    repository.commit({
      'good/pod.yaml': pod('acme/web:1.2.3'),
      'bomb/values.yaml': aliasBomb,
      'deep/values.yaml': `image: ${'['.repeat(50_000)}`,
      'documents/pods.yaml': `---\n${pod('acme/web:1', 'many')}`.repeat(maxDocuments + 500),
      'many/compose.yaml': `services:\n${Array.from(
        { length: maxFactsPerFile + 10 },
        (_, at) => `  s${at}: { image: "acme/web:1.${at}" }`,
      ).join('\n')}\n`,
      'utf16/pod.yaml': Buffer.from(`\uFEFF${pod('acme/utf16:1')}`, 'utf16le'),
      'latin1/pod.yaml': Buffer.from(pod('acme/web:1 # \xe9'), 'latin1'),
      'nul/pod.yaml': pod('acme/web:1\0'),
      'half/pod.yaml': pod('acme/half:1', '"\\ud800half\\0"'),
      'long/pod.yaml': pod('acme/long:1', 'x'.repeat(500_000)),
      'large/pod.yaml': `${pod('acme/web:1')}# ${'x'.repeat(2 * 1024 * 1024)}\n`,
      'loop/a.yaml': { link: 'b.yaml' },
      'loop/b.yaml': { link: '../../../../etc/passwd' },
      'module/a': { commit: 'a'.repeat(40) },
      [`${'directory/'.repeat(120)}pod.yaml`]: pod('acme/web:1'),
      'line\nbreak/pod.yaml': pod('acme/web:1'),
    });
    addNonUtf8Path(repository);
    const { items, summary, error } = await agent.run({ repository_url: repository.url });
    expect(error).toBeNull();
    const of = (directory: string) => items.filter(({ place }) => place.file.startsWith(`${directory}/`));
    expect(of('good')).toMatchObject([{ version: '1.2.3', reason: null }]);
    expect(of('utf16')).toMatchObject([{ version: '1' }]);
    expect(of('half')).toMatchObject([{ version: '1', place: { name: expect.stringContaining('half') } }]);
    expect(of('long')).toMatchObject([{ version: '1' }]);
    expect(of('documents')).toHaveLength(1);
    expect(of('many')).toHaveLength(maxFactsPerFile);
    for (const name of ['latin1', 'nul', 'deep', 'large', 'loop', 'directory', 'line'])
      expect(of(name), name).toEqual([]);
    expect(summary!.reasons).toMatchObject({
      // Six files are too large: a YAML bomb, deep nesting, many documents, many versions, a large file, and
      // a long path.
      too_large: 6,
      outside: 2,
      submodule: 1,
      // Two files have invalid content (Latin-1 and NUL), and two have an invalid path.
      unreadable: 4,
    });
    const text = JSON.stringify(items);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('\\u0000');
    expect(Math.max(...items.map((item) => JSON.stringify(item).length))).toBeLessThan(5_000);
  });

  test('are rejected as too large if each of 12 levels of trees contains 10 copies of the next level', async () => {
    const repository = newRepository();
    repository.commit({ 'pod.yaml': pod('acme/web:1') });
    let tree = repository.git('rev-parse', 'main^{tree}').trim();
    for (let level = 0; level < 12; level++)
      tree = repository.makeTree(
        Array.from({ length: 10 }, (_, at) => ({ mode: '040000', type: 'tree', oid: tree, name: `d${at}` })),
      );
    repository.git('update-ref', 'refs/heads/bomb', repository.git('commit-tree', tree, '-m', 'bomb').trim());
    const { error } = await agent.run({ repository_url: repository.url, ref: 'bomb' });
    expect(error).toMatchObject({ code: 'too_large', message: 'The repository has too many files.' });
  });

  test('are scanned up to the maximum number of files', async () => {
    // Pass a list of files instead of a repository, because git takes too long to create this many files.
    const lines = Array.from(
      { length: maxScannedFiles + 100 },
      (_, at) => `100644 blob ${'a'.repeat(40)}\td${at % 100}/${at}/pod.yaml\0`,
    );
    const listing = (async function* list() {
      yield Buffer.from(lines.join(''));
    })();
    const parts = chooseTreeFiles({ include: [], exclude: [], customPatterns: [] }, listing);
    let chosen = 0;
    let part = await parts.next();
    for (; part.done !== true; part = await parts.next()) chosen += part.value.length;
    expect(chosen).toBe(maxScannedFiles);
    expect(part.value.fileCount).toBe(maxScannedFiles + 100);
    expect(part.value.unread.map(({ reason }) => reason)).toEqual(Array(100).fill('limit'));
  });

  test('are scanned up to the maximum number of items', async () => {
    const repository = newRepository();
    const perFile = maxFactsPerFile - 1;
    const files = Math.ceil(maxItems / perFile);
    const services = Array.from(
      { length: perFile },
      (_, at) => `  s${at}: { image: "acme/web:1.${at}.0" }`,
    ).join('\n');
    repository.commit(
      Object.fromEntries(
        Array.from({ length: files }, (_, at) => [`d${at}/compose.yaml`, `services:\n${services}\n`]),
      ),
    );
    const { items, summary, error } = await agent.run({ repository_url: repository.url });
    expect(error).toBeNull();
    expect(items).toHaveLength(maxItems);
    expect(summary).toMatchObject({ files, found: maxItems, files_read: 1, reasons: { limit: 1 } });
  });

  test('are still scanned if one file exceeds the memory limit', async () => {
    const repository = newRepository();
    repository.commit({
      'good/pod.yaml': pod('acme/web:1.2.3'),
      'heavy/values.yaml': Array.from({ length: 60_000 }, (_, at) => `image${at}: a:1`).join('\n'),
    });
    const small = createDiscoveryAgent(temporaryFolder(), { deadlineMs: 10_000, maxHeapMb: 40 });
    onTestFinished(() => small.close());
    const { items, summary } = await small.run({ repository_url: repository.url });
    expect(items).toMatchObject([{ version: '1.2.3' }]);
    expect(summary).toMatchObject({
      reasons: { too_large: 1 },
      skipped_examples: [{ name: 'heavy/values.yaml', reason: 'Reading it exceeded 40 MB of memory.' }],
    });
  });
});

/** Adds a directory whose name isn't UTF-8. */
function addNonUtf8Path(repository: TestRepository): void {
  const blob = repository.git('rev-parse', 'main:good/pod.yaml').trim();
  const inner = repository.makeTree([{ mode: '100644', type: 'blob', oid: blob, name: 'pod.yaml' }]);
  const entries = repository
    .git('ls-tree', 'main')
    .trim()
    .split('\n')
    .map((line) => {
      const [, mode = '', type = '', oid = '', name = ''] = /^(\d+) (\w+) (\w+)\t(.*)$/.exec(line)!;
      return { mode, type, oid, name: name.startsWith('"') ? (JSON.parse(name) as string) : name };
    });
  const tree = repository.makeTree([
    ...entries,
    { mode: '040000', type: 'tree', oid: inner, name: Buffer.from([0x62, 0xff, 0x62]) },
  ]);
  repository.git(
    'update-ref',
    'refs/heads/main',
    repository.git('commit-tree', tree, '-p', 'main', '-m', 'bytes').trim(),
  );
}
