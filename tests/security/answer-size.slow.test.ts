import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isLong } from '../helpers/long-tests.ts';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer();

test('lists without pages return at most 10,000 items, regardless of how many an organization has created', async () => {
  const { id, api } = await server.createOrganization();
  const rows = sql`SELECT ${id}::bigint AS organization, 'name ' || lpad(number::text, 5, '0') AS name
    FROM generate_series(1, 10001) AS number`;
  for (const statement of [
    sql`INSERT INTO rules (organization_id, name, rule_type, threshold_high)
      SELECT organization, name, 'majors_behind', 1 FROM (${rows}) AS made`,
    sql`INSERT INTO scrape_jobs (organization_id, name, parser_type)
      SELECT organization, name, 'manual' FROM (${rows}) AS made`,
    sql`INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
      SELECT organization, name, 'github_releases', name, 'auto' FROM (${rows}) AS made`,
    sql`INSERT INTO notification_channels (organization_id, name, url_sealed, url_masked)
      SELECT organization, name, ''::bytea, '' FROM (${rows}) AS made`,
    sql`WITH made_users AS (
        INSERT INTO users (email, name, password_hash) SELECT name, name, '' FROM (${rows}) AS made RETURNING id)
      INSERT INTO memberships (organization_id, user_id, role) SELECT ${id}, id, 'viewer' FROM made_users`,
  ])
    await statement.execute(server.db);

  const lists: { name: string }[][] = [
    await api.call('listRulesDropdown'),
    await api.call('listScrapeJobsDropdown'),
    await api.call('listGatherJobsDropdown'),
    await api.call('listNotificationChannelsDropdown'),
    await api.call('listOrgMembersDropdown'),
  ];
  for (const list of lists) {
    expect(list).toHaveLength(10_000);
    expect(list[0]!.name).toBe('name 00001');
  }
});

test("an organization that sends many requests for large lists at the same time doesn't delay other organizations", async () => {
  const [many, other] = [await server.createOrganization(), await server.createOrganization()];
  const long = 'x'.repeat(isLong ? 30_000 : 10_000);
  for (let count = 0; count < 200; count += 1)
    await many.api.call('createNotificationChannel', {
      body: {
        name: 'c',
        url: 'https://example.org/x',
        template: long,
        templates: { new_alert: long, acknowledged: long, resolved: long },
      },
    });
  let done = 0;
  const asked = Array.from({ length: isLong ? 30 : 12 }, async () => {
    const response = await fetch(`${server.url}/api/v1/client/notification-channels?limit=200`, {
      headers: { 'x-api-key': many.apiKey },
    });
    await response.arrayBuffer();
    done += 1;
    return response.status;
  });
  await expect.poll(() => done, { timeout: 60_000 }).toBeGreaterThan(0);
  // The other organization requests the same list. Its request is scheduled separately and passes all waiting
  // requests.
  await other.api.call('listNotificationChannels', {});
  expect(done).toBeLessThan(asked.length / 2);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
});
