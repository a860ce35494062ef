import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createScanner, deployedImageItem } from '../../../../tests/helpers/scan-by-hand.ts';
import { startTestServer } from '../../../../tests/helpers/test-server.ts';
import type { ApiClient } from '../../../client/api-client.ts';
import { createWakeUps } from '../../../platform/database/index.ts';
import { createSilentLog } from '../../../platform/log.ts';

const server = await startTestServer();
const { db } = server;
afterEach(() => setClockOffset(db, '0'));
/** Wake-ups, as another server receives them. */
const wakeUps = createWakeUps({ db, connection: server.connection, log: createSilentLog() });
afterAll(() => wakeUps.close());
let digestWakeUps = 0;
wakeUps.on('digest_fan_outs', () => digestWakeUps++);

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

interface ListedTag {
  tag: string;
  /** Content that the digest is computed from. `undefined` if the registry returns no digest. */
  image?: string;
  at?: string;
}

/** Returns a function that runs a gather job as if its registry listed the given tags. */
function createRegistry(api: ApiClient) {
  const capabilities = ['gather:oci_registry'];
  let agentId: Promise<number> | null = null;
  return async function gather(jobId: number, tags: readonly ListedTag[]): Promise<void> {
    agentId ??= api
      .call('sendHeartbeat', {
        body: {
          name: 'registry',
          hostname: 'here',
          version: '0.0.0',
          capabilities,
          credential_names: [],
          running: [],
        },
      })
      .then((answer) => answer.agent_id);
    await api.call('runGatherJob', { path: { id: jobId } });
    const body = { agent_id: await agentId, capabilities, credential_names: [], max: 50, wait_seconds: 5 };
    const { tasks } = await api.call('claimTasks', { body });
    const task = tasks.find(
      ({ kind, spec }) => kind === 'gather' && 'gather_job_id' in spec && spec.gather_job_id === jobId,
    );
    if (task?.kind !== 'gather') throw new Error(`no task of gather job ${jobId}`);
    expect(task.spec.reads_digests).toBe(true);
    const path = { id: task.task_id };
    const { lease_token } = task;
    const items = tags.map(({ tag, image, at }) => ({
      tag,
      version: tag,
      app_version: null,
      released_at: at ?? null,
      is_prerelease: false,
      is_yanked: false,
      url: null,
      notes: null,
      ...(image !== undefined && { digest: digestOf(image) }),
    }));
    await api.call('submitTaskResults', { path, body: { lease_token, sequence: 1, items } });
    const summary = {
      not_modified: false,
      is_complete_list: true,
      found: items.length,
      skipped: 0,
      skipped_examples: [],
      requests: 1,
      waited_ms: 0,
      validators: null,
    };
    await api.call('completeTask', { path, body: { lease_token, parts: 1, summary } });
  };
}

/** Waits until every digest fan-out is processed. */
async function settled(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ count: number }>`
          SELECT count(*)::integer AS count FROM digest_fan_outs
          WHERE due_at < 'infinity' OR lease_token IS NOT NULL`.execute(db);
      return rows[0]!.count;
    })
    .toBe(0);
}

type Found = NonNullable<Parameters<typeof deployedImageItem>[1]>;

const ofImage = (image: string): Found => ({
  version: null,
  digest: digestOf(image),
  reason: 'digest',
  version_state: 'digest',
});
const floating = (tag: string, image: string | null): Found => ({
  version: tag,
  digest: image && digestOf(image),
  reason: 'floating',
  version_state: 'floating',
});

