import { CompiledQuery, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { countLockWaits } from '../../../../tests/helpers/lock-waits.ts';
import { createMonitoredSoftware } from '../../../../tests/helpers/monitored.ts';
import { countRowsRead } from '../../../../tests/helpers/rows-read.ts';
import { startTestServer, type TestOrganization } from '../../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { transaction } from '../../../platform/database/index.ts';
import type { TurnScheduler } from '../../../platform/fairness/index.ts';
import { deleteOldVersionsAcrossOrganizations } from './delete-old-versions.ts';
import { setVersion } from './set-version.ts';

const server = await startTestServer();

async function createManual(
  { api }: TestOrganization,
  change: Partial<Schemas['CreateScrapeJobRequest']> = {},
): Promise<number> {
  return (await api.call('createScrapeJob', { body: { name: 'by hand', parser_type: 'manual', ...change } }))
    .id;
}

async function setVersions(
  { api }: TestOrganization,
  id: number,
  versions: readonly string[],
): Promise<void> {
  for (const version of versions) await api.call('setScrapeJobVersion', { path: { id }, body: { version } });
}

describe('a version that is set manually', () => {
  test.each([
    { configs: 200, turns: 0 },
    { configs: 201, turns: 1 },
  ])(
    'requires $turns evaluation turns if $configs configurations use its scrape job',
    async ({ configs, turns }) => {
      const organization = await server.createOrganization();
      const { scrapeJobId, configId } = await createMonitoredSoftware(server, organization);
      await sql`
      INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal)
      SELECT organization_id, name || ' ' || n, scrape_job_id, gather_organization_id, gather_job_id, rule_id, n - 1
      FROM alert_configs, generate_series(2, ${configs}::integer) AS n WHERE id = ${configId}`.execute(
        server.db,
      );
      const owners: (number | string)[] = [];
      const evaluationTurns: TurnScheduler = {
        begin: () => Promise.reject(new Error('a request runs its work in a turn')),
        run(owner, work) {
          owners.push(owner);
          return work();
        },
      };
      const { db } = server;
      const stored = await setVersion({ db, evaluationTurns }, organization.id, scrapeJobId, '2.0.0');
      expect(stored).toMatchObject({ version: '2.0.0', is_change: true });
      expect(owners).toEqual(Array(turns).fill(organization.id));
      const { rows } = await sql`
      SELECT FROM alert_configs
      WHERE organization_id = ${organization.id} AND requested_seq < 2`.execute(db);
      expect(rows).toHaveLength(0);
    },
  );

  test('is stored after its transform and becomes the latest version of the job', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const id = await createManual(organization, { version_transform: 'strip_v_lower' });
    const version = await api.call('setScrapeJobVersion', { path: { id }, body: { version: ' v1.2.3 ' } });
    expect(version).toMatchObject({
      scrape_job_id: id,
      scrape_job_name: 'by hand',
      version: '1.2.3',
      raw_version: 'v1.2.3',
      version_transform: 'strip_v_lower',
      source: 'manual',
      commit_sha: null,
      is_change: true,
    });
    expect(await api.call('getScrapeJob', { path: { id } })).toMatchObject({
      latest_version: '1.2.3',
      latest_version_at: version.discovered_at,
    });
    expect(
      (await api.call('setScrapeJobVersion', { path: { id }, body: { version: '1.2.3' } })).is_change,
    ).toBe(false);
  });

  test.each([
    ['latest', true],
    ['stable', true],
    ['main', true],
    ['1.2.3', false],
    ['v4', false],
    ['2024-06-01', false],
  ])(
    "%s is stored, with a warning if it can't be compared with releases: %s",
    async (version, hasWarning) => {
      const organization = await server.createOrganization();
      const { api } = organization;
      const id = await createManual(organization);
      const { warning } = await api.call('setScrapeJobVersion', { path: { id }, body: { version } });
      expect(warning).toEqual(hasWarning ? expect.stringContaining(`"${version}" isn't a version`) : null);
      const { items } = await api.call('listScrapeJobVersions', { path: { id }, query: {} });
      expect(items).toMatchObject([{ version, warning }]);
    },
  );

  test.each(['', '   ', 'x'.repeat(257)])('%j is rejected', async (version) => {
    const organization = await server.createOrganization();
    const id = await createManual(organization);
    await expect(
      organization.api.call('setScrapeJobVersion', { path: { id }, body: { version } }),
    ).rejects.toMatchObject({ status: 400 });
  });

  test.each(['1.0\u001b[31m', '1.0\u0085', '1.0\u061c', '1.0\u200e', '1.0\u202e', '1.0\u2069'])(
    '%j is rejected because of its characters',
    async (version) => {
      const organization = await server.createOrganization();
      const id = await createManual(organization);
      await expect(
        organization.api.call('setScrapeJobVersion', { path: { id }, body: { version } }),
      ).rejects.toMatchObject({
        status: 400,
        errors: [
          {
            field: 'version',
            message: expect.stringMatching(/^not a version \(invalid characters\): "1\.0\\u[^\p{C}]+"$/u),
          },
        ],
      });
    },
  );

  test('is marked as a change only if it differs from the previous one, even with many simultaneous requests', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const id = await createManual(organization);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        api.call('setScrapeJobVersion', { path: { id }, body: { version: `1.${n % 3}.0` } }),
      ),
    );
    const { items } = await api.call('listScrapeJobVersions', { path: { id }, query: { limit: 50 } });
    const inOrder = items.toReversed();
    expect(inOrder).toHaveLength(20);
    for (const [index, item] of inOrder.entries()) {
      const before = inOrder[index - 1]?.version;
      expect(item.is_change).toBe(item.version !== before);
      expect(item.previous_version).toBe(item.is_change ? (before ?? null) : null);
    }
    expect((await api.call('getScrapeJob', { path: { id } })).latest_version).toBe(items[0]!.version);
  });

  test('returns the version before the change, and no version if nothing changed', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const id = await createManual(organization);
    const set = async (version: string) =>
      (await api.call('setScrapeJobVersion', { path: { id }, body: { version } })).previous_version;
    expect([await set('1.0.0'), await set('1.0.0'), await set('2.0.0'), await set('1.0.0')]).toEqual([
      null,
      null,
      '1.0.0',
      '2.0.0',
    ]);
  });

  test('requires two statements: one for authentication and one for all writes', async () => {
    const organization = await server.createOrganization();
    const id = await createManual(organization);
    const statements = await server.statementsOf(() => setVersions(organization, id, ['1.0.0']));
    // Exclude the statements of the background loops.
    const isOwn = (text: string) =>
      /FROM api_keys|scrape_jobs|versions/.test(text) && !/due_at <= pacekeeper_now\(\)|due_in_ms/.test(text);
    expect(statements.filter(isOwn).map((text) => text.trim().split(' ')[0])).toEqual(['SELECT', 'WITH']);
  });

  test("doesn't read other jobs or their alert configurations", async () => {
    const organization = await server.createOrganization();
    const { api, id: organizationId } = organization;
    const id = await createManual(organization);
    const other = await createManual(organization);
    const gatherJob = await api.call('createGatherJob', {
      body: {
        name: 'web',
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/web',
        is_active: false,
      },
    });
    await sql`
      WITH rule AS (
        INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
        SELECT ${organizationId}, 'r', 'days_behind', 30 FROM generate_series(1, 3000) RETURNING id
      )
      INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, due_at)
      SELECT ${organizationId}, 'c', ${other}, ${organizationId}, ${gatherJob.id}, id, 'infinity' FROM rule`.execute(
      server.db,
    );
    await sql`
      INSERT INTO scrape_jobs (organization_id, name, parser_type)
      SELECT ${organizationId}, 'j', 'manual' FROM generate_series(1, 20)`.execute(server.db);
    await sql`ANALYZE alert_configs, scrape_jobs`.execute(server.db);
    const queries = await server.queriesOf(() => setVersions(organization, id, ['1.0.0']));
    const query = queries.find(({ text }) => text.includes('INSERT INTO versions'))!;
    await transaction(server.db, async (tx) => {
      const before = {
        jobs: await countRowsRead(tx, 'scrape_jobs'),
        configs: await countRowsRead(tx, 'alert_configs'),
      };
      await tx.executeQuery(CompiledQuery.raw(query.text, [...query.parameters]));
      expect((await countRowsRead(tx, 'alert_configs')) - before.configs).toBe(0);
      // The row of the job is read to lock it, to update it, and for the foreign key of its version.
      expect((await countRowsRead(tx, 'scrape_jobs')) - before.jobs).toBeLessThan(10);
    });
  });

  test('waits until its job is unlocked, and is then compared with the latest stored version', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const id = await createManual(organization, { history_limit: 2 });
    await setVersions(organization, id, ['1', '2']);
    let waiting: Promise<Schemas['Version']> | undefined;
    await server.db.transaction().execute(async (tx) => {
      await sql`UPDATE scrape_jobs SET latest_version = '3' WHERE id = ${id}`.execute(tx);
      waiting = api.call('setScrapeJobVersion', { path: { id }, body: { version: '3' } });
      await expect.poll(() => countLockWaits(server.db)).toBe(1);
    });
    expect((await waiting)?.is_change).toBe(false);
    expect((await api.call('listScrapeJobVersions', { path: { id }, query: {} })).total).toBe(3);
  });

  test("is rejected for a job that reads a file, and returns 404 for a job that doesn't exist", async () => {
    const { api } = await server.createOrganization();
    const { id } = await api.call('createScrapeJob', {
      body: {
        name: 'from git',
        parser_type: 'yq',
        repository_url: 'https://git.example.org/a',
        target_file: 'a.yaml',
        parse_expression: '.version',
        is_active: false,
      },
    });
    for (const version of ['1.0.0', '\u0007']) {
      const set = (of: number) => api.call('setScrapeJobVersion', { path: { id: of }, body: { version } });
      await expect(set(id)).rejects.toMatchObject({ status: 409 });
      await expect(set(id + 1_000)).rejects.toMatchObject({ status: 404 });
    }
    expect((await api.call('listScrapeJobVersions', { path: { id }, query: {} })).total).toBe(0);
  });

  test("is rejected if the job's transform leaves no text", async () => {
    const organization = await server.createOrganization();
    const id = await createManual(organization, { version_transform: 'strip_v_lower' });
    const set = organization.api.call('setScrapeJobVersion', { path: { id }, body: { version: 'v' } });
    await expect(set).rejects.toMatchObject({ status: 400 });
  });
});

