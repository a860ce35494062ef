import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { jobKinds } from '../../src/modules/agents/index.ts';
import { dueFreshnessTable } from '../../src/modules/freshness/measuring/freshness-due.ts';
import { dueHookedJobsTable } from '../../src/modules/hooks/hooked-jobs.ts';
import { dueEvaluationsTable, evaluationOrder } from '../../src/modules/monitoring/trigger-evaluation.ts';
import { dueChannelsTable } from '../../src/modules/notifications/deliveries/model/due-channels-table.ts';
import { isNextToClaim } from '../../src/modules/notifications/deliveries/worker/choose-channels.ts';
import { InFlightTracker } from '../../src/modules/notifications/deliveries/worker/in-flight.ts';
import { dueSchedulesTable } from '../../src/modules/runs/index.ts';
import { dueDigestFanOutsTable } from '../../src/modules/upstream/digest-fan-outs.ts';
import { dueFanOutsTable } from '../../src/modules/upstream/fan-out-evaluation.ts';
import { attachWakeUps, type Database, type Tx } from '../../src/platform/database/index.ts';
import { type DueLoop, type DueLoopOptions, startDueLoop } from '../../src/platform/due-rows/due-loop.ts';
import {
  claimDueRows,
  type DueTable,
  finishDueRows,
  finishLockedRows,
  type TurnOptions,
} from '../../src/platform/due-rows/due-table.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { createTestDatabase } from '../helpers/database.ts';

const { db, connectAgain, statementsOf } = await createTestDatabase({ poolSize: 4 });
const other = await connectAgain({ poolSize: 2 });

/** Organizations with many due rows, and one that has a single row. Rows of further organizations are due later. */
const busy = [2, 3, 4];
const small = 900;
const organizationCount = 1_000;

interface Row {
  organization_id: number;
  for_organization_id?: number;
}

interface Loop {
  name: string;
  table: DueTable;
  limit: number;
  /** Columns of a row besides its due time, with the organization as `o` and its number as `n`. */
  columns: string;
  values: string;
  orderBy?: RawBuilder<unknown>;
}

const loops: Loop[] = [
  {
    name: 'evaluations',
    table: dueEvaluationsTable,
    limit: 500,
    columns: 'organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal',
    values: "o, 'config', n, 1, n % 200, 1, 0",
    orderBy: sql`due_at, ${evaluationOrder}`,
  },
  {
    name: 'fan-outs of releases',
    table: dueFanOutsTable,
    limit: 20,
    columns: 'organization_id, gather_job_id',
    values: 'o, n',
  },
  {
    name: 'fan-outs of digests',
    table: dueDigestFanOutsTable,
    limit: 4,
    columns: 'organization_id, gather_job_id, for_organization_id',
    values: '1, n, o',
  },
  {
    name: 'schedules of gather jobs',
    table: dueSchedulesTable(jobKinds.gather),
    limit: 500,
    columns: 'organization_id, name, source_type, artifact_name, version_scheme',
    values: "o, 'job ' || n, 'github_releases', 'github.com/acme/' || n, 'auto'",
  },
  {
    name: 'schedules of scrape jobs',
    table: dueSchedulesTable(jobKinds.scrape),
    limit: 500,
    columns: 'organization_id, name, parser_type',
    values: "o, 'job ' || n, 'manual'",
  },
  {
    name: 'schedules of Helm repositories',
    table: dueSchedulesTable(jobKinds.helm_sync),
    limit: 500,
    columns: 'organization_id, name, repository_url',
    values: "o, 'job ' || n, 'https://charts.example.com/' || n",
  },
  {
    name: 'schedules of discovery jobs',
    table: dueSchedulesTable(jobKinds.discovery),
    limit: 500,
    columns: 'organization_id, name, kind, repository_url, ref',
    values: "o, 'job ' || n, 'git_repository', 'https://git.example.com/' || n, ''",
  },
  {
    name: 'jobs named by hooks',
    table: dueHookedJobsTable,
    limit: 200,
    columns: 'organization_id, kind, job_id',
    values: "o, 'gather', n",
  },
];

