import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createMonitoredSoftware } from '../../../../tests/helpers/monitored.ts';
import { startTestServer, type TestOrganization } from '../../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const server = await startTestServer();

const fileJob = {
  name: 'web',
  parser_type: 'yq',
  repository_url: 'https://git.example.org/acme/deploy/',
  target_file: 'values.yaml',
  parse_expression: '.image.tag',
} as const;

function createJob({ api }: TestOrganization, change: Partial<Schemas['CreateScrapeJobRequest']> = {}) {
  return api.call('createScrapeJob', { body: { ...fileJob, ...change } });
}

describe('scrape jobs', () => {
  test('are created with their defaults and run once immediately', async () => {
    const organization = await server.createOrganization();
    const job = await createJob(organization);
    expect(job).toMatchObject({
      repository_url: 'https://git.example.org/acme/deploy',
      ref: 'HEAD',
      version_transform: 'none',
      cron_timezone: 'UTC',
      history_limit: 100,
      is_active: true,
      status: 'pending',
      waiting_for: 'agent',
      next_run_at: null,
      last_run: { status: 'queued', trigger: 'created' },
      latest_version: null,
    });
    const manual = await createJob(organization, {
      name: 'by hand',
      parser_type: 'manual',
      repository_url: null,
      target_file: null,
      parse_expression: null,
    });
    expect(manual).toMatchObject({ ref: null, last_run: null, waiting_for: null });
    const { api } = organization;
    expect(
      (await api.call('listScrapeJobs', { query: { parser_type: 'manual' } })).items.map((item) => item.id),
    ).toEqual([manual.id]);
    expect((await api.call('listScrapeJobs', { query: { status: 'pending' } })).total).toBe(2);
    expect(await api.call('listScrapeJobsDropdown')).toEqual([
      { id: manual.id, name: 'by hand', parser_type: 'manual', latest_version: null },
      { id: job.id, name: 'web', parser_type: 'yq', latest_version: null },
    ]);
  });

  test.each<[string, Partial<Schemas['CreateScrapeJobRequest']>, string]>([
    ['a manual job with a repository', { parser_type: 'manual' }, 'repository_url'],
    ['a job without a file', { target_file: null }, 'target_file'],
    [
      'userinfo in a URL',
      { repository_url: 'https://me:secret@git.example.org/acme/deploy' },
      'repository_url',
    ],
    ['an invalid URL', { repository_url: 'nope' }, 'repository_url'],
    ['a URL without a path', { repository_url: 'https://nope' }, 'repository_url'],
    ['a URL with an invalid host', { repository_url: 'https://a..b/acme/deploy' }, 'repository_url'],
    ['a URL that git would execute', { repository_url: 'ext::sh -c id' }, 'repository_url'],
    ['a ref that is an option', { ref: '--upload-pack=id' }, 'ref'],
    ['a path outside the repository', { target_file: '../../etc/passwd' }, 'target_file'],
    ['a lookahead', { parser_type: 'regex', parse_expression: 'a(?=b)' }, 'parse_expression'],
    ['a filter in a JSON path', { parser_type: 'jq', parse_expression: '.a[0]' }, 'parse_expression'],
    ['an invalid schedule', { cron_expression: '61 * * * *' }, 'cron_expression'],
    ['an unknown time zone', { cron_timezone: 'Mars/Olympus' }, 'cron_timezone'],
  ])('%s is rejected, with the name of the field', async (_what, change, field) => {
    const organization = await server.createOrganization();
    await expect(createJob(organization, change)).rejects.toMatchObject({
      status: 400,
      errors: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });

  test('are stored in one statement together with their audit log entry if they need no run', async () => {
    const { api } = await server.createOrganization();
    const body = { name: 'By hand', parser_type: 'manual' } as const;
    const statements = await server.statementsOf(() => api.call('createScrapeJob', { body }));
    // The loops of the server can read due jobs at the same time.
    const writes = statements.filter((text) => /insert into "?(?:scrape_jobs|audit_log)\b/i.test(text));
    expect(writes).toHaveLength(1);
    expect(writes[0]).toMatch(/audit_log/);
  });

  test("can't be converted to or from manual jobs", async () => {
    const organization = await server.createOrganization();
    const job = await createJob(organization);
    const change = { parser_type: 'manual' } as const;
    await expect(
      organization.api.call('updateScrapeJob', { path: { id: job.id }, body: change }),
    ).rejects.toMatchObject({ status: 400 });
  });

  test('replace their queued run if their target file changes, but not if they are renamed', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const job = await createJob(organization);
    const path = { id: job.id };
    const renamed = await api.call('updateScrapeJob', { path, body: { name: 'other' } });
    expect(renamed.last_run).toMatchObject({ id: job.last_run!.id, status: 'queued' });
    const changed = await api.call('updateScrapeJob', { path, body: { target_file: 'other.yaml' } });
    expect(changed.last_run).toMatchObject({ status: 'queued', trigger: 'changed' });
    const runs = (await api.call('listScrapeJobRuns', { path, query: {} })).items;
    expect(runs.map((run) => [run.status, run.trigger])).toEqual([
      ['queued', 'changed'],
      ['canceled', 'created'],
    ]);
  });

  test('cancel their queued run if they are disabled and their target file changes', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { id } = await createJob(organization);
    await api.call('updateScrapeJob', { path: { id }, body: { is_active: false } });
    const changed = await api.call('updateScrapeJob', { path: { id }, body: { target_file: 'other.yaml' } });
    expect(changed.last_run).toMatchObject({ status: 'canceled' });
  });

  test("can be run manually even when disabled, with only one queued run, unless the job's version is set manually", async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { id } = await createJob(organization, { is_active: false });
    const path = { id };
    expect((await api.call('getScrapeJob', { path })).last_run).toBeNull();
    const { status } = await api.send('runScrapeJob', { path });
    expect(status).toBe(202);
    await api.call('runScrapeJob', { path });
    expect((await api.call('listScrapeJobRuns', { path, query: {} })).items).toMatchObject([
      { trigger: 'manual', status: 'queued' },
    ]);
    expect((await api.call('getScrapeJob', { path })).is_active).toBe(false);
    const { scrapeJobId } = await createMonitoredSoftware(server, organization);
    await expect(api.call('runScrapeJob', { path: { id: scrapeJobId } })).rejects.toMatchObject({
      status: 409,
    });
  });

  test('have a preview that returns the version that was found, or the error', async () => {
    const { api } = await server.createOrganization();
    const content = 'image:\n  tag: 1.10\n';
    const preview = (parse_expression: string) =>
      api.call('previewScrapeJob', {
        body: { parser_type: 'yq', parse_expression, version_transform: 'add_v_lower', content },
      });
    expect(await preview('.image.tag')).toEqual({
      found: true,
      raw_version: '1.10',
      version: 'v1.10',
      error: null,
    });
    expect(await preview('.image')).toMatchObject({
      found: false,
      version: null,
      error: { code: 'not_found', message: expect.any(String) },
    });
  });

  test('can be deleted if nothing uses them, or together with the resources that use them', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { scrapeJobId, configId } = await createMonitoredSoftware(server, organization);
    await api.call('evaluateRules');
    const path = { id: scrapeJobId };
    await expect(api.call('deleteScrapeJob', { path })).rejects.toMatchObject({
      status: 409,
      code: 'in_use',
      body: expect.objectContaining({ alert_config_ids: [configId], alert_config_count: 1 }),
    });
    await api.call('deleteScrapeJob', { path, query: { cascade: true } });
    await expect(api.call('getScrapeJob', { path })).rejects.toMatchObject({ status: 404 });
    expect((await api.call('getAlertSummary')).open).toBe(0);
  });
});