async function start() {
  const organization = await server.createOrganization();
  const { api } = organization;
  const scanner = createScanner(api);
  const gatherTags = createRegistry(api);
  const job = await api.call('createDiscoveryJob', {
    body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
  });
  const rule = await api.call('createRule', {
    body: { name: 'Rule', rule_type: 'minors_behind', thresholds: { moderate: 1 } },
  });
  const createGatherJob = (artifact_name = 'ghcr.io/acme/web') =>
    api.call('createGatherJob', {
      body: { name: artifact_name, source_type: 'oci_registry', artifact_name },
    });
  return {
    ...organization,
    scanner,
    job,
    createGatherJob,
    scan: (items: Parameters<typeof scanner.scan>[1]) => scanner.scan(job.id, items),
    async gather(jobId: number, tags: readonly ListedTag[]): Promise<void> {
      await gatherTags(jobId, tags);
      await settled();
    },
    async items(query: { limit?: number; group_by?: 'artifact' } = {}) {
      return (
        await api.call('listDiscoveredItems', {
          query: {
            discovery_job_id: job.id,
            ...query,
          },
        })
      ).items;
    },
    async item() {
      return (await this.items())[0]!;
    },
    async accept(ruleId: number | null = rule.id) {
      const [item] = await this.items();
      const { items } = await api.call('acceptDiscoveredItems', {
        body: {
          item_ids: [item!.id],
          rule_id: ruleId,
          labels: {},
        },
      });
      expect(items).toMatchObject([
        {
          outcome: 'accepted',
          message: null,
        },
      ]);
      return {
        scrapeJobId: items[0]!.scrape_job_id!,
        gatherJobId: items[0]!.gather_job!.id!,
      };
    },
    scrapeJob: (id: number) => api.call('getScrapeJob', { path: { id } }),
    async versions(scrapeJobId: number) {
      const { items } = await api.call('listScrapeJobVersions', {
        path: { id: scrapeJobId },
        query: {},
      });
      return items
        .map(({ version, match }) => ({
          version,
          match,
        }))
        .toReversed();
    },
  };
}

const tags = (image: string): ListedTag[] => [
  { tag: '1.24.0', image: 'old' },
  ...['1', '1.25', '1.25.3'].map((tag) => ({ tag, image })),
  { tag: 'latest' },
];

describe('an item whose digest matches a release', () => {
  test.each([
    ['for a digest without a tag', ofImage('a')],
    ['for a moving tag', floating('latest', 'a')],
    ['for the tag of a release line', floating('1', 'a')],
  ])('gets the most specific version: %s', async (_, given) => {
    const world = await start();
    const { id } = await world.createGatherJob();
    await world.gather(id, tags('a'));
    await world.scan([deployedImageItem('web', given)]);
    expect(await world.item()).toMatchObject({
      version: given.version,
      version_state: given.version_state,
      digest: digestOf('a'),
      matched_version: '1.25.3',
      match: 'digest',
      reason: null,
      newer_since: null,
    });
    const { scrapeJobId } = await world.accept();
    expect(await world.versions(scrapeJobId)).toEqual([{ version: '1.25.3', match: 'digest' }]);
    expect(await world.scrapeJob(scrapeJobId)).toMatchObject({ latest_version: '1.25.3', match: 'digest' });
  });

  test('appears with that version in its group', async () => {
    const world = await start();
    const { id } = await world.createGatherJob();
    await world.gather(id, tags('a'));
    await world.scan([deployedImageItem('web', ofImage('a'))]);
    const { groups } = await world.api.call('listDiscoveredItems', {
      query: { discovery_job_id: world.job.id, group_by: 'artifact' },
    });
    expect(groups).toMatchObject([{ versions: ['1.25.3'], version_count: 1 }]);
  });

  test.each([
    ['1.25', '1.25.3'],
    ['v1.25', '1.25.3'],
    ['1.24', null],
    ['1.25-alpine', null],
  ])('gets the most specific version of the line in its tag: %s becomes %s', async (tag, version) => {
    const world = await start();
    await world.scan([deployedImageItem('web', { version: tag, digest: digestOf('a') })]);
    const { scrapeJobId, gatherJobId } = await world.accept();
    await world.gather(gatherJobId, tags('a'));
    expect(await world.item()).toMatchObject({
      version: tag,
      version_state: 'exact',
      matched_version: version,
    });
    expect(await world.versions(scrapeJobId)).toEqual([
      { version: tag, match: null },
      ...(version === null ? [] : [{ version, match: 'digest' }]),
    ]);
    // The next scan finds a complete version of the same image.
    await world.scan([deployedImageItem('web', { version: '1.25.3', digest: digestOf('a') })]);
    expect(await world.item()).toMatchObject({ matched_version: null, match: null });
  });

  test('keeps its tag if the tag is a version', async () => {
    const world = await start();
    const { id } = await world.createGatherJob();
    await world.gather(id, tags('a'));
    await world.scan([deployedImageItem('web', { version: '1.25.2', digest: digestOf('a') })]);
    expect(await world.item()).toMatchObject({ version: '1.25.2', matched_version: null, match: null });
    const { scrapeJobId } = await world.accept();
    expect(await world.versions(scrapeJobId)).toEqual([{ version: '1.25.2', match: null }]);
  });

  test('keeps its version when the tag moves to another image', async () => {
    const world = await start();
    const { id } = await world.createGatherJob();
    await world.gather(id, tags('a'));
    await world.scan([deployedImageItem('web', ofImage('a'))]);
    await world.gather(id, tags('rebuilt'));
    await world.scan([deployedImageItem('web', ofImage('a')), deployedImageItem('other')]);
    expect((await world.items()).find(({ place }) => place.name === 'web')).toMatchObject({
      matched_version: '1.25.3',
    });
  });

  test('gets a more specific version when one is released', async () => {
    const world = await start();
    const { id } = await world.createGatherJob();
    await world.gather(id, [{ tag: '1.25', image: 'a' }]);
    await world.scan([deployedImageItem('web', ofImage('a'))]);
    const { scrapeJobId } = await world.accept();
    await world.gather(id, tags('a'));
    expect((await world.versions(scrapeJobId)).map(({ version }) => version)).toEqual(['1.25', '1.25.3']);
    // The item keeps the version, no matter which releases have the digest later.
    await world.gather(id, [
      { tag: '1.25', image: 'a' },
      { tag: '1.25.3', image: 'b' },
    ]);
    expect(await world.item()).toMatchObject({ matched_version: '1.25.3' });
  });
});

