import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { bomErrors, vexErrors } from '../helpers/document-schemas.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

const server = await sharedTestServer();
let acme: TestOrganization;

beforeEach(async () => {
  acme = await server.createOrganization();
});

const run = (...args: string[]) =>
  runCommand(args, { env: { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: acme.apiKey } });

test('bom writes a valid CycloneDX document to standard output or to a file', async () => {
  await createMonitoredSoftware(server, acme);
  const { code, stdout, stderr } = await run('bom');
  expect([code, stderr]).toEqual([0, '']);
  const document = JSON.parse(stdout) as { components: unknown[] };
  expect(await bomErrors(document)).toBeNull();
  expect(document.components).toMatchObject([{ name: 'web', version: '1.0.0' }]);
  const file = path.join(temporaryFolder(), 'software.cdx.json');
  expect(await run('bom', '--output', file, '--label', 'team=none')).toMatchObject({ code: 0, stdout: '' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ components: [] });
});

test('vex writes a valid OpenVEX document, and a note if nothing is ignored', async () => {
  const { configId: id } = await createMonitoredSoftware(server, acme);
  expect((await run('vex')).stderr).toBe(
    "Note: No vulnerability is ignored. OpenVEX requires at least one statement, so the document isn't valid.\n",
  );
  await acme.api.call('updateAlertConfig', {
    path: { id },
    body: { ignored_vulnerabilities: [{ id: 'CVE-2026-1', reason: 'fixed' }] },
  });
  const { code, stdout, stderr } = await run('vex');
  expect([code, stderr]).toEqual([0, '']);
  expect(vexErrors(JSON.parse(stdout) as object)).toEqual([]);
});
