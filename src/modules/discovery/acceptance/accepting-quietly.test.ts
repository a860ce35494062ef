import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type ItemSeed, insertItems } from '../../../../tests/helpers/discovery-fixture.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const server = await sharedTestServer();
const { db } = server;

async function found(items: readonly ItemSeed[], job: Partial<Schemas['CreateDiscoveryJobRequest']> = {}) {
  const { api, owner, id: organizationId } = await server.createOrganization();
  const { id: jobId } = await api.call('createDiscoveryJob', {
    body: {
      name: 'Deployments',
      repository_url: 'https://git.example.org/acme/deploy',
      is_active: false,
      ...job,
    },
  });
  const { id: ruleId } = await api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { moderate: 1, high: 2, critical: 3 } },
  });
  const ids = await insertItems(db, organizationId, jobId, items);
  return {
    api,
    owner,
    organizationId,
    jobId,
    ruleId,
    ids,
    accept: (body: Schemas['AcceptDiscoveredItemsRequest']) => api.call('acceptDiscoveredItems', { body }),
    /** Creates a gather job of the image of all items, with these releases. */
    async createSource(versions: readonly string[]): Promise<void> {
      const { id } = await api.call('createGatherJob', {
        body: {
          name: 'web',
          source_type: 'oci_registry',
          artifact_name: 'ghcr.io/acme/web',
          is_active: true,
        },
      });
      await sql`
        INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, is_prerelease)
        SELECT ${organizationId}, ${id}, tag, tag, pacekeeper_now() - interval '400 days', false
        FROM unnest(${[...versions]}::text[]) AS tag`.execute(db);
      await sql`UPDATE gather_jobs SET releases_revision = releases_revision + 1 WHERE id = ${id}`.execute(
        db,
      );
    },
  };
}

const workflow: ItemSeed = {
  key: 'github_actions:ci',
  path: '.github/workflows/ci.yaml',
  extractor: 'github_actions',
};
const dockerfile: ItemSeed = { key: 'dockerfile:FROM', path: 'Dockerfile', extractor: 'dockerfile' };

describe('accepting by a filter', () => {
  test('selects deployed software, and counts the other items', async () => {
    const { api, ids, accept } = await found([{}, workflow, dockerfile]);
    const { items } = await api.call('listDiscoveredItems', { query: { sort: 'first_seen_at' } });
    expect(items.map(({ role }) => role)).toEqual(['deployed', 'ci', 'build']);
    const outcome = await accept({ filter: {}, rule_id: null });
    expect(outcome.items.map(({ item_id }) => item_id)).toEqual([ids[0]]);
    expect(outcome.other_role_count).toBe(2);
    const rest = await accept({ filter: { roles: ['ci'] }, rule_id: null });
    expect(rest.items.map(({ item_id }) => item_id)).toEqual([ids[1]]);
    expect(rest.other_role_count).toBe(1);
  });

  test('selects the roles of the job, unless the request contains others', async () => {
    const { ids, accept } = await found([{}, workflow, dockerfile], { accept_roles: ['deployed', 'build'] });
    const idsOf = async (filter: object) =>
      (await accept({ filter, rule_id: null, dry_run: true })).items.map(({ item_id }) => item_id);
    expect(await idsOf({})).toEqual([ids[0], ids[2]]);
    expect(await idsOf({ roles: ['ci'] })).toEqual([ids[1]]);
  });

  test('excludes and counts items that Renovate ignores, whatever their role, but accepts them by their IDs', async () => {
    const renovate_ignore = 'renovate.json: ignorePaths contains dev/';
    const { api, ids, accept } = await found([
      {},
      { key: 'b', renovate_ignore },
      { ...workflow, renovate_ignore },
      dockerfile,
    ]);
    const outcome = await accept({ filter: {}, rule_id: null });
    expect(outcome.items.map(({ item_id }) => item_id)).toEqual([ids[0]]);
    expect(outcome).toMatchObject({ other_role_count: 1, ignored_count: 2, remaining_count: 0 });
    const item = await api.call('getDiscoveredItem', { path: { id: ids[1]! } });
    expect(item).toMatchObject({ status: 'new', reason: null, renovate_ignore });
    expect(await accept({ item_ids: [ids[1]!], rule_id: null })).toMatchObject({
      accepted_count: 1,
      ignored_count: 0,
    });
  });

  test('accepts an item with another role by its ID', async () => {
    const { ids, accept } = await found([workflow]);
    expect(await accept({ item_ids: ids, rule_id: null })).toMatchObject({
      accepted_count: 1,
      other_role_count: 0,
    });
  });

  test.each([
    ['a name that a person set', 'Checkout frontend'],
    ['a label that a person set', 'billing'],
    ['the environment in the displayed name', '(prod)'],
    ['the path', 'clusters/prod'],
    ['the artifact', 'acme/web'],
    ['nothing', 'absent'],
  ])('finds the same items as the list for %s', async (_, q) => {
    const { api, ids, accept } = await found([
      { labels: { environment: 'prod' } },
      { artifact_name: 'ghcr.io/acme/b' },
    ]);
    await api.call('updateDiscoveredItem', {
      path: { id: ids[0]! },
      body: { name: 'Checkout frontend', labels: { environment: 'prod' } },
    });
    await api.call('updateDiscoveredItem', {
      path: { id: ids[1]! },
      body: { labels: { service: 'billing' } },
    });
    const listed = await api.call('listDiscoveredItems', { query: { q } });
    const accepted = await accept({ filter: { q }, rule_id: null, dry_run: true });
    expect(accepted.items.map(({ item_id }) => item_id).toSorted()).toEqual(
      listed.items.map(({ id }) => id).toSorted(),
    );
  });
});

