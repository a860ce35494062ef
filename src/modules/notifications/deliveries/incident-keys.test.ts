import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { readIncidentHost } from './message/incident-host.ts';

const { db, world, setUp, allFinal } = await createDeliveryFixture();

test('installations under different base paths of a host have different incident keys', async () => {
  const hosts: string[] = [];
  for (const path of ['/a', `/${'b'.repeat(300)}`, `/${'b'.repeat(301)}`, '']) {
    await sql`DELETE FROM installation`.execute(db);
    await sql`INSERT INTO installation (secret_key_fingerprint) VALUES ('test')`.execute(db);
    hosts.push((await readIncidentHost(db, `https://acme.example${path}`))!);
  }
  await sql`DELETE FROM installation`.execute(db);
  expect(hosts).toEqual([
    'acme.example/a',
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{64}$/),
    'acme.example',
  ]);
  expect(new Set(hosts).size).toBe(4);
});

test('an incident is closed with the key that opened it, even after the base URL changes', async () => {
  await sql`INSERT INTO installation (secret_key_fingerprint) VALUES ('test')`.execute(db);
  const presetOptions = { routing_key: 'R'.repeat(32) };
  const { organizationId, received } = await setUp({ preset: 'pagerduty', presetOptions });
  const [alertId] = await world.createAlerts(organizationId);
  const before = world.startLoop({ baseUrl: 'https://old.acme.example:8443' });
  await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
  await allFinal(organizationId, 1);
  await before.stop();

  const after = world.startLoop({ baseUrl: 'http://new.acme.example' });
  await world.raiseEvents(organizationId, [{ alertId: alertId!, eventType: 'alert.resolved' }]);
  const [otherId] = await world.createAlerts(organizationId);
  await allFinal(organizationId, 2);
  await world.raiseEvents(organizationId, [{ alertId: otherId! }]);
  await allFinal(organizationId, 3);
  await after.stop();
  expect(received().map(({ body }) => JSON.parse(body))).toMatchObject([
    { event_action: 'trigger', dedup_key: `pacekeeper/old.acme.example:8443/alert/${alertId}` },
    { event_action: 'resolve', dedup_key: `pacekeeper/old.acme.example:8443/alert/${alertId}` },
    { event_action: 'trigger', dedup_key: `pacekeeper/old.acme.example:8443/alert/${otherId}` },
  ]);
});
