import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer();

test('an organization can have at most 1,000 usable API keys, and others aren’t affected', async () => {
  const [organization, other] = [await server.createOrganization(), await server.createOrganization()];
  const create = ({ owner }: typeof organization, name: string) =>
    owner.call('createAPIKey', { body: { name, role: 'reporter' } });
  const { api_key: spare } = await create(organization, 'spare');
  // With the existing keys, the organization is one key below the limit.
  await sql`
    INSERT INTO api_keys (organization_id, name, role, secret_hash, created_by_name)
    SELECT ${organization.id}, 'key ' || number, 'reporter', ''::bytea, 'x'
    FROM generate_series(1, 997) AS number`.execute(server.db);
  const countOf = async () => (await organization.api.call('listAPIKeys')).total;
  expect(await countOf()).toBe(999);

  const results = await Promise.allSettled([1, 2, 3].map((index) => create(organization, `last ${index}`)));
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  const full = { status: 409, code: 'conflict', detail: expect.stringContaining('at most 1000 API keys') };
  await expect(create(organization, 'one more')).rejects.toMatchObject(full);
  expect(await countOf()).toBe(1_000);
  await create(other, 'not affected');

  // Disabled keys count because they can be enabled at any time.
  await organization.owner.call('toggleAPIKey', { path: { id: spare.id } });
  await expect(create(organization, 'one more')).rejects.toMatchObject(full);
  await organization.owner.call('deactivateAPIKey', { path: { id: spare.id } });
  await create(organization, 'in the place of another');
  await sql`
    UPDATE api_keys SET expires_at = pacekeeper_now()
    WHERE organization_id = ${organization.id} AND name = 'key 1'`.execute(server.db);
  await create(organization, 'in the place of one that expired');
  await expect(create(organization, 'one more')).rejects.toMatchObject(full);
});
