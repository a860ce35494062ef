import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IsolationLevel, Transaction } from 'kysely';
import type { DB } from '../../generated/database.ts';
import type { Database } from './connect-database.ts';

/** A database handle inside a transaction. */
export type Tx = Transaction<DB>;

export interface TransactionOptions {
  /** Defaults to PostgreSQL's `read committed`. */
  isolation?: IsolationLevel;
}

const maxRetries = 3;
interface Hooks {
  lastly: (() => Promise<void>)[];
  afterwards: (() => void)[];
}
const hooks = new WeakMap<object, Hooks>();
const commitHooks = new AsyncLocalStorage<{ run: ((tx: Tx) => Promise<void>) | null }>();

/**
 * Runs `work` in one transaction and rolls everything back if it throws. If the transaction fails because of
 * a concurrent one (a deadlock, a serialization failure, or the deletion of a referenced row), it's retried
 * up to three times, so `work` must have no side effects outside the database. Pass effects that require the
 * commit to `afterCommit`.
 */
export async function transaction<T>(
  db: Database,
  work: (tx: Tx) => Promise<T>,
  { isolation }: TransactionOptions = {},
): Promise<T> {
  if (db.isTransaction)
    throw new Error('A transaction was begun inside of another one. Pass the `Tx` on instead.');
  const builder = isolation ? db.transaction().setIsolationLevel(isolation) : db.transaction();
  const { result, toRun } = await withRetries(async () => {
    const toRun: Hooks = { lastly: [], afterwards: [] };
    const result = await builder.execute(async (tx) => {
      hooks.set(tx, toRun);
      const value = await work(tx);
      for (const hook of toRun.lastly) await hook();
      await commitHooks.getStore()?.run?.(tx);
      return value;
    });
    return { result, toRun };
  });
  for (const hook of toRun.afterwards) hook();
  return result;
}

/** Runs a statement that is its own transaction, with the same retries as `transaction`. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await work();
    } catch (error) {
      if (retries >= maxRetries || !isConcurrencyFailure(error)) throw error;
      await sleep(2 ** retries * 10 * (0.5 + Math.random()));
    }
  }
}

/** Runs `hook` after the transaction commits, and never after a rollback. Hooks must not throw. */
export function afterCommit(tx: Tx, hook: () => void): void {
  hooksOf(tx).afterwards.push(hook);
}

/**
 * Runs `hook` at the end of the transaction, before the commit. Use it to take locks that would otherwise
 * block other transactions during the work.
 */
export function beforeCommit(tx: Tx, hook: () => Promise<void>): void {
  hooksOf(tx).lastly.push(hook);
}

/** Runs `hook` at the end of every transaction of `work`, before the commit. If it throws, nothing is committed. */
export async function withCommitHook<T>(hook: (tx: Tx) => Promise<void>, work: () => Promise<T>): Promise<T> {
  const current: { run: typeof hook | null } = { run: hook };
  try {
    return await commitHooks.run(current, work);
  } finally {
    // Timers and other callbacks that outlive `work` don't belong to it, so their transactions don't run the
    // hook.
    current.run = null;
  }
}

function hooksOf(tx: Tx): Hooks {
  const found = hooks.get(tx);
  if (!found)
    throw new Error(
      'afterCommit and beforeCommit require the `Tx` that `transaction` passes to its callback.',
    );
  return found;
}

/** True if the error has one of these PostgreSQL codes, such as `23505` for a unique violation. */
export function hasSqlState(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

function isConcurrencyFailure(error: unknown): boolean {
  return hasSqlState(error, '40001', '40P01', '23503');
}
