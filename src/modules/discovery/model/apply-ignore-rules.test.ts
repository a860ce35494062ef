import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createScanner, deployedImageItem } from '../../../../tests/helpers/scan-by-hand.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';
import type { IgnoreRule } from '../../../domain/discovery/ignore-rules.ts';
import { transaction } from '../../../platform/database/index.ts';
import { lockLinkedItems } from '../live/live-versions.ts';

const server = await sharedTestServer();

async function start(ignore_rules: IgnoreRule[] = [], accept: 'all' | 'ask' = 'ask') {
  const { api, id: organizationId } = await server.createOrganization();
  const create = async (name: string, rules: IgnoreRule[]) =>
    (
      await api.call('createDiscoveryJob', {
        body: { name, repository_url: 'https://git.example.org/acme/deploy', ignore_rules: rules, accept },
      })
    ).id;
  const jobId = await create('Deployments', ignore_rules);
  const scanner = createScanner(api);
  return {
    api,
    organizationId,
    create,
    scanner,
    jobId,
    scan: (...names: string[]) =>
      scanner.scan(
        jobId,
        names.map((name) => deployedImageItem(name)),
      ),
    scanUnchanged: () => scanner.scanUnchanged(jobId),
    setRules: (rules: IgnoreRule[]) =>
      api.call('updateDiscoveryJob', { path: { id: jobId }, body: { ignore_rules: rules } }),
    async item(name: string, discovery_job_id = jobId) {
      const { items } = await api.call('listDiscoveredItems', { query: { discovery_job_id } });
      return items.find(({ place }) => place.name === name)!;
    },
  };
}

const [a, b] = [deployedImageItem('a'), deployedImageItem('b')];
const ruleOf = ({ key, artifact }: typeof a): IgnoreRule => ({
  artifact: artifact.purl ?? `${artifact.kind}:${artifact.name}`,
  key,
});
const kept = { status: 'new', ignored_by: null, restored_at: null };
const duplicate = { status: 'ignored', ignored_by: 'duplicate' };
const ignoredByRule = { status: 'ignored', ignored_by: 'rule' };

