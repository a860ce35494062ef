import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startContractInbox } from '../contract/contract-inbox.ts';
import { buildWorld, type World } from '../contract/world.ts';
import { runProgram } from '../helpers/run-program.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import type { WebhookInbox } from '../helpers/webhook-inbox.ts';
import { type CommandOptions, type CommandResult, runCommand } from './run-command.ts';

let server: SharedTestServer;
let world: World;
let inbox: WebhookInbox;

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
});

afterAll(() => inbox.close());

const env = () => ({ PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: world.keys.admin });

function run(args: string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runCommand(args, { ...options, env: { ...env(), ...options.env } });
}

/** Creates a rule used by alert configurations, one of which has an open alert. */
async function usedRule(name: string, configs = 3): Promise<{ rule: number; configIds: number[] }> {
  const alert = await world.make.openAlert();
  const { alert_config_id, rule_id } = await world.admin.call('getAlert', { path: { id: alert } });
  const configIds = [alert_config_id];
  for (let count = 1; count < configs; count++)
    configIds.push(await world.make.alertConfig({ rule_id, scrape_job_id: await world.make.scrapeJob() }));
  await world.admin.call('updateRule', { path: { id: rule_id }, body: { name } });
  const { alert_config_count } = await world.admin.call('getRule', { path: { id: rule_id } });
  expect(alert_config_count).toBe(configs);
  return { rule: rule_id, configIds };
}

const exists = (kind: string, id: number) =>
  run(['get', kind, String(id), '-o', 'name']).then(({ code }) => code === 0);

