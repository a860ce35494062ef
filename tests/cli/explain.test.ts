import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createMonitoredSoftware, type MonitoredOptions } from '../helpers/monitored.ts';
import { sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

const server = await sharedTestServer();

async function explain({ apiKey }: TestOrganization, ...args: string[]) {
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey };
  return runCommand(['explain', ...args], { env });
}

async function monitored(options: MonitoredOptions = {}) {
  const organization = await server.createOrganization();
  const { configId: id, ruleId } = await createMonitoredSoftware(server, organization, options);
  await organization.api.call('evaluateRules');
  return { organization, id, ruleId };
}

test('explain prints why an alert configuration alerts, by name or ID', async () => {
  const { organization, id } = await monitored();
  const { code, stdout } = await explain(organization, 'web');
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('web: alerting (high)');
  expect(lines).toContain('1.0.0 is deployed and matches an upstream release.');
  expect(lines).toContain('The deployed version is 2 major versions behind.');
  expect(lines).toContain(
    'This meets the high threshold (moderate at 1 major version, high at 2 major versions, critical at 3 major versions).',
  );
  expect(lines.at(-2)).toMatch(/^Last evaluated: \w{3} \d+, \d{4}, \d\d:\d\d$/);
  expect((await explain(organization, String(id))).stdout).toBe(stdout);
});

test('explain accepts an alert or the URL of a page instead of an alert configuration', async () => {
  const { organization, id } = await monitored();
  const { active_alert_id: alert } = await organization.api.call('getAlertConfig', { path: { id } });
  const { stdout } = await explain(organization, 'web');
  const references = [
    `alerts/${alert}`,
    `alert/${alert}`,
    `https://pacekeeper.example.org/alerts/${alert}`,
    `https://example.org/pacekeeper/alert-configs/${id}?from=list#top`,
  ];
  for (const reference of references)
    expect(await explain(organization, reference), reference).toEqual({ code: 0, stdout, stderr: '' });
  await organization.api.call('resolveAlert', { path: { id: alert! } });
  expect((await explain(organization, `alerts/${alert}`)).stderr).toBe(
    `Alert ${alert} is resolved. The explanation is about the current state of its alert configuration.\n`,
  );
  expect((await explain(organization, 'alerts/999999')).code).toBe(1);
});

test('explain prints the explanation of the API as JSON or YAML', async () => {
  const { organization, id } = await monitored();
  const json = JSON.parse((await explain(organization, 'web', '-o', 'json')).stdout);
  expect(json).toEqual(await organization.api.call('getAlertConfigExplanation', { path: { id } }));
  expect((await explain(organization, 'web', '-o', 'yaml')).stdout).toContain('\n  state: alerting\n');
});

test('explain prints a remedy for missing data once, in API terms', async () => {
  const { organization } = await monitored({ releases: [] });
  const { stdout } = await explain(organization, 'web');
  const sentence = 'The gather job has no releases yet. Wait for its first run, or check its last error.';
  expect(stdout.split('\n')[0]).toBe('web: no_data');
  expect(stdout.split(sentence)).toHaveLength(2);
});

test('explain reports once that the deployed value is not a version or does not exist upstream', async () => {
  const { organization } = await monitored({ deployed: 'latest' });
  const { stdout } = await explain(organization, 'web');
  expect(stdout).toContain("latest is deployed, but it isn't a version Pacekeeper can compare.\n");
  expect(stdout.match(/Pacekeeper can compare/g)).toHaveLength(1);
  expect(stdout).toContain(
    "Values that can't be compared always get the rule's highest severity: critical.\nDeploy a version tag instead of a branch or digest.\n",
  );
  const { organization: other } = await monitored({
    deployed: '0.1.0',
    rule: { rule_type: 'days_behind', days_basis: 'deployed_release', thresholds: { high: 1 } },
  });
  const missing = (await explain(other, 'web')).stdout;
  expect(missing).toContain(
    "Versions that don't exist upstream always get the rule's highest severity: high.\nCheck that both jobs track the same artifact.\n",
  );
  expect(missing).not.toContain("The deployed version doesn't exist upstream.");
});

test('explain prints why the state differs from the result of comparing the versions', async () => {
  const { organization, id, ruleId } = await monitored();
  const { active_alert_id } = await organization.api.call('getAlertConfig', { path: { id } });
  await organization.api.call('resolveAlert', { path: { id: active_alert_id! } });
  const explained = async () => (await explain(organization, 'web')).stdout;
  // Poll for the result, because evaluations run in the background.
  await expect
    .poll(explained)
    .toContain('\nThe alert was resolved manually while the deployed version was still behind. ');
  await organization.api.call('toggleRule', { path: { id: ruleId } });
  await organization.api.call('evaluateRules');
  await expect
    .poll(explained)
    .toMatch(/^web: inactive\n\nThe alert configuration or its rule is disabled\.\n/);
});

test('explain reports releases that are far above the others', async () => {
  const { organization } = await monitored({
    releases: ['3.6.0', '3.7.0', '3.8.0', '2024.1.0'],
    deployed: '3.8.0',
  });
  expect((await explain(organization, 'web')).stdout).toContain('\n2024.1.0 is far above 3.8.0, ');
});

test('explain works before the first evaluation, and fails for an unknown name', async () => {
  const { organization, id } = await monitored();
  await sql`DELETE FROM alert_config_explanations WHERE alert_config_id = ${id}`.execute(server.db);
  expect((await explain(organization, 'web')).stdout).toContain('Not evaluated yet');
  expect(await explain(organization, 'wep')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean "web"?'),
  });
});

test('explain names the last error of a job, whose earlier result or absence is compared', async () => {
  const { organization, id } = await monitored({ releases: [] });
  const { gather_job_id: jobId } = await organization.api.call('getAlertConfig', { path: { id } });
  await sql`
    INSERT INTO runs (organization_id, kind, gather_job_id, trigger, capability, status, finished_at, error_code, error_message)
    VALUES (${organization.id}, 'gather', ${jobId}, 'manual', 'gather:github_releases', 'failed', pacekeeper_now(),
      'unreachable', 'api.github.com:443: no such host.')`.execute(server.db);
  const { stdout } = await explain(organization, 'web');
  expect(stdout).toContain(
    `\nThe last run of gather-jobs/${jobId} failed: api.github.com:443: no such host. 'pacekeeper logs gather-jobs/${jobId}' lists its runs.\n`,
  );
});

test('explain says that nothing compares deployed software without an alert configuration', async () => {
  const { organization, id } = await monitored();
  const job = await organization.api.call('createScrapeJob', {
    body: { name: 'web (prod)', parser_type: 'manual' },
  });
  for (const reference of ['web (prod)', `software/${job.id}`, `scrape-jobs/${job.id}`]) {
    const { code, stdout } = await explain(organization, reference);
    expect(code, reference).toBe(0);
    expect(stdout, reference).toMatch(/^web \(prod\): unmonitored\n\nNothing compares its version/);
  }
  expect(await explain(organization, 'web (prod)', '-o', 'json')).toMatchObject({ code: 1, stdout: '' });
  const { scrape_job_id: jobId } = await organization.api.call('getAlertConfig', { path: { id } });
  const { stdout } = await explain(organization, 'web');
  for (const reference of ['web in production', `software/${jobId}`])
    expect((await explain(organization, reference)).stdout, reference).toBe(stdout);
});
