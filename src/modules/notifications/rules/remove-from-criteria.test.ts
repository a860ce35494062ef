import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createMonitoredSoftware } from '../../../../tests/helpers/monitored.ts';
import { sharedTestServer, type TestOrganization } from '../../../../tests/helpers/test-server.ts';
import { createWebhookInbox } from '../../../../tests/helpers/webhook-inbox.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const server = await sharedTestServer();

type RuleFields = Partial<Schemas['CreateNotificationRuleRequest']>;

function createNotificationRule({ api }: TestOrganization, fields: RuleFields) {
  return api.call('createNotificationRule', { body: { name: 'some', ...fields } });
}

/** Removes the match fields, because alerts can match the rule at any time. */
function withoutMatches({ match_count: _count, last_matched_at: _at, ...rule }: Schemas['NotificationRule']) {
  return rule;
}

/** Creates an organization with two alert configurations and their jobs and rules. */
async function createWorld() {
  const organization = await server.createOrganization();
  const one = await createMonitoredSoftware(server, organization);
  const other = await createMonitoredSoftware(server, organization);
  const { api } = organization;
  const read = (id: number) => api.call('getNotificationRule', { path: { id } });
  return { organization, api, one, other, read };
}

describe('deleting resources in the criteria of notification rules', () => {
  test('removes a configuration from the rules, and disables a rule that would otherwise match all configurations', async () => {
    const { organization, api, one, other, read } = await createWorld();
    const both = await createNotificationRule(organization, {
      alert_config_ids: [other.configId, one.configId],
    });
    const only = await createNotificationRule(organization, {
      alert_config_ids: [one.configId],
      rule_ids: [other.ruleId],
    });
    const all = await createNotificationRule(organization, {});
    await api.call('deleteAlertConfig', { path: { id: one.configId } });

    expect(await read(both.id)).toMatchObject({
      alert_config_ids: [other.configId],
      is_active: true,
      inactive_reason: null,
    });
    expect(await read(only.id)).toMatchObject({
      alert_config_ids: [],
      rule_ids: [other.ruleId],
      is_active: false,
      inactive_reason: 'criteria_deleted',
    });
    expect(withoutMatches(await read(all.id))).toEqual(withoutMatches(all));
    const { items } = await api.call('listAuditLog', { query: { limit: 1 } });
    expect(items[0]).toMatchObject({
      action: 'alert_config.deleted',
      detail: {
        left_notification_rule_ids: [both.id, only.id],
        turned_off_notification_rule_ids: [only.id],
      },
    });
  });

  test('removes a monitoring rule and its configurations from the criteria', async () => {
    const { organization, api, one, other, read } = await createWorld();
    const ofRule = await createNotificationRule(organization, { rule_ids: [one.ruleId] });
    const ofConfig = await createNotificationRule(organization, { alert_config_ids: [one.configId] });
    const ofBoth = await createNotificationRule(organization, { rule_ids: [one.ruleId, other.ruleId] });
    await api.call('deleteRule', { path: { id: one.ruleId } });
    const off = { is_active: false, inactive_reason: 'criteria_deleted' };
    expect(await read(ofRule.id)).toMatchObject({ rule_ids: [], ...off });
    expect(await read(ofConfig.id)).toMatchObject({ alert_config_ids: [], ...off });
    expect(await read(ofBoth.id)).toMatchObject({ rule_ids: [other.ruleId], is_active: true });
  });

  test.each(['deleteGatherJob', 'deleteScrapeJob'] as const)(
    'removes from the criteria the configurations that are deleted with a job (%s)',
    async (operation) => {
      const { organization, api, one, read } = await createWorld();
      const rule = await createNotificationRule(organization, { alert_config_ids: [one.configId] });
      const id = operation === 'deleteGatherJob' ? one.gatherJobId : one.scrapeJobId;
      await api.call(operation, { path: { id }, query: { cascade: true } });
      expect(await read(rule.id)).toMatchObject({ alert_config_ids: [], is_active: false });
    },
  );

  test('changes no rule of another organization', async () => {
    const [mine, other] = [await createWorld(), await createWorld()];
    const theirs = await createNotificationRule(other.organization, {
      alert_config_ids: [other.one.configId],
    });
    await mine.api.call('deleteAlertConfig', { path: { id: mine.one.configId } });
    expect(withoutMatches(await other.read(theirs.id))).toEqual(withoutMatches(theirs));
  });

  test('sends the resolution of an alert to the channels that were notified of the alert', async () => {
    const { organization, api, one } = await createWorld();
    const inbox = await createWebhookInbox();
    try {
      const channel = await api.call('createNotificationChannel', { body: { name: 'hook', url: inbox.url } });
      await createNotificationRule(organization, {
        alert_config_ids: [one.configId],
        channel_ids: [channel.id],
      });
      await api.call('evaluateRules');
      const { items } = await api.call('listAlerts', { query: { alert_config_id: one.configId } });
      await api.call('acknowledgeAlert', { path: { id: items[0]!.id } });
      await inbox.waitFor(1);
      await api.call('deleteAlertConfig', { path: { id: one.configId } });
      const requests = await inbox.waitFor(2);
      expect(requests.map(({ body }) => JSON.parse(body).type)).toEqual([
        'alert.acknowledged',
        'alert.resolved',
      ]);
    } finally {
      await inbox.close();
    }
  });
});

