import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { startFakeGitea } from '../../../tests/helpers/upstreams/fake-gitea.ts';
import { type FakeRelease, startFakeGithub } from '../../../tests/helpers/upstreams/fake-github.ts';
import { startFakeGitlab } from '../../../tests/helpers/upstreams/fake-gitlab.ts';
import {
  startFakeHelmRepository,
  writeHelmIndex,
} from '../../../tests/helpers/upstreams/fake-helm-repository.ts';
import { startFakeJsonDocuments } from '../../../tests/helpers/upstreams/fake-json-documents.ts';
import { startFakeOciRegistry } from '../../../tests/helpers/upstreams/fake-oci-registry.ts';
import { hasGitHttpBackend, startGitServer } from '../../../tests/helpers/upstreams/git-server.ts';
import { catalog } from '../../domain/catalog/catalog.ts';
import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts';
import { checkCatalogCommand } from './check-catalog-command.ts';
import { runOperatorCommand } from './operator-command.ts';

const github = await startFakeGithub();
const gitlab = await startFakeGitlab();
const gitea = await startFakeGitea();
const helm = await startFakeHelmRepository();
const registry = await startFakeOciRegistry();
const documents = await startFakeJsonDocuments();
const git = await startGitServer();
const servers = [github, gitlab, gitea, helm, registry, documents, git];
afterAll(() => Promise.all(servers.map((server) => server.close())));

github.repositories.set(
  'kubernetes/ingress-nginx',
  listed('helm-chart-4.12.2', 'controller-v1.12.2', 'controller-v1.11.6'),
);
gitlab.projects.set('gitlab-org/gitlab', [{ tag: 'v18.0.1-ee', releasedAt: '2026-01-02T03:04:05Z' }]);
gitea.repositories.set('forgejo/forgejo', listed('v12.0.0-rc1', 'v11.0.1'));
helm.indexes.set('', writeHelmIndex({ longhorn: [{ version: '1.9.0' }, { version: '1.9.1-rc1' }] }));
registry.images.set('library/postgres', { tags: ['17', '17.5', '17.5-alpine', '18beta1', 'latest'] });
documents.documents.set('/dist/index.json', [
  { version: 'v24.1.0', date: '2026-01-02', lts: false },
  { version: 'v22.16.0', date: '2026-01-01', lts: 'Jod' },
]);
documents.documents.set('/pypi/ansible/json', {
  info: { version: '11.6.0' },
  releases: {
    '11.6.0': [{ upload_time_iso_8601: '2026-01-02T03:04:05.000000Z' }],
    '12.0.0a1': [{ upload_time_iso_8601: '2026-01-03T03:04:05.000000Z' }],
    '0.1': [],
  },
});

/** Returns a catalog entry with its source replaced by a test server. */
function at(host: string, name: string, artifact: string): CatalogEntry {
  const entry = catalog.find((each) => each.name === name);
  if (!entry) throw new Error(`the catalog has no ${name}`);
  return { ...entry, artifact_name: artifact.replace('HOST', host) };
}

const entries = {
  ingress: at(github.host, 'ingress-nginx', 'HOST/kubernetes/ingress-nginx'),
  gitlab: at(gitlab.host, 'GitLab', 'HOST/gitlab-org/gitlab'),
  forgejo: at(gitea.host, 'Forgejo', 'HOST/forgejo/forgejo'),
  longhorn: at(helm.host, 'Longhorn chart', 'HOST/longhorn'),
  postgres: at(registry.host, 'PostgreSQL', 'HOST/library/postgres'),
  node: at(documents.host, 'Node.js', 'http://HOST/dist/index.json'),
  ansible: at(documents.host, 'Ansible', 'http://HOST/pypi/ansible/json'),
  nginx: at(git.host, 'nginx (stable)', 'http://HOST/nginx/nginx.git'),
};

async function check(
  own: readonly CatalogEntry[],
  argv: string[] = [],
  extra: NodeJS.ProcessEnv = {},
  timeoutMs?: number,
) {
  const dataDir = temporaryFolder();
  const env = {
    PACEKEEPER_DATA_DIR: dataDir,
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.0/8',
    PACEKEEPER_INSECURE_HOSTS: servers.map(({ host }) => host).join(','),
    ...extra,
  };
  const result = { stdout: '', stderr: '' };
  const code = await runOperatorCommand(
    checkCatalogCommand(own, { ...(timeoutMs !== undefined && { timeoutMs }) }),
    argv,
    env,
    {
      stdout: (text) => void (result.stdout += text),
      stderr: (text) => void (result.stderr += text),
    },
  );
  expect(readdirSync(dataDir)).toEqual([]);
  return { code, ...result };
}

