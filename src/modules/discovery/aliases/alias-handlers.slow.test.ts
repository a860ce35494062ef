import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertItems } from '../../../../tests/helpers/discovery-fixture.ts';
import { countLockWaits } from '../../../../tests/helpers/lock-waits.ts';
import { addReleases } from '../../../../tests/helpers/monitored.ts';
import { createScanner, deployedImageItem } from '../../../../tests/helpers/scan-by-hand.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';
import { maxAliases } from '../../../domain/identity/artifact-aliases.ts';
import { parserVersion } from '../../../domain/versions/versions.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Tx, transaction } from '../../../platform/database/index.ts';
import { createSilentLog } from '../../../platform/log.ts';
import {
  applyAliasesAcrossOrganizations,
  maxAliasUpdatesInRequest,
  maxAliasUpdatesPerBatch,
} from './apply-alias-changes.ts';

const server = await sharedTestServer();
const { db } = server;
const log = createSilentLog();

const mirror = 'harbor.acme.dev/hub/';
const upstream = 'docker.io/library/redis';
const redisPurl = 'pkg:oci/redis?repository_url=docker.io%2Flibrary%2Fredis';
const mirroredPurl = 'pkg:oci/redis?repository_url=harbor.acme.dev%2Fhub%2Flibrary%2Fredis';

/** Returns an image as reported by an agent, which doesn't know the aliases. */
function mirrored(name: string, address = `${mirror}library/redis`) {
  return {
    ...deployedImageItem(name),
    artifact: {
      kind: 'image' as const,
      name: address,
      purl: `pkg:oci/${address.split('/').at(-1)}?repository_url=${encodeURIComponent(address)}`,
    },
    version: '7.2.4',
    proposal: {
      source_type: 'oci_registry' as const,
      artifact_name: address,
      source_options: {},
      version_pattern: null,
      version_scheme: null,
      confidence: 'certain' as const,
      why: 'the registry of the image',
    },
  };
}

async function start(job: Partial<Schemas['CreateDiscoveryJobRequest']> = {}) {
  const organization = await server.createOrganization();
  const { api } = organization;
  const rule = await api.call('createRule', {
    body: { name: 'Month', rule_type: 'days_behind', thresholds: { moderate: 30 } },
  });
  const { id: jobId } = await api.call('createDiscoveryJob', {
    body: {
      name: 'Deployments',
      repository_url: 'https://git.example.org/acme/deploy',
      accept: 'all',
      default_rule_id: rule.id,
      ...job,
    },
  });
  const scanner = createScanner(api);
  return {
    ...organization,
    jobId,
    scan: (items: Parameters<typeof scanner.scan>[1]) => scanner.scan(jobId, items),
    alias: (body: Partial<Schemas['CreateArtifactAliasRequest']> = {}) =>
      api.call('createArtifactAlias', {
        body: { name: 'Cache', prefix: mirror, upstream_prefix: 'docker.io', ...body },
      }),
    async item(name = 'a') {
      const { items } = await api.call('listDiscoveredItems', { query: { discovery_job_id: jobId } });
      return items.find(({ place }) => place.name === name)!;
    },
    monitors: async () => (await api.call('listAlertConfigs', {})).items,
    gatherJob: (artifact_name: string, values: Partial<Schemas['CreateGatherJobRequest']> = {}) =>
      api.call('createGatherJob', {
        body: {
          name: artifact_name,
          source_type: 'oci_registry',
          artifact_name,
          is_active: false,
          ...values,
        },
      }),
  };
}