describe('deleting a resource', () => {
  test('requires --cascade for a rule in use, and first shows how many other resources are deleted', async () => {
    const { rule, configIds } = await usedRule('Dear', 3);
    // This call runs the real program, as a script would.
    const program = runProgram(['delete', 'rule', 'Dear', '--yes'], env());
    expect(await program.exited).toBe(1);
    expect(program.stderr()).toBe(
      `pacekeeper delete: Nothing was deleted. Rule ${rule} "Dear" is used by 3 alert configurations with 1 open alert. Use --cascade to delete them too.\n`,
    );
    expect(await exists('rule', rule)).toBe(true);
    // Without a terminal, `--cascade` isn't enough, because no one can confirm the deletion.
    expect(await run(['delete', 'rule', 'Dear', '--cascade'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('also deletes 3 alert configurations and 1 open alert.'),
    });
    for (const answer of ['y', 'yes', '', 'dear'])
      expect(await run(['delete', 'rule', 'Dear', '--cascade'], { answers: [answer] })).toMatchObject({
        code: 1,
      });
    expect(await exists('alert-config', configIds[0]!)).toBe(true);
    expect(await run(['delete', 'rule', 'Dear', '--cascade'], { answers: ['Dear'] })).toMatchObject({
      code: 0,
      stdout: `Rule ${rule} "Dear" deleted\n`,
      stderr: `Deleting rule ${rule} "Dear" also deletes 3 alert configurations and 1 open alert.\n`,
    });
    expect(await exists('alert-config', configIds[0]!)).toBe(false);
  });

  test('deletes none of several rules if one is in use', async () => {
    const { rule } = await usedRule('Used', 1);
    const free = await world.make.rule({ name: 'Free' });
    expect(await run(['delete', 'rules', 'Free', 'Used', '--yes'])).toMatchObject({ code: 1, stdout: '' });
    expect([await exists('rule', free), await exists('rule', rule)]).toEqual([true, true]);
    expect(await run(['delete', 'rules', 'Free', 'Used', '--yes', '--cascade'])).toMatchObject({ code: 0 });
    expect([await exists('rule', free), await exists('rule', rule)]).toEqual([false, false]);
  });

  test('requires only the usual confirmation for an unused rule', async () => {
    const id = await world.make.rule({ name: 'Unused' });
    expect(await run(['delete', 'rule', 'Unused'])).toMatchObject({ code: 2 });
    expect(await run(['delete', 'rule', 'Unused'], { answers: ['y'] })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await exists('rule', id)).toBe(false);
  });

  test.each(['gather_job_id', 'scrape_job_id'] as const)(
    'requires --cascade if the %s of an alert configuration refers to the resource',
    async (member) => {
      const config = await world.make.alertConfig();
      const { [member]: id } = await world.admin.call('getAlertConfig', { path: { id: config } });
      const kind = member === 'gather_job_id' ? 'gather-job' : 'scrape-job';
      const refused = await run(['delete', kind, String(id), '--yes']);
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.stderr).toMatch(
        /is used by \d+ alert configurations? with \d+ open alerts?\. Use --cascade/,
      );
      const done = await run(['delete', kind, String(id), '--yes', '--cascade']);
      expect(done).toMatchObject({ code: 0, stderr: expect.stringMatching(/also deletes \d+ alert config/) });
      expect(await exists('alert-config', config)).toBe(false);
    },
  );

  test('is rejected, even with --cascade, for a scrape job that other environments are compared with', async () => {
    const id = await world.make.scrapeJob({ name: 'Shop in staging' });
    const follow = { source_type: 'deployed_versions', artifact_name: `scrape-job/${id}` } as const;
    const { id: gatherJob } = await world.admin.call('createGatherJob', {
      body: { name: 'Versions of staging', ...follow },
    });
    for (const options of [['--yes'], ['--yes', '--cascade']]) {
      const { code, stderr } = await run(['delete', 'scrape-job', String(id), ...options]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `pacekeeper delete: Nothing was deleted. Scrape job ${id} "Shop in staging" is used by 1 gather job that compares other environments with it ("Versions of staging"). Delete the gather job first.\n`,
      });
    }
    expect(await run(['delete', 'gather-job', String(gatherJob), '--yes'])).toMatchObject({ code: 0 });
    expect(await run(['delete', 'scrape-job', String(id), '--yes'])).toMatchObject({ code: 0 });
  });

  test('reports the kept gather jobs of a helm sync job, or the deleted resources with --cascade', async () => {
    const sync = await world.make.helmSyncJob();
    await world.make.gathered();
    const { items } = await world.admin.call('listGatherJobs', { query: { helm_sync_job_id: sync } });
    expect(items.length).toBeGreaterThan(0);
    const config = await world.make.alertConfig({ gather_job_id: items[0]!.id });
    const asked = await run(['delete', 'helm-sync-job', String(sync)]);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('Keeps 1 gather job') });
    const cascaded = await run(['delete', 'helm-sync-job', String(sync), '--cascade', '--yes']);
    expect(cascaded).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/also deletes \d+ gather jobs? and 1 alert configuration/),
    });
    expect(await exists('alert-config', config)).toBe(false);
  });

  test('requires --cascade for the only channel of a notification rule, which is then disabled', async () => {
    const id = await world.make.channel({ name: 'Only one' });
    const other = await world.make.channel();
    await world.make.notificationRule({ name: 'Night shift', channel_ids: [id] });
    await world.make.notificationRule({ name: 'Day shift', channel_ids: [id, other] });
    const refused = await run(['delete', 'channel', 'Only one', '--yes']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      'is the only channel of 1 notification rule ("Night shift"). Use --cascade',
    );
    const done = await run(['delete', 'channel', 'Only one', '--yes', '--cascade']);
    expect(done).toMatchObject({ code: 0 });
    expect(done.stderr).toContain('Removes the channel from 2 notification rules.\n');
    expect(done.stderr).toContain('Disables 1 notification rule without another channel: "Night shift".\n');
    // A channel that no notification rule uses doesn't require `--cascade`.
    const free = await world.make.channel();
    expect(await run(['delete', 'channel', String(free), '--yes'])).toMatchObject({ code: 0 });
  });

  test('reports the open alert of an alert configuration', async () => {
    const { configIds } = await usedRule('Watched', 1);
    expect(await run(['delete', 'config', String(configIds[0]), '--yes'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('also deletes 1 open alert.'),
    });
    expect(await run(['delete', 'notification-rule', '1', '--cascade', '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--cascade has no effect'),
    });
  });
});

