import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, sql } from 'kysely';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { createSilentLog } from '../log.ts';
import { changeTopic, dueTopic } from './topics.ts';
import { beforeCommit, transaction } from './transaction.ts';
import { attachWakeUps, createWakeUps, listen, type WakeUps, wake, wakeNow } from './wake-ups.ts';

const { db, connection, connectAgain } = await createTestDatabase({ schema: 'empty' });
const opened: WakeUps[] = [];

function open(): WakeUps {
  const wakeUps = createWakeUps({ db, connection, log: createSilentLog() });
  opened.push(wakeUps);
  return wakeUps;
}

/** Opens two instances, which the database sees as two processes, and waits until both listen. */
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
  await expect.poll(listeningPids, { interval: 5 }).toHaveLength(count);
}

function collect(wakeUps: WakeUps, topic: string): (string | undefined)[] {
  const heard: (string | undefined)[] = [];
  wakeUps.on(topic, (detail) => heard.push(detail));
  return heard;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  // Otherwise, the next test could count a connection that the server hasn't closed yet.
  await untilListening(0);
});

test('a listener in the same process is called immediately, and one in another process soon after', async () => {
  const [here, there] = await openTwo();
  const [heardHere, heardThere] = [collect(here, 'gathers'), collect(there, 'gathers')];
  here.wake('gathers');
  await new Promise(setImmediate);
  expect(heardHere).toEqual([undefined]);
  await expect.poll(() => heardThere).toEqual([undefined]);
});

test('a wake-up reaches only the listeners of its topic, with its detail', async () => {
  const [here, there] = await openTwo();
  const [channels, runs] = [collect(there, 'channels'), collect(there, 'runs')];
  here.wake('channels:42');
  here.wake('channels:a:b');
  await expect.poll(() => channels).toEqual(['42', 'a:b']);
  expect(runs).toEqual([]);
});

test('many wake-ups for one topic are merged into one call', async () => {
  const [here, there] = await openTwo();
  const [heardHere, heardThere] = [collect(here, 'configs'), collect(there, 'configs')];
  for (let n = 0; n < 1_000; n++) here.wake('configs');
  here.wake('configs:last');
  await expect.poll(() => heardThere).toContain('last');
  expect(heardThere).toEqual([undefined, 'last']);
  expect(heardHere).toEqual([undefined, 'last']);
});

test('wake-ups that exceed the size of one message are sent in several messages', async () => {
  const [here, there] = await openTwo();
  const heard = collect(there, 'channels');
  for (let id = 0; id < 3_000; id++) here.wake(`channels:${id}`);
  await expect.poll(() => heard).toHaveLength(3_000);
  expect(heard.at(-1)).toBe('2999');
});

test('a process does not receive its own wake-up twice', async () => {
  const [here, there] = await openTwo();
  const [heardHere, heardThere] = [collect(here, 'runs'), collect(there, 'runs')];
  here.wake('runs');
  await expect.poll(() => heardThere).toHaveLength(1);
  await sleep(30);
  expect(heardHere).toHaveLength(1);
});

test('a wake-up of a transaction is sent once after the commit, and never after a rollback', async () => {
  const here = open();
  const heard: string[] = [];
  onTestFinished(attachWakeUps(db, { ...here, wake: (topic) => void heard.push(topic) }));
  await transaction(db, async (tx) => {
    for (let count = 0; count < 3; count++) wake(tx, dueTopic('alert_configs', 7));
    wake(tx, dueTopic('alert_configs'));
    wake(tx, changeTopic(7, 'alert', 1));
    await sleep(20);
    expect(heard).toEqual([]);
  });
  expect(heard).toEqual(['alert_configs:7', 'alert_configs', 'changes:7/alert/1/updated']);
  const failing = transaction(db, (tx) => {
    wake(tx, dueTopic('alert_configs', 8));
    return Promise.reject(new Error('no'));
  });
  await expect(failing).rejects.toThrow('no');
  await sleep(20);
  expect(heard).toHaveLength(3);
});

test('a transaction that is retried sends its wake-ups once, those of the attempt that is committed', async () => {
  const heard: string[] = [];
  onTestFinished(attachWakeUps(db, { wake: (topic) => void heard.push(topic), on: () => () => undefined }));
  let attempts = 0;
  await transaction(db, async (tx) => {
    attempts += 1;
    wake(tx, dueTopic('alert_configs', attempts));
    if (attempts < 3)
      await sql`DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$`.execute(tx);
  });
  expect(heard).toEqual(['alert_configs:3']);
});

test('a listener hears the wake-ups of the transactions of its database and of its copies with plugins', async () => {
  const here = open();
  const heard = [collect(here, 'alerts')];
  const details: (string | undefined)[] = [];
  const stop = listen(db, 'alerts', (detail) => details.push(detail));
  const plugin = new CamelCasePlugin();
  await transaction(db.withPlugin(plugin), async (tx) => wake(tx, dueTopic('alerts', 5)));
  wakeNow(db, dueTopic('alerts', 6));
  await expect.poll(() => details).toEqual(['5', '6']);
  expect(heard).toEqual([['5', '6']]);
  stop();
  wakeNow(db, dueTopic('alerts', 7));
  await expect.poll(() => heard).toEqual([['5', '6', '7']]);
  expect(details).toHaveLength(2);
});