describe('the catalog check', () => {
  test.skipIf(!hasGitHttpBackend)('reports the latest stable version for every kind of source', async () => {
    const repository = git.createRepository('nginx/nginx.git');
    repository.commit({ file: 'x' });
    for (const tag of ['release-1.28.0', 'release-1.29.1']) repository.git('tag', tag);
    expect(await check(Object.values(entries))).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'ingress-nginx: ok, latest stable v1.12.2, 2 releases',
        'GitLab: ok, latest stable 18.0.1, 1 release',
        'Forgejo: ok, latest stable v11.0.1, 2 releases',
        'Longhorn chart: ok, latest stable 1.9.0, 2 releases',
        'PostgreSQL: ok, latest stable 17.5, 1 release',
        'Node.js: ok, latest stable v24.1.0, 2 releases',
        'Ansible: ok, latest stable 11.6.0, 3 releases',
        'nginx (stable): ok, latest stable 1.28.0, 1 release',
        '',
      ].join('\n'),
    });
  });

  test('reports an entry that was not found with its error code, and exits with code 1', async () => {
    const gone = at(github.host, 'Prometheus', 'HOST/prometheus/prometheus');
    const { code, stdout, stderr } = await check([gone, entries.forgejo]);
    expect(code).toBe(1);
    const [first, second] = stdout.split('\n');
    expect(first).toMatch(/^Prometheus: failed, not_found: .+\.$/);
    expect(second).toBe('Forgejo: ok, latest stable v11.0.1, 2 releases');
    expect(stderr).toBe('pacekeeper admin check-catalog: 1 of 2 entries failed.\n');
  });

  test('fails for an entry whose tags have changed their format', async () => {
    github.repositories.set('acme/renamed', listed('ingress-1.0.0', 'ingress-0.9.0'));
    const renamed = { ...entries.ingress, artifact_name: `${github.host}/acme/renamed` };
    const { code, stdout } = await check([renamed]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        'ingress-nginx: failed, no_release: It lists 2 releases, of which the entry keeps 0; none is a stable version.\n',
    });
  });

  test('takes one request for a long list at GitHub, and reads further pages only if the first one has no match', async () => {
    const charts = Array.from({ length: 150 }, (_, index) => `helm-chart-4.0.${150 - index}`);
    github.repositories.set('acme/long', listed('controller-v2.0.0', ...charts));
    github.repositories.set('acme/hidden', listed(...charts, 'controller-v1.0.0'));
    const requests = () => github.requests.length;
    const before = requests();
    const long = await check([{ ...entries.ingress, artifact_name: `${github.host}/acme/long` }]);
    expect(long.stdout).toBe('ingress-nginx: ok, latest stable v2.0.0, 1 release on the first page\n');
    expect(requests() - before).toBe(1);
    const hidden = await check([{ ...entries.ingress, artifact_name: `${github.host}/acme/hidden` }]);
    expect(hidden.stdout).toBe('ingress-nginx: ok, latest stable v1.0.0, 1 release\n');
    expect(requests() - before).toBe(4);
  });

  test('sends a credential of the agent configuration only to GitHub', async () => {
    const file = path.join(temporaryFolder(), 'agent.yaml');
    const credential = {
      name: 'token',
      type: 'github_token',
      token: 'secret',
      hosts: [github.host],
      organizations: [1],
    };
    writeFileSync(file, JSON.stringify({ credentials: [credential] }));
    github.privateRepositories.set('kubernetes/ingress-nginx', 'secret');
    const argv = ['--github-credential', 'token'];
    const own = [entries.ingress, entries.forgejo];
    const { code, stdout } = await check(own, argv, { PACEKEEPER_AGENT_CONFIG: file });
    github.privateRepositories.clear();
    expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 2 });
    expect(gitea.requests.at(-1)?.headers.authorization).toBeUndefined();
    const missing = await check([entries.ingress], ['--github-credential', 'other'], {
      PACEKEEPER_AGENT_CONFIG: file,
    });
    expect(missing.stdout).toMatch(/^ingress-nginx: failed, credential_missing: /);
  });

  test('checks only the entry in --only, and rejects an unknown entry', async () => {
    const own = [entries.ingress, entries.forgejo];
    expect((await check(own, ['--only', 'Forgejo'])).stdout).toBe(
      'Forgejo: ok, latest stable v11.0.1, 2 releases\n',
    );
    expect(await check(own, ['--only', 'Nothing'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no catalog entry "Nothing"'),
    });
  });

  test('stops an entry without a response after its timeout, and reports the others', async () => {
    gitea.intercept = () => true;
    const { code, stdout } = await check([entries.forgejo, entries.longhorn], [], {}, 4_000);
    gitea.intercept = null;
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        'Forgejo: failed, timeout: No response within 4 s.\nLonghorn chart: ok, latest stable 1.9.0, 2 releases\n',
    });
  });

  test('reports an entry that the egress guard blocks', async () => {
    const { code, stdout } = await check([entries.forgejo], [], { PACEKEEPER_EGRESS_ALLOW: '' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Forgejo: failed, target_not_allowed: /);
  });
});

function listed(...tags: string[]): FakeRelease[] {
  return tags.map((tag) => ({ tag, publishedAt: '2026-01-02T03:04:05Z', isPrerelease: tag.includes('-rc') }));
}
