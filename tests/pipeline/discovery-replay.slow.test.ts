import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setClockOffset } from '../helpers/database.ts';
import { discoverFiles } from '../helpers/discover-files.ts';
import { createDiscoveryAgent, type DiscoveryAgent } from '../helpers/discovery-agent.ts';
import { insertManagedScrapeJob } from '../helpers/discovery-fixture.ts';
import { isLong } from '../helpers/long-tests.ts';
import { createScanner } from '../helpers/scan-by-hand.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { hasTestData, testDataPath } from '../helpers/test-data.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { type GitServer, hasGitHttpBackend, startGitServer } from '../helpers/upstreams/git-server.ts';

/**
 * Real repositories, with the number of commits to replay. Each commit is pushed, scanned by the agent, and applied by
 * the server, two hours after the previous one. The long form replays all commits, which takes several minutes.
 */
const repositories: [name: string, commits: number][] = [
  ['fluxcd_flux2-kustomize-helm-example', isLong ? 30 : 10],
  ['alphagov_govuk-helm-charts', isLong ? 15 : 5],
  ['ricsanfre_pi-cluster', isLong ? 1_000 : 12],
];

interface Commit {
  date: string;
  files: Record<string, string | null>;
}

interface StoredItem {
  id: number;
  key: string;
  path: string;
  version: string | null;
  version_state: string;
  status: string;
  scrape_job_id: number | null;
  latest_version: string | null;
  is_active: boolean | null;
}

describe.skipIf(!hasTestData || !hasGitHttpBackend)('commits of real repositories', () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let git: GitServer;
  let agent: DiscoveryAgent;
  beforeAll(async () => {
    server = await startTestServer();
    git = await startGitServer();
    agent = createDiscoveryAgent(temporaryFolder());
  });
  afterAll(async () => {
    await agent.close();
    await git.close();
  });

  async function listItems(jobId: number): Promise<StoredItem[]> {
    const { rows } = await sql<StoredItem>`
      SELECT item.id, key, path, version, version_state, status, scrape_job_id, fed.latest_version, fed.is_active
      FROM discovered_items AS item
      LEFT JOIN scrape_jobs AS fed ON fed.organization_id = item.organization_id AND fed.id = item.scrape_job_id
      WHERE item.discovery_job_id = ${jobId} ORDER BY path, line, document, item.id`.execute(server.db);
    return rows;
  }

  test.each(repositories)(
    'lose no items and keep the history of moved files in %s',
    async (name, maxCommits) => {
      const { api, id: organizationId } = await server.createOrganization();
      const repository = git.createRepository(`${name}.git`);
      const { id: jobId } = await api.call('createDiscoveryJob', {
        body: { name, repository_url: 'https://git.example.org/acme/deploy' },
      });
      const scanner = createScanner(api);
      const tree: Record<string, string> = {};
      const cache = new Map();
      const counts = { commits: 0, items: 0, gone: 0, back: 0, moved: 0, lost: 0, broken: 0, stale: 0 };
      let before: StoredItem[] = [];
      let validators = null;
      for (const { files, date } of readCommits(name).slice(0, maxCommits)) {
        const former = { ...tree };
        for (const [path, text] of Object.entries(files)) {
          if (text === null) delete tree[path];
          else tree[path] = text;
        }
        repository.commit(files, { date });
        const outcome = await agent.run({ repository_url: repository.url, validators });
        expect(outcome.error).toBeNull();
        const summary = outcome.summary!;
        validators = summary.validators;
        if (summary.not_modified) await scanner.scanUnchanged(jobId);
        else await scanner.scan(jobId, outcome.items, summary);

        const job = await api.call('getDiscoveryJob', { path: { id: jobId } });
        expect(job.gone_held).toBeNull();
        const items = await listItems(jobId);
        const present = items.filter(({ status }) => status !== 'gone');
        const byId = new Map(items.map((item) => [item.id, item]));
        // Every declared item must be stored under its path and key.
        const expected = Map.groupBy(discoverFiles(tree, { cache }).items, (item) =>
          placeOf(item.place.file, item.key),
        );
        const stored = Map.groupBy(present, (item) => placeOf(item.path, item.key));
        for (const [place, declared] of expected) {
          const versions = (stored.get(place) ?? []).map(({ version }) => version);
          for (const { version } of declared) if (!versions.includes(version)) counts.lost += 1;
        }
        // An item that still exists must keep its row, even if its file was moved.
        const newIds = new Set(
          items.filter(({ id }) => !before.some((item) => item.id === id)).map(({ id }) => id),
        );
        const appeared = new Set(
          [...newIds].map((id) => byId.get(id)!).map((item) => placeOf(item.path, item.key)),
        );
        for (const item of before) {
          const now = byId.get(item.id);
          if (!now || now.scrape_job_id !== item.scrape_job_id) counts.broken += 1;
          else if (item.status !== 'gone' && now.status === 'gone') {
            counts.gone += 1;
            if (appeared.has(placeOf(item.path, item.key))) counts.broken += 1;
            if (now.is_active) counts.stale += 1;
          } else if (item.status === 'gone' && now.status !== 'gone') {
            counts.back += 1;
            if (now.is_active === false) counts.stale += 1;
          }
        }
        const gonePaths = Object.keys(files).filter((path) => files[path] === null);
        const goneTexts = new Set(gonePaths.map((path) => former[path]));
        for (const item of present) {
          const text = tree[item.path];
          if (former[item.path] !== undefined || text === undefined || !goneTexts.has(text)) continue;
          counts.moved += 1;
          if (newIds.has(item.id)) counts.broken += 1;
        }
        // An accepted item must have the version that its file declares.
        for (const item of present) {
          const isDeclared = expected.has(placeOf(item.path, item.key)) && item.version_state === 'exact';
          if (item.status === 'accepted' && isDeclared && item.latest_version !== item.version)
            counts.stale += 1;
        }
        await acceptNew(organizationId, jobId);
        counts.commits += 1;
        counts.items = present.length;
        before = await listItems(jobId);
        await setClockOffset(server.db, `${counts.commits * 2} hours`);
      }
      process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`);
      expect(counts).toMatchObject({ lost: 0, broken: 0, stale: 0 });
      expect(counts.items).toBeGreaterThan(5);
    },
    isLong ? 1_200_000 : 180_000,
  );

  /** Accepts half of the new items, as a user would. */
  async function acceptNew(organizationId: number, jobId: number): Promise<void> {
    const items = await listItems(jobId);
    for (const { id } of items.filter((item) => item.status === 'new' && item.id % 2 === 0)) {
      const scrapeJobId = await insertManagedScrapeJob(server.db, organizationId, jobId);
      await sql`
        WITH item AS (
          UPDATE discovered_items SET status = 'accepted', scrape_job_id = ${scrapeJobId}
          WHERE organization_id = ${organizationId} AND id = ${id} RETURNING version
        )
        UPDATE scrape_jobs SET latest_version = item.version FROM item
        WHERE organization_id = ${organizationId} AND id = ${scrapeJobId}`.execute(server.db);
    }
  }
});

function placeOf(path: string, key: string): string {
  return JSON.stringify([path, key]);
}

function readCommits(name: string): Commit[] {
  const [, ...lines] = readFileSync(testDataPath(`gitops/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}
