import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../tests/helpers/database.ts';
import { organizationJobKinds } from '../modules/agents/index.ts';
import { summarizeAlerts } from '../modules/alerts/index.ts';
import {
  addLabelChangesAcrossOrganizations,
  foldRowCountsAcrossOrganizations,
  labelCount,
  readRowCounts,
  recountRows,
} from '../modules/counts/index.ts';
import { countAlertConfigs } from '../modules/overview/overview-queries.ts';
import { type Database, type Tx, transaction } from '../platform/database/index.ts';
import { insertAlerts, insertDeliveries, insertOrganization } from './server-fixture.ts';

const { db, connectAgain } = await createTestDatabase();
const others = [await connectAgain({ poolSize: 1 }), await connectAgain({ poolSize: 1 })];

/**
 * Changes that the product makes to counted rows. Each function returns a statement for the rows that match the
 * condition `of`.
 */
const changes = {
  acknowledge: (of) => sql`UPDATE alerts SET acknowledged_at = pacekeeper_now() WHERE ${of}`,
  unacknowledge: (of) => sql`UPDATE alerts SET acknowledged_at = NULL WHERE ${of}`,
  escalate: (of) => sql`UPDATE alerts SET severity = 'critical', escalated_at = pacekeeper_now() WHERE ${of}`,
  resolve: (of) => sql`
    UPDATE alerts SET resolved_at = pacekeeper_now(), resolution = 'manual' WHERE ${of} AND resolved_at IS NULL`,
  'resolve as of before': (of) => sql`
    UPDATE alerts SET resolved_at = pacekeeper_now() - interval '2 days', resolution = 'manual' WHERE ${of}`,
  touch: (of) => sql`UPDATE alerts SET updated_at = pacekeeper_now() WHERE ${of}`,
  delete: (of) => sql`DELETE FROM alerts WHERE ${of}`,
  'catch up': (of) => sql`UPDATE alert_configs SET state = 'ok', state_reason = NULL WHERE ${of}`,
  'run ahead': (of) => sql`
    UPDATE alert_configs SET state = 'ok', state_reason = 'ahead_of_upstream' WHERE ${of}`,
  disable: (of) => sql`UPDATE alert_configs SET state = 'inactive', is_active = false WHERE ${of}`,
  // Replaces the first rule of the organization with its last one, and the last one with the first.
  'compare by another rule': (of) => sql`
    UPDATE alert_configs SET rule_id = ends.first + ends.last - rule_id FROM (
      SELECT organization_id AS of_id, min(id) AS first, max(id) AS last FROM rules GROUP BY 1
    ) AS ends WHERE ends.of_id = organization_id AND rule_id IN (ends.first, ends.last) AND ${of}`,
  // Changes the labels of configurations. Open alerts adopt the labels, and resolved alerts keep theirs.
  label: (of) => sql`
    UPDATE alert_configs SET labels = jsonb_build_object('team', 'a=' || id % 2, 'stage', 'test') WHERE ${of}`,
  unlabel: (of) => sql`UPDATE alert_configs SET labels = '{}' WHERE ${of}`,
  'label what is deployed': (of) => sql`
    UPDATE scrape_jobs SET labels = jsonb_build_object('team', 'b', 'service', 'web ' || id % 2) WHERE ${of}`,
  'delete configurations': (of) => sql`DELETE FROM alert_configs WHERE ${of}`,
  'pause jobs': (of) => sql`UPDATE gather_jobs SET is_active = NOT is_active WHERE ${of}`,
  'put jobs off': (of) => sql`UPDATE gather_jobs SET due_at = pacekeeper_now() WHERE ${of}`,
  'delete jobs': (of) => sql`DELETE FROM gather_jobs WHERE ${of} AND NOT EXISTS (
    SELECT FROM alert_configs c WHERE c.gather_organization_id = organization_id AND c.gather_job_id = gather_jobs.id)`,
  run: (of) => sql`UPDATE gather_jobs SET last_outcome = 'none' WHERE ${of} AND last_outcome = 'failed'`,
  fail: (of) => sql`UPDATE gather_jobs SET last_outcome = 'failed' WHERE ${of}`,
  succeed: (of) =>
    sql`UPDATE gather_jobs SET last_outcome = 'succeeded' WHERE ${of} AND last_outcome = 'none'`,
  deliver: (of) => sql`
    UPDATE notification_deliveries SET status = CASE id % 2 WHEN 0 THEN 'succeeded' ELSE 'dead_letter' END
    WHERE ${of} AND status = 'pending'`,
  'deliver again': (of) => sql`UPDATE notification_deliveries SET status = 'pending' WHERE ${of}`,
  'cancel deliveries': (of) => sql`
    UPDATE notification_deliveries SET status = 'canceled' WHERE ${of} AND status = 'pending'`,
  'delete deliveries': (of) => sql`DELETE FROM notification_deliveries WHERE ${of}`,
} as const satisfies Record<string, (of: ReturnType<typeof sql>) => ReturnType<typeof sql>>;

