import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDeliveryFixture } from './delivery-fixture.ts';

const { db, world, setUp, allFinal } = await createDeliveryFixture();

test('an incident is closed with the key that opened it, also after the base URL changes', async () => {
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