describe('the schedule of a scrape job', () => {
  test('changes only with the fields that affect it', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { id, next_run_at } = await createJob(organization, { cron_expression: '0 3 1 1 *' });
    const path = { id };
    expect(next_run_at).toMatch(/-01-01T03:00:\d\d/);
    expect((await api.call('updateScrapeJob', { path, body: { name: 'x' } })).next_run_at).toBe(next_run_at);
    const hourly = await api.call('updateScrapeJob', { path, body: { cron_expression: '@hourly' } });
    expect(Date.parse(hourly.next_run_at!) - Date.now()).toBeLessThan(3_700_000);
    expect((await api.call('updateScrapeJob', { path, body: { is_active: false } })).next_run_at).toBeNull();
  });

  test("isn't overwritten by a loop that claimed the job under its former schedule", async () => {
    const organization = await server.createOrganization();
    const { api, id: organizationId } = organization;
    const { id } = await createJob(organization, { cron_expression: '@yearly' });
    await sql`
      UPDATE scrape_jobs SET lease_token = gen_random_uuid(), lease_until = pacekeeper_now() + interval '30 seconds'
      WHERE organization_id = ${organizationId} AND id = ${id}`.execute(server.db);
    await api.call('updateScrapeJob', { path: { id }, body: { cron_expression: '@hourly' } });
    const { rows } = await sql`SELECT lease_token FROM scrape_jobs WHERE id = ${id}`.execute(server.db);
    expect(rows).toEqual([{ lease_token: null }]);
  });

  test('still starts a run that was due before a rename', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { id } = await createJob(organization, { cron_expression: '@yearly' });
    await sql`DELETE FROM runs WHERE scrape_job_id = ${id}`.execute(server.db);
    await sql`
      UPDATE scrape_jobs SET due_at = pacekeeper_now(), lease_until = pacekeeper_now() + interval '1 second' WHERE id = ${id}`.execute(
      server.db,
    );
    await api.call('updateScrapeJob', { path: { id }, body: { name: 'renamed' } });
    await expect
      .poll(async () => (await api.call('getScrapeJob', { path: { id } })).last_run)
      .toMatchObject({
        trigger: 'schedule',
      });
  });
});