describe('the version history', () => {
  async function historyOf({ api }: TestOrganization, id: number): Promise<string[]> {
    const { items } = await api.call('listScrapeJobVersions', { path: { id }, query: {} });
    return items.map((item) => `${item.version}${item.is_change ? '*' : ''}`);
  }

  test('loses the oldest unchanged snapshots beyond its limit, but no changes', async () => {
    const organization = await server.createOrganization();
    const id = await createManual(organization, { history_limit: 2 });
    await setVersions(organization, id, ['1', '1', '1', '2', '2']);
    expect(await historyOf(organization, id)).toEqual(['2', '2*', '1', '1*']);
    await setVersions(organization, id, ['3', '4', '4', '4']);
    expect(await historyOf(organization, id)).toEqual(['4', '4', '4*', '3*', '2*', '1*']);
  });

  test('stays within its limit when a version is set many times at the same time', async () => {
    const organization = await server.createOrganization();
    const id = await createManual(organization, { history_limit: 3 });
    const set = () => organization.api.call('setScrapeJobVersion', { path: { id }, body: { version: '1' } });
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 20 }, set));
    await set();
    expect(await historyOf(organization, id)).toEqual(['1', '1', '1', '1*']);
  });

  test('contains the newest version if its limit is one', async () => {
    const organization = await server.createOrganization();
    const id = await createManual(organization, { history_limit: 1 });
    await setVersions(organization, id, ['1', '1', '2', '2', '2']);
    expect(await historyOf(organization, id)).toEqual(['2', '2*', '1*']);
  });

  test('keeps changes for the period in the setting after the next change, and always keeps the current version', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const [changing, constant] = [await createManual(organization), await createManual(organization)];
    await setVersions(organization, changing, ['1', '2', '3']);
    await setVersions(organization, constant, ['7', '7']);
    const days = { 1: 40, 2: 30, 3: 5, 7: 50 };
    for (const [version, age] of Object.entries(days))
      await sql`UPDATE versions SET created_at = created_at - ${age}::integer * interval '1 day'
        WHERE organization_id = ${organization.id} AND version = ${version}`.execute(server.db);
    await api.call('putOrgOverride', { path: { key: 'retention.versions_days' }, body: { value: 20 } });
    await transaction(server.db, (tx) => deleteOldVersionsAcrossOrganizations(tx, 1_000));
    expect(await historyOf(organization, changing)).toEqual(['3*', '2*']);
    expect(await historyOf(organization, constant)).toEqual(['7', '7*']);
  });

  test('can be filtered by job, change, and time, and contains only versions of its organization', async () => {
    const [own, other] = [await server.createOrganization(), await server.createOrganization()];
    const [first, second] = [await createManual(own), await createManual(own)];
    await setVersions(own, first, ['1', '1']);
    await setVersions(own, second, ['7']);
    const versions = async (query: object) =>
      (await own.api.call('listVersions', { query })).items.map((item) => item.version);
    expect(await versions({})).toEqual(['7', '1', '1']);
    expect(await versions({ scrape_job_id: first })).toEqual(['1', '1']);
    expect(await versions({ changes_only: true })).toEqual(['7', '1']);
    expect(await versions({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
    expect((await other.api.call('listVersions', { query: { scrape_job_id: first } })).total).toBe(0);
    await expect(
      other.api.call('listScrapeJobVersions', { path: { id: first }, query: {} }),
    ).rejects.toMatchObject({ status: 404 });
  });
});
