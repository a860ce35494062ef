import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer();

test("one organization can't prevent others from applying their configurations", async () => {
  const [attacker, victim] = await Promise.all([server.createOrganization(), server.createOrganization()]);
  const body = { rules: [{ name: 'Major', rule_type: 'majors_behind', thresholds: { high: 1 } }] };
  const { fingerprint } = await victim.api.call('planConfiguration', { body });
  // Hold this lock, for which every apply waits when it computes its plan.
  const holder = await server.db.startTransaction().execute();
  await sql`LOCK TABLE rules IN ACCESS EXCLUSIVE MODE`.execute(holder);
  const refused: unknown[] = [];
  const attack = Array.from({ length: 8 }, () =>
    attacker.api
      .call('applyConfiguration', { query: { fingerprint: '0'.repeat(64) }, body })
      .catch((error: unknown) => void refused.push(error)),
  );
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(4);
  const applied = victim.api.call('applyConfiguration', { query: { fingerprint }, body });
  const allRefused = expect.poll(() => refused.length).toBe(7);
  const first = await Promise.race([applied.then(String, String), allRefused.then(() => 'it waits')]);
  await holder.rollback().execute();
  expect(first).toBe('it waits');
  const { id } = await applied;
  const statusNow = async () => (await victim.api.call('getConfigurationApply', { path: { id } })).status;
  await expect.poll(statusNow).toBe('succeeded');

  // Only one request of the attacker reaches the plan. The others are rejected earlier, as during an apply.
  await Promise.all(attack);
  const statuses = refused.map((error) => (error as { status: number }).status);
  expect(statuses.toSorted()).toEqual([...Array<number>(7).fill(409), 412]);
  // The rejected requests don't block later ones.
  const plan = await attacker.api.call('planConfiguration', { body });
  await attacker.api.call('applyConfiguration', { query: { fingerprint: plan.fingerprint }, body });
});