test('an item gets no version if its digest belongs to another image, or if it has no digest', async () => {
  const world = await start();
  const { id } = await world.createGatherJob('ghcr.io/acme/other');
  await world.gather(id, tags('a'));
  await world.scan([
    deployedImageItem('web', ofImage('a')),
    deployedImageItem('api', floating('latest', null)),
  ]);
  expect(await world.items()).toMatchObject([
    { matched_version: null, reason: 'floating' },
    { matched_version: null, reason: null },
  ]);
});

describe('an item whose digest matches no release yet', () => {
  test('is accepted without a version, and gets its version with the first releases', async () => {
    const world = await start();
    await world.scan([deployedImageItem('web', floating('latest', 'a'))]);
    expect(await world.item()).toMatchObject({ matched_version: null, match: null, reason: null });
    const { scrapeJobId, gatherJobId } = await world.accept();
    expect(await world.scrapeJob(scrapeJobId)).toMatchObject({ latest_version: null, match: null });
    await world.gather(gatherJobId, tags('a'));
    expect(await world.versions(scrapeJobId)).toEqual([{ version: '1.25.3', match: 'digest' }]);
    const { items } = await world.api.call('listAlertConfigs', { query: {} });
    await expect
      .poll(
        async () => (await world.api.call('getAlertConfig', { path: { id: items[0]!.id } })).deployed_version,
      )
      .toBe('1.25.3');
  });

  test('gets its version even without an alert configuration', async () => {
    const world = await start();
    await world.scan([deployedImageItem('web', ofImage('a'))]);
    const { scrapeJobId, gatherJobId } = await world.accept(null);
    await world.gather(gatherJobId, tags('a'));
    expect(await world.versions(scrapeJobId)).toEqual([{ version: '1.25.3', match: 'digest' }]);
  });

  test('gets its version from a later list', async () => {
    const world = await start();
    await world.scan([deployedImageItem('web', ofImage('new'))]);
    const { scrapeJobId, gatherJobId } = await world.accept();
    await world.gather(gatherJobId, tags('a'));
    expect(await world.versions(scrapeJobId)).toEqual([]);
    await world.gather(gatherJobId, [...tags('a'), { tag: '1.26.0', image: 'new' }]);
    expect(await world.versions(scrapeJobId)).toEqual([{ version: '1.26.0', match: 'digest' }]);
  });

  test('gets its version from a list that adds the digest of a known tag', async () => {
    const world = await start();
    await world.scan([deployedImageItem('web', ofImage('a'))]);
    const { scrapeJobId, gatherJobId } = await world.accept();
    await world.gather(gatherJobId, [{ tag: '1.25.3' }]);
    expect(await world.versions(scrapeJobId)).toEqual([]);
    await world.gather(gatherJobId, [{ tag: '1.25.3', image: 'a' }]);
    expect(await world.versions(scrapeJobId)).toEqual([{ version: '1.25.3', match: 'digest' }]);
    // The release keeps its digest if a later list doesn't contain it.
    await world.gather(gatherJobId, [{ tag: '1.25.3' }]);
    const { items } = await world.api.call('listReleases', { query: { gather_job_id: gatherJobId } });
    expect(items).toMatchObject([{ tag: '1.25.3', digest: digestOf('a') }]);
  });

  test('can be accepted with a filter', async () => {
    const world = await start();
    await world.scan([
      deployedImageItem('web', ofImage('a')),
      // The versions of these items can't be determined.
      deployedImageItem('api', floating('latest', null)),
      { ...deployedImageItem('own', ofImage('b')), proposal: null },
    ]);
    const body = { filter: { discovery_job_id: world.job.id }, rule_id: null, labels: {} };
    expect(await world.api.call('acceptDiscoveredItems', { body })).toMatchObject({
      items: [{ outcome: 'accepted' }],
      remaining_count: 0,
    });
    const [, own] = await world.items();
    expect(own).toMatchObject({ place: { name: 'own' }, reason: 'digest' });
    const rejected = await world.api.call('acceptDiscoveredItems', {
      body: { item_ids: [own!.id], rule_id: null, labels: {} },
    });
    expect(rejected.items).toMatchObject([{ outcome: 'rejected' }]);
  });

  test('shows in `newer_since` since when a newer release exists', async () => {
    const world = await start();
    const { id } = await world.createGatherJob();
    await world.scan([deployedImageItem('web', floating('latest', 'a'))]);
    const now = Date.parse((await world.item()).first_seen_at);
    // The dates are within the tolerated clock difference of one day. Later dates are considered unknown.
    const at = (days: number) => new Date(now + days * 3_600_000).toISOString();
    const before = [
      { tag: '1.24.0', at: at(-9) },
      { tag: '1.25.0', at: at(-3) },
    ];
    await world.gather(id, before);
    expect(await world.item()).toMatchObject({ matched_version: null, newer_since: null });
    await world.gather(id, [
      ...before,
      // A release of an older line or another variant isn't considered newer.
      { tag: '1.24.1', at: at(1) },
      { tag: '1.26.0-alpine', at: at(2) },
      { tag: '1.25.1', at: at(3) },
      { tag: '1.26.0', at: at(4) },
    ]);
    expect(await world.item()).toMatchObject({ newer_since: at(3) });
    await world.gather(id, [...before, { tag: '1.25.1', at: at(3), image: 'a' }]);
    expect(await world.item()).toMatchObject({ matched_version: '1.25.1', newer_since: null });
  });
});

