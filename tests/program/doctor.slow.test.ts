import { readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('the doctor checks an embedded database both while its server runs and after it stops', async () => {
  const folder = temporaryFolder();
  const env = { PACEKEEPER_DATA_DIR: folder, PACEKEEPER_LOG_LEVEL: 'error' };
  const password = 'a password for tests';
  const server = runProgram(['serve'], { ...env, PORT: '0', PACEKEEPER_ADMIN_PASSWORD: password });
  const examine = async () => {
    const program = runProgram(['doctor'], env);
    const code = await program.exited;
    return { code, stdout: program.stdout() };
  };
  try {
    const [, url] = await server.waitForOutput(/running at (\S+)/, 60_000);
    const body = { email: 'admin@localhost', password };
    const { access_token: token } = await createApiClient({ baseUrl: url! }).call('login', { body });
    const api = createApiClient({ baseUrl: url!, token });
    const agentStates = async () => (await api.call('listAgents')).items.map(({ status }) => status);
    await expect.poll(agentStates).toEqual(['online']);
    const running = await examine();
    expect(running).toMatchObject({ code: 0, stdout: expect.stringMatching(/ 0 failed\.\n$/) });
    expect(running.stdout).toMatch(/^ok +agents +1 online/m);
    expect(running.stdout).toMatch(/^ok +servers +1 server is running\.$/m);
    expect(await server.stop()).toBe(0);

    const before = readdirSync(folder);
    const stopped = await examine();
    expect(stopped.code).toBe(0);
    expect(stopped.stdout).toMatch(/^ok +database +PostgreSQL /m);
    expect(stopped.stdout).toMatch(/^warn +servers +No server is running\./m);
    expect(readdirSync(folder)).toEqual(before);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
