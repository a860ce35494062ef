import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';

const server = await sharedTestServer();

test('an organization can have at most 200 open invitations, and others aren’t affected', async () => {
  const [organization, other] = [await server.createOrganization(), await server.createOrganization()];
  const invite = ({ owner }: TestOrganization, email: string) =>
    owner.call('inviteMember', { body: { email, role: 'viewer' } });
  const { invitation } = await invite(organization, 'first@example.org');
  await sql`
    INSERT INTO invitations (organization_id, email, role, token_hash, is_from_operator, expires_at)
    SELECT ${organization.id}, number || '@example.org', 'viewer', decode(md5(number::text), 'hex'), true,
      pacekeeper_now() + interval '7 days'
    FROM generate_series(1, 198) AS number`.execute(server.db);

  const results = await Promise.allSettled(
    ['a', 'b', 'c'].map((name) => invite(organization, `${name}@example.org`)),
  );
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  await expect(invite(organization, 'late@example.org')).rejects.toMatchObject({
    status: 409,
    code: 'conflict',
    detail: expect.stringContaining('at most 200 open invitations'),
  });
  await invite(other, 'late@example.org');

  // A new invitation for the same address replaces the old one.
  const { invitation: renewed } = await invite(organization, 'first@example.org');
  expect(renewed.id).not.toBe(invitation.id);
  await organization.owner.call('deleteInvitation', { path: { id: renewed.id } });
  await invite(organization, 'late@example.org');
});

test('an organization can have at most 500 event streams, regardless of its number of keys', async () => {
  const [organization, other] = [await server.createOrganization(), await server.createOrganization()];
  const keys = await Promise.all(
    Array.from({ length: 101 }, async (_, index) => {
      const { key } = await organization.owner.call('createAPIKey', {
        body: { name: `key ${index}`, role: 'viewer' },
      });
      return key;
    }),
  );
  const abort = new AbortController();
  // Garbage collection cancels the stream of a response without references.
  const responses: Response[] = [];
  const open = async (key: string) => {
    const response = await fetch(`${server.url}/api/v1/client/events`, {
      headers: { 'x-api-key': key },
      signal: abort.signal,
    });
    responses.push(response);
    return response.status;
  };
  const statuses: number[] = [];
  for (const key of keys)
    statuses.push(...(await Promise.all(Array.from({ length: 5 }, async () => open(key)))));
  expect(statuses.filter((status) => status === 200)).toHaveLength(500);
  expect(statuses.slice(500)).toEqual([429, 429, 429, 429, 429]);
  expect(await open(other.apiKey)).toBe(200);
  expect(responses).toHaveLength(506);
  abort.abort();
  // A closed stream no longer counts toward the limit.
  await expect
    .poll(
      async () =>
        (
          await fetch(`${server.url}/api/v1/client/events`, {
            headers: { 'x-api-key': keys[0]! },
            signal: AbortSignal.timeout(2_000),
          })
        ).status,
      { timeout: 60_000 },
    )
    .toBe(200);
});
