import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer } from '../helpers/test-server.ts';
import { startUpstreamServer } from '../helpers/upstreams/upstream-server.ts';
import { runCommand } from './run-command.ts';

const series = [
  { app: 'api', namespace: 'shop', version: '1.5.0' },
  { app: 'api', namespace: 'staging', version: '1.4.0' },
  { app: 'web', namespace: 'shop', version: '2.0.0' },
  { namespace: 'shop', version: '9' },
];
const response = JSON.stringify({
  status: 'success',
  data: { resultType: 'vector', result: series.map((metric) => ({ metric, value: [0, '1'] })) },
});

test('the import contains a job for each combination of labels, and applying it twice changes nothing', async () => {
  const upstream = await startUpstreamServer((_, answer) => answer.end(response));
  atEndOfFile(() => upstream.close());
  const server = await sharedTestServer();
  const { apiKey } = await server.createOrganization();
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey };
  const query = ['--url', `http://${upstream.host}/graph`, '--query', 'build_info', '--by', 'namespace,app'];
  const imported = await runCommand(['import', 'prometheus', ...query, '--credential', 'prom'], { env });
  expect(imported).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Found 4 series: 3 scrape jobs\n'),
  });
  expect(imported.stderr).toContain('1 of 4 series have no label namespace or app');
  const { scrape_jobs: jobs } = parse(imported.stdout);
  expect(jobs.map(({ name }: { name: string }) => name)).toEqual(['shop/api', 'shop/web', 'staging/api']);
  expect(jobs[0]).toEqual({
    name: 'shop/api',
    parser_type: 'regex',
    source: 'prometheus',
    url: `http://${upstream.host}`,
    query: 'build_info',
    label: 'version',
    series: {
      namespace: 'shop',
      app: 'api',
    },
    credential_name: 'prom',
    cron_expression: '*/15 * * * *',
  });
  const file = path.join(temporaryFolder(), 'jobs.yaml');
  writeFileSync(file, imported.stdout);
  expect(await runCommand(['apply', '-f', file, '--yes'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect((await runCommand(['apply', '-f', file, '--yes'], { env })).stdout).toMatch(/^No changes\./);
  const exported = await runCommand(['export'], { env });
  expect(parse(exported.stdout).scrape_jobs).toEqual(expect.arrayContaining(jobs));
});

test('the response of a server that only agents can reach is read from standard input', async () => {
  const query = ['--url', 'https://prometheus.internal.example', '--query', 'build_info'];
  const piped = await runCommand(['import', 'prometheus', '-', ...query, '--by', 'app'], { stdin: response });
  expect(piped.code).toBe(0);
  expect(parse(piped.stdout).scrape_jobs).toHaveLength(2);
  expect(piped.stderr).toContain('app="api": 2 series have 2 different versions');
  expect(await runCommand(['import', 'prometheus', '-', ...query], { stdin: '{}' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("isn't from a Prometheus server"),
  });
  expect(
    await runCommand(['import', 'prometheus', '-', ...query, '--by', 'x'], { stdin: response }),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('4 of 4 series have no label x'),
  });
});