describe('a rule whose criteria were deleted', () => {
  async function createEmptied(fields: RuleFields = {}) {
    const world = await createWorld();
    const { organization, api, one } = world;
    const rule = await createNotificationRule(organization, { alert_config_ids: [one.configId], ...fields });
    await api.call('deleteAlertConfig', { path: { id: one.configId } });
    return { ...world, path: { id: rule.id } };
  }

  test.each([
    ['was enabled', {}],
    ['was already disabled', { is_active: false }],
  ])("can't be enabled without other criteria (the rule %s)", async (_what, fields) => {
    const { api, path, read } = await createEmptied(fields);
    await expect(api.call('toggleNotificationRule', { path })).rejects.toMatchObject({ status: 409 });
    const turnOn = api.call('updateNotificationRule', { path, body: { is_active: true } });
    await expect(turnOn).rejects.toMatchObject({ status: 409 });
    expect(await read(path.id)).toMatchObject({ is_active: false, inactive_reason: 'criteria_deleted' });
  });

  test('can be enabled with new criteria, or with an update that explicitly removes the criteria', async () => {
    const { api, other, path } = await createEmptied();
    const body = { alert_config_ids: [other.configId] };
    expect(await api.call('updateNotificationRule', { path, body })).toMatchObject({ inactive_reason: null });
    expect(await api.call('toggleNotificationRule', { path })).toMatchObject({ is_active: true });

    const second = await createEmptied();
    const forAll = { alert_config_ids: [], is_active: true };
    expect(
      await second.api.call('updateNotificationRule', { path: second.path, body: forAll }),
    ).toMatchObject({
      is_active: true,
      inactive_reason: null,
    });
  });
});

test.each([
  ['deleteAlertConfig', 'configId'],
  ['deleteRule', 'ruleId'],
] as const)(
  'an update that adds a resource to a rule while the resource is being deleted does not leave it in the rule (%s)',
  async (operation, part) => {
    const { organization, api, one, other, read } = await createWorld();
    const rule = await createNotificationRule(organization, { alert_config_ids: [other.configId] });
    const working = await server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('notification_rules').select('id').where('id', '=', rule.id).forUpdate().execute();
      // The update has found its resources, and waits for the lock of this transaction on the rule.
      const body = { alert_config_ids: [one.configId, other.configId], rule_ids: [one.ruleId, other.ruleId] };
      const naming = api.call('updateNotificationRule', { path: { id: rule.id }, body });
      await sleep(300);
      const deleting = api.call(operation, { path: { id: one[part] } });
      await sleep(300);
      return { naming, deleting };
    });
    await Promise.all([working.naming, working.deleting]);
    const kept = operation === 'deleteRule' ? [other.ruleId] : [one.ruleId, other.ruleId];
    expect(await read(rule.id)).toMatchObject({
      alert_config_ids: [other.configId],
      rule_ids: kept,
      is_active: true,
    });
  },
);
