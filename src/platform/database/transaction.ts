import { setTimeout as sleep } from 'node:timers/promises';
import type { IsolationLevel, Transaction } from 'kysely';
import type { DB } from '../../generated/database.ts';
import type { Database } from './connect-database.ts';

/** The database inside of a transaction. */
export type Tx = Transaction<DB>;

export interface TransactionOptions {
  /** PostgreSQL's `read committed` when not given. */
  isolation?: IsolationLevel;
}

const maxRetries = 3;
interface Hooks {
  lastly: (() => Promise<void>)[];
  afterwards: (() => void)[];
}
const hooks = new WeakMap<object, Hooks>();

/**
 * Runs `work` in one transaction: all of it is kept, or nothing when it throws. When PostgreSQL gave up on it because
 * of others (deadlock, serialization failure, something that it has read and refers to was deleted meanwhile), it is run
 * again, up to three times; so `work` changes nothing but the database. What is to happen only after the commit is given to `afterCommit`.
 */
export async function transaction<T>(
  db: Database,
  work: (tx: Tx) => Promise<T>,
  { isolation }: TransactionOptions = {},
): Promise<T> {
  if (db.isTransaction)
    throw new Error('A transaction was begun inside of another one. Pass the `Tx` on instead.');
  const builder = isolation ? db.transaction().setIsolationLevel(isolation) : db.transaction();
  for (let retries = 0; ; retries++) {
    const toRun: Hooks = { lastly: [], afterwards: [] };
    let result: T;
    try {
      result = await builder.execute(async (tx) => {
        hooks.set(tx, toRun);
        const value = await work(tx);
        for (const hook of toRun.lastly) await hook();
        return value;
      });
    } catch (error) {
      if (retries >= maxRetries || !isLostToOthers(error)) throw error;
      await sleep(2 ** retries * 10 * (0.5 + Math.random()));
      continue;
    }
    for (const hook of toRun.afterwards) hook();
    return result;
  }
}

/** Runs `hook` once the transaction is committed; never when it is rolled back. Hooks must not throw. */
export function afterCommit(tx: Tx, hook: () => void): void {
  hooksOf(tx).afterwards.push(hook);
}

/**
 * Runs `hook` at the end of the transaction, within it, when its work is done. For locks that others would wait for until the
 * work is done.
 */
export function beforeCommit(tx: Tx, hook: () => Promise<void>): void {
  hooksOf(tx).lastly.push(hook);
}

function hooksOf(tx: Tx): Hooks {
  const found = hooks.get(tx);
  if (!found)
    throw new Error(
      'afterCommit and beforeCommit require the `Tx` that `transaction` passes to its callback.',
    );
  return found;
}

/** Whether PostgreSQL answered with this code, such as `23505` for a value that must be unique. */
export function hasSqlState(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

function isLostToOthers(error: unknown): boolean {
  return hasSqlState(error, '40001', '40P01', '23503');
}
