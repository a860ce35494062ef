/**
 * Checks that the size of an installation stays constant. At the start, it contains the data of 100 days:
 * 200,000 each of runs, versions, audit entries, deliveries, and attempts. Then 100 more days are simulated.
 * On each day, the real loops and completions add 1 % and the real housekeeping deletes 1 %, while autovacuum
 * runs. Afterwards, everything is repeated with PostgreSQL's default autovacuum settings instead of those of
 * the migrations.
 *
 * A simulated day takes seconds, so autovacuum checks every second instead of every minute. It still checks
 * some hundred times less often per day than in production. Run with `node benchmarks/retention.bench.ts`;
 * goal: after the hundredth day, no table with its indexes is larger than 1.3 times its size after the tenth.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../src/platform/database/index.ts';
import { median } from './evaluation-world.ts';
import { type RetentionWorld, startRetentionWorld } from './retention-world.ts';

/** Number of scrape jobs and of configurations in each of four organizations. */
const jobsEach = Number(process.env['BENCH_JOBS'] ?? 500);
const days = Number(process.env['BENCH_DAYS'] ?? 100);
const goal = 1.3;

interface Size {
  rows: number;
  tableBytes: number;
  indexBytes: number;
  deadRows: number;
  vacuums: number;
}

interface Outcome {
  first: Map<string, Size>;
  last: Map<string, Size>;
  indexes: { index: string; MB: number; ratio: number }[];
  turns: RetentionWorld['turns'];
}

async function main() {
  const ours = await liveOn(async () => {});
  const own = await liveOn(useOwnSettingsOfPostgres);
  const ratioOf = ({ first, last }: Outcome, table: string) =>
    Number((bytesOf(last.get(table)!) / bytesOf(first.get(table)!)).toFixed(2));
  console.table(
    [...ours.last].map(([table, size]) => ({
      table,
      rows: size.rows,
      'MB after a tenth': toMB(bytesOf(ours.first.get(table)!)),
      'MB after all days': toMB(bytesOf(size)),
      ratio: ratioOf(ours, table),
      goal,
      'of it indexes, MB': toMB(size.indexBytes),
      'dead rows': size.deadRows,
      vacuums: size.vacuums,
      "PostgreSQL's own, MB": toMB(bytesOf(own.last.get(table)!)),
      'its ratio': ratioOf(own, table),
      'its dead rows': own.last.get(table)!.deadRows,
      'its vacuums': own.last.get(table)!.vacuums,
    })),
  );
  console.log('The indexes that have grown most:');
  console.table(ours.indexes.slice(0, 12));
  console.log('How long the transactions of retention hold their locks:');
  console.table(
    [...ours.turns].map(([task, ms]) => ({
      task,
      transactions: ms.length,
      'median, ms': Number(median(ms).toFixed(1)),
      'longest, ms': Math.round(Math.max(...ms)),
    })),
  );
}

/** Simulates all days of one installation. */
async function liveOn(prepare: (db: Database) => Promise<void>): Promise<Outcome> {
  const world = await startRetentionWorld(jobsEach);
  try {
    await prepare(world.db);
    for (let day = 0; day < days / 10; day++) await world.simulateDay();
    const first = await sizesOf(world.db);
    const firstIndexes = await indexBytesOf(world.db);
    for (let day = days / 10; day < days; day++) await world.simulateDay();
    const last = await sizesOf(world.db);
    const indexes = [...(await indexBytesOf(world.db))]
      .map(([index, bytes]) => ({ index, MB: toMB(bytes), ratio: bytes / firstIndexes.get(index)! }))
      .filter(({ MB }) => MB >= 1)
      .toSorted((a, b) => b.ratio - a.ratio)
      .map(({ ratio, ...rest }) => ({ ...rest, ratio: Number(ratio.toFixed(2)) }));
    return { first, last, indexes, turns: world.turns };
  } finally {
    await world.stop();
  }
}

/** Resets the autovacuum settings of the migrations to the defaults, table by table. */
async function useOwnSettingsOfPostgres(db: Database): Promise<void> {
  const { rows } = await sql<{ table: string; names: string }>`
    SELECT relname AS table, string_agg(split_part(option, '=', 1), ', ') AS names
    FROM pg_class CROSS JOIN unnest(reloptions) AS option
    WHERE relnamespace = 'public'::regnamespace AND option LIKE 'autovacuum%'
    GROUP BY relname`.execute(db);
  for (const { table, names } of rows)
    await sql`ALTER TABLE ${sql.table(table)} RESET (${sql.raw(names)})`.execute(db);
}

/** Returns the sizes of all tables above 100 kB, largest first, after autovacuum has finished its work. */
async function sizesOf(db: Database): Promise<Map<string, Size>> {
  await untilVacuumRests(db);
  const { rows } = await sql<Size & { table: string }>`
    SELECT relname AS table, pg_table_size(relid) AS "tableBytes", pg_indexes_size(relid) AS "indexBytes",
      n_dead_tup AS "deadRows", autovacuum_count AS vacuums
    FROM pg_stat_user_tables WHERE pg_total_relation_size(relid) > 100000
    ORDER BY pg_total_relation_size(relid) DESC`.execute(db);
  const sizes = new Map<string, Size>();
  for (const { table, ...size } of rows) {
    const counted = await sql<{ rows: number }>`SELECT count(*) AS rows FROM ${sql.table(table)}`.execute(db);
    sizes.set(table, { ...size, rows: counted.rows[0]!.rows });
  }
  return sizes;
}

async function indexBytesOf(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ index: string; bytes: number }>`
    SELECT indexrelname AS index, pg_relation_size(indexrelid) AS bytes FROM pg_stat_user_indexes`.execute(
    db,
  );
  return new Map(rows.map(({ index, bytes }) => [index, bytes]));
}

/** Waits until no autovacuum worker has run for 3 seconds. Autovacuum checks for work every second. */
async function untilVacuumRests(db: Database): Promise<void> {
  for (let quietLooks = 0; quietLooks < 6; ) {
    await sleep(500);
    const { rows } = await sql<{ workers: number }>`
      SELECT count(*) AS workers FROM pg_stat_activity
      WHERE backend_type = 'autovacuum worker' AND datname = current_database()`.execute(db);
    quietLooks = rows[0]!.workers > 0 ? 0 : quietLooks + 1;
  }
}

function bytesOf({ tableBytes, indexBytes }: Size): number {
  return tableBytes + indexBytes;
}

function toMB(bytes: number): number {
  return Number((bytes / 1e6).toFixed(1));
}

await main();