/** Runs statements without foreign keys, because only the due columns matter. */
function withoutReferences(...statements: RawBuilder<unknown>[]): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(tx);
    for (const statement of statements) await statement.execute(tx);
  });
}

function insertRows(
  { table, columns, values }: Pick<Loop, 'table' | 'columns' | 'values'>,
  organizations: readonly number[],
  count: number,
  dueAt: string,
  first = 1,
): RawBuilder<unknown> {
  return sql`
    INSERT INTO ${sql.table(table.name)} (${sql.raw(columns)}, due_at)
    SELECT ${sql.raw(values)}, pacekeeper_now() + ${dueAt}::interval + n * interval '1 millisecond'
    FROM unnest(${[...organizations]}::bigint[]) AS o, generate_series(${first}::integer, ${first + count - 1}::integer) AS n`;
}

beforeAll(async () => {
  await sql`INSERT INTO organizations (id, name) OVERRIDING SYSTEM VALUE
    SELECT n, 'Organization ' || n FROM generate_series(2, ${organizationCount}::integer) AS n`.execute(db);
});

let loop: DueLoop | undefined;
afterEach(async () => {
  await loop?.stop();
  loop = undefined;
});

const organizationOf = (row: Row) => row.for_organization_id ?? row.organization_id;

describe.each(loops)('claims of $name', (kind) => {
  const { table, limit, orderBy } = kind;
  const claim = (server: Database, options: { limit?: number; inTurns?: TurnOptions } = {}) =>
    claimDueRows<Row>(server, table, {
      limit,
      leaseMs: 60_000,
      ...(orderBy && { orderBy }),
      columns: ['due_at'],
      inTurns: {},
      ...options,
    });

  beforeAll(async () => {
    const organizations = Array.from({ length: organizationCount - 10 }, (_, index) => index + 5);
    await withoutReferences(insertRows(kind, organizations, 2, '1 day'));
    // Update the statistics before inserting the due rows, so that PostgreSQL plans the claims with outdated
    // statistics, as at the start of a burst.
    await sql`ANALYZE ${sql.table(table.name)}`.execute(db);
    await withoutReferences(
      insertRows(kind, busy, 6_667, '-1 hour', 101),
      insertRows(kind, [small], 1, '-1 second', 101),
    );
  });

  test('include the row of a small organization while 20,000 rows of others have been due longer', async () => {
    const claims = await claim(db);
    const organizations = claims.map(({ row }) => organizationOf(row));
    const share = Math.floor(limit / 4);
    expect(organizations.filter((id) => id === small)).toHaveLength(1);
    for (const id of busy) {
      expect(organizations.filter((each) => each === id)).toHaveLength(share);
      // The oldest rows of each organization are claimed first.
      const { rows } = await sql<{ oldest: Date }>`
        SELECT min(due_at) AS oldest FROM ${sql.table(table.name)}
        WHERE ${sql.ref(table.turnOf!)} = ${id} AND lease_token IS NULL`.execute(db);
      const own = claims.filter(({ row }) => organizationOf(row) === id);
      expect(Math.max(...own.map(({ row }) => Number((row as { due_at?: Date }).due_at)))).toBeLessThan(
        Number(rows[0]!.oldest),
      );
    }
  });

  test('are disjoint if two servers claim at the same time', async () => {
    const claims = (await Promise.all([claim(db), claim(other), claim(db), claim(other)])).flat();
    const keys = claims.map(({ row }) =>
      JSON.stringify(Object.keys(table.keys).map((key) => row[key as 'organization_id'])),
    );
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('include an organization whose rows were triggered, even if there are too many organizations to check all of them', async () => {
    await sql`
      UPDATE ${sql.table(table.name)} SET lease_token = NULL, lease_until = NULL, attempts = 0
      WHERE ${sql.ref(table.turnOf!)} = ${small}`.execute(db);
    const claims = await claim(db, { inTurns: { first: [small], isOnlyFirst: true } });
    expect(claims.map(({ row }) => organizationOf(row))).toEqual([small]);
  });

  test('fill the whole batch even if only one organization has due rows', async () => {
    const claims = await claim(db, { inTurns: { except: [small, ...busy.slice(1)] } });
    expect(claims.map(({ row }) => organizationOf(row))).toEqual(Array(limit).fill(busy[0]));
  });

  test('use the index that begins with the organization, regardless of the table statistics', async () => {
    const [statement] = await statementsOf(() => claim(db));
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${statement}`)
      .execute(db);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan.match(new RegExp(`using ${table.name}_in_turn`, 'g'))).toHaveLength(2);
    expect(plan).not.toContain(`${table.name}_due`);
    expect(plan).not.toContain('Seq Scan');
  });
});

test('a claim of channels includes the channel of a small organization while 20,000 channels of others have been due longer', async () => {
  const channels = {
    table: dueChannelsTable,
    columns: 'organization_id, name, url_sealed, url_masked',
    values: "o, 'channel ' || n, '', ''",
  };
  await withoutReferences(
    insertRows(channels, busy, 6_667, '-1 hour'),
    insertRows(channels, [small], 1, '-1 second'),
  );
  await sql`ANALYZE notification_channels`.execute(db);
  const inFlight = new InFlightTracker();
  const claims = await claimDueRows<Row>(db, dueChannelsTable, {
    limit: 64,
    leaseMs: 60_000,
    where: isNextToClaim(inFlight, 64),
  });
  expect(claims.map(({ row }) => row.organization_id)).toContain(small);
  // Each channel can take four deliveries, so four channels of a busy organization fill its limit of 16.
  expect(claims).toHaveLength(1 + busy.length * 4);
});

test('the freshness row of an organization is claimed after all rows that have been due longer', async () => {
  await withoutReferences(sql`
    INSERT INTO freshness_states (organization_id, due_at)
    SELECT id, pacekeeper_now() - interval '1 minute' FROM organizations WHERE id IN (2, 3, 4)`);
  const order: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const [claimed] = await claimDueRows<Row>(db, dueFreshnessTable, { limit: 1, leaseMs: 60_000 });
    order.push(claimed!.row.organization_id);
    // Simulates inputs that changed during the measurement, which make the row due again immediately.
    await finishDueRows(db, dueFreshnessTable, [{ claim: claimed!, nextDueAt: claimed!.now }]);
  }
  expect(order.slice(0, 3).toSorted()).toEqual([2, 3, 4]);
  expect(order.slice(3)).toEqual(order.slice(0, 3));
});

describe('a loop', () => {
  const [evaluations] = loops;
  let wakeLoop: (detail: string | undefined) => void = () => undefined;
  afterAll(
    attachWakeUps(db, {
      wake: () => undefined,
      on: (_topic, listener) => {
        wakeLoop = listener;
        return () => undefined;
      },
    }),
  );

  /** Starts a loop, waits for its first claims, which find no rows, and then makes rows due. */
  async function start(
    options: Pick<DueLoopOptions<Row>, 'batchSize' | 'quickRows' | 'beginTurn'>,
    work: (organizations: number[]) => Promise<void>,
  ): Promise<void> {
    await sql`DELETE FROM alert_configs`.execute(db);
    let claims = 0;
    loop = startDueLoop<Row>({
      db,
      log: createSilentLog(),
      table: dueEvaluationsTable,
      maxInFlight: options.batchSize,
      leaseMs: 60_000,
      where: () => {
        claims += 1;
        return undefined;
      },
      handle: () => Promise.reject(new Error('nothing is claimed under a lease')),
      async handleLocked(tx: Tx, rows) {
        await work(rows.map(({ row }) => row.organization_id));
        await finishLockedRows(
          tx,
          dueEvaluationsTable,
          rows.map(({ row }) => ({ row, nextDueAt: null })),
        );
      },
      ...options,
    });
    await expect.poll(() => claims).toBe(2);
    await withoutReferences(
      insertRows(evaluations!, busy, 2_000, '-1 hour'),
      insertRows(evaluations!, [small], 1, '-1 second'),
    );
    wakeLoop(undefined);
  }

  test('handles the row of a small organization in the batch after the first full one', async () => {
    const batches: number[][] = [];
    await start({ batchSize: 100 }, async (organizations) => void batches.push(organizations));
    await expect.poll(() => batches.flat().length).toBe(6_001);
    expect(batches.findIndex((batch) => batch.includes(small))).toBe(1);
    // The first claim takes only a few of the oldest rows, because these could have included the row of the
    // small organization in a large batch.
    expect(batches[0]).toHaveLength(20);
  });

  test('handles the row of a small organization while other organizations trigger rows, even when rows are claimed one at a time', async () => {
    const handled: number[] = [];
    await start({ batchSize: 1 }, async (organizations) => {
      handled.push(...organizations);
      for (const organizationId of busy) wakeLoop(String(organizationId));
    });
    await expect
      .poll(() => handled.includes(small) || handled.length > 1_000, { timeout: 50_000 })
      .toBe(true);
    expect(handled).toContain(small);
  });

  test('handles the row of a small organization while a claim of a large batch waits for its turn', async () => {
    const isSmallHandled = Promise.withResolvers<void>();
    let isWaiting = false;
    let begun = 0;
    let ended = 0;
    const beginTurn = async () => {
      begun += 1;
      // The first claim, at the start of the loop, finds no rows.
      if (begun > 1) {
        isWaiting = true;
        wakeLoop(String(small));
        await isSmallHandled.promise;
        isWaiting = false;
      }
      return () => void (ended += 1);
    };
    const whileWaiting: number[][] = [];
    let handled = 0;
    await start({ batchSize: 1_000, quickRows: 20, beginTurn }, async (organizations) => {
      if (isWaiting) whileWaiting.push(organizations);
      handled += organizations.length;
      if (organizations.includes(small)) isSmallHandled.resolve();
    });
    await expect.poll(() => handled, { timeout: 60_000 }).toBe(6_001);
    expect(whileWaiting).toEqual([[small]]);
    await loop?.stop();
    loop = undefined;
    expect(ended).toBe(begun);
  });

  test('claims fewer rows in its next turn if the rows of a turn take long', async () => {
    const sizes: number[] = [];
    await start({ batchSize: 1_000, quickRows: 20 }, async (organizations) => {
      sizes.push(organizations.length);
      if (sizes.length === 2 || sizes.length === 3) await sleep(2_000);
    });
    await expect.poll(() => sizes.length, { timeout: 60_000 }).toBeGreaterThan(3);
    // The second and fourth batches run in turns. The second one took eight times as long as the limit for a
    // batch.
    expect(sizes[3]).toBeLessThanOrEqual(sizes[1]! / 4);
  });

  test('handles the row of a small organization while a large batch of other organizations is in flight', async () => {
    const isSmallHandled = Promise.withResolvers<void>();
    let handled = 0;
    await start({ batchSize: 6_000, quickRows: 20 }, async (organizations) => {
      handled += organizations.length;
      if (organizations.includes(small)) {
        isSmallHandled.resolve();
        return;
      }
      // Busy organizations trigger more rows during every batch.
      for (const organizationId of [...busy, small]) wakeLoop(String(organizationId));
      await isSmallHandled.promise;
    });
    await isSmallHandled.promise;
    // A claim in a turn can also contain the row of the small organization. It then leaves other rows for
    // later claims.
    await expect.poll(() => handled).toBe(6_001);
    await loop?.stop();
    loop = undefined;
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM alert_configs WHERE due_at <= pacekeeper_now()`.execute(db);
    expect(rows[0]!.count).toBe(0);
  });
});