describe('an item with a moving tag', () => {
  test('gets a new version when a scan finds its new digest', async () => {
    const world = await start();
    await world.scan([deployedImageItem('web', floating('latest', 'a'))]);
    const { scrapeJobId, gatherJobId } = await world.accept();
    await world.gather(gatherJobId, [...tags('a'), { tag: '1.26.0', image: 'b' }]);
    await world.scan([deployedImageItem('web', floating('latest', 'b'))]);
    expect(await world.versions(scrapeJobId)).toEqual([
      { version: '1.25.3', match: 'digest' },
      { version: '1.26.0', match: 'digest' },
    ]);
    // The version is unknown at first, because the version of the old digest doesn't apply to the new one.
    await world.scan([deployedImageItem('web', floating('latest', 'c'))]);
    expect(await world.item()).toMatchObject({ matched_version: null });
    await world.gather(gatherJobId, [{ tag: '1.27.0', image: 'c' }]);
    expect((await world.versions(scrapeJobId)).at(-1)).toEqual({ version: '1.27.0', match: 'digest' });
    // Move the tag back to the previous image.
    await world.scan([deployedImageItem('web', floating('latest', 'b'))]);
    expect(await world.item()).toMatchObject({ matched_version: '1.26.0' });
  });

  test('loses its digest match when a version replaces it in the file', async () => {
    const world = await start();
    await world.scan([deployedImageItem('web', floating('latest', 'a'))]);
    const { scrapeJobId, gatherJobId } = await world.accept();
    await world.gather(gatherJobId, tags('a'));
    await world.scan([deployedImageItem('web', { version: '1.25.3', digest: digestOf('a') })]);
    expect(await world.versions(scrapeJobId)).toEqual([
      { version: '1.25.3', match: 'digest' },
      { version: '1.25.3', match: null },
    ]);
    expect(await world.scrapeJob(scrapeJobId)).toMatchObject({ match: null });
  });
});

