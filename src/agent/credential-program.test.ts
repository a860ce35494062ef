import { expect, test } from 'vitest';
import { runCredentialProgram } from './credential-program.ts';

const env = { PATH: process.env['PATH'] ?? '' };

/**
 * Script that starts a process that leaves the process group and keeps the output open for longer than a
 * test.
 */
const daemon = `const daemon = require('node:child_process')
  .spawn('sleep', ['300'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
  daemon.unref();`;

test('the output of a program is returned soon after it exits, even if its daemon keeps the output open', async () => {
  const args = ['-e', `${daemon} process.stdout.write(String(daemon.pid), () => process.exit(0));`];
  const { output, exitCode } = await runCredentialProgram({ command: process.execPath, args, env }, '');
  expect(exitCode).toBe(0);
  // The daemon is still running, so the output was returned before the daemon closed it.
  expect(process.kill(Number(output), 'SIGKILL')).toBe(true);
});

test('a program that writes too much fails immediately, even if its daemon keeps the output open', async () => {
  const args = ['-e', `${daemon} process.stdout.write('x'.repeat(300_000)); setInterval(() => {}, 1_000);`];
  const running = runCredentialProgram({ command: process.execPath, args, env }, '');
  await expect(running).rejects.toMatchObject({
    code: 'credential_failed',
    message: expect.stringContaining('wrote too much output'),
  });
});

test('an invalid environment fails with a message that does not contain its values', async () => {
  const running = runCredentialProgram(
    { command: process.execPath, args: [], env: { ...env, TOKEN: 'topsecret\0' } },
    '',
  );
  const error: unknown = await running.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'credential_failed' });
  expect(error).not.toHaveProperty('cause');
  expect(String(error)).toContain("can't be started");
  expect(String(error)).not.toContain('topsecret');
});