describe('a new alias', () => {
  test("sets the upstream of the mirror's items, and updates their monitors without losing history", async () => {
    const world = await start();
    await world.scan([mirrored('a')]);
    const before = await world.item();
    const [monitor] = await world.monitors();
    expect(before).toMatchObject({ artifact: { purl: mirroredPurl }, status: 'accepted' });
    expect(monitor).toMatchObject({ gather_job: { name: `${mirror}library/redis` } });

    await world.alias();
    expect(await world.item()).toMatchObject({
      id: before.id,
      scrape_job_id: before.scrape_job_id,
      status: 'accepted',
      artifact: { purl: redisPurl, name: `${mirror}library/redis` },
      proposal: {
        source_type: 'oci_registry',
        artifact_name: upstream,
        confidence: 'certain',
        why: `the upstream of the mirror ${mirror}library/redis, according to the alias of ${mirror}`,
      },
    });
    const [followed] = await world.monitors();
    expect(followed).toMatchObject({
      id: monitor!.id,
      scrape_job_id: monitor!.scrape_job_id,
      gather_job: { name: upstream },
      edited_fields: [],
    });
  });

  test('applies to later scans, which find the same items', async () => {
    const world = await start();
    await world.scan([mirrored('a')]);
    const before = await world.item();
    await world.alias();
    await world.scan([mirrored('a'), mirrored('b')]);
    expect(await world.item()).toMatchObject({
      id: before.id,
      status: 'accepted',
      artifact: { purl: redisPurl },
    });
    expect(await world.item('b')).toMatchObject({
      artifact: { purl: redisPurl },
      proposal: { artifact_name: upstream },
    });
    expect((await world.api.call('listDiscoveredItems', {})).total).toBe(2);
  });

  test('uses the catalog entry of the upstream, even for items that were found before', async () => {
    const world = await start({ accept: 'ask' });
    const haproxy = (name: string) => ({ ...mirrored(name, `${mirror}library/haproxy`), version: '3.0.1' });
    await world.scan([haproxy('a')]);
    await world.alias();
    await world.scan([haproxy('a'), haproxy('b')]);
    for (const name of ['a', 'b'])
      expect((await world.item(name)).proposal).toMatchObject({
        artifact_name: 'docker.io/library/haproxy',
        why: 'catalog entry HAProxy',
      });
  });

  test('keeps the decision of a person for the artifact', async () => {
    const world = await start({ accept: 'ask' });
    await world.scan([mirrored('a'), mirrored('b')]);
    const chosen = { source_type: 'github_releases', artifact_name: 'github.com/redis/redis' } as const;
    await world.api.call('updateDiscoveredItem', {
      path: { id: (await world.item()).id },
      body: { ...chosen, apply_to: 'artifact' },
    });
    await world.alias();
    for (const name of ['a', 'b'])
      expect(await world.item(name)).toMatchObject({
        artifact: { purl: redisPurl },
        proposal: { ...chosen, is_confirmed: true, confidence: 'certain' },
      });
  });

  test('keeps the upstream of a monitor if a person changed it', async () => {
    const world = await start();
    await world.scan([mirrored('a')]);
    const own = await world.gatherJob('ghcr.io/acme/own');
    const [monitor] = await world.monitors();
    await world.api.call('updateAlertConfig', {
      path: { id: monitor!.id },
      body: { gather_job_id: own.id },
    });
    await world.alias();
    expect(await world.monitors()).toMatchObject([{ id: monitor!.id, gather_job_id: own.id }]);
  });

  test('gives gather jobs of the mirror the identity of the upstream, and keeps their source', async () => {
    const world = await start();
    const derived = await world.gatherJob(`${mirror}library/redis`);
    const set = await world.gatherJob(`${mirror}library/nginx`, { purls: ['pkg:oci/own'] });
    const other = await world.gatherJob('harbor.acme.dev/hubs/redis');
    const read = (id: number) => world.api.call('getGatherJob', { path: { id } });
    await world.alias();
    expect(await read(derived.id)).toMatchObject({
      artifact_name: `${mirror}library/redis`,
      purls: [redisPurl, 'pkg:docker/library/redis'],
      purls_source: 'derived',
    });
    expect(await read(set.id)).toMatchObject({ purls: ['pkg:oci/own'], purls_source: 'set' });
    expect(await read(other.id)).toMatchObject({ purls: other.purls, revision: other.revision });
    const later = await world.gatherJob(`${mirror}library/redis`);
    expect(later.purls).toEqual([redisPurl, 'pkg:docker/library/redis']);
  });

  test.each([
    [
      'helm_repository',
      'charts.acme.dev/jetstack/cert-manager',
      'charts.jetstack.io',
      'charts.acme.dev/jetstack',
      'charts.jetstack.io/cert-manager',
    ],
    [
      'git_tags',
      'https://git.acme.dev/mirrors/acme/app.git',
      'github.com',
      'https://git.acme.dev/mirrors/',
      'github.com/acme/app',
    ],
    [
      'oci_registry',
      'harbor.acme.dev/ghcr/acme/charts/app',
      'ghcr.io',
      'oci://harbor.acme.dev/ghcr',
      'ghcr.io/acme/charts/app',
    ],
  ] as const)(
    'applies to a gather job of type %s',
    async (source_type, artifact_name, upstream_prefix, prefix, original) => {
      const world = await start();
      const job = await world.gatherJob(artifact_name, { source_type });
      await world.alias({ prefix, upstream_prefix });
      const { purls, mirror_of } = await world.api.call('getGatherJob', { path: { id: job.id } });
      expect(job.mirror_of).toBe(null);
      expect(mirror_of).toBe(original);
      expect((await world.gatherJob(artifact_name, { source_type })).mirror_of).toBe(original);
      expect(purls).not.toEqual(job.purls);
      expect(purls[0]).toMatch(/jetstack\.io|pkg:github\/acme\/app|ghcr\.io/);
    },
  );

  test('applies in addition to the mirrors that are known by their addresses', async () => {
    const world = await start();
    expect(await world.gatherJob('mirror.gcr.io/library/redis')).toMatchObject({ mirror_of: upstream });
    expect(await world.gatherJob(upstream)).toMatchObject({ mirror_of: null });
  });

  test('applies to the preview of files', async () => {
    const world = await start();
    await world.alias();
    const preview = await world.api.call('previewDiscovery', {
      body: { files: [{ path: 'Dockerfile', content: `FROM ${mirror}library/redis:7.2.4\n` }] },
    });
    expect(preview.items).toMatchObject([{ proposal: { artifact_name: upstream } }]);
  });

  test('applies only to its organization', async () => {
    const [world, other] = [await start(), await start()];
    await other.alias();
    await world.scan([mirrored('a')]);
    expect((await world.item()).artifact.purl).toBe(mirroredPurl);
  });
});