describe('a dry run', () => {
  test('counts the alerts that would open now by severity, and accepting the items opens exactly these alerts', async () => {
    const versions = ['6.0.0', '5.0.0', '4.0.0', '3.0.0', '2.0.0'];
    const world = await found(versions.map((version) => ({ version })));
    await world.createSource(versions);
    const planned = await world.accept({ filter: {}, rule_id: world.ruleId, dry_run: true });
    expect(planned.alerts).toEqual({ moderate: 1, high: 1, critical: 2, unknown: 0 });
    const accepted = await world.accept({ filter: {}, rule_id: world.ruleId });
    expect(accepted.alerts).toBeNull();
    await world.api.call('evaluateRules');
    const { items } = await world.api.call('listAlerts');
    expect(items.map(({ severity }) => severity).toSorted()).toEqual([
      'critical',
      'critical',
      'high',
      'moderate',
    ]);
  });

  test('counts a monitor as unknown if its source has not been read', async () => {
    const world = await found([{}, { artifact_name: 'ghcr.io/acme/b' }]);
    const unread = await world.accept({ filter: {}, rule_id: world.ruleId, dry_run: true });
    expect(unread.alerts).toEqual({ moderate: 0, high: 0, critical: 0, unknown: 2 });
    await world.createSource([]);
    const empty = await world.accept({ filter: {}, rule_id: world.ruleId, dry_run: true });
    expect(empty.alerts).toEqual({ moderate: 0, high: 0, critical: 0, unknown: 2 });
    const none = await world.accept({ filter: {}, rule_id: null, dry_run: true });
    expect(none.alerts).toEqual({ moderate: 0, high: 0, critical: 0, unknown: 0 });
  });

  test('uses the default rule of the job if the request contains none', async () => {
    const world = await found([{ version: '1.0.0' }]);
    await world.createSource(['4.0.0', '1.0.0']);
    const alerts = async () => (await world.accept({ filter: {}, dry_run: true })).alerts;
    expect(await alerts()).toEqual({ moderate: 0, high: 0, critical: 0, unknown: 0 });
    await world.api.call('updateDiscoveryJob', {
      path: { id: world.jobId },
      body: { default_rule_id: world.ruleId },
    });
    expect(await alerts()).toEqual({ moderate: 0, high: 0, critical: 1, unknown: 0 });
  });

  test('counts the alerts of a rule that does not exist yet like those of the stored rule', async () => {
    const versions = ['6.0.0', '5.0.0', '4.0.0', '3.0.0', '2.0.0'];
    const world = await found(versions.map((version) => ({ version })));
    await world.createSource(versions);
    const rule = {
      rule_type: 'majors_behind',
      thresholds: { moderate: 1, high: 2, critical: 3 },
    } as const;
    const plan = (body: Partial<Schemas['AcceptDiscoveredItemsRequest']>) =>
      world.accept({ filter: {}, dry_run: true, ...body });
    const { alerts, typical_messages, created } = await plan({ rule });
    const stored = await plan({ rule_id: world.ruleId });
    expect({ alerts, typical_messages, created }).toEqual({
      alerts: { moderate: 1, high: 1, critical: 2, unknown: 0 },
      typical_messages: stored.typical_messages,
      created: stored.created,
    });
    expect((await world.api.call('listRules')).total).toBe(1);
  });

  test('counts the alerts of items that are already tracked, once a rule monitors them', async () => {
    const world = await found([{ version: '1.0.0' }, { version: '3.0.0' }]);
    await world.createSource(['3.0.0', '2.0.0', '1.0.0']);
    await world.accept({ filter: {}, rule_id: null });
    const rule = { rule_type: 'majors_behind', thresholds: { moderate: 1 } } as const;
    const planned = await world.accept({ item_ids: world.ids, rule, dry_run: true });
    expect(planned).toMatchObject({
      alerts: { moderate: 1, high: 0, critical: 0, unknown: 0 },
      created: { scrape_jobs: 0, gather_jobs: 0, alert_configs: 2 },
    });
  });

  test("is required for a rule that isn't stored, which must be valid and can't be combined with the ID of a stored rule", async () => {
    const { accept, ruleId } = await found([{}]);
    const rule = { rule_type: 'majors_behind', thresholds: { moderate: 1 } } as const;
    const problemOf = (body: Partial<Schemas['AcceptDiscoveredItemsRequest']>) =>
      accept({ filter: {}, rule, ...body }).then(
        () => null,
        (error: { errors: unknown }) => error.errors,
      );
    expect(await problemOf({})).toEqual([{ field: 'rule', message: 'is only allowed in a dry run' }]);
    expect(await problemOf({ dry_run: true, rule_id: ruleId })).toEqual([
      { field: 'rule', message: "can't be combined with rule_id" },
    ]);
    const invalid = { ...rule, thresholds: { moderate: 2, high: 1 } };
    expect(await problemOf({ dry_run: true, rule: invalid })).toEqual([
      { field: expect.stringMatching(/^rule\.thresholds/), message: expect.any(String) },
    ]);
  });

  describe('typical messages', () => {
    /** Accepts two items with version 1.0.0 in a dry run. Their source has these releases. */
    async function simulate(
      releases: readonly { version: string; daysAgo: number | null }[],
      { hasChannel = true } = {},
    ) {
      const world = await found([{ version: '1.0.0' }, { version: '1.0.0' }]);
      if (hasChannel) {
        const channel = await world.api.call('createNotificationChannel', {
          body: { name: 'Operations', url: 'https://hooks.example.org/operations', is_active: true },
        });
        await world.owner.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });
      }
      await world.createSource([]);
      await sql`
        INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, is_prerelease)
        SELECT g.organization_id, g.id, r.version, r.version, pacekeeper_now() - r.days * interval '1 day', false
        FROM gather_jobs g, unnest(${releases.map(({ version }) => version)}::text[],
          ${releases.map(({ daysAgo }) => daysAgo)}::float8[]) AS r (version, days)
        WHERE g.organization_id = ${world.organizationId}`.execute(db);
      return (await world.accept({ filter: {}, rule_id: world.ruleId, dry_run: true })).typical_messages;
    }

    test('cover the last 91 days, and the alerts that one release opens share a message', async () => {
      const releases = [
        { version: '1.0.0', daysAgo: 400 },
        { version: '2.0.0', daysAgo: 60 },
        { version: '3.0.0', daysAgo: 40 },
        { version: '4.0.0', daysAgo: 20 },
      ];
      // One message about both opened alerts, and one about each of the four escalations.
      expect(await simulate(releases)).toEqual({ per_week: 0.4, days: 91, alert_configs: 2 });
      // Before the first channel exists, a channel that receives everything is assumed.
      expect(await simulate(releases, { hasChannel: false })).toEqual({
        per_week: 0.4,
        days: 91,
        alert_configs: 2,
      });
    });

    test('exclude alerts that were open before', async () => {
      const releases = [
        { version: '1.0.0', daysAgo: 400 },
        { version: '2.0.0', daysAgo: 300 },
      ];
      expect(await simulate(releases)).toEqual({ per_week: 0, days: 91, alert_configs: 2 });
    });

    test('are null if the releases have no dates', async () => {
      const releases = [
        { version: '1.0.0', daysAgo: null },
        { version: '2.0.0', daysAgo: null },
      ];
      expect(await simulate(releases)).toBeNull();
      expect(await simulate([])).toBeNull();
    });
  });
});
