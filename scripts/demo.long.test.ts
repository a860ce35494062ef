import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the demo runs end to end and every check passes', async () => {
  const script = fileURLToPath(new URL('demo.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 90_000 });
  expect(stdout).toContain('verified its signature');
  expect(stdout).toContain('All of it is right.');
}, 100_000);