describe('a changed or deleted alias', () => {
  test('gives items and jobs their former artifact, or the artifact of the new upstream', async () => {
    const world = await start();
    await world.scan([mirrored('a')]);
    const before = await world.item();
    const job = await world.gatherJob(`${mirror}library/redis`);
    const { id } = await world.alias();
    await world.api.call('updateArtifactAlias', { path: { id }, body: { upstream_prefix: 'quay.io/' } });
    expect(await world.item()).toMatchObject({
      id: before.id,
      proposal: { artifact_name: 'quay.io/library/redis' },
    });
    await world.api.call('updateArtifactAlias', { path: { id }, body: { prefix: 'harbor.acme.dev/other/' } });
    expect(await world.item()).toMatchObject({
      id: before.id,
      artifact: before.artifact,
      proposal: before.proposal,
    });
    await world.api.call('updateArtifactAlias', { path: { id }, body: { prefix: mirror } });
    expect((await world.item()).proposal.artifact_name).toBe('quay.io/library/redis');
    await world.api.call('deleteArtifactAlias', { path: { id } });
    expect(await world.item()).toMatchObject({
      id: before.id,
      scrape_job_id: before.scrape_job_id,
      artifact: before.artifact,
      proposal: before.proposal,
    });
    expect(await world.api.call('getGatherJob', { path: { id: job.id } })).toMatchObject({
      purls: job.purls,
    });
    const { rows } = await sql`
      SELECT FROM discovered_items WHERE organization_id = ${world.id} AND mirror IS NOT NULL`.execute(db);
    expect(rows).toEqual([]);
  });

  test('does not change items that a longer prefix still covers', async () => {
    const world = await start();
    await world.alias({ prefix: `${mirror}library`, upstream_prefix: 'docker.io/library' });
    const { id } = await world.alias({ upstream_prefix: 'quay.io' });
    await world.scan([mirrored('a')]);
    await world.api.call('deleteArtifactAlias', { path: { id } });
    expect((await world.item()).proposal.artifact_name).toBe(upstream);
  });
});

