import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSessionDirectories } from './session-directories.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-homes-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the directory of a killed process is removed, and the directory of a live process is kept', async () => {
  const times = { touchMs: 50, abandonedMs: 1_000 };
  const script = `
    import { createSessionDirectories } from ${JSON.stringify(path.join(import.meta.dirname, 'session-directories.ts'))};
    console.log(await createSessionDirectories(${JSON.stringify(folder)}).open());
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const left = output.toString().trim();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(left)).toBe(true);

  const live = createSessionDirectories(folder, times);
  const used = await live.open();
  await sleep(100);
  const next = createSessionDirectories(folder, times);
  await expect.poll(() => existsSync(left)).toBe(false);
  await sleep(200);
  expect(existsSync(used)).toBe(true);
  await next.close();
  expect(readdirSync(folder)).toHaveLength(1);
  await live.close();
  expect(existsSync(folder)).toBe(false);
});