type Step =
  | { change: keyof typeof changes; modulus: number; remainder: number }
  | { change: 'add' }
  | { change: 'fold' }
  | { change: 'recount' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    change: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
    modulus: fc.integer({ min: 1, max: 3 }),
    remainder: fc.integer({ min: 0, max: 2 }),
  }),
  fc.constantFrom<Step>({ change: 'add' }, { change: 'add' }, { change: 'fold' }, { change: 'recount' }),
);
const work = fc.array(
  fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 4 }), fails: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

async function take(tx: Tx, organizationId: number, each: Step): Promise<void> {
  if (each.change === 'add') {
    await insertAlerts(tx, organizationId, { count: 4, severity: 'moderate' });
  } else if (each.change === 'fold') {
    await addLabelChangesAcrossOrganizations(tx, 2);
    await foldRowCountsAcrossOrganizations(tx, 3);
  } else if (each.change === 'recount') {
    // The counts must be correct at any time, whatever other workers are doing.
    expect(await recountRows(tx, organizationId, organizationJobKinds)).toEqual([]);
  } else {
    const of = sql`organization_id = ${organizationId} AND id % ${each.modulus} = ${each.remainder}`;
    await changes[each.change](of).execute(tx);
  }
}

async function counted(database: Database, organizationId: number) {
  const of = async (subject: Parameters<typeof readRowCounts>[2]) =>
    new Map([...(await readRowCounts(database, organizationId, subject))].filter(([, n]) => n !== 0));
  return {
    alerts: await of('alerts'),
    days: await of('alert_days'),
    configs: await of('alert_configs'),
    jobs: await of('jobs'),
    failed: await of('failed_jobs'),
    uses: await of('rule_uses'),
    deliveries: await of('delivery_hours'),
    openLabels: await countLabels(database, organizationId, 'open_alert_labels'),
    resolvedLabels: await countLabels(database, organizationId, 'resolved_alert_labels'),
    configLabels: await countLabels(database, organizationId, 'alert_config_labels'),
  };
}

/** Returns the nonzero counts of all labels that `changes` can set. */
async function countLabels(
  database: Database,
  organizationId: number,
  subject: Parameters<typeof labelCount>[1],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const label of ['team=a=0', 'team=a=1', 'team=b', 'stage=test', 'service=web 0', 'service=web 1']) {
    const { rows } = await sql<{
      count: number;
    }>`SELECT ${labelCount(organizationId, subject, label)} AS count`.execute(database);
    if (rows[0]!.count !== 0) counts.set(label, rows[0]!.count);
  }
  return counts;
}