describe('a change to an alias with many items', () => {
  const itemCount = 2_300;

  async function startWithItems() {
    const world = await start({ accept: 'ask' });
    await insertItems(
      db,
      world.id,
      world.jobId,
      Array.from({ length: itemCount }, (_item, index) => {
        const { artifact, proposal } = mirrored(`web-${index}`, `${mirror}library/app-${index % 300}`);
        const { confidence: _confidence, ...source } = proposal;
        return { artifact_name: artifact.name, artifact_purl: artifact.purl, proposal: source };
      }),
    );
    const countFollowed = async () => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM discovered_items
        WHERE organization_id = ${world.id} AND mirror IS NOT NULL
          AND proposal ->> 'artifact_name' LIKE 'docker.io/library/%'`.execute(db);
      return rows[0]!.count;
    };
    /** Processes the remaining batches, and returns the number of items that the alias was applied to. */
    const finish = async () => {
      await expect
        .poll(async () => {
          await transaction(db, (tx) => applyAliasesAcrossOrganizations(tx, log));
          const { items } = await world.api.call('listArtifactAliases', {});
          return items.every(({ applying }) => applying === null);
        })
        .toBe(true);
      return countFollowed();
    };
    return { ...world, countFollowed, finish };
  }

  test('changes the first items within the request and the others in batches, and reports the progress', async () => {
    const world = await startWithItems();
    const alias = await world.alias();
    expect(alias.applying).toEqual({ done: maxAliasUpdatesInRequest, total: itemCount });
    expect(await world.countFollowed()).toBeGreaterThanOrEqual(maxAliasUpdatesInRequest);
    expect(await world.finish()).toBe(itemCount);
  });

  test('starts again with the first item if another change follows', async () => {
    const world = await startWithItems();
    const { id } = await world.alias({ upstream_prefix: 'quay.io' });
    await world.api.call('updateArtifactAlias', { path: { id }, body: { upstream_prefix: 'docker.io' } });
    expect(await world.finish()).toBe(itemCount);
    await world.api.call('deleteArtifactAlias', { path: { id } });
    await expect
      .poll(async () => {
        await transaction(db, (tx) => applyAliasesAcrossOrganizations(tx, log));
        return world.countFollowed();
      })
      .toBe(0);
  });

  test('a change that fails does not delay the changes of other organizations', async () => {
    const failing = await startWithItems();
    const setConfidence = (confidence: string) =>
      sql`
        UPDATE discovered_items SET mirror = jsonb_build_object('purl', artifact_purl,
          'proposal', proposal || jsonb_build_object('confidence', ${confidence}::text))
        WHERE id = (SELECT max(id) FROM discovered_items WHERE organization_id = ${failing.id})`.execute(db);
    // No item can have this confidence, so the batch that includes the item fails.
    await setConfidence('invalid');
    const { id } = await failing.alias();
    const other = await startWithItems();
    await other.alias();
    expect(await other.finish()).toBe(itemCount);
    await expect
      .poll(async () => {
        await transaction(db, (tx) => applyAliasesAcrossOrganizations(tx, log));
        const { rows } = await sql<{ attempts: number }>`
            SELECT attempts FROM alias_changes WHERE organization_id = ${failing.id}`.execute(db);
        return rows[0]?.attempts;
      })
      .toBeGreaterThan(0);
    await setConfidence('certain');
    // Another change starts again with the first item.
    await failing.api.call('updateArtifactAlias', { path: { id }, body: { upstream_prefix: 'quay.io' } });
    await failing.api.call('updateArtifactAlias', { path: { id }, body: { upstream_prefix: 'docker.io' } });
    expect(await failing.finish()).toBe(itemCount);
  });
});

describe('a change to an alias with many gather jobs', () => {
  const jobCount = 700;

  async function startWithJobs() {
    const world = await start({ accept: 'ask' });
    const { rows } = await sql<{ id: number }>`
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, version_reading, is_active)
      SELECT ${world.id}, 'app-' || n, 'oci_registry', ${`${mirror}library/app-`} || n, 'auto', ${parserVersion}, false
      FROM generate_series(1, ${jobCount}::integer) AS n
      RETURNING id`.execute(db);
    const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
    const countFollowed = async (original = 'docker.io/library/') => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM gather_jobs
        WHERE organization_id = ${world.id} AND starts_with(mirror_of, ${original})`.execute(db);
      return rows[0]!.count;
    };
    return {
      ...world,
      ids,
      countFollowed,
      read: (index: number) => world.api.call('getGatherJob', { path: { id: ids.at(index)! } }),
      /** Calls `work` while the second batch waits for one of its gather jobs, which the transaction has locked. */
      whilePaused: (work: (tx: Tx) => Promise<void>) =>
        transaction(db, async (tx) => {
          await sql`
            SELECT FROM gather_jobs WHERE organization_id = ${world.id} AND id = ${ids[150]!} FOR UPDATE`.execute(
            tx,
          );
          await work(tx);
        }),
      /** Waits until the server has processed the remaining batches. */
      finish: () =>
        expect
          .poll(async () => {
            const { rows } = await sql`SELECT FROM alias_changes WHERE organization_id = ${world.id}`.execute(
              db,
            );
            return rows.length;
          })
          .toBe(0),
    };
  }

  test('changes the first jobs in the request, without waiting for the others, and the others in batches before the items', async () => {
    const world = await startWithJobs();
    const { artifact, proposal } = mirrored('a');
    const { confidence: _confidence, ...source } = proposal;
    await insertItems(db, world.id, world.jobId, [
      { name: 'a', artifact_name: artifact.name, artifact_purl: artifact.purl, proposal: source },
    ]);
    await addReleases(db, world.id, world.ids.at(-1)!, ['7.2.4', '7.4.0']);
    const applying = { done: maxAliasUpdatesInRequest, total: jobCount + 1 };
    await world.whilePaused(async () => {
      expect(await world.alias()).toMatchObject({ applying });
      expect(await world.countFollowed()).toBe(maxAliasUpdatesInRequest);
      expect((await world.api.call('listArtifactAliases', {})).items).toMatchObject([{ applying }]);
      expect(await world.read(-1)).toMatchObject({ mirror_of: null });
      expect((await world.item()).artifact.purl).toBe(mirroredPurl);
    });
    await world.finish();
    expect(await world.countFollowed()).toBe(jobCount);
    expect((await world.api.call('listArtifactAliases', {})).items).toMatchObject([{ applying: null }]);
    expect((await world.item()).artifact.purl).toBe(redisPurl);
    const { artifact_name, mirror_of, purls } = await world.read(-1);
    expect({ artifact_name, mirror_of }).toEqual({
      artifact_name: `${mirror}library/app-${jobCount}`,
      mirror_of: `docker.io/library/app-${jobCount}`,
    });
    expect(purls).toContain(`pkg:oci/app-${jobCount}?repository_url=docker.io%2Flibrary%2Fapp-${jobCount}`);
    const releases = await world.api.call('listReleases', { query: { gather_job_id: world.ids.at(-1)! } });
    expect(releases.items.map(({ version }) => version).toSorted()).toEqual(['7.2.4', '7.4.0']);
  });

  test('changes a limited number of jobs in each transaction, and no jobs of other organizations', async () => {
    const [world, other] = [await startWithJobs(), await startWithJobs()];
    const changesOf = async ({ id }: { id: number }) => {
      const { rows } = await sql<{ count: number }>`
        SELECT xmin::text AS version, count(*) AS count FROM gather_jobs
        WHERE organization_id = ${id} GROUP BY xmin::text`.execute(db);
      return rows;
    };
    const before = await changesOf(other);
    await world.alias();
    await world.finish();
    expect(await world.countFollowed()).toBe(jobCount);
    const counts = (await changesOf(world)).map(({ count }) => count);
    expect(counts.toSorted((a, b) => a - b)).toEqual([
      maxAliasUpdatesInRequest,
      (jobCount - maxAliasUpdatesInRequest) % maxAliasUpdatesPerBatch,
      maxAliasUpdatesPerBatch,
      maxAliasUpdatesPerBatch,
    ]);
    expect(await changesOf(other)).toEqual(before);
    expect(await other.countFollowed()).toBe(0);
  });

  test('starts again with the first job if another change follows while a batch is in progress', async () => {
    const world = await startWithJobs();
    await world.whilePaused(async () => {
      const { id } = await world.alias({ upstream_prefix: 'quay.io' });
      await expect.poll(() => countLockWaits(db)).toBe(1);
      expect(
        await world.api.call('updateArtifactAlias', { path: { id }, body: { upstream_prefix: 'docker.io' } }),
      ).toMatchObject({ applying: { done: 0, total: jobCount } });
      expect(await world.countFollowed('quay.io/library/')).toBe(maxAliasUpdatesInRequest);
    });
    await world.finish();
    expect(await world.countFollowed()).toBe(jobCount);
  });

  test('leaves no gather jobs marked as mirrors if the alias is deleted while a batch is in progress', async () => {
    const world = await startWithJobs();
    const before = await world.gatherJob(`${mirror}library/own`);
    await world.whilePaused(async () => {
      const { id } = await world.alias();
      await expect.poll(() => countLockWaits(db)).toBe(1);
      await world.api.call('deleteArtifactAlias', { path: { id } });
    });
    await world.finish();
    expect(await world.countFollowed('')).toBe(0);
    const { purls } = await world.api.call('getGatherJob', { path: { id: before.id } });
    expect(purls).toEqual(before.purls);
  });

  test('keeps edits that people make in the meantime, even if a batch waits for an edit', async () => {
    const world = await startWithJobs();
    const purls = ['pkg:oci/own'];
    await world.whilePaused(async (tx) => {
      await world.alias();
      await expect.poll(() => countLockWaits(db)).toBe(1);
      await sql`
        UPDATE gather_jobs SET purls = ${purls}, purls_source = 'set'
        WHERE organization_id = ${world.id} AND id = ${world.ids[150]!}`.execute(tx);
      const edit = (index: number, body: Schemas['UpdateGatherJobRequest']) =>
        world.api.call('updateGatherJob', { path: { id: world.ids[index]! }, body });
      await edit(600, { purls });
      await edit(601, { artifact_name: 'ghcr.io/acme/own' });
    });
    await world.finish();
    for (const index of [150, 600])
      expect(await world.read(index)).toMatchObject({
        purls,
        purls_source: 'set',
        mirror_of: `docker.io/library/app-${index + 1}`,
      });
    expect(await world.read(601)).toMatchObject({ artifact_name: 'ghcr.io/acme/own', mirror_of: null });
    expect(await world.countFollowed()).toBe(jobCount - 1);
  });

  test('repeats a batch whose transaction was lost', async () => {
    const world = await startWithJobs();
    await world.alias();
    const lost = transaction(db, async (tx) => {
      await applyAliasesAcrossOrganizations(tx, log);
      throw new Error('lost');
    });
    await expect(lost).rejects.toThrow('lost');
    await world.finish();
    expect(await world.countFollowed()).toBe(jobCount);
  });
});

