import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

const server = await sharedTestServer();
let acme: TestOrganization;

beforeEach(async () => {
  acme = await server.createOrganization();
});

const document = JSON.stringify({
  spdxVersion: 'SPDX-2.3',
  packages: [
    { name: 'lodash', versionInfo: '4.17.21' },
    { name: 'lodash', versionInfo: '3.10.1' },
    { name: 'react', versionInfo: '19.1.0' },
  ],
});

const run = (args: string[], stdin = '') =>
  runCommand(['report', 'shop', 'production', '1.0.0', ...args], {
    env: { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: acme.apiKey },
    stdin,
  });

test('report --sbom reports the versions of components, and shows which of several versions it chose', async () => {
  const file = path.join(temporaryFolder(), 'bom.spdx.json');
  writeFileSync(file, document);
  const { code, stdout, stderr } = await run([
    '--sbom',
    file,
    '--component',
    'lodash',
    '--component',
    'react',
  ]);
  expect(code).toBe(0);
  expect(stdout).toBe(
    'shop in production: 1.0.0 reported\n  lodash: 3.10.1 reported\n  react: 19.1.0 reported\n',
  );
  expect(stderr).toContain(
    'The document contains several versions of lodash. Reported 3.10.1, the lowest one; not reported: 4.17.21.',
  );
});

test('report --sbom fails if a component is not in the document, after it has reported the others', async () => {
  const args = ['--sbom', '-', '--component', 'react', '--component', 'org.apache:log4j', '-o', 'json'];
  const { code, stdout, stderr } = await run(args, document);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    components: [{ status: 'recorded' }, { name: 'org.apache/log4j', status: 'not_found' }],
  });
  expect(stderr).toContain("Not reported: org.apache/log4j: The document doesn't contain this component.");
  expect(stderr).toContain("1 component of the document wasn't reported.");
});

test.each([
  [['--component', 'react'], '--component requires --sbom.'],
  [['--sbom', '-'], '--sbom requires at least one --component.'],
])('report with only %j is rejected before a request', async (args, message) => {
  expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