async function found(organizationId: number) {
  const of = async (counts: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ kind: string; count: number }>`${counts} GROUP BY 1`.execute(db);
    return new Map(rows.map(({ kind, count }) => [kind, count]));
  };
  return {
    alerts: await of(sql`
      SELECT CASE WHEN resolved_at IS NOT NULL THEN 'resolved' WHEN acknowledged_at IS NULL
        THEN 'unacknowledged ' || severity ELSE 'acknowledged ' || severity END AS kind, count(*) AS count
      FROM alerts WHERE organization_id = ${organizationId}`),
    days: await of(sql`
      SELECT day || what AS kind, count(*) AS count FROM (
        SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, ' opened' AS what FROM alerts
        WHERE organization_id = ${organizationId}
        UNION ALL
        SELECT (resolved_at AT TIME ZONE 'UTC')::date::text, ' resolved' FROM alerts
        WHERE organization_id = ${organizationId} AND resolved_at IS NOT NULL
      ) AS days`),
    configs: await of(sql`
      SELECT CASE WHEN state_reason = 'ahead_of_upstream' AND state = 'ok' THEN 'warning' ELSE state END AS kind,
        count(*) AS count
      FROM alert_configs WHERE organization_id = ${organizationId}`),
    jobs: await of(sql`
      SELECT CASE WHEN is_active THEN 'active ' ELSE 'inactive ' END || kind AS kind, count(*) AS count FROM (
        SELECT is_active, 'gather' AS kind FROM gather_jobs WHERE organization_id = ${organizationId}
        UNION ALL SELECT is_active, 'scrape' FROM scrape_jobs WHERE organization_id = ${organizationId}
      ) AS jobs`),
    failed: await of(sql`
      SELECT 'gather' AS kind, count(*) AS count FROM gather_jobs
      WHERE organization_id = ${organizationId} AND is_active AND last_outcome = 'failed'`),
    uses: await of(sql`
      SELECT rule_id::text AS kind, count(*) AS count FROM alert_configs WHERE organization_id = ${organizationId}`),
    deliveries: await of(sql`
      SELECT to_char(date_trunc('hour', created_at, 'UTC') AT TIME ZONE 'UTC', 'YYYYMMDDHH24') || ' ' || status AS kind,
        count(*) AS count
      FROM notification_deliveries
      WHERE organization_id = ${organizationId} AND status NOT IN ('pending', 'in_progress', 'failed')`),
    openLabels: await of(sql`
      SELECT key || '=' || value AS kind, count(*) AS count FROM alerts, jsonb_each_text(labels)
      WHERE organization_id = ${organizationId} AND resolved_at IS NULL`),
    resolvedLabels: await of(sql`
      SELECT key || '=' || value AS kind, count(*) AS count FROM alerts, jsonb_each_text(labels)
      WHERE organization_id = ${organizationId} AND resolved_at IS NOT NULL`),
    configLabels: await of(sql`
      SELECT key || '=' || value AS kind, count(*) AS count FROM alert_configs, jsonb_each_text(effective_labels)
      WHERE organization_id = ${organizationId}`),
  };
}