describe('an alias of a mirror that is read', () => {
  test('gives accepted items a second gather job for the mirror, which their monitors show', async () => {
    const world = await start({
      source_credentials: [{ host: 'harbor.acme.dev', credential_name: 'harbor' }],
    });
    const { id } = await world.alias({ reads_mirror: true });
    await world.scan([mirrored('a'), mirrored('b')]);
    const jobs = (await world.api.call('listGatherJobs', { query: { scope: 'organization' } })).items;
    expect(jobs.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { artifact_name: upstream, mirror_of: null, credential_name: null },
      {
        artifact_name: `${mirror}library/redis`,
        mirror_of: upstream,
        credential_name: 'harbor',
        managed_by: { id: world.jobId },
      },
    ]);
    const [original, copy] = jobs.toSorted((a, b) => a.id - b.id);
    for (const [job, versions] of [
      [original!, ['7.2.4', '7.4.0']],
      [copy!, ['7.2.4']],
    ] as const) {
      await addReleases(db, world.id, job.id, versions);
      await sql`UPDATE gather_jobs SET last_success_at = pacekeeper_now() WHERE id = ${job.id}`.execute(db);
    }
    await world.api.call('evaluateRules');
    const monitors = await world.monitors();
    expect(monitors).toHaveLength(2);
    for (const monitor of monitors)
      expect(monitor).toMatchObject({
        gather_job: { name: upstream },
        latest_version: '7.4.0',
        mirror: { gather_job_id: copy!.id, version: '7.2.4' },
      });
    // After the alias stops reading the mirror, a person decides what happens to the gather job.
    await world.api.call('updateArtifactAlias', { path: { id }, body: { reads_mirror: false } });
    await world.scan([mirrored('a'), mirrored('b'), mirrored('c')]);
    expect((await world.api.call('listGatherJobs', { query: { scope: 'organization' } })).total).toBe(2);
  });

  test('adds the second gather job to items that were accepted before, and not again if someone deletes it', async () => {
    const world = await start();
    await world.scan([mirrored('a')]);
    const { id } = await world.alias();
    const copies = async () => {
      const { items } = await world.api.call('listGatherJobs', { query: { scope: 'organization' } });
      return items.filter(({ mirror_of }) => mirror_of === upstream);
    };
    const [former] = await copies();
    await world.api.call('deleteGatherJob', { path: { id: former!.id } });
    expect(await copies()).toEqual([]);
    const [monitor] = await world.monitors();
    await world.api.call('updateArtifactAlias', { path: { id }, body: { reads_mirror: true } });
    const [copy] = await copies();
    expect(copy).toMatchObject({ artifact_name: `${mirror}library/redis` });
    expect(await world.monitors()).toMatchObject([{ id: monitor!.id, gather_job: { name: upstream } }]);
    await world.api.call('deleteGatherJob', { path: { id: copy!.id } });
    await world.scan([mirrored('a')]);
    await world.api.call('updateArtifactAlias', { path: { id }, body: { name: 'Harbor' } });
    expect(await copies()).toEqual([]);
  });

  test('uses a gather job of the organization that already reads the mirror, and returns it when items are accepted', async () => {
    const world = await start({ accept: 'ask' });
    const copy = await world.gatherJob(`${mirror}library/redis`, { is_active: true });
    await world.alias({ reads_mirror: true });
    await world.scan([mirrored('a')]);
    const { id } = await world.item();
    const accept = (dry_run: boolean) =>
      world.api.call('acceptDiscoveredItems', { body: { item_ids: [id], rule_id: null, dry_run } });
    for (const isDryRun of [true, false])
      expect(await accept(isDryRun)).toMatchObject({
        items: [
          {
            gather_job: { name: upstream, is_new: true },
            mirror_gather_job: { id: copy.id, name: copy.name, is_new: false },
          },
        ],
        created: { gather_jobs: 1 },
      });
  });

  test("doesn't add a second gather job to an item whose upstream a person chose", async () => {
    const world = await start({ accept: 'ask' });
    await world.alias({ reads_mirror: true });
    await world.scan([mirrored('a')]);
    const { id } = await world.item();
    await world.api.call('updateDiscoveredItem', {
      path: { id },
      body: { source_type: 'github_releases', artifact_name: 'github.com/redis/redis', apply_to: 'item' },
    });
    expect(
      await world.api.call('acceptDiscoveredItems', { body: { item_ids: [id], rule_id: null } }),
    ).toMatchObject({ items: [{ mirror_gather_job: null }], created: { gather_jobs: 1 } });
  });
});

