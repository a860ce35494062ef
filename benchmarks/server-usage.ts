import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../src/platform/database/index.ts';

/** What a server has cost since it was last asked. */
export interface ServerUsage {
  /** Sent to PostgreSQL by any of its connections, `begin`, `commit` and wake-ups included. */
  statements: number;
  /** Claims of due rows by their table, and how many of them found nothing. */
  claims: Record<string, { all: number; empty: number }>;
  /** Processor time of the process. */
  cpuMs: number;
  /** The part of it that its first thread took: the one that serves everyone. */
  threadMs: number;
}

/** Counts what this process costs from now on. Returns what answers it and begins anew. */
export function countUsage(): () => ServerUsage {
  let statements = 0;
  let claims: ServerUsage['claims'] = {};
  let cpuBefore = process.cpuUsage();
  let threadBefore = process.threadCpuUsage();
  const { prototype } = pg.Client;
  const query: unknown = Reflect.get(prototype, 'query');
  if (typeof query !== 'function') throw new Error('the driver has no query');
  Reflect.set(prototype, 'query', function count(this: unknown, ...values: unknown[]): unknown {
    statements += 1;
    const table = claimedTable(values[0]);
    const callback = values.at(-1);
    if (table !== null && typeof callback === 'function') {
      const ofTable = (claims[table] ??= { all: 0, empty: 0 });
      ofTable.all += 1;
      values[values.length - 1] = (error: Error | null, result: pg.QueryResult) => {
        if (!error && result.rows.length === 0) ofTable.empty += 1;
        callback(error, result);
      };
    }
    return Reflect.apply(query, this, values);
  });
  return () => {
    const { user, system } = process.cpuUsage(cpuBefore);
    const thread = process.threadCpuUsage(threadBefore);
    const threadMs = (thread.user + thread.system) / 1_000;
    const usage = { statements, claims, cpuMs: (user + system) / 1_000, threadMs };
    statements = 0;
    claims = {};
    cpuBefore = process.cpuUsage();
    threadBefore = process.threadCpuUsage();
    return usage;
  };
}

/** The table of which this statement claims due rows. */
function claimedTable(statement: unknown): string | null {
  const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text;
  if (!text?.includes('AS due_lease')) return null;
  return /UPDATE "(\w+)" AS due_row/.exec(text)?.[1] ?? null;
}

/** Of Linux, whatever the machine. */
const tickMs = 10;

/**
 * Processor time that PostgreSQL has taken since it was started, that of sessions which have ended included. Read from
 * `/proc`: NaN where there is none.
 */
export async function postgresCpuMs(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
  const postmaster = readStat(rows[0]!.pid)?.parent;
  if (postmaster === undefined) return Number.NaN;
  const own = readStat(postmaster);
  const children = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    return stat?.parent === postmaster ? stat.ticks : [];
  });
  return [own?.ticks ?? 0, own?.ticksOfEnded ?? 0, ...children].reduce((sum, ticks) => sum + ticks) * tickMs;
}

function readStat(pid: number): { parent: number; ticks: number; ticksOfEnded: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may hold anything: state, parent …, and from the twelfth on user, system, and those of children.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, userOfEnded, systemOfEnded] = fields.slice(11, 15).map(Number);
    return {
      parent: Number(fields[1]),
      ticks: user! + system!,
      ticksOfEnded: userOfEnded! + systemOfEnded!,
    };
  } catch {
    // It has ended, or there is no /proc.
    return undefined;
  }
}