describe('an ignore rule of a discovery job', () => {
  test('ignores items that the first scan finds, before they are accepted automatically', async () => {
    const world = await start([{ ...ruleOf(a), reason: 'Only in tests' }], 'all');
    await world.scan('a', 'b');
    expect(await world.item('a')).toMatchObject({
      ...ignoredByRule,
      ignore_reason: 'Only in tests',
      scrape_job_id: null,
    });
    expect(await world.item('b')).toMatchObject({
      status: 'accepted',
      ignored_by: null,
      ignore_reason: null,
    });
    expect((await world.api.call('listScrapeJobs')).total).toBe(1);
  });

  test('applies to known items when it changes, and to the items of an unchanged repository', async () => {
    const world = await start();
    await world.scan('a', 'b');
    await world.setRules([{ path: a.place.file, reason: 'Old' }]);
    expect(await world.item('a')).toMatchObject({ ...ignoredByRule, ignore_reason: 'Old' });
    await world.setRules([{ path: a.place.file, reason: 'New' }]);
    expect(await world.item('a')).toMatchObject({ ...ignoredByRule, ignore_reason: 'New' });
    await world.scanUnchanged();
    expect(await world.item('a')).toMatchObject({ ...ignoredByRule, ignore_reason: 'New' });
    await world.setRules([]);
    expect(await world.item('a')).toMatchObject({ status: 'new', ignored_by: null, restored_at: null });
    expect(
      (await world.api.call('getDiscoveryJob', { path: { id: world.jobId } })).item_counts,
    ).toMatchObject({
      new: 2,
      ignored: 0,
    });
  });

  test('locks the organization before the items when it changes, in the same order as scans', async () => {
    const world = await start();
    await world.scan('a');
    const { id } = await world.item('a');
    const updated = await transaction(server.db, async (tx) => {
      await sql`SET LOCAL lock_timeout = '5s'`.execute(tx);
      await lockLinkedItems(tx, world.organizationId);
      const update = world.setRules([ruleOf(a)]);
      await expect
        .poll(async () => {
          const { rows } = await sql`
            SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))`.execute(tx);
          return rows.length;
        })
        .toBe(1);
      const { rows } = await sql`
        SELECT FROM discovered_items WHERE id = ${id} FOR UPDATE SKIP LOCKED`.execute(tx);
      expect(rows).toHaveLength(1);
      return [update];
    });
    await Promise.all(updated);
    expect(await world.item('a')).toMatchObject(ignoredByRule);
  });

  test('never ignores what a person restored', async () => {
    const world = await start([ruleOf(a)]);
    await world.scan('a');
    const { id } = await world.item('a');
    await world.api.call('restoreDiscoveredItems', { body: { item_ids: [id] } });
    await world.scan('a', 'b');
    await world.setRules([{ path: '**' }]);
    expect(await world.item('a')).toMatchObject({ status: 'new', restored_at: expect.any(String) });
    expect(await world.item('b')).toMatchObject(ignoredByRule);
  });

  test('never restores what a person ignored, even if a rule had ignored it before', async () => {
    const world = await start([ruleOf(a)]);
    await world.scan('a', 'b');
    const [first, second] = [await world.item('a'), await world.item('b')];
    const ignore = (reason: string) =>
      world.api.call('ignoreDiscoveredItems', { body: { item_ids: [first.id, second.id], reason } });
    expect(await ignore('Mine')).toMatchObject({ ignored: [first.id, second.id], already_ignored: [] });
    expect(await ignore('Later')).toMatchObject({ ignored: [], already_ignored: [first.id, second.id] });
    await world.setRules([{ ...ruleOf(b), is_ignored: false }]);
    for (const name of ['a', 'b'])
      expect(await world.item(name)).toMatchObject({
        status: 'ignored',
        ignored_by: 'person',
        ignore_reason: 'Mine',
      });
  });

  test('never ignores what someone accepted', async () => {
    const world = await start();
    await world.scan('a');
    const { id } = await world.item('a');
    await world.api.call('acceptDiscoveredItems', { body: { item_ids: [id] } });
    await world.setRules([ruleOf(a)]);
    await world.scan('a');
    expect(await world.item('a')).toMatchObject({ status: 'accepted', ignored_by: null });
  });

  test('with `is_ignored: false` keeps an item that is a duplicate of an item of another job', async () => {
    const world = await start();
    const second = await world.create('Second', [{ ...ruleOf(a), is_ignored: false }]);
    await world.scan('a', 'b');
    await world.scanner.scan(second, [a, b]);
    expect(await world.item('a', second)).toMatchObject({
      ...kept,
      duplicate_of_id: (await world.item('a')).id,
    });
    expect(await world.item('b', second)).toMatchObject(duplicate);
  });

  test('with `is_ignored: false` keeps a duplicate, also in unchanged scans, until the rule is removed', async () => {
    const world = await start();
    const keep = { ...ruleOf(a), is_ignored: false };
    const second = await world.create('Second', [keep]);
    await world.scan('a');
    await world.scanner.scan(second, [a]);
    const setRules = (ignore_rules: IgnoreRule[]) =>
      world.api.call('updateDiscoveryJob', { path: { id: second }, body: { ignore_rules } });
    const { updated_at } = await world.item('a', second);
    await world.scanner.scan(second, [a]);
    expect(await world.item('a', second)).toMatchObject({ ...kept, updated_at });
    await setRules([]);
    expect(await world.item('a', second)).toMatchObject(duplicate);
    await setRules([ruleOf(a), keep]);
    expect(await world.item('a', second)).toMatchObject(kept);
    await setRules([keep, ruleOf(a)]);
    expect(await world.item('a', second)).toMatchObject(duplicate);
  });

  test('with `is_ignored: false` keeps a duplicate whose original is deleted, even if the rule is then removed', async () => {
    const world = await start();
    const second = await world.create('Second', [{ ...ruleOf(a), is_ignored: false }]);
    await world.scan('a');
    await world.scanner.scan(second, [a]);
    await world.api.call('deleteDiscoveryJob', { path: { id: world.jobId }, query: { cascade: true } });
    expect(await world.item('a', second)).toMatchObject({ ...kept, duplicate_of_id: null });
    await world.api.call('updateDiscoveryJob', { path: { id: second }, body: { ignore_rules: [] } });
    expect(await world.item('a', second)).toMatchObject({ ...kept, duplicate_of_id: null });
  });

  test('changes no duplicate about which a person decided', async () => {
    const world = await start();
    const keep = { path: '**', is_ignored: false };
    const second = await world.create('Second', []);
    await world.scan('a', 'b');
    await world.scanner.scan(second, [a, b]);
    const [restored, ignored] = [await world.item('a', second), await world.item('b', second)];
    await world.api.call('restoreDiscoveredItems', { body: { item_ids: [restored.id] } });
    await world.api.call('ignoreDiscoveredItems', { body: { item_ids: [ignored.id], reason: 'Mine' } });
    for (const ignore_rules of [[keep], [{ path: '**' }], []]) {
      await world.api.call('updateDiscoveryJob', { path: { id: second }, body: { ignore_rules } });
      await world.scanner.scan(second, [a, b]);
      expect(await world.item('a', second)).toMatchObject({ status: 'new', restored_at: expect.any(String) });
      expect(await world.item('b', second)).toMatchObject({ status: 'ignored', ignored_by: 'person' });
    }
  });

  test.each<[IgnoreRule[], string]>([
    [[{ path: 'a/' }, {}], 'ignore_rules.1'],
    [[{ path: '!a' }], 'ignore_rules.0.path'],
    [[{ artifact: 'web' }], 'ignore_rules.0.artifact'],
    [Array.from({ length: 101 }, (_, at) => ({ path: `${at}/` })), 'ignore_rules'],
  ])('is rejected with the name of the invalid field: %#', async (rules, field) => {
    const world = await start();
    await expect(world.setRules(rules)).rejects.toMatchObject({ status: 400, errors: [{ field }] });
  });
});