describe('an alias', () => {
  test('is stored in a normalized spelling, and no other alias can have its prefix', async () => {
    const world = await start();
    expect(await world.alias({ prefix: 'https://Harbor.acme.dev/hub' })).toMatchObject({
      prefix: mirror,
      upstream_prefix: 'docker.io/',
    });
    await expect(world.alias({ prefix: 'harbor.acme.dev/Hub/', name: 'Other' })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('The alias "Cache" already has the prefix'),
    });
    const other = await world.alias({ prefix: 'harbor.acme.dev/quay/', name: 'Other' });
    await expect(
      world.api.call('updateArtifactAlias', {
        path: { id: other.id },
        body: { prefix: 'harbor.acme.dev/HUB' },
      }),
    ).rejects.toMatchObject({ status: 409 });
  });

  test.each([
    [{ prefix: 'hub' }, 'prefix'],
    [{ upstream_prefix: 'docker' }, 'upstream_prefix'],
    [{ upstream_prefix: `${mirror}library` }, 'upstream_prefix'],
  ])('with %j is rejected with the name of the invalid field', async (body, field) => {
    const world = await start();
    await expect(world.alias(body)).rejects.toMatchObject({ status: 400, errors: [{ field }] });
  });

  test('is rejected if the organization already has the maximum number of aliases', async () => {
    const world = await start();
    await sql`
      INSERT INTO artifact_aliases (organization_id, name, prefix, upstream_prefix)
      SELECT ${world.id}, 'x', 'harbor' || n || '.acme.dev/', 'docker.io/'
      FROM generate_series(1, ${maxAliases}::integer) AS n`.execute(db);
    await expect(world.alias()).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(`An organization can have ${maxAliases} artifact aliases.`),
    });
  });
});

