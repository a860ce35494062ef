import { sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { type ConnectionTarget, clientConfig, type Database } from './connect-database.ts';
import { primarySearchOf } from './find-primary.ts';
import type { Topic } from './topics.ts';
import { afterCommit, beforeCommit, type Tx } from './transaction.ts';

export interface WakeUps {
  /** Notifies all listeners of the topic, in this process and in all others. */
  wake(topic: string): void;
  /** Adds a listener, as described for `listen`. */
  on(topic: string, listener: WakeUpListener): () => void;
  /** Sends pending wake-ups to other processes, then closes the connection. */
  close(): Promise<void>;
}

type WakeUpListener = (detail: string | undefined) => void;

export interface WakeUpsOptions {
  /** Database whose transactions and loops use these wake-ups. */
  db: Database;
  /**
   * Address for `LISTEN`, which requires a dedicated session. Behind a transaction pooler, this must be the database
   * server itself.
   */
  connection: ConnectionTarget;
  log: Log;
}

const channel = 'pacekeeper_wake';
/**
 * Wake-ups within this period are sent to other processes in one NOTIFY. Inside transactions, NOTIFY would
 * reduce the commit rate by two thirds.
 */
const mergeMs = 10;
/** PostgreSQL's limit is 8,000 bytes. */
const maxPayloadBytes = 7_500;
/**
 * Maximum number of wake-ups stored while the database is unavailable. Further wake-ups are dropped, but the
 * loops poll every few seconds and find the work.
 */
const maxUnsent = 5_000;
const maxReconnectDelayMs = 2_000;

/**
 * Wake-ups of each database of this process. The key is the adapter, which a database shares with its transactions and
 * with its copies that have plugins.
 */
const attached = new WeakMap<object, Pick<WakeUps, 'wake' | 'on'>>();

const keyOf = (db: Database | Tx): object => db.getExecutor().adapter;

/** Lets `wake` and `listen` use these wake-ups. Returns a function that restores the former ones. */
export function attachWakeUps(db: Database, wakeUps: Pick<WakeUps, 'wake' | 'on'>): () => void {
  const key = keyOf(db);
  const former = attached.get(key);
  attached.set(key, wakeUps);
  return () => {
    if (attached.get(key) !== wakeUps) return;
    if (former) attached.set(key, former);
    else attached.delete(key);
  };
}

/** Topics that each transaction wakes when it commits. */
const toWake = new WeakMap<Tx, Set<Topic>>();

/**
 * Notifies all listeners of the topic after `tx` commits, and never after a rollback. In a transaction, each topic is
 * sent once. Programs without wake-ups, such as the commands for operators, notify the servers within the transaction.
 */
export function wake(tx: Tx, topic: Topic): void {
  const known = toWake.get(tx);
  if (known) return void known.add(topic);
  const topics = new Set([topic]);
  const wakeUps = attached.get(keyOf(tx));
  if (wakeUps) afterCommit(tx, () => topics.forEach((each) => wakeUps.wake(each)));
  else
    beforeCommit(tx, async () => {
      // Hooks that run after this one can wake further topics.
      toWake.delete(tx);
      while (topics.size > 0) await sql`SELECT pg_notify(${channel}, ${takePayload(topics)})`.execute(tx);
    });
  toWake.set(tx, topics);
}

/**
 * Notifies all listeners of the topic after a statement that was no part of a transaction. Without wake-ups for the
 * database, loops find the work when they poll.
 */
export function wakeNow(db: Database, topic: Topic): void {
  attached.get(keyOf(db))?.wake(topic);
}

/**
 * Calls `listener` with the detail of each wake-up of the topic, if it has one. Also calls it without a detail after a
 * reconnect, because wake-ups may have been missed. Without wake-ups for the database, it's never called.
 *
 * @returns A function that removes the listener.
 */
export function listen(db: Database, topic: string, listener: WakeUpListener): () => void {
  return attached.get(keyOf(db))?.on(topic, listener) ?? (() => undefined);
}

/**
 * Creates the wake-ups of this process. They start immediately, and starting never fails. While the database
 * is unavailable, wake-ups reach only this process. Other processes receive them after the next wake-up or reconnect.
 */
export function createWakeUps({ db, connection, log }: WakeUpsOptions): WakeUps {
  const listeners = new Map<string, Set<WakeUpListener>>();
  const pendingLocal = new Set<string>();
  const unsent = new Set<string>();
  let sendTimer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  let link: Link | undefined;

  function call(wakeUp: string): void {
    const colon = wakeUp.indexOf(':');
    const [topic, detail] =
      colon < 0 ? [wakeUp, undefined] : [wakeUp.slice(0, colon), wakeUp.slice(colon + 1)];
    for (const listener of listeners.get(topic) ?? []) listener(detail);
  }

  function scheduleLocal(wakeUp: string): void {
    if (pendingLocal.size === 0) {
      setImmediate(() => {
        const wakeUps = [...pendingLocal];
        pendingLocal.clear();
        wakeUps.forEach(call);
      });
    }
    pendingLocal.add(wakeUp);
  }

  async function send(): Promise<void> {
    while (link?.isConnected() && unsent.size > 0) {
      const payload = takePayload(unsent);
      try {
        await link.notify(payload);
      } catch (error) {
        // Other processes may have stayed connected, so they don't check for missed wake-ups.
        for (const wakeUp of payload.split('\n')) unsent.add(wakeUp);
        log.debug({ err: error }, 'sending a wake-up failed');
        return;
      }
    }
  }

  function scheduleNotify(): void {
    sendTimer ??= setTimeout(() => {
      sendTimer = undefined;
      // Send sequentially, because a connection runs one statement at a time.
      sending = sending.then(send);
    }, mergeMs);
  }

  link = maintainConnection(connection, log, {
    onPayload: (payload) => payload.split('\n').forEach(scheduleLocal),
    onConnected: (isFirst) => {
      if (!isFirst) [...listeners.keys()].forEach(scheduleLocal);
      scheduleNotify();
    },
  });

  const wakeUps: WakeUps = {
    wake(topic) {
      scheduleLocal(topic);
      if (unsent.size < maxUnsent) unsent.add(topic);
      scheduleNotify();
    },
    on(topic, listener) {
      const topicListeners = listeners.get(topic) ?? new Set();
      listeners.set(topic, topicListeners.add(listener));
      return () => {
        topicListeners.delete(listener);
      };
    },
    async close() {
      detach();
      clearTimeout(sendTimer);
      await sending;
      await send();
      listeners.clear();
      await link?.close();
    },
  };
  const detach = attachWakeUps(db, wakeUps);
  return wakeUps;
}

/** Removes as many wake-ups from the set as fit into one NOTIFY, and returns them as its payload. */
function takePayload(unsent: Set<string>): string {
  let payload = '';
  for (const wakeUp of unsent) {
    if (payload !== '' && Buffer.byteLength(payload) + Buffer.byteLength(wakeUp) + 1 > maxPayloadBytes) break;
    payload = payload === '' ? wakeUp : `${payload}\n${wakeUp}`;
    unsent.delete(wakeUp);
  }
  return payload;
}

interface Link {
  isConnected(): boolean;
  notify(payload: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Maintains one connection that listens, reconnects automatically, and sends the wake-ups of this process.
 */
function maintainConnection(
  connection: ConnectionTarget,
  log: Log,
  handlers: { onPayload(payload: string): void; onConnected(isFirst: boolean): void },
): Link {
  let client: pg.Client | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let pauseMs = 100;
  let failures = 0;
  let isFirst = true;
  let isClosed = false;
  let connecting: Promise<void> = Promise.resolve();

  async function connect(): Promise<void> {
    // Ignore a failed search. If no server responds, the connection attempt below fails too and reports the reason.
    await primarySearchOf(connection)
      .find()
      .catch(() => undefined);
    const candidate = new pg.Client({ ...clientConfig(connection), application_name: 'pacekeeper wake-ups' });
    let hasEnded = false;
    const onEnd = (error?: Error) => {
      if (hasEnded) return;
      hasEnded = true;
      if (client === candidate) client = undefined;
      void candidate.end().catch(() => undefined);
      if (isClosed) return;
      // Only the start of an outage is a warning here, because code that uses the database logs the duration.
      const level = failures++ === 0 ? 'warn' : 'debug';
      log[level]({ reason: error?.message, retry_ms: pauseMs }, 'wake-up connection lost');
      retryTimer = setTimeout(() => (connecting = connect()), pauseMs);
      pauseMs = Math.min(pauseMs * 2, maxReconnectDelayMs);
    };
    candidate.on('error', onEnd);
    candidate.on('end', () => onEnd());
    candidate.on('notification', (message) => {
      // Ignore notifications of this process, which has already called its own listeners.
      if (message.processId !== processIdOf(candidate)) handlers.onPayload(message.payload ?? '');
    });
    try {
      await candidate.connect();
      // Disable the timeout that the operator may have set for the role. It would end this connection, which
      // is idle most of the time.
      await candidate.query('SET idle_session_timeout = 0');
      await candidate.query(`LISTEN ${channel}`);
    } catch (error) {
      onEnd(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (hasEnded) return;
    client = candidate;
    pauseMs = 100;
    failures = 0;
    handlers.onConnected(isFirst);
    isFirst = false;
  }

  connecting = connect();
  return {
    isConnected: () => client !== undefined,
    async notify(payload) {
      await client?.query('SELECT pg_notify($1, $2)', [channel, payload]);
    },
    async close() {
      isClosed = true;
      clearTimeout(retryTimer);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}

/** Returns the server's process ID of this connection. The driver has this field but doesn't declare it. */
function processIdOf(client: pg.Client): number | undefined {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : undefined;
}
