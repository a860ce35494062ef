import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDiscoveryAgent, type DiscoveryAgent } from '../../tests/helpers/discovery-agent.ts';
import { temporaryFolder } from '../../tests/helpers/temporary-folder.ts';
import {
  type GitServer,
  hasGitHttpBackend,
  startGitServer,
  type TestRepository,
} from '../../tests/helpers/upstreams/git-server.ts';
import { parseContentLimits } from '../domain/parsers/content-limits.ts';
import { SandboxTimeoutError } from '../platform/sandbox/index.ts';
import { chooseTreeFiles } from './discovery/scan-jobs.ts';

const pod = (image: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: "${image}" }] }\n`;

describe.skipIf(!hasGitHttpBackend)('a scan of a repository', () => {
  let git: GitServer;
  const folder = temporaryFolder();
  let agent: DiscoveryAgent;
  beforeAll(async () => {
    git = await startGitServer();
    agent = createDiscoveryAgent(folder);
  });
  afterAll(async () => {
    await agent.close();
    await git.close();
  });

  let count = 0;
  const newRepository = (): TestRepository => git.createRepository(`acme/deploy-${count++}.git`);
  const versionsOf = ({ items }: Awaited<ReturnType<DiscoveryAgent['run']>>) =>
    items.map(({ place, version }) => [place.file, version]);

  test('submits every version declared in the files, with labels and a proposed release source', async () => {
    const repository = newRepository();
    const commit = repository.commit({
      'apps/web/prod/pod.yaml': pod('ghcr.io/acme/web:1.2.3'),
      'apps/web/prod/README.md': 'image: ghcr.io/acme/web:0.1.0\n',
      'flux/release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: cert-manager, namespace: flux-system }
spec: { chart: { spec: { chart: cert-manager, version: 1.16.2, sourceRef: { kind: HelmRepository, name: jetstack } } } }
`,
      'flux/source.yaml': `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: jetstack, namespace: flux-system }
spec: { url: https://charts.jetstack.io }
`,
      '.tool-versions': 'terraform 1.9.0\nacme-cli 1.0.0\n',
      '.github/CODEOWNERS': '/apps/ @acme/web-team @acme/on-call web@example.org\n',
    });
    const { items, summary, error } = await agent.run({
      repository_url: repository.url,
      label_rules: [{ pattern: 'apps/(?P<team>[^/]+)/' }],
    });
    expect(error).toBeNull();
    const [terraform, unknown, ...deployed] = items;
    expect(terraform!.proposal).toMatchObject({
      source_type: 'github_releases',
      artifact_name: 'github.com/hashicorp/terraform',
      confidence: 'certain',
      why: 'catalog entry Terraform',
    });
    expect(unknown).toMatchObject({ artifact: { name: 'acme-cli' }, reason: 'no_source' });
    expect(deployed).toMatchObject([
      {
        extractor: 'kubernetes',
        key: 'kubernetes:Pod::web:containers[web]',
        place: {
          file: 'apps/web/prod/pod.yaml',
          kind: 'Pod',
          name: 'web',
        },
        artifact: {
          kind: 'image',
          purl: 'pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb',
        },
        version: '1.2.3',
        version_state: 'exact',
        reason: null,
        proposal: {
          source_type: 'oci_registry',
          artifact_name: 'ghcr.io/acme/web',
          confidence: 'certain',
        },
        labels: {
          environment: 'prod',
          service: 'web',
          owner: 'acme/web-team, acme/on-call, web@example.org',
          team: 'web',
        },
      },
      {
        extractor: 'flux',
        place: { file: 'flux/release.yaml' },
        version: '1.16.2',
        proposal: { artifact_name: 'charts.jetstack.io/cert-manager' },
      },
    ]);
    expect(deployed[0]!.blob_id).toBe(repository.git('rev-parse', 'main:apps/web/prod/pod.yaml').trim());
    expect(summary).toMatchObject({
      not_modified: false,
      is_complete_list: true,
      found: 4,
      files: 6,
      files_read: 4,
      reasons: { no_source: 1 },
      commit_sha: commit,
      validators: { etag: commit },
    });
  });

  test('uses the .env file for the images of its Compose file, and stores or submits nothing else from it', async () => {
    const repository = newRepository();
    const service = 'services:\n  web:\n    image: "${REGISTRY:-ghcr.io}/acme/web:${TAG:-1.0.0}"\n';
    const dotenv = (tag: string) => `TOKEN=s3cr3t-marker\nTAG=${tag}\n`;
    repository.commit({ 'shop/compose.yaml': service, 'shop/.env': dotenv('1.4.0') });
    const spec = { repository_url: repository.url };
    const first = await agent.run(spec);
    expect(first.items).toMatchObject([
      {
        extractor: 'compose',
        version: '1.4.0',
        note: 'TAG in shop/.env',
        reason: null,
        place: {
          file: 'shop/.env',
          line: 2,
        },
        blob_id: repository.git('rev-parse', 'main:shop/.env').trim(),
        proposal: { artifact_name: 'ghcr.io/acme/web' },
      },
    ]);
    expect(JSON.stringify(first)).not.toContain('s3cr3t-marker');
    const stored = readdirSync(path.join(folder, 'git-cache'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\/facts-\d+$/.test(name))
      .map((name) => readFileSync(path.join(folder, 'git-cache', name), 'utf8'));
    expect(stored.join('')).toContain('acme/web');
    expect(stored.join('')).not.toContain('s3cr3t-marker');

    repository.commit({ 'shop/.env': dotenv('1.5.0') });
    const second = await agent.run({ ...spec, validators: first.summary!.validators });
    expect(second.items).toMatchObject([{ key: first.items[0]!.key, version: '1.5.0' }]);
    expect(second.summary).toMatchObject({ files_read: 0 });

    const excluded = await agent.run({ ...spec, exclude: ['.env'] });
    expect(excluded.items).toMatchObject([{ version: '1.0.0', place: { file: 'shop/compose.yaml' } }]);

    repository.commit({ 'shop/.env': `${dotenv('1.6.0')}${'#'.repeat(70_000)}\n` });
    const large = await agent.run(spec);
    expect(large.items).toMatchObject([{ version: '1.0.0' }]);
    expect(large.summary).toMatchObject({ reasons: { too_large: 1 } });
  });

  test('fetches the tree and the required files in one request each, and then reads only changed files', async () => {
    const repository = newRepository();
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`apps/${at}/pod.yaml`, pod(`acme/app-${at}:1.0.0`)]),
    );
    repository.commit({ ...files, 'docs/large.txt': 'x'.repeat(100_000) });
    const before = git.fetches();
    const first = await agent.run({ repository_url: repository.url });
    expect(git.fetches() - before).toBe(2);
    expect(first.summary).toMatchObject({ found: 50, files: 51, files_read: 50 });

    const spec = { repository_url: repository.url, validators: first.summary!.validators };
    const unchanged = await agent.run(spec);
    expect(unchanged.summary).toMatchObject({ not_modified: true, validators: spec.validators });
    expect(unchanged.parts).toBe(0);

    repository.commit(
      Object.fromEntries(
        Array.from({ length: 10 }, (_, at) => [`apps/${at}/pod.yaml`, pod(`acme/app-${at}:1.0.1`)]),
      ),
    );
    const changed = await agent.run(spec);
    expect(changed.summary).toMatchObject({ not_modified: false, found: 50, files_read: 10 });
    expect(changed.items.filter(({ version }) => version === '1.0.1')).toHaveLength(10);

    // Validators also depend on the options of the job.
    for (const question of [
      { include: ['apps/'] },
      { extractors: ['kubernetes' as const] },
      { label_rules: [{ pattern: 'a' }] },
      { custom_extractors: [{ name: 'a', path: '*.txt', pattern: '(?P<artifact>a)(?P<version>b)' }] },
      { exclude: ['apps/0/'] },
    ]) {
      const again = await agent.run({ ...spec, ...question, validators: changed.summary!.validators });
      expect(again.summary).toMatchObject({ not_modified: false, files_read: 0 });
    }
  });

  test('reads all files again if another agent runs the scan or the cached facts are outdated', async () => {
    const repository = newRepository();
    repository.commit({ 'pod.yaml': pod('acme/web:1.0.0') });
    const run = (by: DiscoveryAgent) => by.run({ repository_url: repository.url });
    expect((await run(agent)).summary).toMatchObject({ files_read: 1 });
    expect((await run(agent)).summary).toMatchObject({ files_read: 0, found: 1 });
    const other = createDiscoveryAgent(temporaryFolder());
    onTestFinished(() => other.close());
    expect((await run(other)).summary).toMatchObject({ files_read: 1, found: 1 });
    // The cache keeps only the facts that the last scan used.
    repository.commit({ 'pod.yaml': pod('acme/web:1.0.1') });
    await run(agent);
    const folders = readdirSync(path.join(folder, 'git-cache'), { recursive: true, encoding: 'utf8' });
    expect(folders.filter((name) => name.includes('facts-')).every((name) => /\/facts-\d+$/.test(name))).toBe(
      true,
    );
    repository.commit({ 'pod.yaml': pod('acme/web:1.0.0') });
    expect((await run(agent)).summary).toMatchObject({ files_read: 1 });
  });

  test('reads only the included files, with the configured extractors', async () => {
    const repository = newRepository();
    repository.commit({
      'a/pod.yaml': pod('acme/a:1'),
      'b/pod.yaml': pod('acme/b:1'),
      'b/c/pod.yaml': pod('acme/c:1'),
      'b/Dockerfile': 'FROM acme/d:1\n',
      'b/vendor/pod.yaml': pod('acme/e:1'),
    });
    const run = async (spec: Partial<Parameters<DiscoveryAgent['run']>[0]>) =>
      versionsOf(await agent.run({ repository_url: repository.url, ...spec })).map(([file]) => file);
    expect(await run({})).toEqual(['a/pod.yaml', 'b/Dockerfile', 'b/c/pod.yaml', 'b/pod.yaml']);
    expect(await run({ include: ['b/'] })).toEqual(['b/Dockerfile', 'b/c/pod.yaml', 'b/pod.yaml']);
    expect(await run({ include: ['b/'], exclude: ['b/c'] })).toEqual(['b/Dockerfile', 'b/pod.yaml']);
    const nothing = await agent.run({ repository_url: repository.url, include: ['none/'] });
    expect(nothing.summary).toMatchObject({
      found: 0,
      not_modified: false,
      warnings: ['No file in the repository matches the paths to include. Check the patterns.'],
      validators: { etag: null },
    });
    expect(await run({ extractors: ['dockerfile'] })).toEqual(['b/Dockerfile']);
  });

  test('counts the versions and files that it cannot use, by reason', async () => {
    const repository = newRepository();
    repository.commit({
      'templated.yaml': pod('acme/web:${TAG}'),
      'floating.yaml': pod('acme/web:latest'),
      'broken.yaml': 'apiVersion: v1\nkind: Pod\nspec: [containers: image:\n',
      'link.yaml': { link: 'floating.yaml' },
      module: { commit: 'a'.repeat(40) },
      'lfs/values.yaml': 'version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 1\n',
      'large.yaml': `${pod('acme/web:1')}#${'x'.repeat(1024 * 1024)}\n`,
    });
    const { summary, items } = await agent.run({ repository_url: repository.url });
    expect(items.map(({ reason }) => reason)).toEqual(['floating', 'templated']);
    expect(summary).toMatchObject({
      reasons: {
        templated: 1,
        floating: 1,
        malformed: 1,
        outside: 1,
        submodule: 1,
        git_lfs: 1,
        too_large: 1,
      },
      skipped: 7,
    });
    expect(summary!.skipped_examples).toContainEqual({
      name: 'link.yaml',
      reason: "A symbolic link. Links aren't followed.",
    });
    expect(summary!.skipped_examples).toHaveLength(7);
  });

  test('counts the files that yield no versions by kind and reason, and lists the directories that it skips', async () => {
    const repository = newRepository();
    const files = {
      'pod.yaml': pod('acme/web:1.0.0'),
      'lib/web.libsonnet': '{}\n',
      'lib/api.jsonnet': '{}\n',
      'web/package.json': '{}\n',
      'web/Dockerfile': 'FROM scratch\n',
      'broken.yaml': 'a: [\n',
      'docs/values.yaml': 'image: acme/docs:1\n',
      'package.json': { link: 'web/package.json' },
      'README.md': 'image: acme/web:1\n',
    };
    repository.commit(files);
    const silent = [
      {
        kind: 'jsonnet',
        reason: 'kind_not_read',
        count: 2,
        examples: ['lib/api.jsonnet', 'lib/web.libsonnet'],
      },
      { kind: 'npm', reason: 'out_of_scope', count: 1, examples: ['web/package.json'] },
      { kind: 'dockerfile', reason: 'no_version', count: 1, examples: ['web/Dockerfile'] },
      { kind: null, reason: 'malformed', count: 1, examples: ['broken.yaml'] },
    ];
    for (const round of ['first', 'with stored facts']) {
      if (round !== 'first') repository.commit({ ...files, 'new.yaml': pod('acme/web:2.0.0') });
      const { summary } = await agent.run({ repository_url: repository.url });
      expect(summary).toMatchObject({
        silent_files: silent,
        skipped_directories: { count: 1, examples: ['docs'] },
      });
    }
    const { summary } = await agent.run({
      repository_url: repository.url,
      include: ['lib/', 'web/'],
      exclude: ['lib/api.jsonnet'],
      extractors: ['kubernetes'],
    });
    expect(summary).toMatchObject({
      silent_files: [
        { kind: 'jsonnet', count: 1 },
        { kind: 'npm', count: 1 },
      ],
      skipped_directories: { count: 0, examples: [] },
    });
  });

  test("uses the job's patterns and the custom managers of the repository's Renovate configuration", async () => {
    const repository = newRepository();
    const config = (pattern: string) =>
      `{ customManagers: [{ customType: 'regex', managerFilePatterns: ['**/versions.txt'], matchStrings: ['${pattern}'], datasourceTemplate: 'docker' },
        { customType: 'regex', managerFilePatterns: ['a'], matchStrings: ['(?<depName>a)(?=b)'] }] }\n`;
    repository.commit({
      '.github/renovate.json5': config('(?<depName>\\\\S+) (?<currentValue>\\\\S+)'),
      'versions.txt': 'acme/web 1.2.3\n',
      'lib/images.libsonnet': "{ api: 'acme/api:2.0.0' }\n",
      'README.md': 'acme/web 0.1.0\n',
    });
    const images = {
      name: 'images',
      path: 'lib/',
      pattern: "'(?P<artifact>[^':]+):(?P<version>[^']+)'",
      templates: { source_type: 'oci_registry' },
    };
    const spec = { repository_url: repository.url, custom_extractors: [images] };
    const first = await agent.run(spec);
    expect(versionsOf(first)).toEqual([
      ['lib/images.libsonnet', '2.0.0'],
      ['versions.txt', '1.2.3'],
    ]);
    expect(first.items).toMatchObject([{ extractor: 'custom' }, { extractor: 'custom' }]);
    expect(first.summary).toMatchObject({
      files_read: 2,
      pattern_problems: [
        {
          file: '.github/renovate.json5',
          name: 'customManagers[1]',
          message: expect.stringContaining('a lookahead'),
        },
      ],
    });
    const validators = first.summary!.validators;
    expect((await agent.run({ ...spec, validators })).summary).toMatchObject({ not_modified: true });

    // A changed pattern applies to files that haven't changed.
    const changed = { ...images, pattern: "'(?P<artifact>[^':]+):(?P<version>[^'.]+)" };
    const second = await agent.run({ ...spec, custom_extractors: [changed], validators });
    expect(versionsOf(second)).toContainEqual(['lib/images.libsonnet', '2']);
    expect(second.summary).toMatchObject({ files_read: 1 });
    repository.commit({ '.github/renovate.json5': config('(?<depName>\\\\S+) (?<currentValue>\\\\d)') });
    const third = await agent.run(spec);
    expect(versionsOf(third)).toContainEqual(['versions.txt', '1']);
    repository.commit({ '.github/renovate.json5': null });
    expect(versionsOf(await agent.run(spec))).toEqual([['lib/images.libsonnet', '2.0.0']]);
  });

  test("marks the versions that the repository's Renovate configuration ignores, and updates the marks when the configuration changes", async () => {
    const repository = newRepository();
    repository.commit({
      'renovate.json': '{ "ignorePaths": ["dev/"], "ignoreDeps": ["acme/db"] }',
      'dev/pod.yaml': pod('acme/web:1.0.0'),
      'prod/pod.yaml': pod('acme/web:1.0.0'),
      'prod/db.yaml': pod('acme/db:1.0.0'),
    });
    const ignoredOf = async () => {
      const { items } = await agent.run({ repository_url: repository.url });
      return items
        .map(({ place, renovate_ignore }) => [place.file, renovate_ignore] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
    };
    expect(await ignoredOf()).toEqual([
      ['dev/pod.yaml', 'renovate.json: ignorePaths contains dev/'],
      ['prod/db.yaml', 'renovate.json: ignoreDeps contains acme/db'],
      ['prod/pod.yaml', null],
    ]);
    repository.commit({ 'renovate.json': '{ "ignorePaths": ["prod/*"] }' });
    expect((await ignoredOf()).map(([, entry]) => entry)).toEqual([
      null,
      'renovate.json: ignorePaths contains prod/*',
      'renovate.json: ignorePaths contains prod/*',
    ]);
  });

  test('succeeds even if the Renovate configuration is a link, too large, or not valid', async () => {
    const repository = newRepository();
    const configs = [
      { link: 'pod.yaml' },
      '{',
      `{}${' '.repeat(300 * 1024)}`,
      Buffer.from([0xff, 0xfe, 0x00]),
    ];
    for (const [at, content] of configs.entries()) {
      repository.commit({ 'pod.yaml': pod(`acme/web:1.0.${at}`), 'renovate.json': content });
      const outcome = await agent.run({ repository_url: repository.url });
      expect(versionsOf(outcome)).toEqual([['pod.yaml', `1.0.${at}`]]);
    }
  });

  test.each([
    ['is not valid', '{', 'malformed'],
    ['is too large', `{}${' '.repeat(300 * 1024)}`, 'too_large'],
    ['takes too long to read', '{}', 'timed_out'],
  ])(
    'has an incomplete list and reports a problem if the Renovate configuration %s',
    async (_, content, reason) => {
      const repository = newRepository();
      repository.commit({ 'pod.yaml': pod('acme/web:1.0.0'), 'renovate.json': content });
      if (reason === 'timed_out')
        vi.spyOn(agent.sandbox, 'run').mockRejectedValueOnce(new SandboxTimeoutError(1_000));
      onTestFinished(() => void vi.restoreAllMocks());
      const { summary, error } = await agent.run({ repository_url: repository.url });
      expect(error).toBeNull();
      expect(summary).toMatchObject({
        found: 1,
        is_complete_list: false,
        unread_files: [{ path: 'renovate.json', reason }],
        pattern_problems: [{ file: 'renovate.json', name: 'renovate.json' }],
      });
    },
  );

  test('reports the files that are not compared with the patterns as unread, except for those that the job does not include', async () => {
    const customPatterns = Array.from({ length: 200 }, () => ({
      name: 'a',
      paths: [{ syntax: 'gitignore' as const, pattern: '*.nothing' }],
      patterns: [],
      templates: {},
    }));
    const choose = async (include: string[], exclude: string[]) => {
      const lines = Array.from(
        { length: 5_010 },
        (_, at) => `100644 blob ${'a'.repeat(40)}\tsrc/${at}.txt\0`,
      );
      const listing = (async function* list() {
        yield Buffer.from(lines.join(''));
      })();
      const parts = chooseTreeFiles({ customPatterns, include, exclude }, listing);
      let part = await parts.next();
      while (part.done !== true) part = await parts.next();
      return part.value;
    };
    const all = await choose([], []);
    expect(all.patternProblems).toHaveLength(1);
    expect(all.unread).toHaveLength(10);
    expect(all.unread[0]).toMatchObject({ path: 'src/5000.txt', reason: 'limit' });
    for (const [include, exclude] of [
      [['a/'], []],
      [[], ['src/']],
    ] as const)
      expect(await choose([...include], [...exclude])).toMatchObject({ patternProblems: [], unread: [] });
  });

  test("uses the job's patterns even if the job lists extractors, and also for files named .env", async () => {
    const repository = newRepository();
    repository.commit({ 'pod.yaml': pod('acme/api:1.0.0'), 'web/.env': 'WEB=1.2.3\n' });
    const web = {
      name: 'web',
      path: '.env',
      pattern: 'WEB=(?P<version>\\S+)',
      templates: { artifact: 'acme/web', source_type: 'oci_registry' },
    };
    const spec = { repository_url: repository.url, custom_extractors: [web] };
    expect(versionsOf(await agent.run({ ...spec, extractors: ['compose'] }))).toEqual([
      ['web/.env', '1.2.3'],
    ]);
    expect(versionsOf(await agent.run({ ...spec, exclude: ['web/'] }))).toEqual([['pod.yaml', '1.0.0']]);
  });

  test('skips a file whose versions have very long names, and reads the other files', async () => {
    const repository = newRepository();
    const images = Array.from({ length: 4_900 }, (_, at) => `${' '.repeat(8)}a${at}: {image: "x:1.${at}"}\n`);
    const levels = Array.from({ length: 8 }, (_, at) => `${' '.repeat(at)}${'k'.repeat(190)}:\n`);
    repository.commit({
      'a/values.yaml': [...levels, ...images].join(''),
      'pod.yaml': pod('acme/web:1.0.0'),
    });
    const outcome = await agent.run({ repository_url: repository.url });
    expect(versionsOf(outcome)).toEqual([['pod.yaml', '1.0.0']]);
    expect(outcome.summary).toMatchObject({
      is_complete_list: false,
      unread_files: [{ path: 'a/values.yaml' }],
      unread_count: 1,
    });
  });

  test('submits the files that it could not read with the reasons, and marks the list as incomplete', async () => {
    const repository = newRepository();
    const encrypted = 'ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]';
    const unreadable = {
      'conflict.yaml': `<<<<<<< HEAD\n${pod('acme/web:1.0.0')}=======\n${pod('acme/web:1.1.0')}>>>>>>> feature\n`,
      'tab.yaml': pod('acme/web:1.0.0').replace('spec:', 'spec:\n\t- a'),
      'large.yaml': `${pod('acme/web:1')}#${'x'.repeat(1024 * 1024)}\n`,
      'lfs.yaml': 'version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 1\n',
      'sops.yaml': `apiVersion: v1\nkind: Pod\nspec: { containers: [{ name: a }] }\nimage: ${encrypted}\nsops: {}\n`,
      'vault.yaml': '$ANSIBLE_VAULT;1.1;AES256\n6162\n',
      'git-crypt.yaml': Buffer.from('\0GITCRYPT\0\u0001\u0002'),
      'link.yaml': { link: 'pod.yaml' },
      module: { commit: 'a'.repeat(40) },
    };
    const files = { ...unreadable, 'pod.yaml': pod('acme/web:1.0.0'), clusters: { link: 'pod.yaml' } };
    repository.commit(files);
    for (const reason of ['first', 'again']) {
      // The second scan uses the stored facts of the first one.
      if (reason === 'again') repository.commit({ ...files, 'new.yaml': pod('acme/web:2.0.0') });
      const { summary } = await agent.run({ repository_url: repository.url });
      expect(summary).toMatchObject({
        is_complete_list: false,
        unread_count: Object.keys(unreadable).length,
      });
      const unread = Object.fromEntries(summary!.unread_files!.map((file) => [file.path, file.reason]));
      expect(unread).toEqual({
        'conflict.yaml': 'malformed',
        'tab.yaml': 'malformed',
        'large.yaml': 'too_large',
        'lfs.yaml': 'git_lfs',
        'sops.yaml': 'encrypted',
        'vault.yaml': 'encrypted',
        'git-crypt.yaml': 'encrypted',
        'link.yaml': 'outside',
        module: 'submodule',
        // A link can replace a directory. By itself, it doesn't make the list incomplete.
        clusters: 'outside',
      });
    }
    repository.commit(Object.fromEntries(Object.keys(unreadable).map((path) => [path, null])));
    const { summary } = await agent.run({ repository_url: repository.url });
    expect(summary).toMatchObject({ is_complete_list: true, unread_count: 0 });
  });

  test('submits a complete list if files contain a duplicate key or a template, and keeps their items', async () => {
    const repository = newRepository();
    const service = 'services:\n  web:\n    image: acme/web:1.0.0\n';
    repository.commit({
      'compose.yaml': `${service}  api:\n    image: acme/api:1.0.0\n    image: acme/api:2.0.0\n`,
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/templates/_helpers.tpl': '{{- define "web.chart" -}}{{ .Chart.Name }}{{- end }}\n',
      'chart/templates/pod.yaml': 'kind: Pod\nspec:\n  image: {{ .Values.image }}\n',
    });
    const outcome = await agent.run({ repository_url: repository.url });
    expect(versionsOf(outcome)).toEqual([['compose.yaml', '1.0.0']]);
    expect(outcome.summary).toMatchObject({ is_complete_list: true, unread_count: 0 });
    expect(outcome.summary!.unread_files).toMatchObject([
      { path: 'chart/templates/pod.yaml', reason: 'templated' },
      {
        path: 'compose.yaml',
        reason: 'malformed',
        message: expect.stringContaining('duplicate key "image"'),
      },
    ]);
    expect(outcome.summary!.silent_files).toContainEqual(
      expect.objectContaining({ reason: 'templated', count: 1, examples: ['chart/templates/pod.yaml'] }),
    );
  });

  test('submits a file that takes too long as unread, and reads it again even if nothing has changed', async () => {
    const repository = newRepository();
    repository.commit({
      'slow/pods.yaml': `---\n${pod('acme/web:1')}`.repeat(4_000),
      'web/pod.yaml': pod('acme/web:1'),
    });
    const impatient = createDiscoveryAgent(temporaryFolder(), { ...parseContentLimits, deadlineMs: 20 });
    onTestFinished(() => impatient.close());
    const { summary } = await impatient.run({ repository_url: repository.url });
    expect(summary).toMatchObject({ is_complete_list: false, validators: { etag: null } });
    expect(summary!.unread_files).toContainEqual({
      path: 'slow/pods.yaml',
      reason: 'timed_out',
      message: 'Reading it exceeded 20 ms.',
    });
    const patient = createDiscoveryAgent(temporaryFolder(), { ...parseContentLimits, deadlineMs: 60_000 });
    onTestFinished(() => patient.close());
    const next = await patient.run({ repository_url: repository.url, validators: summary!.validators });
    expect(next.items.filter(({ place }) => place.file === 'slow/pods.yaml')).not.toEqual([]);
  });

  test('fails if the tree repeats the same subtrees too many times', async () => {
    const repository = newRepository();
    repository.commit({ 'pod.yaml': pod('acme/web:1.0.0') });
    const oid = repository.git('rev-parse', 'main:pod.yaml').trim();
    const names = Array.from({ length: 10 }, (_, at) => `d${at}`);
    let tree = repository.makeTree(
      names.map((name) => ({ mode: '100644', type: 'blob', oid, name: `${name}.yaml` })),
    );
    for (let level = 0; level < 9; level++)
      tree = repository.makeTree(names.map((name) => ({ mode: '040000', type: 'tree', oid: tree, name })));
    const commit = repository.git('commit-tree', '-m', 'bomb', tree).trim();
    repository.git('update-ref', 'refs/heads/bomb', commit);
    const { error, items } = await agent.run({ repository_url: repository.url, ref: 'bomb' });
    expect(items).toEqual([]);
    expect(error).toMatchObject({ code: 'too_large' });
  });

  test('reports unsafe file names as plain text, without resolving them as paths', async () => {
    const repository = newRepository();
    repository.commit({ 'pod.yaml': pod('acme/web:1.0.0') });
    const oid = repository.git('rev-parse', 'main:pod.yaml').trim();
    const file = (name: string | Buffer) => ({ mode: '100644', type: 'blob', oid, name });
    const evil = repository.makeTree([
      file('=HYPERLINK("x").yaml'),
      file('<img src=x onerror=alert(1)>.yaml'),
      file('a\u001b[31m.yaml'),
      file(Buffer.from([0xff, 0x2e, 0x79, 0x61, 0x6d, 0x6c])),
    ]);
    const tree = repository.makeTree([{ mode: '040000', type: 'tree', oid: evil, name: '..' }]);
    const commit = repository.git('commit-tree', '-m', 'names', tree).trim();
    repository.git('update-ref', 'refs/heads/names', commit);
    const outcome = await agent.run({ repository_url: repository.url, ref: 'names' });
    expect(versionsOf(outcome)).toEqual([
      ['../<img src=x onerror=alert(1)>.yaml', '1.0.0'],
      ['../=HYPERLINK("x").yaml', '1.0.0'],
    ]);
    expect(outcome.summary).toMatchObject({ reasons: { unreadable: 2 } });
    expect(JSON.stringify(outcome.summary)).not.toContain('\u001b');
  });

  test('succeeds if the repository declares no versions, and fails if the ref is missing', async () => {
    const repository = newRepository();
    repository.commit({ 'README.md': 'text' });
    const { summary, parts } = await agent.run({ repository_url: repository.url });
    expect(summary).toMatchObject({ found: 0, not_modified: false });
    expect(parts).toBe(0);
    const { error } = await agent.run({ repository_url: repository.url, ref: 'none' });
    expect(error).toMatchObject({ code: 'ref_not_found' });
  });

  test('supports repositories with SHA-256 objects and servers that cannot send single files', async () => {
    const old = git.createRepository('acme/sha256.git', { objectFormat: 'sha256' });
    old.commit({ 'pod.yaml': pod('acme/web:1.0.0') });
    const { summary, items } = await agent.run({ repository_url: old.url });
    expect(summary).toMatchObject({ found: 1 });
    expect(items[0]!.blob_id).toHaveLength(64);
    const repository = newRepository();
    repository.git('config', 'uploadpack.allowFilter', 'false');
    repository.commit({ 'pod.yaml': pod('acme/web:1.0.0') });
    git.isOld = true;
    onTestFinished(() => void (git.isOld = false));
    expect((await agent.run({ repository_url: repository.url })).summary).toMatchObject({ found: 1 });
  });
});
