import { describe, expect, test } from 'vitest';
import { createMonitoredSoftware, createReleases } from '../../../../tests/helpers/monitored.ts';
import { startTestServer } from '../../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const server = await startTestServer();

describe('alert configurations', () => {
  test('contain their jobs and rule, their lag, and their alert', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const monitored = await createMonitoredSoftware(server, organization, { labels: { team: 'payments' } });
    await api.call('evaluateRules');
    const path = { id: monitored.configId };
    const config = await api.call('getAlertConfig', { path });
    expect(config).toMatchObject({
      scrape_job: { id: monitored.scrapeJobId, name: 'web in production' },
      gather_job: { id: monitored.gatherJobId, name: 'web' },
      rule: { id: monitored.ruleId, name: 'Majors' },
      labels: { team: 'payments' },
      state: 'alerting',
      state_reason: null,
      severity: 'high',
      deployed_version: '1.0.0',
      latest_version: '3.0.0',
      latest_stable_version: '3.0.0',
      behind_by: 2,
    });
    const [alert] = (await api.call('listAlerts', {})).items;
    expect(config.active_alert_id).toBe(alert!.id);

    const explained = await api.call('getAlertConfigExplanation', { path });
    expect(explained.evaluated_at).toBe(config.last_evaluated_at);
    expect(explained.explanation).not.toBeNull();
  });

  test('can be filtered by state, severity, job, rule, and label', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const behind = await createMonitoredSoftware(server, organization, { labels: { team: 'payments' } });
    const well = await createMonitoredSoftware(server, organization, {
      deployed: '3.0.0',
      labels: { team: 'web' },
    });
    await api.call('evaluateRules');
    const ids = async (query: object) =>
      (await api.call('listAlertConfigs', { query })).items.map((config) => config.id);
    expect(await ids({})).toEqual([well.configId, behind.configId]);
    expect(await ids({ state: 'ok' })).toEqual([well.configId]);
    expect(await ids({ severity: 'high' })).toEqual([behind.configId]);
    expect(await ids({ label: 'team=payments' })).toEqual([behind.configId]);
    expect(await ids({ rule_id: well.ruleId })).toEqual([well.configId]);
    expect(await ids({ gather_job_id: behind.gatherJobId })).toEqual([behind.configId]);
    expect(await ids({ q: '3.0' })).toEqual([well.configId]);
  });

  test('pass their new labels to the open alert', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId } = await createMonitoredSoftware(server, organization, {
      labels: { team: 'payments' },
    });
    await api.call('evaluateRules');
    await api.call('updateAlertConfig', { path: { id: configId }, body: { labels: { team: 'search' } } });
    const { items, total } = await api.call('listAlerts', { query: { label: 'team=search' } });
    expect(items.map(({ labels }) => labels)).toEqual([{ team: 'search' }]);
    expect(total).toBe(1);
    for (const [label, count] of [
      ['team=search', 1],
      ['team=payments', 0],
    ] as const)
      expect((await api.call('listAlertConfigs', { query: { label } })).total).toBe(count);
  });

  test("compare only versions that match the pattern and aren't ignored", async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId } = await createMonitoredSoftware(server, organization);
    const path = { id: configId };
    const evaluate = async () => {
      await api.call('evaluateRules');
      return api.call('getAlertConfig', { path });
    };
    await api.call('updateAlertConfig', { path, body: { candidate_pattern: '^[12]\\.' } });
    expect(await evaluate()).toMatchObject({ latest_version: '2.0.0', behind_by: 1, severity: 'moderate' });
    await api.call('updateAlertConfig', {
      path,
      body: { candidate_pattern: null, ignored_versions: ['3.0.0', '2.0.0'] },
    });
    expect(await evaluate()).toMatchObject({
      latest_version: '1.0.0',
      behind_by: 0,
      state: 'ok',
      severity: null,
    });
    await expect(
      api.call('updateAlertConfig', { path, body: { candidate_pattern: '(?=x)' } }),
    ).rejects.toMatchObject({
      status: 400,
      errors: [expect.objectContaining({ field: 'candidate_pattern' })],
    });
  });

  test.each(['ignored_versions', 'counted_versions'])('reject control characters in %s', async (field) => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId } = await createMonitoredSoftware(server, organization);
    for (const version of ['1.6.0\u001b[31m', '1.5.0\u202e'])
      await expect(
        api.call('updateAlertConfig', { path: { id: configId }, body: { [field]: ['1.0.0', version] } }),
      ).rejects.toMatchObject({
        status: 400,
        errors: [{ field: `${field}.1`, message: 'contains invalid characters' }],
      });
  });

  test('include an outlier release after it is added to the counted versions, and count its days from that time', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const older = Array.from({ length: 20 }, (_, index) => `1.${index}.0`);
    const { configId } = await createMonitoredSoftware(server, organization, {
      releases: ['9.0.0', ...older],
      deployed: '1.19.0',
      rule: { rule_type: 'days_behind', thresholds: { moderate: 10 }, days_basis: 'first_newer_release' },
    });
    const path = { id: configId };
    const evaluate = async () => {
      await api.call('evaluateRules');
      return api.call('getAlertConfig', { path });
    };
    const explain = async () => (await api.call('getAlertConfigExplanation', { path })).explanation;
    expect(await evaluate()).toMatchObject({ counted_versions: [], latest_version: '1.19.0', state: 'ok' });
    expect(await explain()).toMatchObject({ left_out: [{ reason: 'outlier', examples: ['9.0.0'] }] });

    const before = await api.call('getAlertConfig', { path });
    const listed = await api.call('updateAlertConfig', { path, body: { counted_versions: ['9.0.0'] } });
    expect(listed).toMatchObject({ counted_versions: ['9.0.0'], revision: before.revision + 1 });
    const counted = await evaluate();
    expect(counted).toMatchObject({ latest_version: '9.0.0', behind_by: 0, state: 'ok' });
    expect(counted.behind_since! >= listed.updated_at).toBe(true);
    expect(await explain()).toMatchObject({
      date_used: { source: 'counted_at', version: '9.0.0' },
      candidates: { counted: ['9.0.0'] },
      left_out: [],
    });

    // Versions that are still in the updated list keep the time from which they are counted.
    await api.call('updateAlertConfig', { path, body: { counted_versions: ['8.0.0', '9.0.0'] } });
    expect(await evaluate()).toMatchObject({ behind_since: counted.behind_since });
    await api.call('updateAlertConfig', { path, body: { counted_versions: [] } });
    expect(await evaluate()).toMatchObject({ latest_version: '1.19.0', behind_by: 0, behind_since: null });

    const { name, scrape_job_id, gather_job_id, rule_id } = counted;
    const body = {
      name,
      scrape_job_id,
      gather_job_id,
      rule_id,
      candidate_pattern: '.',
      counted_versions: ['9.0.0'],
    };
    const created = await api.call('createAlertConfig', { body });
    await api.call('evaluateRules');
    expect(await api.call('getAlertConfig', { path: { id: created.id } })).toMatchObject({
      counted_versions: ['9.0.0'],
      latest_version: '9.0.0',
      behind_by: 0,
    });
  });

  test('use the ignored and counted versions of their gather job until the lists are cleared', async () => {
    const organization = await server.createOrganization();
    const { api, owner } = organization;
    const older = Array.from({ length: 20 }, (_, index) => `1.${index}.0`);
    const { configId, gatherJobId } = await createMonitoredSoftware(server, organization, {
      releases: ['9.0.0', ...older],
      deployed: '1.18.0',
      rule: { rule_type: 'days_behind', thresholds: { moderate: 10 }, days_basis: 'first_newer_release' },
    });
    const path = { id: configId };
    const job = { path: { id: gatherJobId } };
    const evaluate = async () => {
      await api.call('evaluateRules');
      return api.call('getAlertConfig', { path });
    };
    const explain = async () => (await api.call('getAlertConfigExplanation', { path })).explanation;
    const before = await evaluate();
    expect(before).toMatchObject({ latest_version: '1.19.0', ignored_versions: [] });

    const ignored = await api.call('updateGatherJob', { ...job, body: { ignored_versions: ['1.19.0'] } });
    expect(await evaluate()).toMatchObject({
      latest_version: '1.18.0',
      state: 'ok',
      ignored_versions: [],
      revision: before.revision,
    });
    expect(await explain()).toMatchObject({
      left_out: expect.arrayContaining([{ reason: 'ignored', count: 1, examples: ['1.19.0'] }]),
    });

    await api.call('updateGatherJob', { ...job, body: { counted_versions: ['9.0.0'] } });
    const counted = await evaluate();
    expect(counted).toMatchObject({ latest_version: '9.0.0', behind_by: 0, state: 'ok' });
    expect(await explain()).toMatchObject({ date_used: { source: 'counted_at', version: '9.0.0' } });
    await api.call('updateGatherJob', { ...job, body: { counted_versions: ['8.0.0', '9.0.0'] } });
    expect(await evaluate()).toMatchObject({ behind_since: counted.behind_since });

    const { revision } = await api.call('updateGatherJob', {
      ...job,
      body: { ignored_versions: [], counted_versions: [] },
    });
    expect(revision).toBe(ignored.revision + 3);
    expect(await evaluate()).toMatchObject({ latest_version: '1.19.0' });
    const { items } = await owner.call('listAuditLog', { query: { limit: 1 } });
    expect(items[0]).toMatchObject({
      action: 'gather_job.updated',
      changes: [
        { field: 'counted_versions', from: ['8.0.0', '9.0.0'], to: [] },
        { field: 'ignored_versions', from: ['1.19.0'], to: [] },
      ],
    });
  });

  test('only the operator can ignore a release of a global gather job', async () => {
    const organization = await server.createOrganization();
    const job = await server.system.call('createGatherJob', {
      body: {
        name: 'Global',
        source_type: 'git_tags',
        artifact_name: 'https://git.example/a.git',
        is_active: false,
      },
    });
    const path = { id: job.id };
    await expect(
      organization.owner.call('updateGatherJob', { path, body: { ignored_versions: ['1.0.0'] } }),
    ).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    expect(
      await server.system.call('updateGatherJob', { path, body: { ignored_versions: ['1.0.0'] } }),
    ).toMatchObject({ ignored_versions: ['1.0.0'] });
  });

  test('references to resources of another organization return the same error as references to resources that never existed', async () => {
    const [own, other] = [await server.createOrganization(), await server.createOrganization()];
    const mine = await createMonitoredSoftware(server, own);
    const theirs = await createMonitoredSoftware(server, other);
    const link = {
      name: 'x',
      scrape_job_id: mine.scrapeJobId,
      gather_job_id: mine.gatherJobId,
      rule_id: mine.ruleId,
    };
    const never = 999_999_999;
    for (const [field, id] of [
      ['scrape_job_id', theirs.scrapeJobId],
      ['gather_job_id', theirs.gatherJobId],
      ['rule_id', theirs.ruleId],
    ] as const) {
      const answers = [];
      for (const wrong of [id, never]) {
        const body = { ...link, [field]: wrong };
        for (const attempt of [
          () => own.api.call('createAlertConfig', { body }),
          () => own.api.call('updateAlertConfig', { path: { id: mine.configId }, body: { [field]: wrong } }),
        ]) {
          answers.push(
            await attempt().catch(
              (error: { status: number; message: string }) => `${error.status} ${error.message}`,
            ),
          );
        }
      }
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toMatch(/^400 .* not found/);
    }
  });

  test('a global gather job can be used by every organization', async () => {
    const organization = await server.createOrganization();
    const gatherJobId = await createReleases(server, { id: 1, api: server.system }, ['1.0.0', '2.0.0']);
    const { scrapeJobId, ruleId } = await createMonitoredSoftware(server, organization);
    const body = { name: 'global', scrape_job_id: scrapeJobId, gather_job_id: gatherJobId, rule_id: ruleId };
    const config = await organization.api.call('createAlertConfig', { body });
    await organization.api.call('evaluateRules');
    expect(await organization.api.call('getAlertConfig', { path: { id: config.id } })).toMatchObject({
      behind_by: 1,
    });
  });

  test('resolve their alert as reconfigured when their rule is replaced, and the new rule opens another alert', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId } = await createMonitoredSoftware(server, organization);
    await api.call('evaluateRules');
    const other = await api.call('createRule', {
      body: { name: 'strict', rule_type: 'majors_behind', thresholds: { critical: 1 } },
    });
    await api.call('updateAlertConfig', { path: { id: configId }, body: { rule_id: other.id } });
    await api.call('evaluateRules');
    const [resolved] = (await api.call('listResolvedAlerts', {})).items;
    expect(resolved).toMatchObject({
      severity: 'high',
      resolution: 'reconfigured',
      resolved_by: { type: 'system' },
    });
    expect((await api.call('listAlerts', {})).items).toMatchObject([
      { severity: 'critical', rule_id: other.id },
    ]);
  });

  test("resolve their alert when they are disabled, and aren't evaluated until they are enabled", async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const path = { id: (await createMonitoredSoftware(server, organization)).configId };
    await api.call('evaluateRules');
    expect((await api.call('toggleAlertConfig', { path })).is_active).toBe(false);
    await expect.poll(async () => (await api.call('getAlertConfig', { path })).state).toBe('inactive');
    expect((await api.call('listResolvedAlerts', {})).items).toMatchObject([{ resolution: 'disabled' }]);
    expect((await api.call('evaluateRules')).evaluated).toBe(0);
    await api.call('toggleAlertConfig', { path });
    await expect.poll(async () => (await api.call('getAlertConfig', { path })).state).toBe('alerting');
  });

  test('show the number of open alerts that disabling would resolve, and alerts that reopen show the toggle as their reason', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const first = await createMonitoredSoftware(server, organization);
    const { scrapeJobId, ruleId, configId } = first;
    const gatherJobId = await createReleases(server, organization, ['1.0.0', '3.0.0']);
    await api.call('createAlertConfig', {
      body: { name: 'second', scrape_job_id: scrapeJobId, gather_job_id: gatherJobId, rule_id: ruleId },
    });
    await api.call('evaluateRules');
    const path = { id: ruleId };
    const counts = async () => [
      (await api.call('getRule', { path })).open_alert_count,
      (await api.call('listRules', {})).items[0]!.open_alert_count,
      (await api.call('getAlertConfig', { path: { id: configId } })).open_alert_count,
    ];
    expect(await counts()).toEqual([2, 2, 1]);
    await api.call('toggleRule', { path });
    await expect.poll(counts).toEqual([0, 0, 0]);
    await api.call('toggleRule', { path });
    await expect.poll(counts).toEqual([2, 2, 1]);
    const { items } = await api.call('listAlerts', { query: { alert_config_id: configId } });
    const trail = await api.call('listAlertActions', { path: { id: items[0]!.id } });
    expect(trail.items.at(-1)).toMatchObject({
      action: 'created',
      detail: '1.0.0 → 3.0.0; its rule or alert configuration was enabled',
    });
    await api.call('deleteRule', { path });
    const log = await api.call('listAuditLog', { query: { action: 'rule.deleted' } });
    expect(log.items[0]!.detail).toMatchObject({ alert_config_count: 2, open_alert_count: 2 });
  });

  test('are deleted together with their alerts', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const path = { id: (await createMonitoredSoftware(server, organization)).configId };
    await api.call('evaluateRules');
    await api.call('deleteAlertConfig', { path });
    expect((await api.call('getAlertSummary')).open).toBe(0);
    await expect(api.call('getAlertConfigExplanation', { path })).rejects.toMatchObject({ status: 404 });
  });

  describe('a duplicate', () => {
    async function createFirst() {
      const organization = await server.createOrganization();
      const { scrapeJobId, gatherJobId, ruleId, configId } = await createMonitoredSoftware(
        server,
        organization,
      );
      const parts = { scrape_job_id: scrapeJobId, gather_job_id: gatherJobId, rule_id: ruleId };
      const create = (fields: object = {}) =>
        organization.api.call('createAlertConfig', { body: { name: 'second', ...parts, ...fields } });
      const update = (id: number, body: Schemas['UpdateAlertConfigRequest']) =>
        organization.api.call('updateAlertConfig', { path: { id }, body });
      const conflict = {
        status: 409,
        code: 'conflict',
        message: expect.stringContaining(
          `Alert configuration "web" (ID ${configId}) already compares these with the same rule and version filter.`,
        ),
        body: expect.objectContaining({ alert_config_ids: [configId], alert_config_count: 1 }),
      };
      return { organization, parts, ruleId, configId, create, update, conflict };
    }

    test('is rejected, with the name and ID of the first configuration', async () => {
      const { organization, create, conflict } = await createFirst();
      await expect(create()).rejects.toMatchObject(conflict);
      await expect(create({ candidate_pattern: null })).rejects.toMatchObject(conflict);
      await expect(create({ ordinal: 0 })).rejects.toMatchObject(conflict);
      expect((await organization.api.call('listAlertConfigs')).total).toBe(1);
    });

    test('has the same scrape job, gather job, rule, and version filter as another configuration', async () => {
      const { organization, ruleId, create, update, conflict, configId } = await createFirst();
      const { api } = organization;
      const scrapeJob = await api.call('createScrapeJob', { body: { name: 'other', parser_type: 'manual' } });
      const gatherJobId = await createReleases(server, organization, ['1.0.0']);
      const rule = await api.call('createRule', {
        body: { name: 'other', rule_type: 'days_behind', thresholds: { high: 1 } },
      });
      for (const [field, value, back] of [
        [
          'scrape_job_id',
          scrapeJob.id,
          (await api.call('getAlertConfig', { path: { id: configId } })).scrape_job_id,
        ],
        [
          'gather_job_id',
          gatherJobId,
          (await api.call('getAlertConfig', { path: { id: configId } })).gather_job_id,
        ],
        ['rule_id', rule.id, ruleId],
        ['candidate_pattern', '^1\\.', null],
      ] as const) {
        const { id, ordinal } = await create({ [field]: value });
        expect(ordinal).toBe(0);
        await expect(update(id, { [field]: back })).rejects.toMatchObject(conflict);
        // An update that keeps the value isn't a conflict.
        expect(await update(id, { name: field, [field]: value })).toMatchObject({
          id,
          name: field,
          ordinal: 0,
        });
      }
    });

    test('is rejected with the ID of the stored configuration if several identical ones are created at the same time', async () => {
      const { organization, ruleId, create } = await createFirst();
      for (let round = 0; round < 5; round++) {
        const pattern = `^${round}`;
        const results = await Promise.allSettled(
          Array.from({ length: 6 }, () => create({ name: pattern, candidate_pattern: pattern })),
        );
        const { items } = await organization.api.call('listAlertConfigs', {
          query: { rule_id: ruleId, q: pattern },
        });
        expect(items).toHaveLength(1);
        const rejected = results.filter((result) => result.status === 'rejected');
        expect(rejected).toHaveLength(5);
        for (const { reason } of rejected)
          expect(reason).toMatchObject({
            status: 409,
            message: expect.stringContaining(`(ID ${items[0]!.id})`),
          });
      }
    });

    test('is stored with a different ordinal, keeps the ordinal through edits, and loses it when its comparison changes', async () => {
      const { create, update, conflict, configId } = await createFirst();
      const second = await create({ ordinal: 1 });
      expect(second.ordinal).toBe(1);
      await expect(create({ ordinal: 1 })).rejects.toMatchObject({ body: { alert_config_ids: [second.id] } });
      await expect(update(second.id, { ordinal: 0 })).rejects.toMatchObject(conflict);
      const moved = await update(second.id, { ordinal: 2 });
      expect(moved).toMatchObject({ ordinal: 2, revision: second.revision + 1 });
      await update(second.id, { ordinal: 1 });
      expect(await update(second.id, { name: 'renamed', candidate_pattern: null })).toMatchObject({
        ordinal: 1,
      });
      expect(await update(second.id, { candidate_pattern: '^2' })).toMatchObject({ ordinal: 0 });
      await expect(update(second.id, { candidate_pattern: null })).rejects.toMatchObject(conflict);
      // After the first configuration has changed, a new one is still a duplicate of the second.
      await update(second.id, { candidate_pattern: null, ordinal: 1 });
      await update(configId, { candidate_pattern: '^3' });
      await expect(create()).rejects.toMatchObject({ body: { alert_config_ids: [second.id] } });
    });

    test('is allowed in another organization', async () => {
      const gatherJobId = await createReleases(server, { id: 1, api: server.system }, ['1.0.0', '2.0.0']);
      for (let count = 0; count < 2; count++) {
        const { create } = await createFirst();
        expect(await create({ gather_job_id: gatherJobId })).toMatchObject({ ordinal: 0 });
      }
    });
  });
});
