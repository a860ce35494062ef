import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sharedTestServer } from '../../../tests/helpers/test-server.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { readState, type StateDeps } from './read-state.ts';

const server = await sharedTestServer();

test('a plan reads the lists of a group only once, not again for each of its repositories', async () => {
  const { api, id: organizationId } = await server.createOrganization();
  const lists = {
    include: ['a/'],
    exclude: ['b/'],
    extractors: ['helm'],
    label_rules: [{ pattern: 'a/', labels: { team: 'a' } }],
    custom_extractors: [],
    ignore_rules: [{ path: 'c/' }],
  };
  const { id: groupId } = await api.call('createDiscoveryJob', {
    body: { name: 'acme', kind: 'repository_group', group_url: 'https://github.com/acme', forge: 'github' },
  });
  const { include, exclude, extractors, label_rules, ignore_rules } = lists;
  await sql`
    INSERT INTO discovery_jobs (organization_id, name, kind, repository_url, ref, group_job_id, forge_id)
    SELECT ${organizationId}, 'acme/web', 'git_repository', 'https://github.com/acme/web.git', 'HEAD', ${groupId}, '1'`.execute(
    server.db,
  );
  await sql`
    UPDATE discovery_jobs
    SET include = ${include}, exclude = ${exclude}, extractors = ${extractors},
        label_rules = ${JSON.stringify(label_rules)}, ignore_rules = ${JSON.stringify(ignore_rules)}
    WHERE organization_id = ${organizationId}`.execute(server.db);
  const deps = { db: server.db, secretBox: {} as SecretBox, defaults: {} as StateDeps['defaults'] };
  const { own } = await readState(deps, organizationId);
  const jobs = own.discovery_jobs.flatMap((page) => JSON.parse(page) as object[]);
  expect(jobs).toMatchObject([
    { name: 'acme', managed_by: null, ...lists, decisions: [] },
    {
      name: 'acme/web',
      managed_by: groupId,
      ...Object.fromEntries(Object.keys(lists).map((list) => [list, []])),
      decisions: [],
    },
  ]);
});
