import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../src/platform/database/index.ts';

/** Resource usage of a server since the previous reading. */
export interface ServerUsage {
  /**
   * Number of statements that all its connections sent to PostgreSQL, including `begin`, `commit`, and
   * wake-ups.
   */
  statements: number;
  /** Number of claims of due rows per table, and how many of them returned no row. */
  claims: Record<string, { all: number; empty: number }>;
  /** CPU time of the process. */
  cpuMs: number;
  /** The part of `cpuMs` that the main thread used, which serves all requests. */
  threadMs: number;
}

/**
 * Starts counting the resource usage of this process.
 * @returns A function that returns the usage so far and resets the counters.
 */
export function startUsageCounter(): () => ServerUsage {
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

/** Returns the table from which a statement claims due rows, or `null` for any other statement. */
function claimedTable(statement: unknown): string | null {
  const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text;
  if (!text?.includes('AS due_lease')) return null;
  return /UPDATE "(\w+)" AS due_row/.exec(text)?.[1] ?? null;
}

/** Length of a clock tick in `/proc`, which is the same on all common Linux machines. */
const tickMs = 10;

/**
 * Returns the CPU time that PostgreSQL has used since its start, including sessions that have ended. The
 * source is `/proc`; without it, the result is NaN.
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
    // The process name can contain any character, so parse only the fields after it. The first two are the state and
    // the parent. From the twelfth on, they are the user and system time of the process and then of its children.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, userOfEnded, systemOfEnded] = fields.slice(11, 15).map(Number);
    return {
      parent: Number(fields[1]),
      ticks: user! + system!,
      ticksOfEnded: userOfEnded! + systemOfEnded!,
    };
  } catch {
    // The process has exited, or this system has no /proc.
    return undefined;
  }
}
