import { sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { type ConnectionTarget, clientConfig } from './connect-database.ts';
import { primarySearchOf } from './find-primary.ts';
import { afterCommit, type Tx } from './transaction.ts';

/**
 * `topic`, or `topic:detail`, where the detail is a short string that identifies the subject, such as an ID.
 */
type WakeUp = string;

export interface WakeUps {
  /**
   * Notifies all listeners of the topic, in this process and in all others. Call it outside of transactions.
   */
  wake(wakeUp: WakeUp): void;
  /** Notifies all listeners of the topic after `tx` commits. */
  wakeAfterCommit(tx: Tx, wakeUp: WakeUp): void;
  /**
   * Calls `listener` with the detail, if there is one. Also calls it without a detail after a reconnect,
   * because wake-ups may have been missed. Returns a function that removes the listener.
   */
  on(topic: string, listener: (detail: string | undefined) => void): () => void;
  /** Sends pending wake-ups to other processes, then closes the connection. */
  close(): Promise<void>;
}

export interface WakeUpsOptions {
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
 * Creates the wake-ups of this process. They start immediately, and starting never fails. While the database
 * is unavailable, wake-ups reach only this process.
 */
export function createWakeUps({ connection, log }: WakeUpsOptions): WakeUps {
  const listeners = new Map<string, Set<(detail: string | undefined) => void>>();
  const pendingLocal = new Set<WakeUp>();
  const unsent = new Set<WakeUp>();
  let sendTimer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  let link: Link | undefined;

  function call(wakeUp: WakeUp): void {
    const colon = wakeUp.indexOf(':');
    const [topic, detail] =
      colon < 0 ? [wakeUp, undefined] : [wakeUp.slice(0, colon), wakeUp.slice(colon + 1)];
    for (const listener of listeners.get(topic) ?? []) listener(detail);
  }

  function scheduleLocal(wakeUp: WakeUp): void {
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

  const wake = (wakeUp: WakeUp) => {
    scheduleLocal(wakeUp);
    if (unsent.size < maxUnsent) unsent.add(wakeUp);
    scheduleNotify();
  };

  link = maintainConnection(connection, log, {
    onPayload: (payload) => payload.split('\n').forEach(scheduleLocal),
    onConnected: (isFirst) => {
      if (!isFirst) [...listeners.keys()].forEach(scheduleLocal);
      scheduleNotify();
    },
  });

  return {
    wake,
    wakeAfterCommit: (tx, wakeUp) => afterCommit(tx, () => wake(wakeUp)),
    on(topic, listener) {
      const topicListeners = listeners.get(topic) ?? new Set();
      listeners.set(topic, topicListeners.add(listener));
      return () => {
        topicListeners.delete(listener);
      };
    },
    async close() {
      clearTimeout(sendTimer);
      await sending;
      await send();
      listeners.clear();
      await link?.close();
    },
  };
}

/** Notifies the servers after `tx` commits. For programs that don't create a `WakeUps` object. */
export async function sendWakeUp(tx: Tx, wakeUp: WakeUp): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${wakeUp})`.execute(tx);
}

/** Removes as many wake-ups from the set as fit into one NOTIFY, and returns them as its payload. */
function takePayload(unsent: Set<WakeUp>): string {
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