describe('the digest of a running workload in a cluster', () => {
  test('determines the version of a declared moving tag', async () => {
    const world = await start();
    const cluster = await world.api.call('createDiscoveryJob', {
      body: { name: 'eu', kind: 'kubernetes_cluster', cluster_name: 'eu', credential_name: 'cluster' },
    });
    const labels = { cluster: 'eu' };
    const scanCluster = async (image: string) => {
      await sql`DELETE FROM runs WHERE status = 'queued'`.execute(db);
      await world.scanner.scan(
        cluster.id,
        [deployedImageItem('web', { ...floating('latest', image), labels, file: 'shop/Deployment/web' })],
        { cluster_uid: 'uid' },
      );
    };
    await world.scan([deployedImageItem('web', { ...floating('latest', null), labels })]);
    await scanCluster('a');
    expect(await world.item()).toMatchObject({ live_version: null, reason: 'floating' });
    const { id } = await world.createGatherJob();
    await sql`DELETE FROM runs WHERE status = 'queued' AND gather_job_id IS NULL`.execute(db);
    await world.gather(id, [...tags('a'), { tag: '1.26.0', image: 'b' }]);
    expect(await world.item()).toMatchObject({ live_version: '1.25.3', live_match: 'digest' });
    const { scrapeJobId } = await world.accept();
    await scanCluster('b');
    expect(await world.versions(scrapeJobId)).toEqual([
      { version: '1.25.3', match: 'digest' },
      { version: '1.26.0', match: 'digest' },
    ]);
  });
});

describe('releases of other gather jobs', () => {
  test('match only items of their organization, and releases of a global job match items of every organization', async () => {
    const [one, two] = [await start(), await start()];
    await one.scan([deployedImageItem('shared', ofImage('a'))]);
    await two.scan([deployedImageItem('shared', ofImage('a'))]);
    const { scrapeJobId, gatherJobId } = await one.accept();
    await two.accept();
    await one.gather(gatherJobId, tags('a'));
    expect(await one.versions(scrapeJobId)).toHaveLength(1);
    expect(await two.item()).toMatchObject({ matched_version: null });
    const global = await server.system.call('createGatherJob', {
      body: { name: 'shared', source_type: 'oci_registry', artifact_name: 'ghcr.io/acme/shared' },
    });
    await createRegistry(server.system)(global.id, tags('a'));
    await settled();
    expect(await two.item()).toMatchObject({ matched_version: '1.25.3', match: 'digest' });
    expect(await one.versions(scrapeJobId)).toHaveLength(1);
  });

  test('match an item that is compared with a mirror', async () => {
    const world = await start();
    await world.scan([deployedImageItem('web', ofImage('a'))]);
    const { scrapeJobId } = await world.accept(null);
    const mirrored = await world.createGatherJob('docker.io/acme/web');
    const rule = await world.api.call('createRule', {
      body: { name: 'Other', rule_type: 'majors_behind', thresholds: { moderate: 1 } },
    });
    await world.api.call('createAlertConfig', {
      body: { name: 'web', scrape_job_id: scrapeJobId, gather_job_id: mirrored.id, rule_id: rule.id },
    });
    await world.gather(mirrored.id, tags('a'));
    expect(await world.versions(scrapeJobId)).toEqual([{ version: '1.25.3', match: 'digest' }]);
  });

  test.each(['new', 'changed'])(
    'match immediately when a %s configuration compares an item with them',
    async (how) => {
      const world = await start();
      const mirrored = await world.createGatherJob('docker.io/acme/web');
      await world.gather(mirrored.id, tags('a'));
      await world.scan([deployedImageItem('web', ofImage('a'))]);
      const { scrapeJobId } = await world.accept(null);
      const rule = await world.api.call('createRule', {
        body: { name: 'Other', rule_type: 'majors_behind', thresholds: { moderate: 1 } },
      });
      const other = how === 'new' ? mirrored : await world.createGatherJob('docker.io/acme/other');
      digestWakeUps = 0;
      const config = await world.api.call('createAlertConfig', {
        body: { name: 'web', scrape_job_id: scrapeJobId, gather_job_id: other.id, rule_id: rule.id },
      });
      await settled();
      if (how === 'changed') {
        expect(await world.versions(scrapeJobId)).toEqual([]);
        digestWakeUps = 0;
        await world.api.call('updateAlertConfig', {
          path: { id: config.id },
          body: { gather_job_id: mirrored.id },
        });
        await settled();
      }
      expect(await world.versions(scrapeJobId)).toEqual([{ version: '1.25.3', match: 'digest' }]);
      // The servers receive a wake-up instead of finding the fan-out at their next poll.
      await expect.poll(() => digestWakeUps).toBeGreaterThan(0);
    },
  );
});

