import { spawn } from 'node:child_process';
import { existsSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { programEnvironment, programMain } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';

const server = await sharedTestServer();
let organization: TestOrganization;

beforeEach(async () => {
  organization = await server.createOrganization();
});

/** Runs a command whose output is closed, or can't be written because the disk is full. */
async function run(
  args: readonly string[],
  output: 'closed' | 'full',
): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [programMain, ...args], {
    env: {
      ...programEnvironment(),
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: organization.apiKey,
    },
    stdio: ['ignore', output === 'full' ? openSync('/dev/full', 'w') : 'pipe', 'pipe'],
  });
  child.stdout?.destroy();
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stderr };
}

describe.skipIf(!existsSync('/dev/full')).each(['closed', 'full'] as const)('with a %s output', (output) => {
  const expectedError = output === 'full' ? /^Can't write the output: .*ENOSPC.*\n$/ : /^$/;

  test('apply makes its changes and exits with the same code as with a working output', async () => {
    const file = path.join(temporaryFolder(), 'rules.yaml');
    writeFileSync(file, 'rules: [{ name: A, rule_type: majors_behind, thresholds: { high: 1 } }]\n');
    const { code, stderr } = await run(['apply', '-f', file, '--yes'], output);
    expect(code).toBe(0);
    expect(stderr).toMatch(expectedError);
    expect((await organization.api.call('listRules')).items).toMatchObject([{ name: 'A' }]);
    writeFileSync(file, 'rules: [{ name: A, rule_type: none }]\n');
    expect((await run(['apply', '-f', file, '--yes'], output)).code).toBe(2);
  });

  test('other commands exit with the same code as with a working output, and without a stack trace', async () => {
    const { code, stderr } = await run(['check', '--config', 'missing'], output);
    expect(code).not.toBe(0);
    expect(stderr).not.toMatch(/\n +at /);
    await organization.api.call('createRule', {
      body: { name: 'A', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const passed = await run(['get', 'rules'], output);
    expect(passed.code).toBe(0);
    expect(passed.stderr).toMatch(expectedError);
  });
});
