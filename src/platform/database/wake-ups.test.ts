import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { createSilentLog } from '../log.ts';
import { transaction } from './transaction.ts';
import { createWakeUps, type WakeUps } from './wake-ups.ts';

const { db, connection } = await createTestDatabase({ schema: 'empty' });
const opened: WakeUps[] = [];

function open(): WakeUps {
  const wakeUps = createWakeUps({ connection, log: createSilentLog() });
  opened.push(wakeUps);
  return wakeUps;
}

/** Two processes, as far as the database can tell, once both listen. */
async function openTwo(): Promise<[WakeUps, WakeUps]> {
  const pair: [WakeUps, WakeUps] = [open(), open()];
  await untilListening(2);
  return pair;
}

async function listeningPids(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'pacekeeper wake-ups' AND query LIKE 'LISTEN%'
      AND state = 'idle'`.execute(db);
  return rows.map(({ pid }) => pid);
}

async function untilListening(count: number): Promise<void> {
  await vi.waitFor(async () => expect(await listeningPids()).toHaveLength(count), {
    timeout: 5_000,
    interval: 5,
  });
}

function collect(wakeUps: WakeUps, topic: string): (string | undefined)[] {
  const heard: (string | undefined)[] = [];
  wakeUps.on(topic, (detail) => heard.push(detail));
  return heard;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

test('a listener in the same process is called at once, and in another one soon', async () => {
  const [here, there] = await openTwo();
  const [heardHere, heardThere] = [collect(here, 'gathers'), collect(there, 'gathers')];
  here.wake('gathers');
  await new Promise(setImmediate);
  expect(heardHere).toEqual([undefined]);
  await vi.waitFor(() => expect(heardThere).toEqual([undefined]));
});

test('a topic reaches its own listeners only, with its detail', async () => {
  const [here, there] = await openTwo();
  const [channels, runs] = [collect(there, 'channels'), collect(there, 'runs')];
  here.wake('channels:42');
  here.wake('channels:a:b');
  await vi.waitFor(() => expect(channels).toEqual(['42', 'a:b']));
  expect(runs).toEqual([]);
});

test('many wake-ups of one topic become one call', async () => {
  const [here, there] = await openTwo();
  const [heardHere, heardThere] = [collect(here, 'configs'), collect(there, 'configs')];
  for (let n = 0; n < 1_000; n++) here.wake('configs');
  here.wake('configs:last');
  await vi.waitFor(() => expect(heardThere).toContain('last'));
  expect(heardThere).toEqual([undefined, 'last']);
  expect(heardHere).toEqual([undefined, 'last']);
});

test('more than one message can carry is sent in several', async () => {
  const [here, there] = await openTwo();
  const heard = collect(there, 'channels');
  for (let id = 0; id < 3_000; id++) here.wake(`channels:${id}`);
  await vi.waitFor(() => expect(heard).toHaveLength(3_000), { timeout: 5_000 });
  expect(heard.at(-1)).toBe('2999');
});

test('a process does not hear its own wake-up twice', async () => {
  const [here, there] = await openTwo();
  const [heardHere, heardThere] = [collect(here, 'runs'), collect(there, 'runs')];
  here.wake('runs');
  await vi.waitFor(() => expect(heardThere).toHaveLength(1));
  await sleep(30);
  expect(heardHere).toHaveLength(1);
});

test('what is woken after a commit is silent until then, and for good when it is rolled back', async () => {
  const here = open();
  const heard = collect(here, 'alerts');
  let heardBefore: number | undefined;
  await transaction(db, async (tx) => {
    here.wakeAfterCommit(tx, 'alerts:kept');
    await sleep(20);
    heardBefore = heard.length;
  });
  const failing = transaction(db, (tx) => {
    here.wakeAfterCommit(tx, 'alerts:lost');
    return Promise.reject(new Error('no'));
  });
  await expect(failing).rejects.toThrow('no');
  await sleep(20);
  expect(heardBefore).toBe(0);
  expect(heard).toEqual(['kept']);
});

test('a listener that was taken off is not called', async () => {
  const here = open();
  const heard: unknown[] = [];
  const off = here.on('runs', (detail) => heard.push(detail));
  off();
  here.wake('runs');
  await sleep(20);
  expect(heard).toEqual([]);
});

test('a broken connection comes back by itself, and everyone looks again', async () => {
  const [here, there] = await openTwo();
  const heard = collect(there, 'gathers');
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'pacekeeper wake-ups'`.execute(db);
  await vi.waitFor(() => expect(heard).toEqual([undefined]), { timeout: 5_000 });
  await untilListening(2);
  here.wake('gathers:7');
  await vi.waitFor(() => expect(heard).toEqual([undefined, '7']), { timeout: 5_000 });
});

test('without a server the process itself still hears, and closing ends', async () => {
  const lonely = createWakeUps({ connection: 'postgres://127.0.0.1:1/nothing', log: createSilentLog() });
  const heard = collect(lonely, 'runs');
  lonely.wake('runs');
  await vi.waitFor(() => expect(heard).toEqual([undefined]));
  await lonely.close();
});

test('what was woken just before closing still reaches the others', async () => {
  const [here, there] = await openTwo();
  const heard = collect(there, 'runs');
  here.wake('runs:last');
  await here.close();
  await vi.waitFor(() => expect(heard).toEqual(['last']), { timeout: 5_000 });
});
