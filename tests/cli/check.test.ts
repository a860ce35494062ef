import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startContractInbox } from '../contract/contract-inbox.ts';
import { buildWorld, type World } from '../contract/world.ts';
import { documentationPage } from '../helpers/run-documentation.ts';
import { runProgram } from '../helpers/run-program.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import type { WebhookInbox } from '../helpers/webhook-inbox.ts';
import { type CommandResult, runCommand } from './run-command.ts';

let server: SharedTestServer;
let world: World;
let inbox: WebhookInbox;
let configs: Record<'moderate' | 'critical', number>;
let alerts: Record<'moderate' | 'critical', number>;

beforeAll(async () => {
  server = await sharedTestServer();
  const { email, password } = await server.createOrganization();
  inbox = await startContractInbox();
  world = await buildWorld({
    baseUrl: server.url,
    owner: { email, password },
    webhookUrl: inbox.url,
    db: server.db,
  });
  const gatherJob = await world.make.gatherJob();
  await world.make.gathered();
  const open = async (severity: 'moderate' | 'critical', labels: Record<string, string>) => {
    const rule_id = await world.make.rule({ thresholds: { [severity]: 1 } });
    const scrape_job_id = await world.make.scrapeJob();
    const body = { name: `Config ${severity}`, rule_id, scrape_job_id, gather_job_id: gatherJob, labels };
    const config = await world.make.alertConfig(body);
    await world.make.deployed(scrape_job_id, '1.0.0');
    return { config, alert: await world.make.openAlertOf(config) };
  };
  const moderate = await open('moderate', { team: 'x', tier: 'low' });
  const critical = await open('critical', { team: 'x', tier: 'top' });
  configs = { moderate: moderate.config, critical: critical.config };
  alerts = { moderate: moderate.alert, critical: critical.alert };
  // The first configuration has no deployed version, and the second is disabled.
  await world.make.alertConfig({
    name: 'Blind',
    labels: { team: 'blind' },
    scrape_job_id: await world.make.scrapeJob(),
  });
  await world.make.alertConfig({
    labels: { team: 'off' },
    is_active: false,
    scrape_job_id: await world.make.scrapeJob(),
  });
});

afterAll(() => inbox.close());

const env = () => ({ PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: world.keys.viewer });
const check = (...args: string[]): Promise<CommandResult> => runCommand(['check', ...args], { env: env() });

describe('check with --max-severity', () => {
  test.each([
    [['--label', 'team=x'], 1],
    [['--label', 'team=x', '--max-severity', 'moderate'], 1],
    [['--label', 'team=x', '--max-severity', 'high'], 1],
    [['--label', 'team=x', '--max-severity', 'critical'], 0],
    [['-l', 'team=x', '-l', 'tier=low', '--max-severity', 'moderate'], 0],
    [['-l', 'team=x', '-l', 'tier=low'], 1],
    [['--config', 'Config moderate', '--max-severity', 'moderate'], 0],
    [['--config', 'Config critical', '--max-severity', 'high'], 1],
  ])('and the options %j exits with code %i', async (args, code) => {
    expect(await check(...args)).toMatchObject({ code });
  });

  test('lists the alerts above the severity, also as JSON', async () => {
    const program = runProgram(['check', '-l', 'team=x', '--max-severity', 'high'], env());
    expect(await program.exited).toBe(1);
    expect(program.stdout()).toMatch(
      new RegExp(`^${alerts.critical} +critical +unacknowledged +Config critical`, 'm'),
    );
    expect(program.stdout()).not.toContain('Config moderate');
    expect(program.stderr()).toBe('pacekeeper check: 1 open alert above high (1 critical).\n');
    const result = JSON.parse((await check('-l', 'team=x', '-o', 'json')).stdout);
    expect(result).toMatchObject({
      result: 'failed',
      max_severity: 'none',
      alert_config_count: 2,
      failures: ['2 open alerts (1 critical, 1 moderate).'],
      alerts: [{ id: alerts.critical }, { id: alerts.moderate }],
    });
    const passed = await check('-l', 'team=x', '--max-severity', 'critical');
    expect(passed).toEqual({ code: 0, stdout: 'Passed: 2 alert configurations checked.\n', stderr: '' });
  });

  test('counts acknowledged and snoozed alerts unless an option ignores them', async () => {
    const args = ['--config', String(configs.critical), '--max-severity', 'high'];
    await world.admin.call('acknowledgeAlert', { path: { id: alerts.critical } });
    expect(await check(...args)).toMatchObject({ code: 1 });
    expect(await check(...args, '--ignore-acknowledged')).toMatchObject({ code: 0 });
    await world.admin.call('unacknowledgeAlert', { path: { id: alerts.critical } });
    expect(await check(...args, '--ignore-acknowledged')).toMatchObject({ code: 1 });
    const body = { until_version_changes: true };
    await world.admin.call('snoozeAlert', { path: { id: alerts.critical }, body });
    expect(await check(...args)).toMatchObject({ code: 1 });
    expect(await check(...args, '--ignore-snoozed')).toMatchObject({ code: 0 });
    await world.admin.call('unsnoozeAlert', { path: { id: alerts.critical } });
  });
});

describe('check without a clear result', () => {
  test('warns, fails, or passes for a configuration without data, depending on --on-no-data', async () => {
    const blind = ['-l', 'team=blind'];
    expect(await check(...blind)).toMatchObject({
      code: 0,
      stderr: 'Warning: 1 alert configuration has no data.\n',
      stdout: expect.stringMatching(/Blind +no_data/),
    });
    expect(await check(...blind, '--on-no-data', 'fail')).toMatchObject({
      code: 1,
      stderr: 'pacekeeper check: 1 alert configuration has no data.\n',
    });
    expect(await check(...blind, '--on-no-data', 'ignore', '--on-stale', 'fail')).toEqual({
      code: 0,
      stderr: '',
      stdout: 'Passed: 0 of 1 alert configuration checked (1 without data).\n',
    });
  });

  test('fails if the selector matches no active configuration', async () => {
    for (const label of ['team=typo', 'team=off'])
      expect(await check('-l', label)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('No enabled alert configuration matches'),
      });
    expect(await check('-l', 'team=typo', '--allow-empty')).toMatchObject({ code: 0 });
  });

  test.each([
    ['an unknown severity', ['--max-severity', 'severe'], {}],
    ['an invalid label', ['--label', 'team'], {}],
    ['an unknown configuration', ['--config', 'Nobody'], {}],
    ['a rejected key', [], { PACEKEEPER_API_KEY: 'pk_1_wrong' }],
    ['an unreachable server', ['--retries', '0'], { PACEKEEPER_SERVER_URL: 'http://127.0.0.1:1' }],
    ['a missing server URL', [], { PACEKEEPER_SERVER_URL: '', PACEKEEPER_API_KEY: '' }],
  ])('exits with code 2 because of %s', async (_, args, other) => {
    const result = await runCommand(['check', ...args], { env: { ...env(), ...other } });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).not.toBe('');
  });
});

test('the check commands in the pipeline guide pass', async () => {
  await world.make.alertConfig({ labels: { team: 'platform' }, scrape_job_id: await world.make.scrapeJob() });
  const commands = [...documentationPage('guides/ci.md').matchAll(/^ +(?:- pacekeeper )?check (--.*)$/gm)];
  expect(commands).toHaveLength(2);
  for (const [, args] of commands) expect(await check(...args!.split(' '))).toMatchObject({ code: 0 });
});