describe('suggested aliases', () => {
  const images = (paths: readonly string[]) =>
    paths.map((path, index) => mirrored(`item-${index}`, `${mirror}${path}`));
  const suggestions = (world: Awaited<ReturnType<typeof start>>) =>
    world.api.call('listArtifactAliasSuggestions', {});

  test('come from scanned items and the catalog, and disappear once the alias exists', async () => {
    const world = await start({ accept: 'ask' });
    expect(await suggestions(world)).toEqual({ items: [], is_complete: true });
    await world.scan(images(['library/redis', 'library/postgres', 'library/nginx', 'team/own']));
    expect(await suggestions(world)).toMatchObject({
      items: [{ prefix: mirror, upstream_prefix: 'docker.io/', known_count: 3, artifact_count: 4 }],
      is_complete: true,
    });
    const { items } = await suggestions(world);
    const { prefix, upstream_prefix } = items[0]!;
    await world.alias({ prefix, upstream_prefix });
    expect(await suggestions(world)).toEqual({ items: [], is_complete: true });
  });

  test('come from gather jobs, and include only upstreams that a run has read', async () => {
    const world = await start();
    const paths = ['a/one', 'b/two', 'c/three'];
    for (const path of paths) await world.gatherJob(`${mirror}${path}`);
    for (const path of paths) await world.gatherJob(`registry.acme.io/${path}`);
    expect((await suggestions(world)).items).toEqual([]);
    await sql`
      UPDATE gather_jobs SET last_success_at = pacekeeper_now()
      WHERE organization_id = ${world.id} AND artifact_name LIKE 'registry.acme.io/%'`.execute(db);
    expect((await suggestions(world)).items).toMatchObject([
      { prefix: mirror, upstream_prefix: 'registry.acme.io/' },
    ]);
  });

  test('contain nothing from other organizations', async () => {
    const [world, other] = [await start({ accept: 'ask' }), await start()];
    await world.scan(images(['library/redis', 'library/postgres', 'library/nginx']));
    expect((await suggestions(other)).items).toEqual([]);
  });
});