test('a program without wake-ups notifies the servers when its transaction commits, and never after a rollback', async () => {
  const here = open();
  await untilListening(1);
  const heard = collect(here, 'alerts');
  // Another pool is another program for the server.
  const program = await connectAgain();
  await transaction(program, async (tx) => {
    for (let id = 0; id < 2_000; id++) wake(tx, dueTopic('alerts', id % 1_000));
    // A hook that runs after the first notification wakes another topic.
    beforeCommit(tx, async () => wake(tx, dueTopic('alerts', 1_000)));
    await sleep(20);
    expect(heard).toEqual([]);
  });
  await expect.poll(() => heard).toHaveLength(1_001);
  expect(heard.at(-1)).toBe('1000');
  const failing = transaction(program, (tx) => {
    wake(tx, dueTopic('alerts', 2_000));
    return Promise.reject(new Error('no'));
  });
  await expect(failing).rejects.toThrow('no');
  await transaction(program, async (tx) => wake(tx, dueTopic('alerts', 3_000)));
  await expect.poll(() => heard.at(-1)).toBe('3000');
  expect(heard).not.toContain('2000');
});

test('a removed listener is not called', async () => {
  const here = open();
  const heard: unknown[] = [];
  const off = here.on('runs', (detail) => heard.push(detail));
  off();
  here.wake('runs');
  await sleep(20);
  expect(heard).toEqual([]);
});

test('a broken connection is restored automatically, and its listeners are called', async () => {
  const [here, there] = await openTwo();
  const heard = collect(there, 'gathers');
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'pacekeeper wake-ups'`.execute(db);
  await expect.poll(() => heard).toEqual([undefined]);
  await untilListening(2);
  here.wake('gathers:7');
  await expect.poll(() => heard).toEqual([undefined, '7']);
});

/**
 * Replaces the function that sends wake-ups, for new connections.
 *
 * @returns Functions that make it fail, count its calls, and let it succeed again.
 */
async function interceptNotify() {
  await sql`CREATE TABLE notify_failure (how text)`.execute(db);
  await sql`CREATE SEQUENCE notify_calls`.execute(db);
  await sql`
    CREATE FUNCTION public.pg_notify(channel text, payload text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM nextval('notify_calls');
      IF EXISTS (SELECT FROM notify_failure WHERE how = 'error') THEN RAISE 'no notifications now'; END IF;
      IF EXISTS (SELECT FROM notify_failure) THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
      PERFORM pg_catalog.pg_notify(channel, payload);
    END $$`.execute(db);
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(db);
  const database = sql.id(rows[0]!.name);
  await sql`ALTER DATABASE ${database} SET search_path = public, pg_catalog`.execute(db);
  onTestFinished(async () => {
    await sql`ALTER DATABASE ${database} RESET search_path`.execute(db);
    await sql`DROP FUNCTION public.pg_notify; DROP TABLE notify_failure; DROP SEQUENCE notify_calls`.execute(
      db,
    );
  });
  return {
    fail: (how: 'error' | 'disconnect') => sql`INSERT INTO notify_failure VALUES (${how})`.execute(db),
    succeed: () => sql`DELETE FROM notify_failure`.execute(db),
    async calls() {
      const { rows } = await sql<{ calls: number }>`
        SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS calls FROM notify_calls`.execute(db);
      return rows[0]!.calls;
    },
  };
}

test('wake-ups whose sending failed are sent after a reconnect, or else with the next ones', async () => {
  const notify = await interceptNotify();
  const [here, there] = await openTwo();
  const heard = collect(there, 'runs');
  await notify.fail('error');
  here.wake('runs:1');
  here.wake('runs:2');
  await expect.poll(notify.calls).toBeGreaterThan(0);
  await notify.succeed();
  here.wake('runs:3');
  await expect.poll(() => heard.toSorted()).toEqual(['1', '2', '3']);
  await notify.fail('disconnect');
  const calls = await notify.calls();
  here.wake('runs:4');
  await expect.poll(notify.calls).toBeGreaterThan(calls);
  await notify.succeed();
  await expect.poll(() => heard.at(-1)).toBe('4');
  expect(heard).toHaveLength(4);
});

test('local listeners are called even without a database server, and closing completes', async () => {
  const lonely = createWakeUps({ db, connection: 'postgres://127.0.0.1:1/nothing', log: createSilentLog() });
  const heard = collect(lonely, 'runs');
  lonely.wake('runs');
  await expect.poll(() => heard).toEqual([undefined]);
  await lonely.close();
});

test('a wake-up sent just before closing still reaches other processes', async () => {
  const [here, there] = await openTwo();
  const heard = collect(there, 'runs');
  here.wake('runs:last');
  await here.close();
  await expect.poll(() => heard).toEqual(['last']);
});