describe('a corrected upstream', () => {
  test.each(['item', 'artifact'] as const)(
    'determines the version if it is set for the %s',
    async (apply_to) => {
      const world = await start();
      const { id } = await world.createGatherJob('docker.io/acme/web');
      await world.gather(id, tags('a'));
      await world.scan([deployedImageItem('web', ofImage('a'))]);
      const { scrapeJobId } = await world.accept(null);
      const corrected = await world.api.call('updateDiscoveredItem', {
        path: { id: (await world.item()).id },
        body: { source_type: 'oci_registry', artifact_name: 'acme/web', apply_to },
      });
      expect(corrected).toMatchObject({ matched_version: '1.25.3', match: 'digest' });
      expect(await world.versions(scrapeJobId)).toEqual([{ version: '1.25.3', match: 'digest' }]);
    },
  );

  test("leaves the version unresolved if it isn't a registry", async () => {
    const world = await start();
    await world.scan([deployedImageItem('web', ofImage('a'))]);
    const corrected = await world.api.call('updateDiscoveredItem', {
      path: { id: (await world.item()).id },
      body: { source_type: 'github_releases', artifact_name: 'acme/web' },
    });
    expect(corrected).toMatchObject({ reason: 'digest' });
  });
});

test('the number of statements is the same for a thousand waiting items as for ten, except for a small constant', async () => {
  const statementsFor = async (count: number): Promise<number> => {
    const world = await start();
    const names = Array.from({ length: count }, (_, index) => `web-${index}`);
    await world.scan(
      names.map((name) => ({
        ...deployedImageItem('web', ofImage('a')),
        key: `kubernetes:Deployment::${name}:x`,
      })),
    );
    const body = { filter: { discovery_job_id: world.job.id }, rule_id: null, labels: {} };
    const { created } = await world.api.call('acceptDiscoveredItems', { body });
    expect(created).toMatchObject({ gather_jobs: 1, scrape_jobs: count });
    const { items } = await world.api.call('listGatherJobs', { query: {} });
    const own = items.find(({ scope }) => scope === 'organization')!;
    const statements = await server.statementsOf(() => world.gather(own.id, tags('a')));
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM scrape_jobs
      WHERE organization_id = ${world.id} AND latest_version = '1.25.3' AND match = 'digest'`.execute(db);
    expect(rows[0]!.count).toBe(count);
    // Exclude the statements that poll for due rows, because their number depends on time.
    return statements.filter((text) => /discovered_items|INTO versions/u.test(text)).length;
  };
  expect(await statementsFor(1_000)).toBeLessThanOrEqual((await statementsFor(10)) + 4);
});