describe('an apply that changes aliases', () => {
  type World = Awaited<ReturnType<typeof start>>;
  type Configuration = Schemas['ConfigurationDocument'];
  const artifact_aliases = [{ name: 'Cache', prefix: mirror, upstream_prefix: 'docker.io' }];
  const artifact_name = `${mirror}library/redis`;
  const gatherJob = { name: 'Redis', source_type: 'oci_registry' as const, artifact_name };

  /** Applies a configuration that waits for `lock`, and calls `check` in the transaction that holds this lock. */
  async function applyDuring(
    { api }: World,
    body: Configuration,
    lock: (tx: Tx) => Promise<unknown>,
    check: (tx: Tx) => Promise<unknown>,
  ): Promise<Schemas['ConfigurationApply']> {
    const { fingerprint } = await api.call('planConfiguration', { body });
    const { id } = await transaction(db, async (tx) => {
      await lock(tx);
      const apply = await api.call('applyConfiguration', { query: { fingerprint }, body });
      await expect
        .poll(async () => {
          const { rows } = await sql`
            SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))`.execute(tx);
          return rows.length;
        })
        .toBe(1);
      await check(tx);
      return apply;
    });
    const read = () => api.call('getConfigurationApply', { path: { id } });
    await expect.poll(async () => (await read()).status).not.toBe('in_progress');
    return read();
  }

  test('waits for the jobs that use aliases before it locks anything else, even the aliases', async () => {
    const world = await start();
    const rules = [{ name: 'Month', rule_type: 'days_behind' as const, thresholds: { moderate: 60 } }];
    const apply = await applyDuring(
      world,
      { rules, gather_jobs: [{ ...gatherJob, is_active: false }], artifact_aliases },
      (tx) => sql`SELECT FROM discovery_jobs WHERE id = ${world.jobId} FOR NO KEY UPDATE`.execute(tx),
      async (tx) => {
        const { rows: free } = await sql`
          SELECT name, pg_try_advisory_xact_lock(hashtext('pacekeeper aliases'), organization_id::integer) AS is_free
          FROM rules WHERE organization_id = ${world.id} AND name = 'Month' FOR UPDATE SKIP LOCKED`.execute(
          tx,
        );
        expect(free).toEqual([{ name: 'Month', is_free: true }]);
      },
    );
    expect(apply).toMatchObject({ status: 'succeeded', steps_total: 3, error: null });
    const [job] = (await world.api.call('listGatherJobs', {})).items;
    expect(job).toMatchObject({ name: 'Redis', purls: [redisPurl, 'pkg:docker/library/redis'] });
  });

  test('locks the first gather jobs below each prefix, and no others, before it waits for discovery jobs', async () => {
    const world = await start();
    await world.gatherJob(artifact_name);
    await world.gatherJob('quay.acme.dev/acme/app');
    const own = await world.gatherJob('ghcr.io/acme/own');
    const quay = { name: 'Quay', prefix: 'quay.acme.dev', upstream_prefix: 'quay.io' };
    const apply = await applyDuring(
      world,
      { artifact_aliases: [...artifact_aliases, quay] },
      (tx) => sql`SELECT FROM discovery_jobs WHERE id = ${world.jobId} FOR NO KEY UPDATE`.execute(tx),
      async (tx) => {
        const { rows: free } = await sql`
          SELECT id FROM gather_jobs WHERE organization_id = ${world.id} FOR NO KEY UPDATE SKIP LOCKED`.execute(
          tx,
        );
        expect(free).toEqual([{ id: own.id }]);
      },
    );
    expect(apply).toMatchObject({ status: 'succeeded', error: null });
    const { items } = await world.api.call('listGatherJobs', { query: { sort: 'created_at' } });
    expect(items.map(({ mirror_of }) => mirror_of)).toEqual([upstream, 'quay.io/acme/app', null]);
  });

  test('waits for the open runs of the jobs that it changes before it locks these jobs', async () => {
    const world = await start();
    const { id } = await world.gatherJob(artifact_name, { name: 'Redis', is_active: true });
    const apply = await applyDuring(
      world,
      { gather_jobs: [{ ...gatherJob, max_releases: 50 }], artifact_aliases },
      (tx) => sql`SELECT FROM runs WHERE gather_job_id = ${id} FOR UPDATE`.execute(tx),
      async (tx) => {
        const { rows } = await sql`SELECT FROM gather_jobs WHERE id = ${id} FOR UPDATE SKIP LOCKED`.execute(
          tx,
        );
        expect(rows).toHaveLength(1);
      },
    );
    expect(apply).toMatchObject({ status: 'succeeded', error: null });
    expect(await world.api.call('getGatherJob', { path: { id } })).toMatchObject({
      max_releases: 50,
      purls: [redisPurl, 'pkg:docker/library/redis'],
    });
  });
});
