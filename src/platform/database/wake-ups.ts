import { sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { type ConnectionTarget, clientConfig } from './connect-database.ts';
import { afterCommit, type Tx } from './transaction.ts';

/** `topic`, or `topic:detail` with a few characters that say what it is about, such as an id. */
type WakeUp = string;

export interface WakeUps {
  /** Tells all listeners of the topic, here and in every other process. Call it outside of transactions. */
  wake(wakeUp: WakeUp): void;
  /** The same, once `tx` is committed. */
  wakeAfterCommit(tx: Tx, wakeUp: WakeUp): void;
  /**
   * Calls `listener` with the detail, if there is one. It is also called without one after the connection was lost,
   * since something may have been missed. Returns what ends it.
   */
  on(topic: string, listener: (detail: string | undefined) => void): () => void;
  /** What is still to be told to others is sent first. */
  close(): Promise<void>;
}

export interface WakeUpsOptions {
  /** A session of its own is needed, so behind a transaction pooler this is the server itself. */
  connection: ConnectionTarget;
  log: Log;
}

const channel = 'pacekeeper_wake';
/** All that is woken within this time goes to the others in one NOTIFY: inside of transactions it would cost two thirds of the commits. */
const mergeMs = 10;
/** PostgreSQL takes 8,000 bytes. */
const maxPayloadBytes = 7_500;
/** While the server is away no more than this is kept. What is lost is found by the loops, which look every few seconds. */
const maxUnsent = 5_000;
const longestPauseMs = 2_000;

/** Starts at once and never fails: while the server is away, wake-ups reach this process only. */
export function createWakeUps({ connection, log }: WakeUpsOptions): WakeUps {
  const listeners = new Map<string, Set<(detail: string | undefined) => void>>();
  const toCallHere = new Set<WakeUp>();
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
    if (toCallHere.size === 0) {
      setImmediate(() => {
        const wakeUps = [...toCallHere];
        toCallHere.clear();
        wakeUps.forEach(call);
      });
    }
    toCallHere.add(wakeUp);
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
      // One after another: a connection does one thing at a time.
      sending = sending.then(send);
    }, mergeMs);
  }

  const wake = (wakeUp: WakeUp) => {
    scheduleLocal(wakeUp);
    if (unsent.size < maxUnsent) unsent.add(wakeUp);
    scheduleNotify();
  };

  link = keepListening(connection, log, {
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
      const ofTopic = listeners.get(topic) ?? new Set();
      listeners.set(topic, ofTopic.add(listener));
      return () => {
        ofTopic.delete(listener);
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

/** For a program that has no wake-ups of its own: tells the servers once `tx` is committed. */
export async function sendWakeUp(tx: Tx, wakeUp: WakeUp): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${wakeUp})`.execute(tx);
}

/** Takes as many out of the set as fit into one NOTIFY. */
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

/** One connection that listens, connects again by itself, and sends what this process has to say. */
function keepListening(
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
    const candidate = new pg.Client({ ...clientConfig(connection), application_name: 'pacekeeper wake-ups' });
    let hasEnded = false;
    const onEnd = (error?: Error) => {
      if (hasEnded) return;
      hasEnded = true;
      if (client === candidate) client = undefined;
      void candidate.end().catch(() => undefined);
      if (isClosed) return;
      // Told when it begins; how long it goes on is told by who needs the database.
      const level = failures++ === 0 ? 'warn' : 'debug';
      log[level]({ reason: error?.message, retry_ms: pauseMs }, 'wake-up connection lost');
      retryTimer = setTimeout(() => (connecting = connect()), pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    };
    candidate.on('error', onEnd);
    candidate.on('end', () => onEnd());
    candidate.on('notification', (message) => {
      // This process has called its own listeners already.
      if (message.processId !== processIdOf(candidate)) handlers.onPayload(message.payload ?? '');
    });
    try {
      await candidate.connect();
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

/** The server's number of this connection, which the driver has but does not declare. */
function processIdOf(client: pg.Client): number | undefined {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : undefined;
}