describe('enable and disable', () => {
  const isActive = async (kind: string, id: number): Promise<boolean> =>
    JSON.parse((await run(['get', kind, String(id), '-o', 'json'])).stdout).is_active;

  test.each([
    ['rule', () => world.make.rule()],
    ['alert-config', () => world.make.alertConfig()],
    ['gather-job', () => world.make.gatherJob()],
    ['scrape-job', () => world.make.scrapeJob()],
    ['helm-sync-job', () => world.make.helmSyncJob()],
    ['notification-channel', () => world.make.channel()],
    ['notification-rule', () => world.make.notificationRule()],
    ['api-key', async () => (await world.make.apiKey()).api_key.id],
  ])('change nothing when repeated: %s', async (kind, make) => {
    const id = await make();
    for (const [verb, wanted] of [
      ['disable', false],
      ['enable', true],
    ] as const) {
      expect((await run([verb, kind, String(id)])).stdout).toMatch(new RegExp(` ${verb}d\\n$`));
      expect((await run([verb, kind, String(id)])).stdout).toMatch(new RegExp(` is already ${verb}d\\n$`));
      expect(await isActive(kind, id)).toBe(wanted);
    }
  });

  test('reach the requested state when run concurrently', async () => {
    const rule = await world.make.rule();
    const { api_key } = await world.make.apiKey();
    for (const [kind, id] of [
      ['rule', rule],
      ['api-key', api_key.id],
    ] as const) {
      for (const verb of ['disable', 'enable']) {
        const results = await Promise.all(Array.from({ length: 4 }, () => run([verb, kind, String(id)])));
        expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
        expect(await isActive(kind, id)).toBe(verb === 'enable');
      }
    }
  });

  test('toggle again after a concurrent toggle reversed the state', async () => {
    const { api_key } = await world.make.apiKey();
    let toggles = 0;
    // Simulates another user who toggles between the read and the toggle.
    const gate = createServer(async (request, response) => {
      if (request.url?.endsWith('/toggle') && toggles++ === 0)
        await world.owner.call('toggleAPIKey', { path: { id: api_key.id } });
      const answer = await fetch(`${server.url}${request.url}`, {
        method: request.method!,
        headers: { 'x-api-key': world.keys.admin },
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
    const result = await run(['disable', 'api-key', String(api_key.id)], {
      env: { PACEKEEPER_SERVER_URL: url },
    });
    gate.closeAllConnections();
    gate.close();
    expect(result).toMatchObject({ code: 0 });
    expect(await isActive('api-key', api_key.id)).toBe(false);
  });

  test.each(['disable', 'toggle'])(
    'show on a terminal the number of open alerts that are resolved: %s',
    async (verb) => {
      const { rule, configIds } = await usedRule(`Quiet ${verb}`, 2);
      const question: string[] = [];
      const refused = await run([verb, 'rule', String(rule)], {
        answers: ['n'],
        onQuestion: (text) => question.push(text),
      });
      expect(refused).toMatchObject({ code: 1 });
      expect(question.join()).toContain('resolves 1 open alert and stops 2 alert configurations.');
      expect(await isActive('rule', rule)).toBe(true);
      expect(await run([verb, 'alert-config', String(configIds[0])], { answers: ['n'] })).toMatchObject({
        code: 1,
      });
      // The other configuration has no open alert, so no confirmation is required.
      expect(await run([verb, 'alert-config', String(configIds[1])], { answers: [] })).toMatchObject({
        code: 0,
      });
      expect(await run([verb, 'rule', String(rule)], { answers: ['y'] })).toMatchObject({ code: 0 });
      expect(await isActive('rule', rule)).toBe(false);
    },
  );
});