describe('the row counts of an organization', () => {
  test('match a recount despite concurrent changes, failures, folds, and recounts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(work, { minLength: 1, maxLength: 3 }), async (workers) => {
        const organizationId = await insertOrganization(db);
        for (let jobs = 0; jobs < 4; jobs++) await insertAlerts(db, organizationId, { count: 3 });
        const all = sql`organization_id = ${organizationId}`;
        await changes.fail(sql`${all} AND id % 2 = 0`).execute(db);
        await changes.resolve(sql`${all} AND id % 3 = 0`).execute(db);
        await insertDeliveries(db, organizationId, [
          ...['0 hours', '2 hours', '4 hours'].map((age) => ({ status: 'pending', age })),
          ...['1 hour', '3 hours', '5 hours'].map((age) => ({ status: 'canceled', age })),
        ]);
        await changes.deliver(sql`${all} AND id % 3 = 0`).execute(db);
        await Promise.all(
          workers.map(async (transactions, worker) => {
            for (const { steps, fails } of transactions) {
              const rollBack = new Error('rolled back');
              await transaction([db, ...others][worker]!, async (tx) => {
                for (const each of steps) await take(tx, organizationId, each);
                if (fails) throw rollBack;
              }).catch((error: unknown) => {
                if (error !== rollBack) throw error;
              });
            }
          }),
        );
        expect(await counted(db, organizationId)).toEqual(await found(organizationId));
        while ((await transaction(db, (tx) => addLabelChangesAcrossOrganizations(tx, 5))) >= 5);
        while ((await transaction(db, (tx) => foldRowCountsAcrossOrganizations(tx, 5))) >= 5);
        expect(await counted(db, organizationId)).toEqual(await found(organizationId));
      }),
      { numRuns: 60 },
    );
  });

  test('include just-committed changes in the alert summary and the configuration counts', async () => {
    const organizationId = await insertOrganization(db);
    const { alertIds } = await insertAlerts(db, organizationId, { count: 3, severity: 'high' });
    await transaction(db, (tx) => foldRowCountsAcrossOrganizations(tx, 1_000));
    await sql`UPDATE alerts SET acknowledged_at = pacekeeper_now() WHERE id = ${alertIds[0]}`.execute(db);
    await sql`
      UPDATE alerts SET resolved_at = pacekeeper_now(), resolution = 'manual' WHERE id = ${alertIds[1]}`.execute(
      db,
    );
    expect(await summarizeAlerts(db, organizationId)).toMatchObject({
      open: 2,
      acknowledged: 1,
      unacknowledged: 1,
      resolved: 1,
      by_severity: { high: 2 },
    });
    await sql`
      UPDATE alert_configs SET state = 'ok', state_reason = 'variant_ended'
      WHERE id = (SELECT min(id) FROM alert_configs WHERE organization_id = ${organizationId})`.execute(db);
    expect(await countAlertConfigs(db, organizationId)).toMatchObject({
      total: 3,
      warnings: 1,
      by_state: {
        ok: 1,
        alerting: 2,
      },
    });
  });

  test('do not wait for concurrent changes or for the fold', async () => {
    const organizationId = await insertOrganization(db);
    const { alertIds } = await insertAlerts(db, organizationId, { count: 2 });
    const acknowledge = (tx: Tx, id: number) =>
      sql`UPDATE alerts SET acknowledged_at = pacekeeper_now() WHERE id = ${id}`.execute(tx);
    await transaction(db, async (tx) => {
      await acknowledge(tx, alertIds[0]!);
      await transaction(others[0]!, async (other) => {
        // Without a timeout, a lock conflict would block this transaction forever.
        await sql`SET LOCAL lock_timeout = '5s'`.execute(other);
        await acknowledge(other, alertIds[1]!);
        await foldRowCountsAcrossOrganizations(other, 1_000);
        await transaction(others[1]!, async (third) => {
          await sql`SET LOCAL lock_timeout = '5s'`.execute(third);
          await insertAlerts(third, organizationId);
        });
      });
    });
    expect((await readRowCounts(db, organizationId, 'alerts')).get('acknowledged high')).toBe(2);
  });

  test('are corrected and reported by a recount if they are wrong', async () => {
    const organizationId = await insertOrganization(db);
    await insertAlerts(db, organizationId, { count: 2 });
    await sql`DELETE FROM row_counts WHERE organization_id = ${organizationId} AND subject = 'alerts'`.execute(
      db,
    );
    const recount = () => transaction(db, (tx) => recountRows(tx, organizationId, organizationJobKinds));
    expect(await recount()).toEqual([{ subject: 'alerts', kind: 'unacknowledged high', amount: 2 }]);
    expect(await recount()).toEqual([]);
    expect(await counted(db, organizationId)).toEqual(await found(organizationId));
  });

  test('are recounted for every known subject except numbers of changes, and subjects of newer versions are kept', async () => {
    const organizationId = await insertOrganization(db);
    const { rows } = await sql<{ subject: string }>`
      SELECT (regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g'))[1] AS subject
      FROM pg_constraint WHERE conname = 'row_counts_subject_check'`.execute(db);
    const known = rows.map(({ subject }) => subject);
    const changes = ['deployed_changes', 'upgrade_changes'];
    expect(known).toEqual(expect.arrayContaining(changes));
    const isKept = new Error('rolled back');
    await expect(
      transaction(db, async (tx) => {
        await sql`ALTER TABLE row_counts DROP CONSTRAINT row_counts_subject_check`.execute(tx);
        await sql`
          INSERT INTO row_counts (organization_id, subject, kind, amount)
          SELECT ${organizationId}, unnest(${[...known, 'newer']}::text[]), 'x', 1`.execute(tx);
        const corrected = await recountRows(tx, organizationId, organizationJobKinds);
        expect(corrected.map(({ subject }) => subject).toSorted()).toEqual(
          known.filter((subject) => !changes.includes(subject)).toSorted(),
        );
        throw isKept;
      }),
    ).rejects.toBe(isKept);
  });

  test('are deleted with the organization', async () => {
    const organizationId = await insertOrganization(db);
    await insertAlerts(db, organizationId, { count: 2 });
    await sql`DELETE FROM organizations WHERE id = ${organizationId}`.execute(db).catch(async () => {
      // Configurations must be deleted first because they refer to other rows of the organization.
      await sql`DELETE FROM alert_configs WHERE organization_id = ${organizationId}`.execute(db);
      await sql`DELETE FROM organizations WHERE id = ${organizationId}`.execute(db);
    });
    const { rows } = await sql`SELECT 1 FROM row_counts WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    expect(rows).toEqual([]);
  });
});
